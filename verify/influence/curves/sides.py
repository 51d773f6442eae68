"""The published closed form of the influence curve, as printed, or why there is none.

    P = [[p, 1 - p], [1 - q, q]],   0 < p, q < 1,   lam = p + q - 1,   pi the stationary law,
    z = pi(0) if q > p else pi(1),   d_L = floor((b + 1) / 2),   d_R = ceil((b + 1) / 2):

    a*(b) = sum over d in {d_L, d_R} of |log((z + lam^d (1 - z)) / (z - lam^d z))|

for a stationary start, b much less than the number of records, and secrets X_i = 0 against X_i = 1.
Over several chains it is the largest. Whether it is a*(b) is for the claims on the paper to say.
Source: bai2026, Example 3 of Section 6.3.
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along

RESTS_ON = ("bai2026.chain-repaired",)
PUBLISHED = "bai2026 Example 3"
_MOST_BITS = 100_000


def published_curve(
    priors: Sequence[Prior], count: int, alphabet: int, points: Sequence[int]
) -> list[Fraction | str | None]:
    """Return e^a*(b) as printed for every b in `points`, None for infinity; or in words why it has
    none.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> published_curve([chain], 9, 2, [0, 1, 9])
    [None, Fraction(4, 1), 'none: all records are hidden']
    """
    reason = _reason(priors, count, alphabet)
    if reason is not None:
        return [reason] * len(points)
    chains = [prior for prior in priors if isinstance(prior, MarkovChain)]
    return [_largest(chains, b) if b < count else "none: all records are hidden" for b in points]


def _reason(priors: Sequence[Prior], count: int, alphabet: int) -> str | None:
    """Return what the formula assumes and priors lack."""
    for prior in priors:
        if not isinstance(prior, MarkovChain):
            return "none: for Markov chains"
        if alphabet != 2 or len(prior.transition) != 2:
            return "none: for chains of two values"
        if 0 in {entry for row in prior.transition for entry in row}:
            return "none: for transitions of positive probability"
        if not Along(prior, count).stationary:
            return "none: for a stationary start"
    return None


def _largest(chains: Sequence[MarkovChain], hidden: int) -> Fraction | str | None:
    ratios = [_printed(chain, hidden) for chain in chains]
    if "" in ratios:
        return "none: it has too many digits"
    return None if None in ratios else max(ratio for ratio in ratios if isinstance(ratio, Fraction))


def _printed(chain: MarkovChain, hidden: int) -> Fraction | str | None:
    (p, _), (_, q) = chain.transition
    lam, z = p + q - 1, ((1 - q) if q > p else (1 - p)) / (2 - p - q)
    ratio = Fraction(1)
    for d in ((hidden + 1) // 2, (hidden + 2) // 2):
        if d * lam.denominator.bit_length() > _MOST_BITS:
            return ""
        below = z - lam**d * z
        if not below:
            return None
        factor = (z + lam**d * (1 - z)) / below
        ratio *= max(factor, 1 / factor)
    return ratio
