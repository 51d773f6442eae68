"""How the leakages of both sides of p combine: a maximum of two products, and how far the sum is
above it.

Letters: L0, L1 are the largest left ratios toward X_p = 0 and toward X_p = 1, R0, R1 the right
ones; F, G the ratios of the sides, J that of the whole. Source of the setting: massny2025,
definition 1 and section IV-A; the claims are ours.
"""

from functools import partial

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, F, G, J = sympy.symbols("A B F G J")
d, e, f, g, h, k = sympy.symbols("d e f g h k")
L0, L1, R0, R1 = sympy.symbols("L0 L1 R0 R1")
SIDES = (
    "every chain of bits with a, b in (0, 1), every n and p, every local mechanism that redacts X_p"
)
SPLIT = "all 0 < a <= b < 1 with a + b != 1, every n and p, every such mechanism"
NOTATION = {
    **SETTING,
    "L0, L1": "L_x is the largest P(y|X_p=x)/P(y|X_p=1-x) over what the left side shows, 1 if it "
    "is empty",
    "R0, R1": "R_x is the largest P(y|X_p=x)/P(y|X_p=1-x) over what the right side shows, 1 if it "
    "is empty",
    "l": "the distance of the nearest record left of p that is released with positive probability",
    "r": "the distance of the nearest record right of p that is released with positive "
    "probability; r_t belongs to a record",
}


@claim(
    "redaction.joint-of-sides",
    where="Leakage of both sides together",
    statement="A local mechanism, a and b in (0, 1) in any order, X_p redacted: e^Lk = max{L0 R0, "
    "L1 R1}; max{Lk_l, Lk_r} <= Lk <= Lk_l + Lk_r, with equality on the right iff for some "
    "value x both L_x = max{L0, L1} and R_x = max{R0, R1}; Lk > (Lk_l + Lk_r)/2 unless both "
    "are 0.",
)
def joint_of_sides(check: Check) -> None:
    """Prove it from L0, L1, R0, R1 >= 1, where L0 = 1 iff L1 = 1."""
    name = "as stated"
    with check.reading(name, SIDES) as argument:
        argument.cite("the leakage", "e^Lk = max{L0 R0, L1 R1}", "redaction.messages")
        one_direction(argument)
        _between(argument)
    check.near_miss(f"{name}: strictly more than the larger side", partial(_between, strict=True))
    check.near_miss(
        f"{name}: at least 3/5 of the sum, squared and cubed", partial(_between, more=True)
    )


def one_direction(argument: Argument, strict: bool = True) -> None:
    """L0 = 1 iff L1 = 1: laws with all ratios at most 1 are equal."""
    argument.induction(
        "laws in one direction",
        "F, G are the partial sums of P(y | X_p = 0), P(y | X_p = 1); if every f <= g then G - F "
        "does not fall",
        base=(g - f >= 0, [f <= g]),
        step=((G + g) - (F + f) >= G - F, [f <= g]),
    )
    argument.inequality(
        "both are laws",
        "G - F >= g - f for each output, and in the end F = G = 1: f = g everywhere. So L0 = 1 "
        "gives L1 = 1, and the other way round",
        Eq(f, g),
        [G - F >= g - f, Eq(F, 1), Eq(G, 1), *([f <= g] if strict else [])],
    )


_RATIOS = [
    L0 >= 1,
    L1 >= 1,
    R0 >= 1,
    R1 >= 1,
    Or(And(Eq(L0, 1), Eq(L1, 1)), And(L0 > 1, L1 > 1)),
    Or(And(Eq(R0, 1), Eq(R1, 1)), And(R0 > 1, R1 > 1)),
    J >= L0 * R0,
    J >= L1 * R1,
    Or(Eq(J, L0 * R0), Eq(J, L1 * R1)),
    F >= L0,
    F >= L1,
    Or(Eq(F, L0), Eq(F, L1)),
    G >= R0,
    G >= R1,
    Or(Eq(G, R0), Eq(G, R1)),
]


