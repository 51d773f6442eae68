"""What each side of the best local redaction contributes to the level, and chains whose steps
differ from record to record.

(q, 1), (1, q) are rows (r_t(0), r_t(1)) of the middle part of redaction.three-regions; d is the
distance of the first record of a side that is not always redacted. P = [[1-a, a], [b, 1-b]], lam =
1-a-b. Source of the setting: massny2025, section II.
"""

from pufferproof.claims.ours.redaction.statements.shapes import (
    REGIONS_STEPS,
    RELEASED_BEYOND,
    SIDE_LEVELS,
)
from pufferproof.claims.registry import Check, claim

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
    """Prove that showing the first value that can be shown is extreme.

    Two sides: extreme ratios multiply [redaction.joint-of-sides]. Powers: the determinant of P^D is
    lam^D: its sign is that of lam, or alternates [massny2025.prop1-power]. The value that is shown:
    All nearer records are redacted. A, B and C, D are the rows of P^d, (u, v) the likelihoods of
    any outputs from d on given the value at d; (1, 0) is X = 0 shown. For lam^d > 0 its ratio A/C
    is the largest, for lam^d < 0 the smallest; (1, q): exchange the values. It is the influence: (A
    u)/(C u) is the ratio of an output that shows 0 at d, u > 0 the likelihood of what it shows
    beyond: P(X=0|X_p=0)/P(X=0|X_p=1) = A/C, e^i0(d) or its inverse. One split: e^Lk is the larger
    product of extreme ratios of both sides: that of the largest ones is e^(i0(d) + i0(d')); left
    and right are the inverses of the smallest ones, R = e^eps: their product is at most R iff some
    cut is as stated.
    """
    check.tried(LARGEST)


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
    """Prove it as for equal steps: only signs of determinants entered.

    Every step with a determinant other than 0. Full release: no law of the steps is used
    [redaction.cut]. What is left: (x, y) = (r_t(0), r_t(1)) without both values released and
    without an entry 0. One record and one step: A, B and C, D are the rows of the step towards p, x
    and y the weights of * at the record; (f, h), (g, j) the likelihoods of two outputs beyond. The
    sign of the determinant: turn = 1 or -1 changes where the determinant step of a step is
    negative, sign its sign; det is the determinant of the outputs in which t shows 0 and in which
    it shows 1. No likelihood is 0: of outputs with * up to t. A new value lies between two old
    ones: k u + l v >= 0 is the constraint of all outputs with given symbols nearer than s and on
    the other side, for likelihoods (u, v) from s on. The row of s is (q, 1): (1, 0) satisfies it.
    So does (g, j), where t shows the value it can show already; then so does (f, h), where t shows
    the other one, if its slope is larger. Exchange 0 and 1 for (1, q). Only one value before the
    cut: t is the nearest record that breaks the order, s < t the nearest that is not (1,1).
    Releasing t and all beyond: an output that shows a value before t has the ratio of an old one,
    the likelihoods of what follows cancel; so has one whose first value is the one that t could
    show; the third kind is new and its constraint was just derived. p1 <= R p2 old, shown > 0.

    A step of determinant 0. Equal rows: A, 1 - A and C, 1 - C are the rows: determinant 0 means A =
    C, and outputs beyond have the same likelihood given both values.
    """
    check.tried(STEPS)
    name = "a step of determinant 0"
    check.tried(name)
