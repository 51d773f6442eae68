"""Remarks on the way: odds, correlation and distance, privacy of entries, close segments, and one
weak release among many.
"""

from pufferproof.claims.general import said as laws
from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.song2017.statements import influence, remarks
from pufferproof.claims.registry import Check, claim

BITS = "fair bits that mostly repeat, each shown by randomized response"


@claim(
    "song2017.odds",
    where="Introduction",
    statement="M is eps-Pufferfish iff the posterior odds of every pair of secrets in Q are within "
    "a factor e^eps of its prior odds.",
    kind="remark",
    says={PRINTED: laws.ODDS_IN_BOTH_ORDERS},
)
def odds(check: Check) -> None:
    """Coq has both bounds, for secrets that may overlap."""


@claim(
    "song2017.correlation-decays",
    where="II-D",
    statement="Two nodes of a chain are correlated to a degree that usually falls as the distance "
    "between them grows.",
    kind="remark",
    says={
        "every step possible: the influence falls, or is 0": remarks.FALLS,
        "any chain: the influence does not grow": influence.FARTHER,
    },
)
def correlation_decays(check: Check) -> None:
    """Averages of ratios stay below the largest ratio, strictly if all of them have weight.

    Given X_(i+d) the next record does not depend on X_i: its laws given two values of X_i are
    averages of one kernel. If every step is possible, all values of X_(i+d) have weight. Then a
    ratio of averages equals the largest ratio only if all ratios do, and then they are 1. A chain
    that repeats its first value shows why the print says "usually".
    """


@claim(
    "song2017.entry-privacy",
    where="Introduction",
    statement="Differential privacy of entries does not keep an adversary from inferring the "
    "activity at a hidden time, as activities at close times are correlated.",
    kind="remark",
    says={BITS: remarks.ENTRY},
)
def entry_privacy(check: Check) -> None:
    """Every bit is shown at the level eps; all of them together tell more of each.

    The output that repeats one value has the factor e^eps for the bit itself. Its neighbours are
    more often equal to it than not, so that they add a factor above 1.
    """


@claim(
    "song2017.close-segments",
    where="III-A",
    statement="If two segments are close enough, a release on one can tell of the other.",
    kind="remark",
    says={BITS: remarks.CLOSE},
)
def close_segments(check: Check) -> None:
    """X_T3 is shown at the level eps_B, and nothing of the other segment: this alone tells of X_T2.

    It tells less than eps_B, and more the closer X_T2 and X_T3 are: X_T3 equals X_T2 with a chance
    above 1/2, which falls with the distance.
    """


@claim(
    "song2017.one-large",
    where="II-D, after Theorem II.6",
    statement="The guarantee K max_k eps_k of theorem II.6 is bad if one eps_k is large: it is K "
    "times this eps_k at least.",
    kind="remark",
    says={PRINTED: remarks.ONE_LARGE},
)
def one_large(check: Check) -> None:
    """The maximum is at least each level; the sum of theorem III.7 is at most K times it."""
