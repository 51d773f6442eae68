"""How the leakages of both sides of p combine: a maximum of two products, and how far the sum is
above it.

Source of the setting: massny2025, definition 1 and section IV-A; the claims are ours.
"""

from dataclasses import dataclass

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.ours.redaction.statements.leakages import (
    GAP_ATTAINED,
    JOINT_GAP,
    JOINT_GAP_DIM,
    JOINT_OF_SIDES,
)
from pufferproof.claims.registry import Check, claim

L0, L1 = letters("L0 L1", "the largest left ratios toward X_p = 0 and toward X_p = 1", at_least(1))
R0, R1 = letters("R0 R1", "the largest right ratios toward X_p = 0 and toward X_p = 1", at_least(1))
F, G = letters("F G", "the ratios of the left and of the right side")
J = letter("J", "the ratio of the whole")
next0, next1 = letters("next0 next1", "P(y | X_p = 0), P(y | X_p = 1) for the next output y")
sum0, sum1 = letters("sum0 sum1", "the sums of these so far")
gap = letter("gap", "next1 - next0 at the first of these outputs")
A = letter("A", "a_D, a transition probability of P^D", above(0))
B = letter("B", "b_D, the other one of P^D", below(1))
f, g = letters(
    "f g", "likelihoods of an output at distance D given its values 0 and 1", at_least(0)
)
e = letter("e", "e^i0(D)", above(1))
h = letter("h", "e^i1(D)")
k = letter("k", "a constant below e", at_least(1))
d = letter("d", "the probability that a value is released", above(0))
left0, right0 = letters(
    "left0 right0", "e^i0 of the nearest released records left and right", at_least(1)
)
excess = letter("excess", "F G/J")
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
    says=JOINT_OF_SIDES,
)
def joint_of_sides(check: Check) -> None:
    """Prove it from L0, L1, R0, R1 >= 1, where L0 = 1 iff L1 = 1."""
    name = "as stated"
    proved(
        check,
        name,
        SIDES,
        _combined,
        **{
            "strictly more than the larger side": Edit("bounds", put={J >= F: J > F}),
            "at least 3/5 of the sum, squared and cubed": Edit(
                "more than half",
                put={J**2 > F * G: J**5 >= (F * G) ** 3},
                given=[Eq(L0, 10), Eq(R1, 10), Eq(L1, sympy.Rational(11, 10)), Eq(R0, L1)],
            ),
        },
    )


def _combined(proof: Proof) -> None:
    proof.cite("the leakage", "e^Lk = max{L0 R0, L1 R1}", "redaction.messages")
    one_direction(proof)
    _between(proof)


def one_direction(proof: Proof) -> None:
    """L0 = 1 iff L1 = 1: laws with all ratios at most 1 are equal."""
    proof.induction(
        "laws in one direction",
        "sum0, sum1 are the partial sums of P(y | X_p = 0), P(y | X_p = 1), from any output on, "
        "whose difference is gap; if every next0 <= next1 then sum1 - sum0 stays at least gap",
        base=(sum1 - sum0 >= gap, [Eq(sum1 - sum0, gap)]),
        step=((sum1 + next1) - (sum0 + next0) >= gap, [sum1 - sum0 >= gap, next0 <= next1]),
    )
    proof.inequality(
        "both are laws",
        "sum1 - sum0 >= gap = next1 - next0 for each output, and in the end sum0 = sum1 = 1: "
        "next0 = next1 everywhere. So L0 = 1 gives L1 = 1, and the other way round",
        Eq(next0, next1),
        [sum1 - sum0 >= gap, Eq(gap, next1 - next0), Eq(sum0, 1), Eq(sum1, 1), next0 <= next1],
    )


