"""What noise on linear queries of normal records leaks, between X_i = u and X_i = v.

With c_k = Cov(F_k, X_i) / Var(X_i) and F = AX the rest R = F - c X_i is independent of X_i, so that
the secrets shift the law of F + noise by c (u - v):

    Laplace noise, scales h_k:    leakage = |u - v| sum_k |c_k| / h_k
    Gaussian noise, covariance N: leakage infinite,  D^2 = (u - v)^2 c'K^-1 c,  K = Cov(R) + N
    delta(e) = Phi(D/2 - e/D) - exp(e) Phi(-D/2 - e/D),   divergence of order a = a D^2 / 2

for every number of records and queries. Several releases are one query whose coordinates are those
of all. c, K and D^2 are rational; balls refine until they decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from flint import arb, ctx

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, ball, dyadic, enclose
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, rounded, text_of
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework, Window
from pufferproof.verify.leakage.ratio import delta_json

RESTS_ON = ("normal.laplace-values", "normal.gaussian-values")
FIRST_BITS, MOST_BITS = 128, 8_192  # bits double until they tell
_ACCURACY = 72  # bits of a number that is shown
_SHORT = 400  # bits of a ratio that is written out
Rows = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class LawShift:
    """How the law of all coordinates differs between an ordered pair of secrets, X_i = u and X_i =
    v: by (u - v) `slopes`; or of windows that hold u and v. Each of the `queries` is released
    `runs` times.
    """

    prior: str
    pair: Pair
    windows: tuple[Window, Window]
    slopes: tuple[Fraction, ...]
    law: Normal
    record: int
    queries: tuple[LinearQuery, ...]
    runs: int = 1

    @property
    def pointwise(self) -> bool:
        """Whether both secrets are values, not windows."""
        return all(low == high for low, high in self.windows)

    @property
    def values(self) -> tuple[Fraction, Fraction]:
        """u and v, the middles of windows."""
        (a, b), (c, d) = self.windows
        return (a + b) / 2, (c + d) / 2

    @property
    def gap(self) -> Fraction:
        """u - v."""
        return self.values[0] - self.values[1]

    @property
    def distance(self) -> Fraction:
        """The infinity-Wasserstein distance of the laws of all coordinates, in L1: sum_k |c_k|
        times |u - v|, of windows times the larger distance of their two lower or two upper ends.

        For x given one window and the quantile y given the other, y - x is smallest where it is
        stationary, so that it is largest at an end; the rest of F is normal, and keeps that.
        """
        return self._farthest * sum(map(abs, self.slopes))

    @property
    def square_distance(self) -> Fraction:
        """The square of the same distance in L2."""
        return self._farthest**2 * sum((slope**2 for slope in self.slopes), Fraction(0))

    @property
    def _farthest(self) -> Fraction:
        (a, b), (c, d) = self.windows
        return max(abs(a - c), abs(b - d))

    def with_noise(self, noise: Noise) -> LawShift:
        """Return the same with other noise on every coordinate."""
        return replace(self, queries=tuple(replace(query, noise=noise) for query in self.queries))

    @property
    def covers(self) -> bool:
        """Whether Gaussian noise covers a slope that is not 0: then the leakage is infinite."""
        return any(s and noise.decay is None for s, noise in zip(self.slopes, self.noises))

    @cached_property
    def noises(self) -> list[Noise]:
        """The noise of every coordinate."""
        return [query.noise for query in self.queries for _ in query.rows]

    @cached_property
    def power(self) -> Power | None:
        """e^leakage, or None if it is infinite: where Gaussian noise covers a slope that is not 0.

        decay = e^(-1/h) of Laplace noise, so that this is the product of decay_k^-(|u - v| |c_k|).
        """
        total = ONE
        for slope, noise in zip(self.slopes, self.noises):
            if noise.decay is None and slope:
                return None
            if noise.decay is not None:
                exponent = abs(self.gap * slope) * self.runs
                total = total.times(noise.decay.to(-exponent))
        return total

    @property
    def variances(self) -> list[Fraction]:
        """Those of the noise of every coordinate. Raises `ModelError` unless all is Gaussian."""
        variances: list[Fraction] = []
        for noise in self.noises:
            if noise.variance is None:
                raise ModelError(f"needs gaussian noise on records that are numbers, found {noise.kind}")
            variances.append(noise.variance)
        return variances

    @cached_property
    def squared(self) -> Fraction | None:
        """D^2, or None if it is infinite. Raises `ModelError` unless all noise is Gaussian."""
        return self.squared_with(self.variances)

    def squared_with(self, variances: Sequence[Fraction]) -> Fraction | None:
        """Return D^2 with noise of these variances, or None if it is infinite."""
        information = self.information_with(variances)
        return None if information is None else self.gap**2 * information

    def information_with(self, variances: Sequence[Fraction]) -> Fraction | None:
        """Return c'K^-1 c with noise of these variances, or None if it is infinite: K runs of a
        query are one, their mean, with a K-th of the variance.
        """
        noisy = [list(row) for row in self._rest]
        for k, variance in enumerate(variances):
            noisy[k][k] += variance / self.runs
        # c'K^-1 c for a positive semidefinite K, or None if c is no combination of its rows, by exact elimination:
        # the sum of the squares over the pivots
        vector, total = list(self.slopes), Fraction(0)
        for k, row in enumerate(noisy):
            pivot, value = row[k], vector[k]
            if not pivot:  # then the row is 0
                if value:
                    return None
                continue
            total += value * value / pivot
            for j in range(k + 1, len(noisy)):
                factor = noisy[j][k] / pivot
                if factor:
                    vector[j] -= factor * value
                    for at in range(k, len(noisy)):
                        noisy[j][at] -= factor * row[at]
        return total

    @cached_property
    def _rest(self) -> list[list[Fraction]]:
        """Cov(R) = Cov(F) - c c' Var(X_i)."""
        rows = [row for query in self.queries for row in query.rows]
        own = self.law.covariance_of(self.record, self.record)
        rest = [[Fraction(0)] * len(rows) for _ in rows]
        for j, row in enumerate(rows):
            for k in range(j + 1):
                both = self.law.between(row, rows[k])
                rest[j][k] = rest[k][j] = both - self.slopes[j] * self.slopes[k] * own
        return rest

    def exceeds(self, level: Level) -> Fraction | None:
        """Return a place from which on, where outputs go, Gaussian noise on one number exceeds a
        level; None of several numbers, and between windows.

        The log-ratio of the densities at w is (w - m) (u - v) c / K, m the middle of the means.
        """
        if not self.pointwise or len(self.slopes) != 1 or self.noises[0].variance is None or not self.slopes[0]:
            return None
        own = self.law.mean_of(self.record)
        (row,), (slope,) = self.queries[0].rows, self.slopes
        mean = sum((w * self.law.mean_of(j) for j, w in enumerate(row, 1) if w), Fraction(0))
        middle = mean + slope * ((self.values[0] + self.values[1]) / 2 - own)
        spread = self._rest[0][0] + self.noises[0].variance / self.runs
        upper = enclosed(lambda bits: log_of(power_of(level)))[1]
        return middle + upper * spread / (slope * self.gap)

    @property
    def output(self) -> str:
        """Where outputs go as the ratio rises to its supremum: coordinates to "inf" or "-inf", "0"
        where a coordinate says nothing.
        """
        signs = {1: "inf", -1: "-inf", 0: "0"}
        directed = [self.gap * slope for slope in self.slopes]
        return ",".join(signs[(x > 0) - (x < 0)] for x in directed)


