"""Whether influences are convex in the distance: for lam >= 0 they are, for lam < 0 in general not.

i_c is convex at D + 1 iff e(D) e(D+2) >= e(D+1)^2 with e = e^i_c. For lam < 0 this is false for i1
at some even D and for i0 at some odd D; it holds at the other parities, for a = b, and along even
and along odd distances. Source: massny2025, proposition 1 and appendix F.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.papers.massny2025.influence.monotone import NEGATIVE, c, l, lam, m, u
from pufferproof.claims.registry import Check, claim

T, W = letters("T W", "the larger side of a bound for numerators, of one for denominators")
V, w = letters("V w", "the smaller side of these bounds", above(0))
cu = letter("cu", "c u", above(0), at_most(1))
bracket = letter("bracket", "2 (m^2 - m + 1) - m^3 (c^2 + 1) u^2", at_least(0))
difference = letter("difference", "of the two sides of e(D) e(D+2) >= e(D+1)^2, multiplied out")
factor = letter("factor", "the last factor of this difference")
g = letter("g", "m^2")
SQUARE = (1 - m) ** 2 * (1 + m**2 * (c**2 - c + 1) * u**2)
BRACKET = 2 * (m**2 - m + 1) - m**3 * ((c * u) ** 2 + u**2)
"""Both differences are u (1 + c) (SQUARE + m u tilt BRACKET), tilt = c - 1 or 1 - c."""
POSITIVE_SQUARES = {
    "numerators": (1 + c * l) * (1 + c * lam**2 * l) >= (1 + c * lam * l) ** 2,
    "denominators": (1 - lam * l) ** 2 >= (1 - l) * (1 - lam**2 * l),
}
"""e = (1 + c l)/(1 - l)."""
STRICTLY = [Edit(step, instead=one.gts > one.lts) for step, one in POSITIVE_SQUARES.items()]
EVEN_STEPS = (1 + c * u) * (1 + c * g**2 * u) >= (1 + c * g * u) ** 2
"""e = (1 + c u)/(1 - u), two steps at a time: numerators."""

DISTANCES = range(1, 4)
POSITIVE = "lam >= 0, i0 and i1"
ODD, EVEN = "lam < 0, i1, D odd", "lam < 0, i0, D even"
ALONG = "lam < 0, along even and along odd distances"
SAME = "lam < 0, a = b"
CRITERION = "lam < 0, i0 at odd D and i1 at even D"


def convex_at(of: Chain, value: int, distance: int) -> bool:
    """Say whether e(D) e(D+2) >= e(D+1)^2, from powers of the matrix."""
    first, second, third = (pointwise(of, distance + step, value) for step in range(3))
    return first * third >= second**2


@claim(
    "massny2025.prop1-convex",
    where="Proposition 1",
    statement="The sequences i0(D) and i1(D), D = 1, 2, ..., are convex: g(D) g(D+2) >= g(D+1)^2 "
    "with g = exp(i0) and with g = exp(i1).",
    kind="proposition",
    repair="massny2025.prop1-convex-repaired",
    says={POSITIVE: statements.CONVEX[POSITIVE]},
)
def prop1_convex(check: Check) -> None:
    """Refute both for lam < 0, prove both for lam >= 0."""
    for name, values in (
        ("both sequences, every sign of lam", (0, 1)),
        ("i0, lam < 0", (0,)),
        ("i1, lam < 0", (1,)),
    ):
        proved(check, name, "one counterexample", partial(refute_convexity, values=values))
    proved(check, POSITIVE, "all a <= b, D", prove_convex_positive, strictly=STRICTLY)


def refute_convexity(proof: Proof, values: Sequence[int]) -> None:
    """Refute convexity of e^i_value by a chain with smallest denominators."""

    def failure(of: Chain) -> tuple[int, int] | None:
        return next(((v, d) for d in DISTANCES for v in values if not convex_at(of, v, d)), None)

    found = proof.exhaust(
        "smallest failure",
        f"chains with lam < 0 by denominators, D <= {DISTANCES[-1]}, from powers of P; for lam >= "
        f"0 none fails",
        (of for of in chains(16) if of.eigenvalue < 0),
        lambda of: failure(of) is None,
    )
    where = None if found is None else failure(found)
    if found is not None and where is not None:
        value, distance = where
        ratios = {
            f"e^i{value}({distance + k})": pointwise(found, distance + k, value) for k in range(3)
        }
        proof.counterexample(
            "three distances",
            "The proposition says that i0(D) and i1(D) are convex sequences. For this chain, lam < "
            "0, and the listed value of X_t and distances D, D+1, D+2 the middle influence exceeds "
            "the mean of the outer two: e(D) e(D+2) < e(D+1)^2",
            {
                "a": found.a,
                "b": found.b,
                "lam": found.eigenvalue,
                "value of X_t": value,
                "D": distance,
                **ratios,
            },
            lambda: not convex_at(found, value, distance),
            f"{influence(distance, value)} * {influence(distance + 2, value)} < "
            f"{influence(distance + 1, value)}^2",
        )


@claim(
    "massny2025.prop1-convex-repaired",
    where="Proposition 1, repaired",
    statement="For v = 0, 1 call i_v convex at D if i_v(D) + i_v(D+2) >= 2 i_v(D+1). If lam >= 0 "
    "or a = b, i0 and i1 are convex at every D. For lam < 0, i1 is convex at every odd D and "
    "i0 at every even D, and i_v(D) + i_v(D+4) >= 2 i_v(D+2) for every D and v. For lam < 0, "
    "with m = |lam|, u = m^D, and c = a/b for i0 and c = b/a for i1: i0 is convex at an odd D, "
    "and i1 at an even D, iff (1-m)^2 (1 + m^2 (c^2-c+1) u^2) >= m u |c-1| (2 (m^2-m+1) - m^3 "
    "(c^2+1) u^2).",
    kind="repair of massny2025.prop1-convex",
    says=statements.CONVEX,
)
def prop1_convex_repaired(check: Check) -> None:
    """Prove convexity wherever it holds for all parameters."""
    scope = "all a <= b, D"
    proved(check, POSITIVE, scope, prove_convex_positive, strictly=STRICTLY)
    i0 = Edit("D odd: sign", without=c >= 1, given=c <= 1)
    proved(check, ODD, scope, partial(_odd, side=c >= 1), i0_too=i0)
    i1 = Edit("D even: sign", without=c <= 1, given=c >= 1)
    proved(check, EVEN, scope, partial(_even, side=c <= 1), i1_too=i1)
    larger = Edit("D odd: sign", instead=SQUARE + m * u * (c - 1) * bracket >= (1 + m) ** 2)
    near_misses = {"strictly more than (1 + m)^2": larger}
    proved(check, SAME, "all a = b, D", _same, **near_misses)
    proved(
        check, CRITERION, scope, _criterion, always=Edit("the same sign", instead=difference >= 0)
    )
    halved = Edit("even distances: numerators", instead=EVEN_STEPS.lhs / 2 >= EVEN_STEPS.rhs)
    proved(check, ALONG, scope, _along, with_the_step_from_the_middle_halved=halved)


def prove_convex_positive(proof: Proof) -> None:
    """Numerators and denominators separately."""
    proof.cite(
        "closed form", "e(D) = (1 + c l)/(1 - l), l = lam^D in [0, 1)", "massny2025.prop1-closed"
    )
    proof.cite("powers", "0 <= l < 1", "massny2025.x-powers")
    bounds = [l >= 0, l < 1, lam >= 0]
    proof.inequality("numerators", "a square", POSITIVE_SQUARES["numerators"], [*bounds, c > 0])
    proof.inequality("denominators", "the same square", POSITIVE_SQUARES["denominators"], bounds)
    _product(proof)


def _product(proof: Proof) -> None:
    proof.inequality(
        "their product",
        "T >= V > 0 and W >= w > 0 are the sides above: T/w >= V/W",
        T * W >= V * w,
        [T >= V, W >= w],
    )


def _cited(proof: Proof) -> None:
    proof.cite("closed form", "l = lam^D = u if D is even, -u if odd", "massny2025.prop1-closed")
    proof.cite("range of c", "m < c < 1/m", "massny2025.prop1-cd")


def _same(proof: Proof) -> None:
    _odd(proof, Eq(c, 1))
    _even_factored(proof, Eq(c, 1))


def _odd(proof: Proof, side: object) -> None:
    _cited(proof)
    _factored(proof, "D odd", _difference_odd(), (c - 1, u <= m), side)


def _difference_odd() -> Any:
    """e = (1 + u)/(1 - c u), (1 + c m u)/(1 - m u), (1 + m^2 u)/(1 - c m^2 u)."""
    left = (1 + u) * (1 + m**2 * u) * (1 - m * u) ** 2
    return left - (1 + c * m * u) ** 2 * (1 - c * u) * (1 - c * m**2 * u)


def _even(proof: Proof, side: object) -> None:
    _cited(proof)
    _even_factored(proof, side)


def _even_factored(proof: Proof, side: object) -> None:
    _factored(proof, "D even", _difference_even(), (1 - c, u <= m**2), side)


def _difference_even() -> Any:
    """e = (1 + c u)/(1 - u), (1 + m u)/(1 - c m u), (1 + c m^2 u)/(1 - m^2 u)."""
    left = (1 + c * u) * (1 + c * m**2 * u) * (1 - c * m * u) ** 2
    return left - (1 + m * u) ** 2 * (1 - u) * (1 - m**2 * u)


def _factored(
    proof: Proof, name: str, expression: object, parity: tuple[object, object], side: object
) -> None:
    tilt, distance = parity
    proof.identity(
        f"{name}: factors",
        "the difference of the two sides of e(D) e(D+2) >= e(D+1)^2, multiplied by the "
        "denominators",
        expression,
        u * (1 + c) * (SQUARE + m * u * tilt * BRACKET),
    )
    proof.inequality(
        f"{name}: c u", "is at most 1, as is u", (c * u <= 1) & (u <= 1), [*NEGATIVE, distance]
    )
    proof.inequality(
        f"{name}: the bracket",
        "is not negative: 1 - m + m^2 - m^3 = (1 - m)(1 + m^2)",
        2 * (m**2 - m + 1) >= m**3 * (cu**2 + u**2),
        [u <= 1],
    )
    proof.inequality(
        f"{name}: sign",
        "of the last factor",
        SQUARE + m * u * tilt * bracket >= 0,
        [*NEGATIVE, u <= 1, side],
    )


def _criterion(proof: Proof) -> None:
    """The signs of the two differences, whose factors `_factored` gives, where their last
    factor may be negative.
    """
    _cited(proof)
    for name, expression, tilt in (
        ("i0, D odd", _difference_odd(), 1 - c),
        ("i1, D even", _difference_even(), c - 1),
    ):
        proof.identity(
            f"{name}: factors",
            "|c - 1| = 1 - c for i0 and c - 1 for i1",
            expression,
            u * (1 + c) * (SQUARE - m * u * tilt * BRACKET),
        )
    proof.inequality(
        "the same sign",
        "as u (1 + c) > 0",
        sympy.Equivalent(difference >= 0, factor >= 0),
        [Eq(difference, u * (1 + c) * factor), *NEGATIVE],
    )


def _along(proof: Proof) -> None:
    """Steps of 2: u, g u, g^2 u of one parity."""
    _cited(proof)
    bounds = [*NEGATIVE, Eq(g, m**2), u <= m]
    proof.inequality("even distances: numerators", "e = (1 + c u)/(1 - u)", EVEN_STEPS, bounds)
    proof.inequality(
        "even distances: denominators",
        "e = (1 + c u)/(1 - u)",
        (1 - g * u) ** 2 >= (1 - u) * (1 - g**2 * u),
        bounds,
    )
    proof.inequality(
        "odd distances: numerators",
        "e = (1 + u)/(1 - c u)",
        (1 + u) * (1 + g**2 * u) >= (1 + g * u) ** 2,
        bounds,
    )
    proof.inequality(
        "odd distances: denominators",
        "e = (1 + u)/(1 - c u), c u < 1",
        (c * u < 1) & ((1 - c * g * u) ** 2 >= (1 - c * u) * (1 - c * g**2 * u)),
        bounds,
    )
    _product(proof)
