"""The smallest sigma of Gaussian noise that keeps a promise, between bounds: the lower one breaks
it, the upper one keeps it, both decided by enclosures.

A promise is about one ordered pair of laws on a line, and once noise keeps it more noise does: the
larger one is the smaller one with independent noise on top. The largest of the smallest sigmas of
all pairs is that of the query: a pair that the sigma found so far serves needs no search.
`Approximate` is (epsilon, delta), decided by `pufferproof.verify.noise.integrals.delta.one_number`;
Renyi divergences are in `pufferproof.verify.noise.scale.smallest`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, exp, inf, isinf, log, log2, sqrt
from typing import Protocol

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.distance import line_distance, square_distance
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.noise.integrals.delta.one_number import gaussian_delta
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.scale.calibration import Comparisons, Progress, enclosed

ScalarLaw = dict[Fraction, Fraction]

_FIRST_BITS, _GUESS_BITS, _MOST_BITS = 32, 64, 2_560
_ROUNDS = 60
_CLOSE = 1e-12  # relative, of a guess
_LARGEST = 400  # of the exponents of 2 that are tried


class NoisePromise(Protocol):
    """What noise on a number has to keep, for an ordered pair of laws of the number."""

    @property
    def start(self) -> float:
        """About the sigma for two values at distance 1, where searches begin."""

    def bare(self, above: ScalarLaw, below: ScalarLaw) -> bool:
        """Say whether it is kept without noise, exactly."""

    def broken(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> bool | None:
        """Say whether noise of a variance breaks it, or None if enclosures do not tell."""

    def excess_approx(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> float:
        """Return by how much noise of a variance breaks the promise, negative if it keeps it."""


@dataclass(frozen=True)
class Approximate:
    """(epsilon, delta), delta above 0."""

    level: Level
    delta: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.delta < 1:
            raise ModelError("expected a delta between 0 and 1: at 0 no Gaussian noise is enough", "delta")

    @property
    def start(self) -> float:
        """1."""
        return 1.0

    def bare(self, above: ScalarLaw, below: ScalarLaw) -> bool:
        """Say whether sum max(0, p - e^epsilon q) <= delta."""
        none = Fraction(0)
        excess = [v for v, p in above.items() if self.level.sign(p, below.get(v, none)) > 0]
        alpha = sum((above[v] for v in excess), none)
        beta = sum((below.get(v, none) for v in excess), none)
        return self.level.sign(alpha - self.delta, beta) <= 0

    def broken(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> bool | None:
        """Say whether the delta of noise of a variance is larger."""
        bits = _FIRST_BITS
        while bits <= _MOST_BITS:
            region = gaussian_delta(above, below, variance, self.level, bits)
            if region.lower > self.delta or region.upper <= self.delta:
                return region.lower > self.delta
            bits *= 2
        return None

    def excess_approx(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> float:
        """Return the logarithm of the delta of noise over that asked for."""
        region = gaussian_delta(above, below, variance, self.level, _GUESS_BITS)
        middle = (region.lower + region.upper) / 2
        return log(float(middle / self.delta)) if middle else -inf


@dataclass(frozen=True)
class LinePair:
    """An ordered pair of laws on a line, and the variance there of noise with sigma 1."""

    pair: LawPair
    above: ScalarLaw
    below: ScalarLaw
    unit: Fraction


def line_pairs(laws: QueryLaws) -> Iterator[LinePair]:
    """Yield every two different laws of a query once, on their line.

    Raises `ModelError` unless the values of each pair lie on one.
    """
    for pair in distinct(laws.pairs):
        if pair.above != pair.below:
            yield LinePair(pair, *scalar_laws(pair, [Noise.gaussian(1)] * len(pair.axes)))


@dataclass(frozen=True)
class SmallestSigma:
    """Bounds of the smallest sigma, both 0 if no noise is needed, and the pair that needs it."""

    lower: Fraction
    upper: Fraction
    pair: LawPair | None


def smallest_sigma(pairs: Iterable[LinePair], promise: NoisePromise, progress: Progress | None = None) -> SmallestSigma:
    """Return the smallest sigma that keeps a promise for all pairs, to a relative width of 10^-10.

    >>> one = Fraction(1)
    >>> bit = LinePair(LawPair("theta", ("s", "t"), {}, {}), {0 * one: one}, {one: one}, one)
    >>> found = smallest_sigma([bit], Approximate(Level("1"), Fraction(1, 10**5)))
    >>> f"{float(found.lower):.8f}", found.upper / found.lower - 1 <= Fraction(1, 10**10)
    ('3.73063163', True)

    Raises `SolverError` where enclosures do not decide.
    """
    search = _SigmaSearch(promise, progress)
    # far apart first: what serves them mostly serves the others
    ordered = sorted(pairs, key=_shift, reverse=True)
    smallest = SmallestSigma(Fraction(0), Fraction(0), None)
    for pair in ordered:
        if smallest.upper and not search.broken(pair, smallest.upper, 0.0):
            continue
        if promise.bare(pair.above, pair.below):
            continue
        smallest = replace(smallest, pair=pair.pair)
        smallest = SmallestSigma(*search.bounds(pair, smallest.upper), pair.pair)
    return smallest


def _shift(pair: LinePair) -> float:
    """Return the distance of the means, in units of sigma 1."""
    one, other = (float(sum(v * p for v, p in law.items())) for law in (pair.above, pair.below))
    return abs(one - other) / sqrt(float(pair.unit))


class _SigmaSearch:
    """Counts what is decided, and finds the smallest sigma of a pair among binary fractions."""

    def __init__(self, promise: NoisePromise, progress: Progress | None) -> None:
        self._promise, self._told = promise, Comparisons(progress)

    def broken(self, pair: LinePair, sigma: Fraction, width: float | None = None) -> bool:
        """Say whether noise of a sigma breaks the promise for a pair; a width is told before."""
        if width is not None:
            self._told(width)
        breaks = self._promise.broken(pair.above, pair.below, pair.unit * sigma * sigma)
        if breaks is None:
            raise SolverError(f"enclosures do not tell whether sigma {float(sigma):.6g} is enough")
        return breaks

    def bounds(self, pair: LinePair, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return a sigma that breaks the promise and a larger one that keeps it: by powers of 2
        from a sigma that breaks it, if not 0, then around a guess.
        """
        low, high = self._powers(pair, above)
        guess = Fraction(self._guess(pair, float(low), float(high)))

        def broken(sigma: Fraction) -> bool:
            return sigma <= low or (sigma < high and self.broken(pair, sigma))

        return enclosed(broken, guess, told=self._told)

    def _guess(self, pair: LinePair, low: float, high: float) -> float:
        """Return about the smallest sigma, by regula falsi (Illinois) on logarithms."""

        def excess(place: float) -> float:
            sigma = Fraction(exp(place))
            return self._promise.excess_approx(pair.above, pair.below, pair.unit * sigma * sigma)

        left, right = log(low), log(high)
        most, least, side = excess(left), excess(right), 0
        for _ in range(_ROUNDS):
            if right - left < _CLOSE or isinf(most) or isinf(least) or most <= 0 or least >= 0:
                break
            middle = (left * least - right * most) / (least - most)
            middle = min(max(middle, left + _CLOSE / 4), right - _CLOSE / 4)
            value = excess(middle)
            if abs(value) < _CLOSE:
                return exp(middle)
            if value > 0:
                left, most, least = middle, value, least / 2 if side > 0 else least
            else:
                right, least, most = middle, value, most / 2 if side < 0 else most
            side = 1 if value > 0 else -1
        return exp((left + right) / 2)

    def _powers(self, pair: LinePair, above: Fraction) -> tuple[Fraction, Fraction]:
        spread = float(max(*pair.above, *pair.below) - min(*pair.above, *pair.below))
        first = self._promise.start * spread / sqrt(float(pair.unit))
        start = above or Fraction(2) ** max(-_LARGEST, min(_LARGEST, ceil(log2(first))))
        grows = bool(above) or self.broken(pair, start, float("inf"))
        for _ in range(_LARGEST):
            before, start = start, start * 2 if grows else start / 2
            if self.broken(pair, start, float("inf")) != grows:
                return (before, start) if grows else (start, before)
        raise SolverError("the smallest sigma is beyond 2^400 or below 2^-400")


# Gaussian noise for a shift: what is enough by how far values of the query lie apart.
#
# If a coupling of two laws stays within a distance D, noise that keeps a promise for two values at distance D keeps it
# for the laws: delta, and the moment of a Renyi divergence, are jointly convex.
#
#     wasserstein  D = max over theta, (s, s') of W_inf, Euclidean
#     quilt        D = A epsilon, A = max over i of L card(N) / (epsilon - e), as for Laplace noise
#
# The second one: record i needs L card(N) tau(epsilon - e), tau(x) being the sigma for distance 1 at level x, which is
# at most A x tau(x); and x tau(x) never falls as x grows, for a fixed delta, nor does x tau(x) = sqrt(alpha x / 2) of
# a Renyi divergence.

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
            line = LinePair(pair, *scalar_laws(pair, [Noise.gaussian(1)] * len(pair.axes)))
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