def shifts(framework: PointFramework, queries: Sequence[LinearQuery], runs: int = 1) -> list[LawShift]:
    """Return how the laws of queries differ, for every prior and pair as it is written.

    The other order has the same leakage, delta and divergence, as the law is symmetric.

    >>> from pufferproof.models.noise.additive import Noise
    >>> framework = PointFramework(
    ...     2, {"s": (1, 0), "t": (1, 1)}, [("t", "s")], {"p": Normal(0, [[1, "1/2"], ["1/2", 1]])}
    ... )
    >>> (shift,) = shifts(framework, [LinearQuery.named("sum", Noise.laplace(3), 2)])
    >>> shift.slopes, shift.power.nats
    ((Fraction(3, 2),), Fraction(1, 2))
    """
    return list(_shifts(framework, tuple(queries), runs))


def _shifts(framework: PointFramework, queries: tuple[LinearQuery, ...], runs: int) -> Iterator[LawShift]:
    rows = [row for query in queries for row in query.rows]
    for name, law in framework.priors.items():
        slopes: dict[int, tuple[Fraction, ...]] = {}
        for pair in framework.pairs:
            record, windows = framework.places(pair)
            if record not in slopes:
                slopes[record] = slopes_of(law, record, rows)
            yield LawShift(name, pair, windows, slopes[record], law, record, queries, runs)


