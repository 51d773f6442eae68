"""What each side contributes to the level: both sides together, and the sides of the best local
redaction.

(q, 1), (1, q) are rows (r_t(0), r_t(1)) of the middle part of redaction.three-regions; d is the
distance of the first record of a side that is not always redacted. P = [[1-a, a], [b, 1-b]], lam =
1-a-b. Source of the setting: massny2025, section II.
"""

from pufferproof.claims.ours.redaction.structure import said
from pufferproof.claims.registry import Check, claim

EXACT, BOUNDS = "exactly", "between what each side leaks and what both do"
EQUALITY, HALF = "all that both sides leak", "more than half of it"


@claim(
    "redaction.joint-of-sides",
    where="Leakage of both sides together",
    says={EXACT: said.EXACT, BOUNDS: said.BOUNDS, EQUALITY: said.EQUALITY, HALF: said.HALF},
)
def joint_of_sides(check: Check) -> None:
    """Prove it from largest ratios of both sides, which are at least 1, and both 1 or none.

    X_p is redacted, and a and b in (0, 1), so that what is shown has two positive probabilities.
    Given X_p both sides are independent [song2017.x-markov]. An empty side shows one thing.
    """
    for name in (EXACT, BOUNDS, EQUALITY, HALF):
        check.stated(name)


LARGEST, BOTH = "one extreme ratio of a side", "both sides, lam > 0, first records that show 0"


@claim(
    "redaction.side-levels",
    where="Optimal local redaction",
    says={LARGEST: said.EXTREME, BOTH: said.LEVELS},
)
def side_levels(check: Check) -> None:
    """Prove that showing the first value that can be shown is extreme.

    All records nearer than d are redacted, and given X_t what is shown beyond is independent of
    X_p. Extreme ratios of two sides multiply [redaction.joint-of-sides]; for lam^d > 0 the ratio of
    X_t = v is above 1 if v = 0, and below 1 if v = 1 [massny2025.prop1-power].
    """