_DIRECTIONS = [  # a side that leaks in one direction leaks in the other one
    Or(And(Eq(L0, 1), Eq(L1, 1)), And(L0 > 1, L1 > 1)),
    Or(And(Eq(R0, 1), Eq(R1, 1)), And(R0 > 1, R1 > 1)),
]
_RATIOS = [
    *_DIRECTIONS,
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


def _between(proof: Proof) -> None:
    """J is the ratio of the whole, F and G those of the sides."""
    proof.inequality(
        "bounds",
        "J = max{L0 R0, L1 R1}, F = max{L0, L1}, G = max{R0, R1}",
        And(J >= F, J >= G, J <= F * G),
        _RATIOS,
    )
    proof.inequality(
        "equality",
        "iff L0 >= L1 and R0 >= R1, or the other way round",
        sympy.Equivalent(Eq(J, F * G), Or(And(L0 >= L1, R0 >= R1), And(L1 >= L0, R1 >= R0))),
        _RATIOS,
    )
    proof.inequality(
        "more than half",
        "J^2 > F G unless F = G = 1",
        Or(J**2 > F * G, And(Eq(F, 1), Eq(G, 1))),
        _RATIOS,
    )


@claim(
    "redaction.joint-gap",
    where="Leakage of both sides together",
    statement="a <= b, lam != 0, D >= 1, a local redaction mechanism that always redacts X_p and "
    "all records nearer than D: Lk_l + Lk_r - Lk < i0(D). If D < p <= n - D no smaller "
    "constant will do: i0(D) is the supremum of Lk_l + Lk_r - Lk over these mechanisms.",
    says={
        "the bound": JOINT_GAP,
        "no smaller constant": GAP_ATTAINED,
    },
)
def joint_gap(check: Check) -> None:
    """Prove the bound by the hull of the columns of P^D, and its sharpness by two mechanisms
    that release little.
    """
    bound, sharp = "the bound", "no smaller constant"
    proved(
        check,
        bound,
        SPLIT,
        _bounded,
        **{
            "i0(D)/2": Edit(
                "the difference",
                without=[L0 <= e, R0 <= e],
                given=[
                    Eq(F, 2),
                    Eq(G, 2),
                    Eq(L0, 2),
                    Eq(R1, 2),
                    Eq(L1, sympy.Rational(11, 10)),
                    Eq(R0, L1),
                    Eq(e**2, 3),
                ],
            ),
            "without the other direction": Edit("the difference", without=_DIRECTIONS),
        },
    )
    larger = [
        Edit(name, without=[k < e, d * e < e - k], given=[k < h, d * h < h - k]) for name in SIGNS
    ]
    proved(check, sharp, SPLIT, _sharp, **{"any constant below e^i1": larger})


def _bounded(proof: Proof) -> None:
    proof.cite("the sides", "Lk = max{L0 R0, L1 R1}", "redaction.joint-of-sides")
    proof.cite(
        "closed form",
        "b/a, A = a_D, B = b_D: e^i0 is (1-A)/B for lam^D > 0, B/(1-A) for lam^D < 0",
        "massny2025.prop1-closed",
    )
    proof.cite("positive entries", "of P^D", "massny2025.x-powers")
    one_direction(proof)
    _hull(proof)
    _gap(proof)


def _sharp(proof: Proof) -> None:
    proof.cite("the sides", "Lk = max{L0 R0, L1 R1}", "redaction.joint-of-sides")
    proof.cite("closed form", "as above, and e = e^i0 <= h = e^i1", "massny2025.prop1-order")
    _little(proof)


_ENTRIES = [A <= B, f + g > 0]


def _hull(proof: Proof) -> None:
    """(f, g) is the likelihood at distance D; its image under P^D is what X_p sees."""
    image = (1 - A) * f + A * g, B * f + (1 - B) * g
    proof.inequality(
        "hull of the columns",
        "lam^D > 0: toward 0 no ratio exceeds e^i0 = (1-A)/B, cleared of B; lam^D < 0: toward 1 "
        "none exceeds e^i0 = B/(1-A)",
        And(
            Implies(A + B < 1, image[0] * B <= (1 - A) * image[1]),
            Implies(A + B > 1, image[1] * (1 - A) <= B * image[0]),
        ),
        _ENTRIES,
    )


def _gap(proof: Proof) -> None:
    """e = e^i0(D); the direction with the bound e is called 0."""
    proof.inequality(
        "the difference",
        "F G is the ratio of the sum: F G < e J, since F G/J is 1, or min{L0/L1, R1/R0}, or "
        "min{L1/L0, R0/R1}",
        F * G < e * J,
        [L0 <= e, R0 <= e, *_RATIOS],
    )


@dataclass(frozen=True)
class Chances:
    """P(X_D = value | X_p) for the value that is released left, and for the one released right.

    `likelier` are the probabilities given the value of X_p that they point to.
    """

    sign: sympy.Rel
    left_likelier: sympy.Expr
    left_other: sympy.Expr
    right_likelier: sympy.Expr
    right_other: sympy.Expr


SIGNS = {
    "lam^D > 0": Chances(A + B < 1, 1 - A, B, 1 - B, A),
    "lam^D < 0": Chances(A + B > 1, B, 1 - A, A, 1 - B),
}


def _little(proof: Proof) -> None:
    """Left the value of ratio e is released with probability d at distance D, right that of
    ratio h; all else is redacted.
    """
    for name, at in SIGNS.items():
        proof.inequality(
            name,
            "left: e p against its *, of probabilities 1 - d p and 1 - d r; right: h toward the "
            "other x against 1 - d q and 1 - d s. For k < e <= h and 0 < d < 1 - k/e both L0/L1 "
            "and R1/R0 exceed k",
            And(
                e * (1 - d * at.left_likelier) > k * (1 - d * at.left_other),
                h * (1 - d * at.right_likelier) > k * (1 - d * at.right_other),
            ),
            [
                Eq(e * at.left_other, at.left_likelier),
                Eq(h * at.right_other, at.right_likelier),
                e <= h,
                k < e,
                d * e < e - k,
                A < 1,
                B > 0,
                at.sign,
            ],
        )
    proof.inequality(
        "the difference",
        "L0 > L1 and R1 > R0, as k >= 1: F G/J = min{L0/L1, R1/R0} > k",
        F * G > k * J,
        [L0 > k * L1, R1 > k * R0, *_RATIOS],
    )


@claim(
    "redaction.joint-gap-dim",
    where="Leakage of both sides together",
    statement="a <= b, a DIM that redacts X_p and releases records on both sides, the nearest ones "
    "at distances l and r: Lk_l + Lk_r - Lk is 0 if lam >= 0 or l + r is even, and "
    "min{i1(l)-i0(l), i1(r)-i0(r)} otherwise.",
    kind="closed form",
    says=JOINT_GAP_DIM,
)
def joint_gap_dim(check: Check) -> None:
    """Read it off the leakage in closed form."""
    name = "as stated"
    proved(
        check,
        name,
        "all 0 < a <= b < 1, every n, p and DIM with released records on both sides",
        _gap_of_dims,
        the_larger_of_both=Edit(
            "the difference",
            instead=And(
                And(excess >= F / left0, excess >= G / right0),
                Or(Eq(excess * left0, F), Eq(excess * right0, G)),
            ),
        ),
    )


def _gap_of_dims(proof: Proof) -> None:
    proof.cite(
        "leakages",
        "F = e^i1(l), G = e^i1(r); J = F G, or the larger of F g and f G",
        "massny2025.x-dim-leakage",
    )
    proof.cite("order", "f <= F, g <= G are e^i0", "massny2025.prop1-order")
    _difference(proof)


def _difference(proof: Proof) -> None:
    both = And(excess <= F / left0, excess <= G / right0)
    proof.inequality(
        "the difference",
        "excess = F G/J is the smaller of F/left0 and G/right0",
        And(both, Or(Eq(excess * left0, F), Eq(excess * right0, G))),
        [
            Eq(excess * J, F * G),
            J >= F * right0,
            J >= left0 * G,
            Or(Eq(J, F * right0), Eq(J, left0 * G)),
            F >= left0,
            G >= right0,
        ],
    )
    proof.inequality(
        "equal signs",
        "excess = 1",
        Eq(excess, 1),
        [Eq(excess * J, F * G), Eq(J, F * G), F >= 1, G >= 1],
    )