def slopes_of(law: Normal, record: int, rows: Rows) -> tuple[Fraction, ...]:
    """Return c_k = Cov(F_k, X_i) / Var(X_i) of a record i for every row of weights."""
    own = law.covariance_of(record, record)
    return tuple(law.with_record(row, record) / own for row in rows)


@dataclass(frozen=True, repr=False)
class PointLeakage(Readable):
    """The largest leakage over priors and pairs, and the shift that has it."""

    shift: LawShift

    @property
    def infinite(self) -> bool:
        """Whether it is infinite."""
        return self.power is None

    @property
    def rational(self) -> bool:
        """Whether it is a rational number of nats, or infinite."""
        return self.power is None or not self.power.primes

    @property
    def power(self) -> Power | None:
        """e^leakage, or None if it is infinite."""
        return self.shift.power

    @property
    def ratio(self) -> Fraction | None:
        """e^leakage where it is a rational of moderate length, else None."""
        if self.power is None or self.power.nats:
            return None
        bits = sum(abs(y) * p.bit_length() for p, y in self.power.primes)
        factor, rest = self.power.split() if bits < _SHORT else (Fraction(0), None)
        return factor if rest == ONE else None

    @property
    def exact(self) -> str | None:
        """The number of nats where it is a rational of moderate length, else None."""
        if self.power is None or self.power.primes:
            return None
        short = self.power.nats.denominator.bit_length() <= _SHORT // 4
        return text_of(self.power.nats) if short else None

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, exactly."""
        if self.power is None:
            return 1
        return _sign(self.power.times(power_of(level).to(Fraction(-1))))

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats as an enclosure."""
        if self.power is None:
            return INFINITE
        if self.power == ONE:
            return Enclosure("0", "0")
        return enclose(*enclosed(lambda bits: log_of(self.power or ONE)))

    def as_json(self) -> JsonObject:
        """Return the leakage object of the file formats."""
        ratio = None if self.ratio is None else text_of(self.ratio)
        shown = "inf" if self.infinite else ratio
        return {"ratio": shown, "epsilon": self.enclosure().as_json()}

    def __str__(self) -> str:
        if self.infinite:
            return "infinite"
        ends = self.enclosure()
        if ends.upper == "0":
            return "0"
        low, high = rounded(ends.lower, 7), rounded(ends.upper, 7)
        if self.exact is not None and exact(low) == exact(self.exact):
            return f"{low} nats"
        if self.ratio is not None and "~" not in (ratio := brief(self.ratio)):
            return f"log({ratio}) ≈ {low} nats"
        return f"≈ {low} nats" if low == high else f"between {low} and {high} nats"


def largest_leakage(ways: Sequence[LawShift]) -> PointLeakage:
    """Return the largest leakage, the first of several."""
    best = ways[0]
    for shift in ways[1:]:
        if best.power is None:
            break
        if shift.power is None or _sign(shift.power.times(best.power.to(Fraction(-1)))) > 0:
            best = shift
    return PointLeakage(best)


def power_of(level: Level) -> Power:
    """Return e^epsilon. Raises `ModelError` for a logarithm of more than 18 digits."""
    if level.nats is not None:
        return Power.exp(level.nats)
    return Power.of(level.ratio or Fraction(1), Fraction(1))


def log_of(power: Power) -> arb:
    """Enclose the logarithm of a power at the present working precision."""
    total = ball(power.nats)
    for p, y in power.primes:
        total += ball(y) * ball(p).log()
    return total


def _sign(power: Power) -> int:
    """Return the sign of the logarithm of a power, exactly: 1 and the logarithms of primes are
    linearly independent over the rationals, so that it is 0 only where all exponents are.
    """
    bits = FIRST_BITS
    while power != ONE:
        with ctx.workprec(bits):
            value = log_of(power)
            if value > 0:
                return 1
            if value < 0:
                return -1
        bits *= 2
    return 0


def enclosed(value: Callable[[int], arb], least: int = _ACCURACY) -> tuple[Fraction, Fraction]:
    """Return rational bounds of a number, of relative width at most 2^-72, or as close as 8,192 bits have it."""
    bits = FIRST_BITS
    while True:
        with ctx.workprec(bits):
            enclosing = value(bits)
            if enclosing.rel_accuracy_bits() > least or 2 * bits > MOST_BITS:
                return dyadic(enclosing.lower()), dyadic(enclosing.upper())
        bits *= 2


