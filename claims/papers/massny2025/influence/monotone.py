"""Influences decrease with the distance, strictly unless lam = 0.

With c = b/a (value 1) or c = a/b (value 0) and l = lam^D, e^i_c(D) is (1 + c l)/(1 - l) or its
inverse. For lam < 0 odd and even distances are compared in both orders, with u = |lam|^D and m =
|lam|. Source: massny2025, appendices C, D and F.
"""

import sympy
from sympy import Eq

from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

c, l, u, m = sympy.symbols("c l u m")
NEGATIVE = [m > 0, m < 1, u > 0, c > m, c * m < 1]
"""m = |lam| for lam < 0: both values of c lie between m and 1/m (`massny2025.prop1-cd`)."""


@claim(
    "massny2025.prop1-decreasing",
    where="Appendices C and D",
    statement="i1(D) is strictly decreasing in D = 1, 2, 3, ...",
    kind="lemma",
    repair="massny2025.prop1-decreasing-repaired",
)
def prop1_decreasing(check: Check) -> None:
    """Refute it for lam = 0, where X_t does not depend on X_p."""
    with check.reading("all 0 < a <= b < 1", "one counterexample") as argument:
        _refute(argument)
    with check.reading("lam > 0", "all a, b, D") as argument:
        prove_positive(argument)
    check.near_miss("lam > 0: by a factor of 2", lambda argument: prove_positive(argument, 2))
    with check.reading("lam < 0", "all a <= b, D") as argument:
        prove_negative(argument, [c >= 1])
    check.near_miss(
        "lam < 0: c above 1/m", lambda argument: prove_negative(argument, [c >= 1], wide=True)
    )


def _refute(argument: Argument) -> None:
    def holds(of: Chain) -> bool:
        return all(pointwise(of, d, 1) > pointwise(of, d + 1, 1) for d in range(1, 6))

    found = argument.exhaust(
        "smallest failure", "denominators from 2 on, D <= 6, from powers of P", chains(5), holds
    )
    if found is not None:
        argument.counterexample(
            "independent records",
            "a = b = 1/2. Claimed: i1 is strictly decreasing. As a + b = 1 the records are "
            "independent and all influences are 0: a constant sequence does not decrease strictly",
            {
                "a": found.a,
                "b": found.b,
                "lam": found.eigenvalue,
                "e^i1(1)": pointwise(found, 1, 1),
                "e^i1(2)": pointwise(found, 2, 1),
            },
            lambda: found.eigenvalue == 0 and pointwise(found, 1, 1) <= pointwise(found, 2, 1),
        )


@claim(
    "massny2025.prop1-decreasing-repaired",
    where="Appendices C and D, repaired",
    statement="For 0 < a <= b < 1 and a + b != 1, i0(D) and i1(D) are positive and strictly "
    "decreasing in D = 1, 2, 3, ...; for a + b = 1 they are 0.",
    kind="repair of massny2025.prop1-decreasing",
)
def prop1_decreasing_repaired(check: Check) -> None:
    """Prove it for both values and both signs of the eigenvalue."""
    with check.reading("lam > 0, i0 and i1", "all a, b, D") as argument:
        prove_positive(argument)
    check.near_miss(
        "lam > 0, i0 and i1: by a factor of 2", lambda argument: prove_positive(argument, 2)
    )
    with check.reading("lam < 0, i1", "all a <= b, D") as argument:
        prove_negative(argument, [c >= 1])
    check.near_miss(
        "lam < 0, i1: c above 1/m", lambda argument: prove_negative(argument, [c >= 1], wide=True)
    )
    with check.reading("lam < 0, i0", "all a <= b, D") as argument:
        prove_negative(argument, [c <= 1])
    check.near_miss(
        "lam < 0, i0: c below m", lambda argument: prove_negative(argument, [c <= 1], low=True)
    )
    with check.reading("lam = 0", "all D") as argument:
        _zero(argument)
    check.near_miss("lam = 0: l below 0", lambda argument: _zero(argument, l < 0))


def prove_positive(argument: Argument, factor: int = 1) -> None:
    """Compare l = lam^D with lam l for 0 < lam < 1."""
    argument.cite(
        "closed form", "e^i_c(D) = (1 + c l)/(1 - l), c = a/b or b/a", "massny2025.prop1-closed"
    )
    argument.induction(
        "powers of lam",
        "0 < l = lam^D <= lam < 1",
        base=((l > 0) & (l <= m), [Eq(l, m), m > 0, m < 1]),
        step=((l * m > 0) & (l * m <= m), [l > 0, l <= m, m > 0, m < 1]),
    )
    argument.inequality(
        "one step",
        "m = lam: (1 + c l)/(1 - l) > (1 + c m l)/(1 - m l) > 1, multiplied by the denominators",
        ((1 + c * l) * (1 - m * l) > factor * (1 + c * m * l) * (1 - l))
        & (1 + c * m * l > 1 - m * l),
        [l > 0, l <= m, m < 1, c > 0],
    )


def prove_negative(
    argument: Argument, side: list[sympy.Rel], wide: bool = False, low: bool = False
) -> None:
    """Compare odd with even distances and even with odd ones for lam < 0."""
    bounds = [m > 0, m < 1, u > 0, c > 0 if low else c > m, *([] if wide else [c * m < 1]), *side]
    argument.cite(
        "closed form",
        "e^i_c(D) for l = lam^D = u if D is even, -u if odd",
        "massny2025.prop1-closed",
    )
    argument.cite("range of c", "m < c < 1/m for c = a/b and c = b/a", "massny2025.prop1-cd")
    _parities(argument)
    argument.inequality(
        "D odd",
        "(1 + u)/(1 - c u) > (1 + c m u)/(1 - m u) > 1, multiplied by the denominators, which are "
        "positive",
        (c * u < 1)
        & ((1 + u) * (1 - m * u) > (1 + c * m * u) * (1 - c * u))
        & (1 + c * m * u > 1 - m * u),
        [*bounds, u <= m],
    )
    argument.inequality(
        "D even",
        "(1 + c u)/(1 - u) > (1 + m u)/(1 - c m u) > 1, multiplied by the denominators, which are "
        "positive",
        (c * m * u < 1)
        & ((1 + c * u) * (1 - c * m * u) > (1 + m * u) * (1 - u))
        & (1 + m * u > 1 - c * m * u),
        [*bounds, u <= m**2],
    )


def _parities(argument: Argument) -> None:
    argument.induction(
        "odd powers",
        "u = |lam|^D for D = 1, 3, 5, ... lies in (0, m]",
        base=((u > 0) & (u <= m), [Eq(u, m), m > 0, m < 1]),
        step=((u * m**2 > 0) & (u * m**2 <= m), [u > 0, u <= m, m > 0, m < 1]),
    )
    argument.induction(
        "even powers",
        "u = |lam|^D for D = 2, 4, 6, ... lies in (0, m^2]",
        base=((u > 0) & (u <= m**2), [Eq(u, m**2), m > 0, m < 1]),
        step=((u * m**2 > 0) & (u * m**2 <= m**2), [u > 0, u <= m**2, m > 0, m < 1]),
    )


def _zero(argument: Argument, eigenvalue: sympy.Rel | None = None) -> None:
    argument.cite("closed form", "e^i_c(D) = (1 + c l)/(1 - l)", "massny2025.prop1-closed")
    argument.inequality(
        "l = 0",
        "Every power of lam is 0, and the ratio is 1",
        Eq(1 + c * l, 1 - l),
        [Eq(l, 0) if eigenvalue is None else eigenvalue, c > 0],
    )
