"""How the medium region depends on b/a.

Source: massny2025, section V.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from sympy import And, Eq, Implies

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.papers.massny2025.family import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    breakpoints,
    medium,
    regions,
)
from pufferproof.claims.registry import Check, claim

c = letter("c", "b/a of a chain", at_least(1))
d = letter("d", "b/a of another chain with the same lam")
e, f = letters("e f", "e^i(X_t=0), e^i(X_t=1) at a distance D in the first chain")
g, h = letters("g h", "e^i(X_t=0), e^i(X_t=1) at this distance in the second chain")
l = letter("l", "lam^D", above(-1), below(1))
T = letter("T", "e^eps', the threshold", above(1))
BEFORE, AFTER = And(e <= T, T < f), And(g <= T, T < h)
"""The record is in M, in the first chain and in the second."""

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
    """Prove it from the closed forms, record by record."""
    _never_shrinks(check)


def _never_shrinks(check: Check) -> None:
    scope = "all a <= b, every sign of lam, n, p and eps'"
    reverse = Edit("records of M", instead=Implies(AFTER, BEFORE))
    proved(check, FIXED, scope, _monotone, it_never_gains_one=reverse)


def _monotone(proof: Proof) -> None:
    proof.cite(
        "closed form",
        "(1 + c l)/(1 - l) or its inverse for the value 1, with 1/c for 0",
        "massny2025.prop1-closed",
    )
    proof.cite("range", "1 <= c, d and all ratios are positive", "massny2025.prop1-cd")
    proof.inequality(
        "influences",
        "that of 0 falls and that of 1 rises with b/a",
        And(g <= e, h >= f),
        [
            Implies(l >= 0, And(*_ratios(c, e, f), *_ratios(d, g, h))),
            Implies(l < 0, And(*_inverses(c, e, f), *_inverses(d, g, h))),
            c <= d,
            1 + d * l > 0,
            1 + c * l > 0,
        ],
    )
    proof.inequality("records of M", "T = e^eps'", Implies(BEFORE, AFTER), [g <= e, h >= f])


def _ratios(quotient: Any, zero: Any, one: Any) -> tuple[Any, Any]:
    """e^i of the values 0 and 1 for l >= 0, with b/a: (c + l)/(c (1 - l)), (1 + c l)/(1 - l)."""
    return Eq(zero * quotient * (1 - l), quotient + l), Eq(one * (1 - l), 1 + quotient * l)


def _inverses(quotient: object, zero: object, one: object) -> tuple[Any, Any]:
    """e^i of the values 0 and 1 for l < 0, with b/a: (c (1 - l))/(c + l), (1 - l)/(1 + c l)."""
    return Eq(zero * (quotient + l), quotient * (1 - l)), Eq(one * (1 + quotient * l), 1 - l)


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
            "n = 2, p = 1. Claimed: |M(eps')| grows with b/a. The second of the two chains has a "
            "larger b/a than the first, and at the same eps' its M has fewer records, or only as "
            "many where strict growth is claimed",
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
