"""What each side contributes to the level: both sides together, and the sides of the best local
redaction.

(q, 1), (1, q) are rows (r_t(0), r_t(1)) of the middle part of redaction.three-regions; d is the
distance of the first record of a side that is not always redacted. P = [[1-a, a], [b, 1-b]], lam =
1-a-b. Source of the setting: massny2025, section II.
"""

from pufferproof.claims.ours.redaction.linked import JOINT
from pufferproof.claims.ours.redaction.structure.linked import LEVELS, SIDE
from pufferproof.claims.registry import Check, claim


@claim("redaction.joint-of-sides", where="Leakage of both sides together", says=JOINT)
def joint_of_sides(check: Check) -> None:
    """Prove it from largest ratios of both sides, which are at least 1, and both 1 or none.

    X_p is redacted, and a and b in (0, 1), so that what is shown has two positive probabilities.
    Given X_p both sides are independent [song2017.x-markov]. An empty side shows one thing.
    """
    check.linked("as stated")


LARGEST, BOTH = "one extreme ratio of a side", "both sides, lam > 0"


@claim(
    "redaction.side-levels",
    where="Optimal local redaction",
    statement="Let lam be not 0, and let a side have the three regions of "
    "redaction.three-regions. Let d be the distance of its first record that is not always "
    "redacted and v a value that this record can show. Over the outputs y of the side the ratio "
    "of P(y|X_p=0) and P(y|X_p=1) is most extreme, in the direction of the ratio of X_t = v, "
    "exactly at e^(i_v(d)), whatever the q_t and wherever full release starts. So for lam > 0 "
    "and rows (q, 1) first on both sides, at distances d and d', such a mechanism is "
    "eps-private, X_p being redacted, iff i0(d) + i0(d') <= eps and the inverses of the "
    "smallest ratios of the sides are at most s and R/s for some number s > 0. The published "
    "family asks for more: that e^(i0(d)) <= s and e^(i0(d')) <= R/s too.",
    says={LARGEST: SIDE, BOTH: LEVELS},
)
def side_levels(check: Check) -> None:
    """Prove that showing the first value that can be shown is extreme.

    All records nearer than d are redacted, and given X_t what is shown beyond is independent of
    X_p. Extreme ratios of two sides multiply [redaction.joint-of-sides]; for lam^d > 0 the ratio of
    X_t = v is above 1 if v = 0, and below 1 if v = 1 [massny2025.prop1-power].
    """
