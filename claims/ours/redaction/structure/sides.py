"""What each side of the best local redaction contributes to the level, and chains whose steps
differ from record to record.

(q, 1), (1, q) are rows (r_t(0), r_t(1)) of the middle part of redaction.three-regions; d is the
distance of the first record of a side that is not always redacted. P = [[1-a, a], [b, 1-b]], lam =
1-a-b. Source of the setting: massny2025, section II.
"""

import sympy
from sympy import Eq

from pufferproof.claims.ours.redaction.structure.regions import between, kept, rows_left
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, k, s, u, v, x, y, z = sympy.symbols("R k s u v x y z")
f, g, h, j, I = sympy.symbols("f g h j I")
A, B, C, D = sympy.symbols("A B C D")
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
)
def side_levels(check: Check) -> None:
    """Prove that showing the first value that can be shown is extreme."""
    with check.reading(LARGEST, "all 0 < a, b < 1 with a + b != 1, every n and p") as argument:
        _first(argument)
    check.near_miss(
        f"{LARGEST}: the other direction", lambda argument: _first(argument, other=True)
    )


def _first(argument: Argument, other: bool = False) -> None:
    argument.cite("two sides", "extreme ratios multiply", "redaction.joint-of-sides")
    argument.cite(
        "powers",
        "the determinant of P^D is lam^D: its sign is that of lam, or alternates",
        "massny2025.prop1-power",
    )
    argument.inequality(
        "the value that is shown",
        "All nearer records are redacted. A, B and C, D are the rows of P^d, (x, y) the "
        "likelihoods of any outputs from d on given the value at d; (1, 0) is X = 0 shown. For "
        "lam^d > 0 its ratio A/C is the largest, for lam^d < 0 the smallest; (1, q): exchange the "
        "values",
        sympy.Implies(
            (A * D < B * C) if other else (A * D > B * C),
            (A * x + B * y) * C <= A * (C * x + D * y),
        )
        & sympy.Implies(A * D < B * C, (A * x + B * y) * C >= A * (C * x + D * y)),
        [A > 0, B > 0, C > 0, D > 0, x >= 0, y >= 0, x + y > 0],
    )
    argument.identity(
        "it is the influence",
        "(A u)/(C u) is the ratio of an output that shows 0 at d, u > 0 the likelihood of what it "
        "shows beyond: P(X=0|X_p=0)/P(X=0|X_p=1) = A/C, e^i0(d) or its inverse",
        "(A*u)/(C*u)",
        "A/C",
    )
    argument.inequality(
        "one split",
        "e^Lk is the larger product of extreme ratios of both sides: that of the largest ones is "
        "e^(i0(d) + i0(d')); v and z are the inverses of the smallest ones, R = e^eps: their "
        "product is at most R iff some s is as stated",
        sympy.Implies((v <= s) & (z * s <= R), v * z <= R)
        & sympy.Implies((v * z <= R) & Eq(s, v), (v <= s) & (z * s <= R)),
        [v >= 1, z >= 1, s > 0, R >= 1],
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
)
def three_regions_steps(check: Check) -> None:
    """Prove it as for equal steps: only signs of determinants entered."""
    with check.reading(
        STEPS,
        "every chain of bits with positive transition probabilities, every n, p and e^eps >= 1",
    ) as argument:
        argument.cite("full release", "no law of the steps is used", "redaction.cut")
        rows_left(argument)
        _determinants(argument)
        between(argument)
        kept(argument)
    check.near_miss(
        f"{STEPS}: the same value throughout", lambda argument: _determinants(argument, same=True)
    )
    check.near_miss(
        f"{STEPS}: the value of the wrong side", lambda argument: between(argument, wrong=True)
    )
    name = "a step of determinant 0"
    with check.reading(name, "every chain of bits") as argument:
        _blocked(argument)
    check.near_miss(f"{name}: any determinant", lambda argument: _blocked(argument, any_=True))


def _determinants(argument: Argument, same: bool = False) -> None:
    argument.identity(
        "one record and one step",
        "A, B and C, D are the rows of the step towards p, x and y the weights of * at the record; "
        "(f, h), (g, j) the likelihoods of two outputs beyond",
        (A * x * f + B * y * h) * (C * x * g + D * y * j)
        - (A * x * g + B * y * j) * (C * x * f + D * y * h),
        x * y * (A * D - B * C) * (f * j - g * h),
    )
    argument.induction(
        "the sign of the determinant",
        "k = 1 or -1 changes where the determinant z of a step is negative, s its sign; I is the "
        "determinant of the outputs in which t shows 0 and in which it shows 1",
        base=(k * I > 0, [Eq(k, 1), Eq(I, 1)]),
        step=(
            k * (1 if same else s) * (x * y * z * I) > 0,
            [k * I > 0, Eq(s**2, 1), s * z > 0, x > 0, y > 0],
        ),
    )
    argument.induction(
        "no likelihood is 0",
        "of outputs with * up to t",
        base=((u > 0) & (v > 0), [Eq(u, A), Eq(v, C), A > 0, C > 0]),
        step=(
            (A * x * u + B * y * v > 0) & (C * x * u + D * y * v > 0),
            [A > 0, B > 0, C > 0, D > 0, u > 0, v > 0, x > 0, y > 0],
        ),
    )


def _blocked(argument: Argument, any_: bool = False) -> None:
    argument.inequality(
        "equal rows",
        "A, 1 - A and C, 1 - C are the rows: determinant 0 means A = C, and outputs beyond have "
        "the same likelihood given both values",
        Eq(A * x + (1 - A) * y, C * x + (1 - C) * y),
        [
            *([] if any_ else [Eq(A * (1 - C) - (1 - A) * C, 0)]),
            A > 0,
            A < 1,
            C > 0,
            C < 1,
            x >= 0,
            y >= 0,
        ],
    )
