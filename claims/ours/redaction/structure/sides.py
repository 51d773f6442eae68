"""What each side of the best local redaction contributes to the level, and chains whose steps
differ from record to record.

(q, 1), (1, q) are rows (r_t(0), r_t(1)) of the middle part of redaction.three-regions; d is the
distance of the first record of a side that is not always redacted. P = [[1-a, a], [b, 1-b]], lam =
1-a-b. Source of the setting: massny2025, section II.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.redaction.statements.shapes import (
    REGIONS_STEPS,
    RELEASED_BEYOND,
    SIDE_LEVELS,
)
from pufferproof.claims.ours.redaction.structure.regions import (
    R,
    det,
    f,
    g,
    h,
    in_between,
    j,
    kept,
    rows_left,
    turn,
    u,
    v,
    x,
    y,
)
from pufferproof.claims.registry import Check, claim

A, B = letters("A B", "the first row of P^d, or of the step towards p", above(0))
C, D = letters("C D", "the second row of P^d, or of the step towards p", above(0))
left, right = letters(
    "left right", "the inverses of the smallest ratios of the two sides", at_least(1)
)
cut = letter("cut", "what the inverse of the smallest ratio of the left side may be", above(0))
sign = letter("sign", "the sign of the determinant of a step")
step = letter("step", "the determinant of a step")
LARGEST = "one extreme ratio of a side"


@claim(
    "redaction.side-levels",
    where="Optimal local redaction",
    statement="lam not 0, a side with the three regions of redaction.three-regions: let d be the "
    "distance of its first record that is not always redacted and v a value that this record "
    "can show. Over the outputs y of the side the ratio of P(y|X_p=0) and P(y|X_p=1) is most "
    "extreme, in the direction of the ratio of X_t = v, exactly at e^(i_v(d)), whatever the "
    "q_t and wherever full release starts. So for lam > 0 and rows (q, 1) first on both sides, "
    "at distances d and d', such a mechanism is eps-private, X_p being redacted, iff i0(d) + "
    "i0(d') <= eps and the inverses of the smallest ratios of the sides are at most s and R/s "
    "for some number s > 0. The published family asks for more: that e^(i0(d)) <= s and "
    "e^(i0(d')) <= R/s too.",
    says=SIDE_LEVELS,
)
def side_levels(check: Check) -> None:
    """Prove that showing the first value that can be shown is extreme."""
    proved(
        check,
        LARGEST,
        "all 0 < a, b < 1 with a + b != 1, every n and p",
        _first,
        the_other_direction=Edit("the value that is shown", put={A * D > B * C: A * D < B * C}),
    )


def _first(proof: Proof) -> None:
    proof.cite("two sides", "extreme ratios multiply", "redaction.joint-of-sides")
    proof.cite(
        "powers",
        "the determinant of P^D is lam^D: its sign is that of lam, or alternates",
        "massny2025.prop1-power",
    )
    proof.inequality(
        "the value that is shown",
        "All nearer records are redacted. A, B and C, D are the rows of P^d, (u, v) the "
        "likelihoods of any outputs from d on given the value at d; (1, 0) is X = 0 shown. For "
        "lam^d > 0 its ratio A/C is the largest, for lam^d < 0 the smallest; (1, q): exchange the "
        "values",
        sympy.Implies(A * D > B * C, (A * u + B * v) * C <= A * (C * u + D * v))
        & sympy.Implies(A * D < B * C, (A * u + B * v) * C >= A * (C * u + D * v)),
        [u >= 0, v >= 0, u + v > 0],
    )
    proof.identity(
        "it is the influence",
        "(A u)/(C u) is the ratio of an output that shows 0 at d, u > 0 the likelihood of what it "
        "shows beyond: P(X=0|X_p=0)/P(X=0|X_p=1) = A/C, e^i0(d) or its inverse",
        "(A*u)/(C*u)",
        "A/C",
    )
    proof.inequality(
        "one split",
        "e^Lk is the larger product of extreme ratios of both sides: that of the largest ones is "
        "e^(i0(d) + i0(d')); left and right are the inverses of the smallest ones, R = e^eps: "
        "their product is at most R iff some cut is as stated",
        sympy.Implies((left <= cut) & (right * cut <= R), left * right <= R)
        & sympy.Implies((left * right <= R) & Eq(cut, left), (left <= cut) & (right * cut <= R)),
        [],
    )


STEPS = "every step with a determinant other than 0"


@claim(
    "redaction.three-regions-steps",
    where="Other chains",
    statement="On a chain of bits with a positive law of X_1 and positive transition probabilities "
    "that may differ from step to step, stationary or not, with determinants other than 0, "
    "every local mechanism r has an r' <= r with no more leakage about X_p and the three "
    "regions of redaction.three-regions on each side; in the middle part the value that can be "
    "shown changes at each step whose matrix, seen from p, has a negative determinant. Beyond "
    "a step of determinant 0 everything can be released in full.",
    says={
        "every step with a determinant other than 0": REGIONS_STEPS,
        "a step of determinant 0": RELEASED_BEYOND,
    },
)
def three_regions_steps(check: Check) -> None:
    """Prove it as for equal steps: only signs of determinants entered."""
    proved(
        check,
        STEPS,
        "every chain of bits with positive transition probabilities, every n, p and e^eps >= 1",
        _steps,
        the_same_value_throughout=Edit(
            "the sign of the determinant: step", instead=turn * (x * y * step * det) > 0
        ),
        the_value_of_the_wrong_side=Edit(
            "a new value lies between two old ones", without=f * j >= g * h, given=f * j <= g * h
        ),
    )
    name = "a step of determinant 0"
    proved(
        check,
        name,
        "every chain of bits",
        _blocked,
        any_determinant=Edit("equal rows", without=Eq(A * (1 - C) - (1 - A) * C, 0)),
    )


def _steps(proof: Proof) -> None:
    proof.cite("full release", "no law of the steps is used", "redaction.cut")
    rows_left(proof)
    _determinants(proof)
    in_between(proof)
    kept(proof)


def _determinants(proof: Proof) -> None:
    proof.identity(
        "one record and one step",
        "A, B and C, D are the rows of the step towards p, x and y the weights of * at the record; "
        "(f, h), (g, j) the likelihoods of two outputs beyond",
        (A * x * f + B * y * h) * (C * x * g + D * y * j)
        - (A * x * g + B * y * j) * (C * x * f + D * y * h),
        x * y * (A * D - B * C) * (f * j - g * h),
    )
    proof.induction(
        "the sign of the determinant",
        "turn = 1 or -1 changes where the determinant step of a step is negative, sign its sign; "
        "det is the determinant of the outputs in which t shows 0 and in which it shows 1",
        base=(turn * det > 0, [Eq(turn, 1), Eq(det, 1)]),
        step=(
            turn * sign * (x * y * step * det) > 0,
            [turn * det > 0, Eq(sign**2, 1), sign * step > 0, x > 0, y > 0],
        ),
    )
    proof.induction(
        "no likelihood is 0",
        "of outputs with * up to t",
        base=((u > 0) & (v > 0), [Eq(u, A), Eq(v, C)]),
        step=(
            (A * x * u + B * y * v > 0) & (C * x * u + D * y * v > 0),
            [u > 0, v > 0, x > 0, y > 0],
        ),
    )


def _blocked(proof: Proof) -> None:
    proof.inequality(
        "equal rows",
        "A, 1 - A and C, 1 - C are the rows: determinant 0 means A = C, and outputs beyond have "
        "the same likelihood given both values",
        Eq(A * u + (1 - A) * v, C * u + (1 - C) * v),
        [Eq(A * (1 - C) - (1 - A) * C, 0), A < 1, C < 1, u >= 0, v >= 0],
    )