def _between(argument: Argument, strict: bool = False, more: bool = False) -> None:
    """J is the ratio of the whole, F and G those of the sides."""
    argument.inequality(
        "bounds",
        "J = max{L0 R0, L1 R1}, F = max{L0, L1}, G = max{R0, R1}",
        And(J > F if strict else J >= F, J >= G, J <= F * G),
        _RATIOS,
    )
    argument.inequality(
        "equality",
        "iff L0 >= L1 and R0 >= R1, or the other way round",
        sympy.Equivalent(Eq(J, F * G), Or(And(L0 >= L1, R0 >= R1), And(L1 >= L0, R1 >= R0))),
        _RATIOS,
    )
    argument.inequality(
        "more than half",
        "J^2 > F G unless F = G = 1",
        Or(J**5 >= (F * G) ** 3 if more else J**2 > F * G, And(Eq(F, 1), Eq(G, 1))),
        [Eq(L0, 10), Eq(R1, 10), Eq(L1, sympy.Rational(11, 10)), Eq(R0, L1), *_RATIOS]
        if more
        else _RATIOS,
    )


@claim(
    "redaction.joint-gap",
    where="Leakage of both sides together",
    statement="a <= b, lam != 0, D >= 1, a local redaction mechanism that always redacts X_p and "
    "all records nearer than D: Lk_l + Lk_r - Lk < i0(D). If D < p <= n - D no smaller "
    "constant will do: i0(D) is the supremum of Lk_l + Lk_r - Lk over these mechanisms.",
)
def joint_gap(check: Check) -> None:
    """Prove the bound by the hull of the columns of P^D, and its sharpness by two mechanisms
    that release little.
    """
    bound, sharp = "the bound", "no smaller constant"
    with check.reading(bound, SPLIT) as argument:
        argument.cite("the sides", "Lk = max{L0 R0, L1 R1}", "redaction.joint-of-sides")
        argument.cite(
            "closed form",
            "b/a, A = a_D, B = b_D: e^i0 is (1-A)/B for lam^D > 0, B/(1-A) for lam^D < 0",
            "massny2025.prop1-closed",
        )
        argument.cite("positive entries", "of P^D", "massny2025.x-powers")
        one_direction(argument)
        _hull(argument)
        _gap(argument)
    check.near_miss(f"{bound}: i0(D)/2", partial(_gap, half=True))
    check.near_miss(f"{bound}: without the other direction", partial(_gap, free=True))
    with check.reading(sharp, SPLIT) as argument:
        argument.cite("the sides", "Lk = max{L0 R0, L1 R1}", "redaction.joint-of-sides")
        argument.cite("closed form", "as above, and e = e^i0 <= h = e^i1", "massny2025.prop1-order")
        _little(argument)
    check.near_miss(f"{sharp}: any constant below e^i1", partial(_little, larger=True))


_ENTRIES = [A > 0, A <= B, B < 1, f >= 0, g >= 0, f + g > 0]


def _hull(argument: Argument) -> None:
    """(f, g) is the likelihood at distance D; its image under P^D is what X_p sees."""
    image = (1 - A) * f + A * g, B * f + (1 - B) * g
    argument.inequality(
        "hull of the columns",
        "lam^D > 0: toward 0 no ratio exceeds e^i0 = (1-A)/B, cleared of B; lam^D < 0: toward 1 "
        "none exceeds e^i0 = B/(1-A)",
        And(
            Implies(A + B < 1, image[0] * B <= (1 - A) * image[1]),
            Implies(A + B > 1, image[1] * (1 - A) <= B * image[0]),
        ),
        _ENTRIES,
    )


