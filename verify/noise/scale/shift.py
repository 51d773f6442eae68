"""Gaussian noise for a shift: what is enough by how far values of the query lie apart.

If a coupling of two laws stays within a distance D, noise that keeps a promise for two values at
distance D keeps it for the laws: delta, and the moment of a Renyi divergence, are jointly convex.

    wasserstein  D = max over theta, (s, s') of W_inf, Euclidean
    quilt        D = A epsilon, A = max over i of L card(N) / (epsilon - e), as for Laplace noise

The second one: record i needs L card(N) tau(epsilon - e), tau(x) being the sigma for distance 1 at
level x, which is at most A x tau(x); and x tau(x) never falls as x grows, for a fixed delta, nor
does x tau(x) = sqrt(alpha x / 2) of a Renyi divergence.
"""

from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.noise.distance import line_distance, square_distance
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws
from pufferproof.verify.noise.normal.lines import on_a_line
from pufferproof.verify.noise.scale.sigma import LinePair, NoisePromise, SmallestSigma, line_pair, smallest_sigma

RESTS_ON = ("general.quilt-delta", "general.quilt-renyi", "noise.coupling")


@dataclass(frozen=True)
class PairDistance:
    """The square of a Euclidean distance, and the pair of laws that are so far apart."""

    square: Fraction
    pair: LawPair


def wasserstein_shift(laws: QueryLaws) -> PairDistance:
    """Return the largest W_inf of the laws of a query.

    Raises `ModelError` for laws of over 2,000 values each that do not lie on a line, and if every
    prior excludes a secret of each pair.
    """
    if not laws.pairs:
        raise nothing_to_check()
    best = PairDistance(Fraction(-1), laws.pairs[0])
    for pair in laws.pairs:
        if on_a_line(pair):
            line = line_pair(pair)
            square = line_distance(line.above, line.below) ** 2 / line.unit
        else:
            square = square_distance(dict(pair.above.items()), dict(pair.below.items()))
        best = PairDistance(square, pair) if square > best.square else best
    return best


def sigma_of_shift(square: Fraction, promise: NoisePromise) -> tuple[Fraction, Fraction]:
    """Return bounds of the smallest sigma for two values at a distance, given by its square.

    For (epsilon, delta) that is the analytic Gaussian mechanism (Balle and Wang 2018, Theorem 8);
    for a Renyi divergence sigma^2 = alpha D^2 / 2 epsilon.

    >>> from pufferproof.models.numbers.level import Level
    >>> from pufferproof.verify.noise.scale.sigma import Approximate
    >>> lower, upper = sigma_of_shift(Fraction(4), Approximate(Level("1"), Fraction(1, 10**5)))
    >>> f"{float(lower):.6f}"
    '7.461263'
    """
    if not square:
        return Fraction(0), Fraction(0)
    one = Fraction(1)
    pair = LawPair("", ("", ""), {}, {})
    points = LinePair(pair, {0 * one: one}, {one: one}, 1 / square)
    smallest: SmallestSigma = smallest_sigma([points], promise)
    return smallest.lower, smallest.upper
