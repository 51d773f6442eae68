"""How the medium region depends on b/a.

c = b/a; e, f are e^i(X_t=0) and e^i(X_t=1) at a distance D, l = lam^D. Source: massny2025, section
V.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

import sympy
from sympy import And, Eq, Implies

from pufferproof.claims.papers.massny2025.family.instances import breakpoints, medium, regions
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

Pair: TypeAlias = tuple[Chain, Chain, Fraction]
FIXED = "lam fixed: M never loses a record"


@claim(
    "massny2025.region-growth",
    where="Section V",
    statement="The gain depends on |M(eps')|, which grows with b/a.",
    kind="remark",
    repair="massny2025.region-growth-repaired",
)
def region_growth(check: Check) -> None:
    """Refute it where a + b is free or a is fixed, and strict growth for fixed lam; prove that M
    never shrinks for " "fixed lam.
    """
    with check.reading("a + b free", "one counterexample") as argument:
        _shrinks(argument, lambda one, two: True)
    with check.reading("a fixed", "one counterexample") as argument:
        _shrinks(argument, lambda one, two: one.a == two.a)
    with check.reading("lam fixed, strictly", "one counterexample") as argument:
        _shrinks(argument, lambda one, two: one.eigenvalue == two.eigenvalue, strict=True)
    _never_shrinks(check)


@claim(
    "massny2025.region-growth-repaired",
    where="Section V, repaired",
    statement="For fixed lam and eps', M(eps') for a larger b/a contains that for a smaller one, 0 "
    "< a <= b < 1 in both.",
    kind="repair of massny2025.region-growth",
)
def region_growth_repaired(check: Check) -> None:
    """Prove it from the closed forms, record by record."""
    _never_shrinks(check)


def _never_shrinks(check: Check) -> None:
    with check.reading(FIXED, "all a <= b, every sign of lam, n, p and eps'") as argument:
        _monotone(argument)
    check.near_miss(
        f"{FIXED}: it never gains one", lambda argument: _monotone(argument, reverse=True)
    )


def _monotone(argument: Argument, reverse: bool = False) -> None:
    """c and d are b/a of two chains of the same lam, g and h the influences of the second chain."""
    c, d, e, f, g, h, l, T = sympy.symbols("c d e f g h l T")
    argument.cite(
        "closed form",
        "(1 + c l)/(1 - l) or its inverse for the value 1, with 1/c for 0",
        "massny2025.prop1-closed",
    )
    argument.cite("range", "1 <= c, d and all ratios are positive", "massny2025.prop1-cd")
    signs = [
        Implies(
            l >= 0,
            And(
                Eq(e * c * (1 - l), c + l),
                Eq(f * (1 - l), 1 + c * l),
                Eq(g * d * (1 - l), d + l),
                Eq(h * (1 - l), 1 + d * l),
            ),
        ),
        Implies(
            l < 0,
            And(
                Eq(e * (c + l), c * (1 - l)),
                Eq(f * (1 + c * l), 1 - l),
                Eq(g * (d + l), d * (1 - l)),
                Eq(h * (1 + d * l), 1 - l),
            ),
        ),
    ]
    argument.inequality(
        "influences",
        "that of 0 falls and that of 1 rises with b/a",
        And(g <= e, h >= f),
        [*signs, l > -1, l < 1, c >= 1, c <= d, 1 + d * l > 0, 1 + c * l > 0],
    )
    before, after = And(e <= T, T < f), And(g <= T, T < h)
    argument.inequality(
        "records of M",
        "T = e^eps'",
        Implies(after, before) if reverse else Implies(before, after),
        [g <= e, h >= f, T > 1],
    )


def _sizes(pair: Pair) -> tuple[int, int]:
    first, second = (len(medium(regions(of, 2, 1, pair[2], pair[2]))) for of in pair[:2])
    return first, second


def _shrinks(
    argument: Argument, admits: Callable[[Chain, Chain], bool], strict: bool = False
) -> None:
    def grows(pair: Pair) -> bool:
        first, second = _sizes(pair)
        return second > first if strict else second >= first

    found = argument.exhaust(
        "smallest failure",
        "n = 2, p = 1: two chains a <= b, b/a larger in the second, thresholds at breakpoints of "
        "the first",
        (pair for pair in _chain_pairs(7) if admits(pair[0], pair[1])),
        grows,
    )
    if found is not None:
        first, second, threshold = found
        before, after = _sizes(found)
        argument.counterexample(
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
        )


def _chain_pairs(largest: int) -> Iterator[Pair]:
    known = list(chains(largest))
    for one in known:
        for two in known:
            if two.b * one.a > one.b * two.a:
                for threshold in breakpoints(one, 2, 1):
                    yield one, two, threshold
