"""The exact leakage of a data-independent mechanism, and how it falls when its two nearest released
records are balanced.

Letters: E, e are e^i1, e^i0 at distance l to the left, F, f at distance r to the right; c = b/a, m
= |lam|, u = m^l, s = m^j, l + r = 2 k = 2 (l + j). I(D) = e^i1(D). Source: massny2025, proposition
1, corollary 3 and appendix D.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.bound.patterns import max_influence, pattern_leakage
from pufferproof.claims.papers.massny2025.influence.instances import chain, chains, pointwise
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, F, e, f, M, c, m, u, s, w, x, y, z = sympy.symbols("E F e f M c m u s w x y z")
EVERY = "all 0 < a <= b < 1, every n, p and DIM that redacts X_p"
SAME, OPPOSITE, ALONE = (
    "both sides, lam >= 0 or l + r even",
    "both sides, lam < 0 and l + r odd",
    "one side",
)


@claim(
    "massny2025.x-dim-leakage",
    where="Appendix D, beyond",
    statement="Let l and r be the distances from p to the nearest released records left and right "
    "of it. The leakage of a DIM that redacts X_p is i1(l) + i1(r) if lam >= 0 or l + r is "
    "even, and max{i1(l) + i0(r), i0(l) + i1(r)} otherwise; it is i1 of the one distance if "
    "nothing is released on the other side, and 0 if nothing is.",
    kind="closed form",
)
def dim_leakage(check: Check) -> None:
    """Prove it from corollary 3: the nearest released records are a quilt."""
    with check.reading(SAME, EVERY) as argument:
        _quilt(argument)
        _same(argument)
    check.near_miss(f"{SAME}: lam < 0 and l + r odd, evaluated", _sum_fails)
    with check.reading(OPPOSITE, EVERY) as argument:
        _quilt(argument)
        _opposite(argument)
    check.near_miss(
        f"{OPPOSITE}: i1(l) + i0(r) always", lambda argument: _opposite(argument, first=True)
    )
    with check.reading(ALONE, EVERY) as argument:
        _quilt(argument)
        argument.inequality(
            "one record, or none",
            "The outcomes have the ratios E and 1/e, or 1/E and e, or 1 alone: the larger is E",
            And(E >= e, E >= 1 / e, E >= 1),
            [E >= e, e >= 1],
        )
    check.near_miss(
        f"{ALONE}: i0",
        lambda argument: argument.inequality("the larger", "is e", e >= E, [E >= e, e >= 1]),
    )


def _quilt(argument: Argument) -> None:
    argument.cite(
        "the nearest released records",
        "are a quilt in R_rel with all between redacted: Lk = Inf(X_p~>X_Q), "
        "for randomised and deterministic DIMs",
        "massny2025.cor3",
    )
    argument.cite(
        "ratios",
        "at distance l the ratio of X_p = 1 against 0 is E for the value 1 and 1/e for 0 if lam^l "
        ">= 0, and 1/E, e if lam^l <= 0",
        "massny2025.prop1-closed",
    )
    argument.cite("order", "1 <= e <= E, 1 <= f <= F", "massny2025.prop1-order")


_SIZES = [e >= 1, f >= 1, E >= e, F >= f]


def _same(argument: Argument) -> None:
    argument.cite(
        "independent sides", "given X_p the records on its two sides", "song2017.x-markov"
    )
    argument.inequality(
        "products of ratios",
        "Given X_p the sides are independent. For equal signs the outcomes have E F, E/f, F/e and "
        "1/(e f), or the inverses of all: multiplied by e f, E f and F e, none exceeds E F nor is "
        "below its inverse",
        And(
            E * F * f >= E,
            E * F * E >= f,
            E * F * e >= F,
            E * F * F >= e,
            E * F * e * f >= 1,
            E * F >= e * f,
        ),
        _SIZES,
    )


def _opposite(argument: Argument, first: bool = False) -> None:
    argument.cite(
        "independent sides", "given X_p the records on its two sides", "song2017.x-markov"
    )
    largest = (
        Eq(M, E * f)
        if first
        else Or(And(Eq(M, E * f), E * f >= e * F), And(Eq(M, e * F), E * f <= e * F))
    )
    argument.inequality(
        "products of ratios",
        "Opposite signs: the outcomes have E/F, E f, 1/(e F) and f/e, or the inverses of all. M is "
        "the larger of E f and e F: no ratio exceeds it nor is below its inverse",
        And(M >= E * f, M >= e * F, M * F >= E, M * E >= F, M * e >= f, M * f >= e),
        [largest, *_SIZES],
    )


def _sum_fails(argument: Argument) -> None:
    argument.exhaust(
        "l = 1, r = 2",
        "chains by denominators",
        chains(4),
        lambda of: pattern_leakage(of, 1, 2) == max_influence(of, 1) * max_influence(of, 2),
    )


@claim(
    "massny2025.x-next-influence",
    where="Appendix D, beyond",
    statement="For lam < 0 the larger influence at the next distance is at most the smaller one "
    "here: i1(D+1) <= i0(D) for every D >= 1. So a DIM that redacts X_p and whose nearest "
    "released records are at distances l left and r right of p, l + r odd, leaks at least "
    "i1(l) + i1(r+1) and i1(l+1) + i1(r).",
    kind="lemma",
)
def next_influence(check: Check) -> None:
    """Prove it for odd and for even distances."""
    name = "lam < 0"
    with check.reading(name, "all a <= b, every D") as argument:
        _next(argument)
    check.near_miss(f"{name}: c above 1/m", lambda argument: _next(argument, wide=True))
    check.near_miss(
        f"{name}: lam > 0 too",
        lambda argument: argument.exhaust(
            "D = 1",
            "a = 1/50, b = 1/2",
            [chain("1/50", "1/2")],
            lambda of: pointwise(of, 2, 1) <= pointwise(of, 1, 0),
        ),
    )


def _next(argument: Argument, wide: bool = False) -> None:
    bounds = [m > 0, m < 1, c >= 1, u > 0, u <= m, *([] if wide else [c * m < 1])]
    argument.cite(
        "closed forms",
        "with l = lam^D = -u for odd, u for even distances",
        "massny2025.prop1-closed",
    )
    argument.cite("range of c", "c m < 1", "massny2025.prop1-cd")
    argument.inequality(
        "D odd",
        "(1 + c m u)/(1 - m u) <= (1 + u)/(1 - u/c), multiplied by c and the denominators",
        And((1 + c * m * u) * (c - u) <= c * (1 + u) * (1 - m * u), c > u),
        bounds,
    )
    argument.inequality(
        "D even",
        "(1 + m u)/(1 - c m u) <= (1 + u/c)/(1 - u), multiplied by c and the denominators",
        And(c * (1 + m * u) * (1 - u) <= (c + u) * (1 - c * m * u), c * m * u < 1),
        bounds,
    )
    argument.inequality(
        "the leakage",
        "is at least E f and e F: x = I(l+1) <= e and y = I(r+1) <= f",
        And(M >= E * y, M >= x * F),
        [M >= E * f, M >= e * F, x <= e, y <= f, E >= 1, F >= 1, x >= 1, y >= 1],
    )


@claim(
    "massny2025.x-balanced",
    where="Appendix D, Jensen's inequality repaired",
    statement="For integers l >= 1, r >= 1, k >= 1 with l + r = 2 k: i1(l) + i1(r) >= 2 i1(k) if "
    "lam >= 0, or k is even, or l is odd; and i1(l) + i1(r) >= 2 i1(k+1) in every case.",
    kind="lemma",
)
def balanced(check: Check) -> None:
    """Prove it with powers u, s u, s^2 u of |lam|, parity by parity."""
    for name, steps in (
        ("lam >= 0, or lam < 0 with l, r and k even", _even),
        ("lam < 0, l, r and k odd", _odd),
        ("lam < 0, l and r odd, k even", _mixed),
        ("lam < 0, l and r even, k odd: k + 1", _shifted),
    ):
        with check.reading(name, "all a <= b, all distances") as argument:
            steps(argument)
        check.near_miss(f"{name}: strictly", partial(steps, strict=True))
    check.near_miss(
        "lam < 0, l and r even, k odd: k itself",
        lambda argument: argument.exhaust(
            "k = 3",
            "chains with lam < 0 and denominators up to 15",
            (of for of in chains(15) if of.eigenvalue < 0),
            lambda of: max_influence(of, 2) * max_influence(of, 4) >= max_influence(of, 3) ** 2,
        ),
    )


_POWERS = [u >= 0, u < 1, s >= 0, s <= 1]


def _even(argument: Argument, strict: bool = False) -> None:
    relation = sympy.Gt if strict else sympy.Ge
    argument.cite(
        "closed form", "I = (1 + c v)/(1 - v) at v = u, s u and s^2 u", "massny2025.prop1-closed"
    )
    argument.cite("powers", "0 <= u < 1, 0 <= s <= 1", "massny2025.x-powers")
    argument.inequality(
        "numerators",
        "a square",
        relation((1 + c * u) * (1 + c * s**2 * u), (1 + c * s * u) ** 2),
        [*_POWERS, c >= 1],
    )
    argument.inequality(
        "denominators",
        "the same square",
        relation((1 - s * u) ** 2, (1 - u) * (1 - s**2 * u)),
        _POWERS,
    )
    _quotients(argument)


def _odd(argument: Argument, strict: bool = False) -> None:
    relation, bounds = sympy.Gt if strict else sympy.Ge, [*_POWERS, c >= 1, c * u < 1]
    argument.cite(
        "closed form", "I = (1 + v)/(1 - c v) at v = u, s u and s^2 u", "massny2025.prop1-closed"
    )
    argument.cite("range of c", "c u <= c m < 1", "massny2025.prop1-cd")
    argument.inequality(
        "numerators", "a square", relation((1 + u) * (1 + s**2 * u), (1 + s * u) ** 2), bounds
    )
    argument.inequality(
        "denominators",
        "the same square",
        relation((1 - c * s * u) ** 2, (1 - c * u) * (1 - c * s**2 * u)),
        bounds,
    )
    _quotients(argument)


def _mixed(argument: Argument, strict: bool = False) -> None:
    """(1 + u)(1 + s^2 u)(1 - s u)^2 >= (1 + c s u)^2 (1 - c u)(1 - c s^2 u)."""
    relation, bounds = sympy.Gt if strict else sympy.Ge, [*_POWERS, c >= 1, c * u < 1]
    argument.cite(
        "closed form",
        "I is (1 + v)/(1 - c v) at v = u and s^2 u, (1 + c v)/(1 - v) at v = s u",
        "massny2025.prop1-closed",
    )
    argument.cite("range of c", "c u <= c m < 1", "massny2025.prop1-cd")
    argument.inequality(
        "numerators", "a square", relation((1 + u) * (1 + s**2 * u), (1 + s * u) ** 2), bounds
    )
    argument.inequality(
        "denominators",
        "the same square",
        relation((1 - c * s * u) ** 2, (1 - c * u) * (1 - c * s**2 * u)),
        bounds,
    )
    argument.inequality(
        "the middle",
        "x = 1 - (c s u)^2 is at most y = 1 - (s u)^2, and both are positive",
        And(x <= y, x > 0),
        [Eq(x, (1 + c * s * u) * (1 - c * s * u)), Eq(y, (1 + s * u) * (1 - s * u)), *bounds],
    )
    argument.inequality(
        "together",
        "M >= (1 + s u)^2 are the numerators at the ends, w <= (1 - c s u)^2 the denominators "
        "there, z = 1 - s u, E = 1 + s u, F = 1 + c s u and f = 1 - c s u: M z^2 >= F^2 w, as M "
        "z^2 >= (E z)^2 = y^2 >= x^2 = (F f)^2",
        M * z**2 >= F**2 * w,
        [
            M >= E**2,
            w <= f**2,
            Eq(E * z, y),
            Eq(F * f, x),
            x <= y,
            x > 0,
            z > 0,
            E > 0,
            F > 0,
            f > 0,
            w > 0,
        ],
    )


def _shifted(argument: Argument, strict: bool = False) -> None:
    _even(argument, strict)
    argument.cite(
        "monotone",
        "I(r) >= I(r') for r' = l + 2 (j + 1) = r + 2",
        "massny2025.prop1-decreasing-repaired",
    )
    argument.inequality(
        "k + 1 is even",
        "E = I(l), F = I(r) >= f = I(r + 2), and with j + 1 in place of j the even case gives "
        "E f >= x^2, x = I(k + 1)",
        E * F >= x**2,
        [E * f >= x**2, F >= f, E >= 1, f >= 1, x >= 1],
    )


def _quotients(argument: Argument) -> None:
    argument.inequality(
        "their quotient",
        "x >= y > 0 are the numerators, z >= w > 0 the denominators above: x/w >= y/z",
        x * z >= y * w,
        [x >= y, y > 0, z >= w, w > 0],
    )


def closer(argument: Argument) -> None:
    """For lam >= 0 a pair of distances leaks at least as much as any pair between them with the
    same sum.
    """
    t = sympy.Symbol("t")
    argument.inequality(
        "closer distances leak less",
        "distances with powers u, s u, t u and s t u of lam, I = (1 + c v)/(1 - v): numerators and "
        "denominators of the outer and of the inner pair",
        And(
            (1 + c * u) * (1 + c * s * t * u) >= (1 + c * s * u) * (1 + c * t * u),
            (1 - u) * (1 - s * t * u) <= (1 - s * u) * (1 - t * u),
        ),
        [*_POWERS, t >= 0, t <= 1, c >= 1],
    )
