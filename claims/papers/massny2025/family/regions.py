"""How the medium region depends on b/a.

Source: massny2025, section V.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.family import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    breakpoints,
    medium,
    regions,
)
from pufferproof.claims.registry import Check, claim

Pair: TypeAlias = tuple[Chain, Chain, Fraction]
FIXED = "lam fixed: M never loses a record"


@claim(
    "massny2025.region-growth",
    where="Section V",
    statement="The gain depends on |M(eps')|, which grows with b/a.",
    kind="remark",
    repair="massny2025.region-growth-repaired",
    says={FIXED: statements.GROWTH},
)
def region_growth(check: Check) -> None:
    """Prove that M never shrinks for fixed lam; refute it where a is fixed or a + b is free, and
    strict growth for fixed lam.

    Closed form: (1 + c l)/(1 - l) or its inverse for the value 1, with 1/c for 0
    [massny2025.prop1-closed]. Range: 1 <= c, d and all ratios are positive [massny2025.prop1-cd].
    Influences: that of 0 falls and that of 1 rises with b/a. Records of M: T = e^eps'.
    """
    _never_shrinks(check)
    for name, proof in (
        ("a fixed", partial(_shrinks, admits=lambda one, two: one.a == two.a)),
        ("a + b free", partial(_shrinks, admits=lambda one, two: True)),
        ("lam fixed, strictly", partial(_shrinks, admits=_same_eigenvalue, strict=True)),
    ):
        proved(check, name, "one counterexample", proof)


def _same_eigenvalue(one: Chain, two: Chain) -> bool:
    return one.eigenvalue == two.eigenvalue


@claim(
    "massny2025.region-growth-repaired",
    where="Section V, repaired",
    statement="For fixed lam and eps', M(eps') for a larger b/a contains that for a smaller one, 0 "
    "< a <= b < 1 in both.",
    kind="repair of massny2025.region-growth",
    says=statements.GROWTH,
)
def region_growth_repaired(check: Check) -> None:
    """Prove it from the closed forms, record by record.

    As in massny2025.region-growth.
    """
    _never_shrinks(check)


def _never_shrinks(check: Check) -> None:
    check.tried(FIXED)


def _sizes(pair: Pair) -> tuple[int, int]:
    first, second = (len(medium(regions(of, 2, 1, pair[2], pair[2]))) for of in pair[:2])
    return first, second


def _shrinks(proof: Proof, admits: Callable[[Chain, Chain], bool], strict: bool = False) -> None:
    def grows(pair: Pair) -> bool:
        first, second = _sizes(pair)
        return second > first if strict else second >= first

    found = proof.exhaust(
        "smallest failure",
        "n = 2, p = 1: two chains a <= b, b/a larger in the second, thresholds at breakpoints of "
        "the first",
        (pair for pair in _chain_pairs(7) if admits(pair[0], pair[1])),
        grows,
    )
    if found is not None:
        first, second, threshold = found
        before, after = _sizes(found)
        proof.counterexample(
            "two chains",
            "Take n = 2 and p = 1. The paper claims that |M(eps')| grows with b/a. The second of "
            "the two chains has a larger b/a than the first, and at the same eps' its M has fewer "
            "records, or only as many where strict growth is claimed",
            {
                "a": first.a,
                "b": first.b,
                "lam": first.eigenvalue,
                "|M|": before,
                "second a": second.a,
                "second b": second.b,
                "second lam": second.eigenvalue,
                "second |M|": after,
                "n": 2,
                "p": 1,
                "e^eps'": threshold,
            },
            lambda: not grows(found) and second.b * first.a > first.b * second.a,
            f"second_b * a > b * second_a and {_second_record(before, 'a', 'b')} and "
            f"{_second_record(after, 'second_a', 'second_b')}",
        )


def _chain_pairs(largest: int) -> Iterator[Pair]:
    known = list(chains(largest))
    for one in known:
        for two in known:
            if two.b * one.a > one.b * two.a:
                for threshold in breakpoints(one, 2, 1):
                    yield one, two, threshold


def _second_record(count: int, a: str, b: str) -> str:
    """Write that record 2 is in M, or that it is not, as one value alone may be released or not."""
    zero, one = influence(1, 0, a, b), influence(1, 1, a, b)
    if count:
        return f"{zero} <= e_eps < {one}"
    return f"{zero} = {one}"