@dataclass(frozen=True)
class PointDelta:
    """The smallest delta at a level of the pair that is farthest apart, by its D^2."""

    shift: LawShift
    level: Level

    @cached_property
    def squared(self) -> Fraction:
        """D^2. Raises `ModelError` where noise is not Gaussian."""
        return self.shift.squared or Fraction(0)

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of delta."""
        return delta_bounds(self.squared, self.level)

    def compare(self, delta: Fraction) -> int | None:
        """Return the sign of the smallest delta minus another one, or None if it is not told."""
        return compare_delta(self.squared, self.level, delta)

    def as_json(self) -> JsonObject:
        """Return the delta object of the file formats."""
        shift, (lower, upper) = self.shift, self.bounds()  # 0 and 0 of laws that are the same
        value = None if upper else upper
        return delta_json(value, (lower, upper), shift.prior, shift.pair, [shift.output])


def farthest(ways: Sequence[LawShift]) -> LawShift:
    """Return the shift with the largest D^2, the first of several."""
    return max(ways, key=lambda shift: shift.squared or Fraction(0))


def delta_bounds(squared: Fraction, level: Level) -> tuple[Fraction, Fraction]:
    """Return rational bounds of the delta of two normal laws D standard deviations apart.

    >>> lower, upper = delta_bounds(Fraction(1), Level("0"))
    >>> f"{float(lower):.12f}", upper - lower < Fraction(1, 10**18)  # 2 Phi(1/2) - 1
    ('0.382924922548', True)
    """
    if not squared:
        return Fraction(0), Fraction(0)
    lower, upper = enclosed(lambda bits: _delta(squared, level))
    return max(lower, Fraction(0)), min(upper, Fraction(1))


def compare_delta(squared: Fraction, level: Level, delta: Fraction) -> int | None:
    """Return the sign of the delta of two normal laws minus another one, or None if 8,192 bits do
    not tell.

    It is above 0 and below 1 unless the laws are equal.
    """
    if not squared or not 0 < delta < 1:
        true = Fraction(0) if not squared else Fraction(1, 2)
        return (true > delta) - (true < delta)
    return sign_of(lambda: _delta(squared, level) - ball(delta))


def sign_of(value: Callable[[], arb], first: int = FIRST_BITS, most: int = MOST_BITS) -> int | None:
    """Return the sign of a number that is not 0, or None if so many bits do not tell."""
    bits = first
    while bits <= most:
        with ctx.workprec(bits):
            number = value()
            if number > 0:
                return 1
            if number < 0:
                return -1
        bits *= 2
    return None


def _delta(squared: Fraction, level: Level) -> arb:
    """Enclose Phi(D/2 - e/D) - exp(e) Phi(-D/2 - e/D) at the present working precision."""
    distance = ball(squared).sqrt()
    epsilon = log_of(power_of(level))
    near, far = distance / 2 - epsilon / distance, -distance / 2 - epsilon / distance
    return _phi(near) - level.ball() * _phi(far)


def _phi(x: arb) -> arb:
    """Enclose the normal distribution function."""
    return (-x / ball(2).sqrt()).erfc() / 2


# What noise on linear queries of normal records leaks, between windows of X_i.
#
# With c_k = Cov(F_k, X_i) / Var(X_i) the rest F - c X_i is independent of X_i. For Laplace noise of scales h_k, Q =
# sum_k |c_k| / h_k, and a window s right of t:
#
#     leakage = max of log E[e^(QX) | s] - log E[e^(QX) | t], log E[e^(-QX) | t] - log E[e^(-QX) | s].
#
# The density f(x) = p(w | X_i = x) has |log f(x) - log f(x')| <= Q |x - x'|. For x0 between t and s E[f | s] <= f(x0)
# E[e^(Q (X - x0)) | s], and E[f | t] is at least the same of t. The first number is reached as outputs go to infinity
# in the direction of c, the second the other way.

WINDOWS_RESTS_ON = ("normal.laplace-windows",)


@dataclass(frozen=True, repr=False)
class WindowLeakage(PointLeakage):
    """The largest leakage over priors and pairs of windows, `shift` in the order that has it, and
    all shifts in both orders.
    """

    every: tuple[LawShift, ...]

    @property
    def infinite(self) -> bool:
        """Whether it is infinite."""
        return self.shift.covers

    @property
    def power(self) -> Power | None:
        """1 where nothing leaks, else None: e^leakage is no power of rationals."""
        return None if any(self.shift.slopes) else ONE

    @property
    def rational(self) -> bool:
        """Whether it is known without enclosures: 0 or infinite."""
        return self.infinite or not any(self.shift.slopes)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if 8,192 bits do not tell."""
        if self.infinite:
            return 1
        signs = [_compare(shift, level) for shift in self.every]
        if 1 in signs or None not in signs:
            return max(sign for sign in signs if sign is not None)
        return None

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats as an enclosure."""
        if self.infinite:
            return INFINITE
        ends = [nats_between(shift) for shift in self.every]
        lower, upper = max(low for low, _ in ends), max(high for _, high in ends)
        return Enclosure("0", "0") if not upper else enclose(lower, upper)


def leakage_of(shifts: Sequence[LawShift]) -> PointLeakage:
    """Return the largest leakage over priors and pairs, the first of several.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.noise.additive import LinearQuery
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> from pufferproof.models.priors.continuous.points import PointFramework
    >>> from pufferproof.verify.noise.normal.points import shifts
    >>> framework = PointFramework(1, {"s": (1, 0, 1), "t": (1, -1, 0)}, "disjoint", {"p": Normal(0, [[1]])})
    >>> found = leakage_of(shifts(framework, [LinearQuery.named("sum", Noise.laplace(1), 1)]))
    >>> found.shift.pair, found.enclosure().lower[:8]
    (('s', 't'), '0.920935')
    """
    if all(shift.pointwise for shift in shifts):
        return largest_leakage(shifts)
    if covered := [shift for shift in shifts if shift.covers]:
        first = covered[0]  # in the order whose window lies right of the other
        return WindowLeakage(first if first.gap > 0 else reversed_shift(first), tuple(shifts))
    every = [way for shift in shifts for way in (shift, reversed_shift(shift))]
    best = max(every, key=lambda shift: nats_between(shift)[0])
    return WindowLeakage(best, tuple(every))


def reversed_shift(shift: LawShift) -> LawShift:
    """Return the other order of a pair."""
    (one, other), (left, right) = shift.pair, shift.windows
    return replace(shift, pair=(other, one), windows=(right, left))


def nats_between(shift: LawShift) -> tuple[Fraction, Fraction]:
    """Return rational bounds of the largest log-ratio of an ordered pair of windows, under Laplace noise."""
    if not any(shift.slopes):
        return Fraction(0), Fraction(0)
    lower, upper = enclosed(lambda bits: _nats(shift))
    return max(lower, Fraction(0)), upper


def _compare(shift: LawShift, level: Level) -> int | None:
    if not any(shift.slopes):
        return 0 if level.ratio == 1 else -1
    return sign_of(lambda: _nats(shift) - epsilon_of(level))


def epsilon_of(level: Level) -> arb:
    """Enclose a level at the present working precision."""
    return ball(level.nats) if level.nats is not None else ball(level.ratio or 1).log()


def _nats(shift: LawShift) -> arb:
    """Enclose log E[e^(qX) | one] - log E[e^(qX) | other], q = Q or -Q toward the first window, at
    the present working precision.
    """
    rate = ball(0)
    for slope, noise in zip(shift.slopes, shift.noises):
        if slope and noise.decay is not None:
            rate += log_of(noise.decay.to(-abs(slope) * shift.runs))
    if shift.gap < 0:
        rate = -rate
    one, other = shift.windows
    mean = shift.law.mean_of(shift.record)
    spread = ball(shift.law.covariance_of(shift.record, shift.record)).sqrt()
    return _tilted(one, mean, spread, rate) - _tilted(other, mean, spread, rate)


def _tilted(window: Window, mean: Fraction, spread: arb, rate: arb) -> arb:
    """Enclose log E[e^(qX) | X in the window], but for the summand that all windows share."""
    low, high = ((ball(end - mean)) / spread for end in window)
    push = rate * spread
    return mass_between(low - push, high - push).log() - mass_between(low, high).log()


def mass_between(low: arb, high: arb) -> arb:
    """Enclose the mass of a standard normal variable between two numbers."""
    root = ball(2).sqrt()
    if low > 0:
        return (falling_erfc(low / root) - falling_erfc(high / root)) / 2
    if high < 0:
        return (falling_erfc(-high / root) - falling_erfc(-low / root)) / 2
    return 1 - (falling_erfc(high / root) + falling_erfc(-low / root)) / 2


def falling_erfc(x: arb) -> arb:
    """Enclose erfc, which falls, by its values at both ends: far out Arb's own is much wider."""
    union: arb = x.lower().erfc().union(x.upper().erfc())
    return union