def _gap(argument: Argument, half: bool = False, free: bool = False) -> None:
    """e = e^i0(D); the direction with the bound e is called 0."""
    ratios = [*_RATIOS[:4], *_RATIOS[6:], *([] if free else _RATIOS[4:6])]
    argument.inequality(
        "the difference",
        "F G is the ratio of the sum: F G < e J, since F G/J is 1, or min{L0/L1, R1/R0}, or "
        "min{L1/L0, R0/R1}",
        F * G < e * J,
        [L0**2 <= e if half else L0 <= e, R0**2 <= e if half else R0 <= e, e > 1, *ratios]
        if not half
        else [
            Eq(F, 2),
            Eq(G, 2),
            Eq(L0, 2),
            Eq(R1, 2),
            Eq(L1, sympy.Rational(11, 10)),
            Eq(R0, L1),
            Eq(e**2, 3),
            e > 1,
            *ratios,
        ],
    )


def _little(argument: Argument, larger: bool = False) -> None:
    """Left the value of ratio e is released with probability d at distance D, right that of
    ratio h; all else is redacted.
    """
    for name, entry in (("lam^D > 0", (1 - A, A, B, 1 - B)), ("lam^D < 0", (B, 1 - B, 1 - A, A))):
        # entry: P(X_D = value | likelier x), P(other value | it), P(value | other x), P(other value
        # | other x)
        p, q, r, s_ = entry
        argument.inequality(
            name,
            "left: e p against its *, of probabilities 1 - d p and 1 - d r; right: h toward the "
            "other x against 1 - d q and 1 - d s. For k < e <= h and 0 < d < 1 - k/e both L0/L1 "
            "and R1/R0 exceed k",
            And(e * (1 - d * p) > k * (1 - d * r), h * (1 - d * s_) > k * (1 - d * q)),
            [
                Eq(e * r, p),
                Eq(h * q, s_),
                e <= h,
                k >= 1,
                k < h if larger else k < e,
                d > 0,
                d * e < e - k if not larger else d * h < h - k,
                A > 0,
                A < 1,
                B > 0,
                B < 1,
                e > 1,
                *([A + B < 1] if name.endswith("> 0") else [A + B > 1]),
            ],
        )
    argument.inequality(
        "the difference",
        "L0 > L1 and R1 > R0, as k >= 1: F G/J = min{L0/L1, R1/R0} > k",
        F * G > k * J,
        [L0 > k * L1, R1 > k * R0, k >= 1, *_RATIOS],
    )


@claim(
    "redaction.joint-gap-dim",
    where="Leakage of both sides together",
    statement="a <= b, a DIM that redacts X_p and releases records on both sides, the nearest ones "
    "at distances l and r: Lk_l + Lk_r - Lk is 0 if lam >= 0 or l + r is even, and "
    "min{i1(l)-i0(l), i1(r)-i0(r)} otherwise.",
    kind="closed form",
)
def joint_gap_dim(check: Check) -> None:
    """Read it off the leakage in closed form."""
    name = "as stated"
    with check.reading(
        name, "all 0 < a <= b < 1, every n, p and DIM with released records on both sides"
    ) as argument:
        argument.cite(
            "leakages",
            "F = e^i1(l), G = e^i1(r); J = F G, or the larger of F g and f G",
            "massny2025.x-dim-leakage",
        )
        argument.cite("order", "f <= F, g <= G are e^i0", "massny2025.prop1-order")
        _difference(argument)
    check.near_miss(f"{name}: the larger of both", partial(_difference, larger=True))


def _difference(argument: Argument, larger: bool = False) -> None:
    both = And(h >= F / f, h >= G / g) if larger else And(h <= F / f, h <= G / g)
    argument.inequality(
        "the difference",
        "h = F G/J is the smaller of F/f and G/g",
        And(both, Or(Eq(h * f, F), Eq(h * g, G))),
        [
            Eq(h * J, F * G),
            J >= F * g,
            J >= f * G,
            Or(Eq(J, F * g), Eq(J, f * G)),
            f >= 1,
            g >= 1,
            F >= f,
            G >= g,
        ],
    )
    argument.inequality(
        "equal signs", "h = 1", Eq(h, 1), [Eq(h * J, F * G), Eq(J, F * G), F >= 1, G >= 1]
    )
