"""Whether influences are convex in the distance: for lam >= 0 they are, for lam < 0 in general not.

i_c is convex at D + 1 iff e(D) e(D+2) >= e(D+1)^2 with e = e^i_c. For lam < 0 this is false for i1
at some even D and for i0 at some odd D; it holds at the other parities, for a = b, and along even
and along odd distances. Letters: u = |lam|^D, m = |lam|, c = b/a (value 1) or a/b (value 0).
Source: massny2025, proposition 1 and appendix F.
"""

from collections.abc import Sequence

import sympy
from sympy import Eq

from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.papers.massny2025.influence.monotone import NEGATIVE, c, l, m, u
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

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
)
def prop1_convex(check: Check) -> None:
    """Refute both for lam < 0, prove both for lam >= 0."""
    with check.reading("both sequences, every sign of lam", "one counterexample") as argument:
        refute_convexity(argument, (0, 1))
    with check.reading("i0, lam < 0", "one counterexample") as argument:
        refute_convexity(argument, (0,))
    with check.reading("i1, lam < 0", "one counterexample") as argument:
        refute_convexity(argument, (1,))
    with check.reading(POSITIVE, "all a <= b, D") as argument:
        prove_convex_positive(argument)
    check.near_miss(
        f"{POSITIVE}: strictly", lambda argument: prove_convex_positive(argument, strict=True)
    )


