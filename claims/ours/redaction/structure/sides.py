"""What each side contributes to the level: both sides together, and the sides of the best local
redaction.

(q, 1), (1, q) are rows (r_t(0), r_t(1)) of the middle part of redaction.three-regions; d is the
distance of the first record of a side that is not always redacted. P = [[1-a, a], [b, 1-b]], lam =
1-a-b. Source of the setting: massny2025, section II.
"""

from pufferproof.claims.ours.redaction.linked import JOINT
from pufferproof.claims.ours.redaction.statements.shapes import SIDE_LEVELS
from pufferproof.claims.registry import Check, claim


@claim("redaction.joint-of-sides", where="Leakage of both sides together", says=JOINT)
def joint_of_sides(check: Check) -> None:
    """Prove it from largest ratios of both sides, which are at least 1, and both 1 or none.

    X_p is redacted, and a and b in (0, 1), so that what is shown has two positive probabilities.
    Given X_p both sides are independent [song2017.x-markov]. An empty side shows one thing.
    """
    check.linked("as stated")


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
    says={LARGEST: SIDE_LEVELS},
)
def side_levels(check: Check) -> None:
    """Prove that showing the first value that can be shown is extreme.

    Extreme ratios of two sides multiply [redaction.joint-of-sides]; the determinant of P^D is lam^D
    [massny2025.prop1-power]. All records nearer than d are redacted. A, B and C, D are the rows of
    P^d: (1, 0), X = 0 shown, has the ratio A/C, the largest for lam^d > 0 and the smallest for
    lam^d < 0; for (1, q) exchange the values. It is e^i0(d) or its inverse, whatever is shown
    beyond. e^Lk is the larger product of extreme ratios of both sides: that of the largest ones is
    e^(i0(d) + i0(d')); that of the smallest ones is at least 1/R iff some cut is as stated.
    """
