"""Leakage of Gaussian noise on a query with finitely many real values: infinite, rational, or a
certified enclosure.

It is finite iff both secrets share their smallest and their largest value. Never above the largest
quotient of probabilities of a value, it equals that where an extreme value attains it: a rational
supremum that no output reaches. Else halving intervals encloses the supremum. A comparison with a
level is refined; if it does not end it is undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from flint import arb, ctx

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.numbers.enclosures import ball, dyadic, log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("noise.gaussian-finite", "noise.law")
MOST_VALUES = 400  # of a query: each is a term of both sums at every point
MOST_NATS = 100_000  # of the smallest coefficient c_j, e^-100,000
_FIRST_BITS, _MOST_BITS = 320, 2560  # bits double until they tell from a level
Law = dict[Fraction, Fraction]
_MOST_INTERVALS = 20_000  # that may hold the supremum, all halved at every step
_FEW = 60  # values for which the slope is enclosed by all pairs of them
_SIGN_BITS = 16_384  # to decide the sign of the first or last term
_FARTHEST = Fraction(2) ** 200


@dataclass(frozen=True)
class GaussianRatio:
    """The supremum of a ratio of densities, and where: an output (as a float, to show), or a limit, "inf" or "-inf"."""

    leakage: Leakage
    output: str


def gaussian_ratio(above: Law, below: Law, variance: Fraction) -> GaussianRatio:
    """Return the largest ratio of the densities of F + Z given two secrets, in this order.

    As the output w -> inf the largest value of either support decides: with P(F = x | s) = p and
    P(F = x | s') = q for it, the ratio of densities tends to p/q, to infinity if only s has it;
    likewise for the smallest (noise.gaussian-finite). It is never above max p/q over the values
    (mediants).

    >>> half = Fraction(1, 2)
    >>> largest = gaussian_ratio(
    ...     {Fraction(0): half, Fraction(1): half}, {Fraction(0): 3 * half / 2, Fraction(1): half / 2}, half
    ... )
    >>> largest.leakage.ratio, largest.output
    (Fraction(2, 1), 'inf')

    Raises `ModelError` where an enclosure is needed and there are more than 400 values, or they lie
    farther apart than about 400 sigma; `SolverError` where the search for it grows too large.
    """
    limit = limit_of(above, below)
    if limit is not None:
        return limit
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        supremum = _enclosed(above, below, variance, bits)
        if supremum.lower == supremum.upper or (_narrow(supremum) and not supremum.output.endswith("inf")):
            break
        bits *= 2
    return GaussianRatio(Leakage(supremum.lower, supremum.upper), supremum.output)


def limit_of(above: Law, below: Law) -> GaussianRatio | None:
    """Return the supremum if it is known to be a limit that outputs only tend to, infinite where
    an extreme value has no probability `below`, or the largest quotient of a value; else None.
    """
    values = sorted({*above, *below})
    for extreme, side in ((values[0], "-inf"), (values[-1], "inf")):
        if extreme not in below:
            return GaussianRatio(Leakage.of(None), side)
    if all(x in below for x in above):
        bound = max(p / below[x] for x, p in above.items())
        for extreme, side in ((values[0], "-inf"), (values[-1], "inf")):
            if extreme in above and above[extreme] / below[extreme] == bound:
                return GaussianRatio(Leakage.of(bound), side)
    return None


def compare(largest: GaussianRatio, again: Sequence[tuple[Law, Law, Fraction]], level: Level) -> int | None:
    """Return the sign of the leakage minus epsilon, or None if 2,560 bits do not tell.

    `again` lists the laws and variances whose largest ratio `found` is, to be enclosed more
    narrowly.
    """
    if largest.leakage.infinite:
        return 1
    if largest.leakage.ratio is not None:
        return level.compare(largest.leakage.ratio)
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        ends = [_enclosed(above, below, variance, bits) for above, below, variance in again]
        low_sign = level.compare(max(end.lower for end in ends))
        high_sign = level.compare(max(end.upper for end in ends))
        if low_sign == high_sign:
            return low_sign
        bits *= 2
    return None


def _enclosed(above: Law, below: Law, variance: Fraction, bits: int) -> Supremum:
    values = sorted({*above, *below})
    if len(values) > MOST_VALUES:
        raise ModelError(
            f"expected at most {MOST_VALUES} values of the query for gaussian noise, found {len(values)}", "query"
        )
    if (values[-1] - values[0]) ** 2 > 2 * variance * MOST_NATS:
        raise ModelError("expected values closer to each other, or a larger sigma", "noise")
    numerators, denominators = ([law.get(x, Fraction(0)) for x in values] for law in (above, below))
    return NormalMixtureRatio(values, numerators, denominators, variance).supremum(bits)


def _narrow(supremum: Supremum) -> bool:
    """Whether bounds have logarithms with a relative width of at most 2^-60."""
    if supremum.lower <= 1:
        return False
    low, high = log_bounds(supremum.lower, 72)[0], log_bounds(supremum.upper, 72)[1]
    return high - low <= low / (1 << 60)


@dataclass(frozen=True)
class Supremum:
    """Bounds of the supremum, equal where it is a limit, and where it is: an output to show, or "inf", "-inf"."""

    lower: Fraction
    upper: Fraction
    output: str


@dataclass(frozen=True)
class _LogRatioPoint:
    """log N / D, E_N and E_D at some tau, as balls."""

    log: arb
    above: arb
    below: arb


class NormalMixtureRatio:
    """The ratio N / D of Gaussian mixtures with common variance, whose supremum halving intervals
    encloses. `above` and `below` list the probabilities of `values`; those of `below` are positive
    at both ends.

    With values x_0 < .. < x_n, y_j = x_j - x_0, probabilities p_j and q_j, and tau = (w - x_0) /
    sigma^2 at output w, the ratio is

        N / D,  N = sum_j p_j c_j e^(y_j tau),  D = sum_j q_j c_j e^(y_j tau),
            c_j = exp(-y_j^2 / 2 sigma^2).

    Slopes at the ends of an interval bound the ratio on it; beyond some tau it is monotone.

    (log N / D)' = E_N - E_D, E_N = sum_j y_j p_j c_j e^(y_j tau) / N, E_D likewise with q_j. Both
    grow with tau, so that their values at the ends of an interval bound the slope on it, and lines
    from both ends bound the ratio. N' D - N D' is the sum over j > l of (y_j - y_l) (p_j q_l - p_l
    q_j) c_j c_l e^((y_j + y_l) tau): beyond some tau its sign is that of its first or last term,
    and the ratio is monotone between there and its limit.
    """

    def __init__(
        self, values: Sequence[Fraction], above: Sequence[Fraction], below: Sequence[Fraction], variance: Fraction
    ) -> None:
        self.first, self.variance = values[0], variance
        self.offsets = [x - values[0] for x in values]
        self.logs = [-y * y / (2 * variance) for y in self.offsets]
        self.above, self.below = above, below

    def supremum(self, bits: int) -> Supremum:
        """Return the supremum, its logarithm enclosed to about bits / 4 where that many halvings
        and bits do.

        Raises `SolverError` where more than 20,000 intervals could hold it.
        """
        low, high = self.ends()
        with ctx.workprec(bits):
            tau, lower, upper = _Halving(self, bits).enclosed(low, high)
        limits = [(self.above[0] / self.below[0], "-inf"), (self.above[-1] / self.below[-1], "inf")]
        most, side = max(limits, key=lambda limit: limit[0])
        if most >= lower:
            return Supremum(most, max(most, upper), side)
        return Supremum(lower, upper, f"{float(self.first + self.variance * tau):.6g}")

    def ends(self) -> tuple[Fraction, Fraction]:
        """Return ends of tau beyond which the ratio is monotone."""
        return -self._tail(-1), self._tail(1)

    def at(self, tau: Fraction) -> _LogRatioPoint:
        """Evaluate at tau, at the present working precision."""
        sums = [arb(0)] * 4
        for y, log, p, q in zip(self.offsets, self.logs, self.above, self.below):
            weight, place = ball(log + y * tau).exp(), ball(y)
            for k, share in ((0, p), (2, q)):
                if share:
                    term = ball(share) * weight
                    sums[k] += term
                    sums[k + 1] += term * place
        top, top_moment, bottom, bottom_moment = sums
        return _LogRatioPoint((top / bottom).log(), top_moment / top, bottom_moment / bottom)

    def _tail(self, side: int) -> Fraction:
        """Return some T > 0 such that the ratio is monotone where side * tau >= T."""
        slope = self._slope()
        exponents = sorted(slope, reverse=side > 0)
        if not exponents:
            return Fraction(1)
        bits = 64
        while bits <= _SIGN_BITS:
            with ctx.workprec(bits):
                sizes = [
                    abs(sum((ball(weight) * ball(log).exp() for weight, log in slope[exponent]), ball(Fraction(0))))
                    for exponent in exponents
                ]
                reach = Fraction(1)
                while sizes[0] > 0 and reach <= _FARTHEST:
                    gaps = (ball(-abs(exponent - exponents[0]) * reach).exp() for exponent in exponents[1:])
                    if sum((size * gap for size, gap in zip(sizes[1:], gaps)), ball(Fraction(0))) < sizes[0]:
                        return reach
                    reach *= 2
            bits *= 2
        raise SolverError("the sign of the slope of a density ratio is not told far out")

    def _slope(self) -> dict[Fraction, list[tuple[Fraction, Fraction]]]:
        """Return N' D - N D': exponent -> weights and logarithms of what multiplies them."""
        slope: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
        for weight, j, k in self.weights():
            terms = slope.setdefault(self.offsets[j] + self.offsets[k], [])
            terms.append((weight, self.logs[j] + self.logs[k]))
        return slope

    def weights(self) -> Iterator[tuple[Fraction, int, int]]:
        """Yield (y_j - y_k) (p_j q_k - p_k q_j), j and k for j > k; those that vanish are left out."""
        for k, j in combinations(range(len(self.offsets)), 2):
            cross = self.above[j] * self.below[k] - self.above[k] * self.below[j]
            if cross:
                yield (self.offsets[j] - self.offsets[k]) * cross, j, k


class _Halving:
    """Intervals that could hold the supremum, halved until it is enclosed."""

    def __init__(self, ratio: NormalMixtureRatio, bits: int) -> None:
        self.ratio, self.bits = ratio, bits
        few = len(ratio.offsets) <= _FEW
        self.pairs = [(ball(weight), j, k) for weight, j, k in ratio.weights()] if few else []
        self.points: dict[Fraction, _LogRatioPoint] = {}
        self.best: tuple[Fraction, arb] | None = None
        self.highest: arb | None = None

    def enclosed(self, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Return where the ratio is largest on [low, high], and bounds of its largest value."""
        kept, target = [(low, high)], ball(Fraction(1, 2 ** (self.bits // 4)))
        for _ in range(2 * self.bits):
            halves = [half for a, b in kept for half in ((a, (a + b) / 2), ((a + b) / 2, b))]
            bounds = [(bound, half) for half in halves if (bound := self._bound(*half)) is not None]
            place, best = self._best()
            settled = best + target
            kept = [half for bound, half in bounds if not bound <= settled]
            self.highest = max(
                [best if self.highest is None else self.highest, *(bound for bound, _ in bounds if bound <= settled)]
            )
            most = max([self.highest, *(bound for bound, _ in bounds)])
            if not kept:
                break
            if len(kept) > _MOST_INTERVALS:
                raise SolverError(f"more than {_MOST_INTERVALS} intervals could hold the largest density ratio")
            ends = {end for half in kept for end in half}
            self.points = {tau: point for tau, point in self.points.items() if tau in ends}
        return place, dyadic(best.exp().lower()), dyadic(most.exp().upper())

    def _best(self) -> tuple[Fraction, arb]:
        if self.best is None:
            raise SolverError("no density ratio was evaluated")
        return self.best

    def _bound(self, a: Fraction, b: Fraction) -> arb | None:
        """Return an upper bound of log N / D on [a, b], or None if it is monotone, and so largest at an end."""
        left, right = self._at(a), self._at(b)
        rising, falling = (right.above - left.below).upper(), (right.below - left.above).upper()
        if not (rising <= 0 or falling <= 0) and (b - a) * self.ratio.offsets[-1] <= 1 and self.pairs:
            slope = self._slope(a, b)
            rising, falling = min(rising, slope.upper()), min(falling, (-slope).upper())
        if rising <= 0 or falling <= 0:
            return None
        lines = left.log * falling + right.log * rising + rising * falling * ball(b - a)
        return (lines / (rising + falling)).upper()

    def _slope(self, a: Fraction, b: Fraction) -> arb:
        """Enclose E_N - E_D on a short interval as (N' D - N D') / N D: small where p_j / q_j agree for what counts."""
        ratio, tau = self.ratio, ball(a).union(ball(b))
        weights = [(ball(log) + ball(y) * tau).exp() for y, log in zip(ratio.offsets, ratio.logs)]
        top, bottom = (
            sum((ball(share) * weight for share, weight in zip(law, weights)), arb(0))
            for law in (ratio.above, ratio.below)
        )
        return sum((weight * weights[j] * weights[k] for weight, j, k in self.pairs), arb(0)) / (top * bottom)

    def _at(self, tau: Fraction) -> _LogRatioPoint:
        if tau not in self.points:
            point = self.points[tau] = self.ratio.at(tau)
            if not (point.log.is_finite() and point.above.is_finite() and point.below.is_finite()):
                raise SolverError("a density ratio is not enclosed: its exponents are too large")
            lower, upper = point.log.lower(), point.log.upper()
            if self.best is None or lower > self.best[1]:
                self.best = (tau, lower)
            if self.highest is None or upper > self.highest:
                self.highest = upper
        return self.points[tau]