def refute_convexity(argument: Argument, values: Sequence[int]) -> None:
    """Refute convexity of e^i_value by a chain with smallest denominators."""

    def failure(of: Chain) -> tuple[int, int] | None:
        return next(((v, d) for d in DISTANCES for v in values if not convex_at(of, v, d)), None)

    found = argument.exhaust(
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
        argument.counterexample(
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
)
def prop1_convex_repaired(check: Check) -> None:
    """Prove convexity wherever it holds for all parameters."""
    with check.reading(POSITIVE, "all a <= b, D") as argument:
        prove_convex_positive(argument)
    check.near_miss(
        f"{POSITIVE}: strictly", lambda argument: prove_convex_positive(argument, strict=True)
    )
    with check.reading(ODD, "all a <= b, D") as argument:
        _odd(argument, 1)
    check.near_miss(f"{ODD}: i0 too", lambda argument: _odd(argument, 0))
    with check.reading(EVEN, "all a <= b, D") as argument:
        _even(argument, 0)
    check.near_miss(f"{EVEN}: i1 too", lambda argument: _even(argument, 1))
    with check.reading(SAME, "all a = b, D") as argument:
        _odd(argument, None)
        _even(argument, None)
    check.near_miss(
        f"{SAME}: strictly more than (1 + m)^2", lambda argument: _odd(argument, None, extra=1)
    )
    with check.reading(CRITERION, "all a <= b, D") as argument:
        _criterion(argument)
    check.near_miss(f"{CRITERION}: always", lambda argument: _criterion(argument, always=True))
    with check.reading(ALONG, "all a <= b, D") as argument:
        _along(argument)
    check.near_miss(
        f"{ALONG}: with the step from the middle halved",
        lambda argument: _along(argument, halved=True),
    )


def prove_convex_positive(argument: Argument, strict: bool = False) -> None:
    """Numerators and denominators separately: (1 + c l)(1 + c m^2 l) >= (1 + c m l)^2, (1 - m
    l)^2 >= (1 - l)(1 - m^2 l).
    """
    relation = sympy.Gt if strict else sympy.Ge
    argument.cite(
        "closed form", "e(D) = (1 + c l)/(1 - l), l = lam^D in [0, 1)", "massny2025.prop1-closed"
    )
    argument.cite("powers", "0 <= l < 1", "massny2025.x-powers")
    bounds = [l >= 0, l < 1, m >= 0, m < 1, c > 0]
    argument.inequality(
        "numerators",
        "m = lam",
        relation((1 + c * l) * (1 + c * m**2 * l), (1 + c * m * l) ** 2),
        bounds,
    )
    argument.inequality(
        "denominators", "m = lam", relation((1 - m * l) ** 2, (1 - l) * (1 - m**2 * l)), bounds
    )
    _product(argument)


def _product(argument: Argument) -> None:
    p, q, r, s = sympy.symbols("p q r s")
    argument.inequality(
        "their product",
        "p >= q > 0 and r >= s > 0 are the sides above: p/s >= q/r, as p r >= q s",
        p * r >= q * s,
        [p >= q, q > 0, r >= s, s > 0],
    )


def _cited(argument: Argument) -> None:
    argument.cite("closed form", "l = lam^D = u if D is even, -u if odd", "massny2025.prop1-closed")
    argument.cite("range of c", "m < c < 1/m", "massny2025.prop1-cd")


def _side(value: int | None) -> list[sympy.Rel]:
    return [Eq(c, 1)] if value is None else [c >= 1] if value else [c <= 1]


def _odd(argument: Argument, value: int | None, extra: int = 0) -> None:
    """e = (1 + u)/(1 - c u), (1 + c m u)/(1 - m u), (1 + m^2 u)/(1 - c m^2 u)."""
    left = (1 + u) * (1 + m**2 * u) * (1 - m * u) ** 2
    right = (1 + c * m * u) ** 2 * (1 - c * u) * (1 - c * m**2 * u)
    _cited(argument)
    _factored(argument, "D odd", left - right, (c - 1, u <= m), _side(value), extra)


def _even(argument: Argument, value: int | None) -> None:
    """e = (1 + c u)/(1 - u), (1 + m u)/(1 - c m u), (1 + c m^2 u)/(1 - m^2 u)."""
    left = (1 + c * u) * (1 + c * m**2 * u) * (1 - c * m * u) ** 2
    right = (1 + m * u) ** 2 * (1 - u) * (1 - m**2 * u)
    if value is not None:
        _cited(argument)
    _factored(argument, "D even", left - right, (1 - c, u <= m**2), _side(value), 0)


def _factored(
    argument: Argument,
    name: str,
    difference: sympy.Expr,
    parity: tuple[sympy.Expr, sympy.Rel],
    side: list[sympy.Rel],
    extra: int,
) -> None:
    """difference = u (1 + c) ((1 - m)^2 (1 + m^2 (c^2 - c + 1) u^2) + m u tilt K), K = 2 (m^2 -
    m + 1) - m^3 (c^2 + 1) u^2.
    """
    k, v = sympy.symbols("k v")
    tilt, distance = parity
    square = (1 - m) ** 2 * (1 + m**2 * (c**2 - c + 1) * u**2)
    bracket = 2 * (m**2 - m + 1) - m**3 * ((c * u) ** 2 + u**2)
    argument.identity(
        f"{name}: factors",
        "the difference of the two sides of e(D) e(D+2) >= e(D+1)^2, multiplied by the "
        "denominators",
        difference,
        u * (1 + c) * (square + m * u * tilt * bracket),
    )
    argument.inequality(
        f"{name}: c u", "is at most 1, as is u", (c * u <= 1) & (u <= 1), [*NEGATIVE, distance]
    )
    argument.inequality(
        f"{name}: the bracket",
        "with v = c u; 1 - m + m^2 - m^3 = (1 - m)(1 + m^2)",
        2 * (m**2 - m + 1) >= m**3 * (v**2 + u**2),
        [m > 0, m < 1, u > 0, u <= 1, v > 0, v <= 1],
    )
    argument.inequality(
        f"{name}: sign",
        "k is the bracket",
        square + m * u * tilt * k >= extra * (1 + m) ** 2,
        [k >= 0, *NEGATIVE, u <= 1, *side],
    )


def _criterion(argument: Argument, always: bool = False) -> None:
    """The signs of the two differences, whose factors `_factored` gives, where their last
    factor may be negative.
    """
    square = (1 - m) ** 2 * (1 + m**2 * (c**2 - c + 1) * u**2)
    bracket = 2 * (m**2 - m + 1) - m**3 * ((c * u) ** 2 + u**2)
    odd = (1 + u) * (1 + m**2 * u) * (1 - m * u) ** 2 - (1 + c * m * u) ** 2 * (1 - c * u) * (
        1 - c * m**2 * u
    )
    even = (1 + c * u) * (1 + c * m**2 * u) * (1 - c * m * u) ** 2 - (1 + m * u) ** 2 * (1 - u) * (
        1 - m**2 * u
    )
    _cited(argument)
    w, z = sympy.symbols("w z")
    for name, difference, tilt in (("i0, D odd", odd, 1 - c), ("i1, D even", even, c - 1)):
        argument.identity(
            f"{name}: factors",
            "|c - 1| = 1 - c for i0 and c - 1 for i1",
            difference,
            u * (1 + c) * (square - m * u * tilt * bracket),
        )
    argument.inequality(
        "the same sign",
        "w is the last factor, z the difference",
        z >= 0 if always else sympy.Equivalent(z >= 0, w >= 0),
        [Eq(z, u * (1 + c) * w), *NEGATIVE],
    )


def _along(argument: Argument, halved: bool = False) -> None:
    """Steps of 2: u, m^2 u, m^4 u of one parity; k = m^2."""
    k = sympy.Symbol("k")
    _cited(argument)
    middle = sympy.Rational(1, 2) if halved else 1
    bounds = [*NEGATIVE, Eq(k, m**2), u <= m]
    argument.inequality(
        "even distances: numerators",
        "e = (1 + c u)/(1 - u)",
        middle * (1 + c * u) * (1 + c * k**2 * u) >= (1 + c * k * u) ** 2,
        bounds,
    )
    argument.inequality(
        "even distances: denominators",
        "e = (1 + c u)/(1 - u)",
        (1 - k * u) ** 2 >= (1 - u) * (1 - k**2 * u),
        bounds,
    )
    argument.inequality(
        "odd distances: numerators",
        "e = (1 + u)/(1 - c u)",
        (1 + u) * (1 + k**2 * u) >= (1 + k * u) ** 2,
        bounds,
    )
    argument.inequality(
        "odd distances: denominators",
        "e = (1 + u)/(1 - c u), c u < 1",
        (c * u < 1) & ((1 - c * k * u) ** 2 >= (1 - c * u) * (1 - c * k**2 * u)),
        bounds,
    )
    _product(argument)
