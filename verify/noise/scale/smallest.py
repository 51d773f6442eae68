"""The smallest scale of Gaussian or Laplace noise that keeps (epsilon, delta), or a level of a
Renyi divergence: between one that breaks it and one that keeps it, both decided by enclosures.

Noise of a larger scale is noise of a smaller one with independent noise on top, of either kind, and
so it never has a larger delta or divergence. Gaussian noise on values along a line is for `sigma`.
Where enclosures of several numbers leave a scale undecided, the two ends stay apart.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, exp, inf, isinf, log, log1p, log2, sqrt
from typing import Literal, Protocol

from flint import arb, ctx

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number, check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.distance import line_distance, square_distance
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import ball, enclose, log_approx, rounded_down
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.leakage.renyi import Moment, order_of
from pufferproof.verify.noise.integrals.delta.one_number import ScalarLaw, gaussian_delta
from pufferproof.verify.noise.integrals.delta.smallest import enclosure_of
from pufferproof.verify.noise.integrals.renyi.largest import line_moment, moment_of
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.scale.calibration import Comparisons, Progress, enclosed

# The smallest sigma of Gaussian noise that keeps a promise, between bounds: the lower one breaks it, the upper one
# keeps it, both decided by enclosures.
#
# A promise is about one ordered pair of laws on a line, and once noise keeps it more noise does: the larger one is
# the smaller one with independent noise on top. The largest of the smallest sigmas of all pairs is that of the query:
# a pair that the sigma found so far serves needs no search. `Approximate` is (epsilon, delta), decided by
# `pufferproof.verify.noise.integrals.delta.one_number`.


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


def _line_pair(pair: LawPair) -> LinePair:
    return LinePair(pair, *scalar_laws(pair, [Noise.gaussian(1)] * len(pair.axes)))


def line_pairs(laws: QueryLaws) -> Iterator[LinePair]:
    """Yield every two different laws of a query once, on their line.

    Raises `ModelError` unless the values of each pair lie on one.
    """
    for pair in distinct(laws.pairs):
        if pair.above != pair.below:
            yield _line_pair(pair)


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

SIGMA_RESTS_ON = ("general.quilt-delta", "general.quilt-renyi", "noise.coupling")


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
            line = _line_pair(pair)
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
    >>> from pufferproof.verify.noise.scale.smallest import Approximate
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


# Renyi divergences as promises about Gaussian noise: what it has, and what a coupling bounds.
#
# A coupling of two laws that moves mass by d with probability g(d) bounds the moment of the noise,
#
#     e^((alpha - 1) D) <= sum over d of g(d) e^(alpha (alpha - 1) d^2 / 2 sigma^2),
#
# as f^alpha g^(1 - alpha) is jointly convex in both densities. On a line the coupling of quantiles makes the sum
# least, the cost being convex in d. It is at most what W_inf alone gives.

DIVERGENCE_RESTS_ON = ("noise.coupling",)
_DIVERGENCE_BITS = (64, 192, 640)
_GUESS = 48
_PAIR = LawPair("", ("", ""), {}, {})


@dataclass(frozen=True)
class Divergence:
    """A Renyi divergence of an order, at most a level above 0."""

    level: Level
    order: Fraction

    def __post_init__(self) -> None:
        if self.level.ratio == 1:
            raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "epsilon")

    @property
    def start(self) -> float:
        """The sigma that is enough for two values at distance 1."""
        return sqrt(float(self.order) / (2 * self.nats_approx))

    @property
    def nats_approx(self) -> float:
        """The level in nats."""
        return float(self.level.enclosure().upper)

    def bare(self, above: ScalarLaw, below: ScalarLaw) -> bool:
        """Say whether the laws themselves have at most that divergence."""
        terms = tuple((p, below.get(v, Fraction(0))) for v, p in above.items())
        sign = Moment(self.order, "", ("", ""), terms).at(self.level)
        return sign is not None and sign <= 0

    def broken(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> bool | None:
        """Say whether noise of a variance has a larger one."""
        sign = line_moment(_PAIR, above, below, variance, self.order).at(self.level)
        return None if sign is None else sign > 0

    def excess_approx(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> float:
        """Return the logarithm of the divergence over the level."""
        moment = line_moment(_PAIR, above, below, variance, self.order)
        if moment.nats is not None:
            nats = float(moment.nats)
        else:
            lower, upper = moment.bounds(_GUESS)
            nats = _log_approx((lower + upper) / 2) / float(self.order - 1)
        return log(nats / self.nats_approx) if nats > 0 else -inf


@dataclass(frozen=True)
class Transport(Divergence):
    """The bound by the coupling of quantiles, at most a level above 0."""

    def bare(self, above: ScalarLaw, below: ScalarLaw) -> bool:
        """Say whether no mass moves."""
        return above == below

    def broken(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> bool | None:
        """Say whether the bound for noise of a variance is larger."""
        for bits in _DIVERGENCE_BITS:
            with ctx.workprec(bits):
                bar = (self.level.ball().log() * ball(self.order - 1)).exp()
                total = self._sum(above, below, variance)
                if total > bar or total <= bar:
                    return bool(total > bar)
        return None

    def excess_approx(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> float:
        """Return the logarithm of the bound over the level."""
        with ctx.workprec(_DIVERGENCE_BITS[0]):
            nats = float(self._sum(above, below, variance).log().mid()) / float(self.order - 1)
        return log(nats / self.nats_approx) if nats > 0 else -inf

    def _sum(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> arb:
        factor = self.order * (self.order - 1) / (2 * variance)
        moved = quantile_coupling(above, below)
        return sum((ball(p) * ball(factor * d * d).exp() for d, p in moved), arb(0))


def quantile_coupling(above: ScalarLaw, below: ScalarLaw) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield how far quantiles move, and how much mass does.

    >>> one, half = Fraction(1), Fraction(1, 2)
    >>> moved = quantile_coupling({0 * one: half, 4 * one: half}, {one: one})
    >>> [(int(d), str(p)) for d, p in moved]
    [(1, '1/2'), (-3, '1/2')]
    """
    left, right = sorted(above.items()), sorted(below.items())
    (x, p), (y, q) = left.pop(0), right.pop(0)
    while True:
        mass = min(p, q)
        yield y - x, mass
        p, q = p - mass, q - mass
        if not (p or left) or not (q or right):
            return
        if not p:
            x, p = left.pop(0)
        if not q:
            y, q = right.pop(0)


def _log_approx(moment: Fraction) -> float:
    if moment < 2:
        return log1p(float(moment - 1))
    return log_approx(moment)


RESTS_ON = ("noise.monotone", "noise.coupling")
Kind = Literal["gaussian", "laplace"]
_WIDTH = Fraction(1, 10**10)  # relative, of one number
_WIDE, _WIDEST = Fraction(1, 10**5), Fraction(1, 10**3)  # of several, by quadrature and by boxes
_POWERS = 200  # of 2 that are tried
_DIGITS = 48  # binary ones, of a scale that is tried
_BITS = (64, 256, 1_024)
_SEVERAL_BITS = (64,)  # the least effort of boxes


class ScaleQuestion(Protocol):
    """A promise about noise on any numbers, and the relative width to which it is told."""

    def width(self, numbers: int) -> Fraction:
        """Return the width for so many numbers."""

    def bare(self, above: Law, below: Law) -> bool:
        """Say whether it is kept without noise, exactly."""

    def kept(self, pair: LawPair, noises: tuple[Noise, ...]) -> bool | None:
        """Say whether noise keeps it for an ordered pair, or None if enclosures do not tell."""


@dataclass(frozen=True)
class OfDelta:
    """(epsilon, delta), delta above 0."""

    promise: Approximate

    def width(self, numbers: int) -> Fraction:
        """Return the width for so many numbers."""
        return _WIDTH if numbers == 1 else _WIDEST

    def bare(self, above: Law, below: Law) -> bool:
        """Say whether the delta of the laws themselves is small enough."""
        places = {value: Fraction(k) for k, value in enumerate({**above, **below})}
        laws = ({places[value]: p for value, p in law.items()} for law in (above, below))
        return self.promise.bare(*laws)

    def kept(self, pair: LawPair, noises: tuple[Noise, ...]) -> bool | None:
        """Say whether the delta of noise is at most that asked for."""
        evaluate = enclosure_of(pair, noises, self.promise.level)
        for bits in _BITS if len(noises) == 1 else _SEVERAL_BITS:
            region = evaluate(bits)
            if region.upper <= self.promise.delta or region.lower > self.promise.delta:
                return region.upper <= self.promise.delta
        return None


@dataclass(frozen=True)
class OfOrder:
    """A Renyi divergence, at most a level above 0."""

    promise: Divergence

    def width(self, numbers: int) -> Fraction:
        """Return the width for so many numbers."""
        return _WIDTH if numbers == 1 else _WIDE

    def bare(self, above: Law, below: Law) -> bool:
        """Say whether the divergence of the laws themselves is small enough."""
        terms = tuple((p, below.get(v, Fraction(0))) for v, p in above.items())
        sign = Moment(self.promise.order, "", ("", ""), terms).at(self.promise.level)
        return sign is not None and sign <= 0

    def kept(self, pair: LawPair, noises: tuple[Noise, ...]) -> bool | None:
        """Say whether the divergence of noise is at most the level."""
        sign = moment_of(pair, noises, self.promise.order).at(self.promise.level)
        return None if sign is None else sign <= 0


@dataclass(frozen=True, repr=False)
class SmallestNoise(Readable):
    """The smallest scale (of Gaussian noise sigma) that keeps a promise: one that breaks it and one
    that keeps it, both 0 where no noise is needed; and the pair of secrets that asks for it.
    """

    kind: Kind
    lower: Fraction
    upper: Fraction
    prior: str | None
    pair: Pair | None

    @property
    def noise(self) -> Noise:
        """The noise that keeps it. Raises `ModelError` where none is needed."""
        if not self.upper:
            raise ModelError("no noise is needed: there is none of scale 0", "noise")
        return Noise(self.kind, self.upper)

    def as_json(self) -> JsonObject:
        """Return `{"noise", "scale", "prior", "pair"}`."""
        return {
            "noise": self.kind,
            "scale": enclose(self.lower, self.upper).as_json(),
            "prior": self.prior,
            "pair": None if self.pair is None else list(self.pair),
        }

    def __str__(self) -> str:
        name = "sigma" if self.kind == "gaussian" else "scale"
        if self.pair is None:
            return f"no {self.kind} noise is needed"
        where = f"for {self.pair[0]!r} against {self.pair[1]!r}, prior {self.prior!r}"
        return f"{self.kind} noise of {name} {between(self.lower, self.upper)}, {where}"


def smallest_noise(
    framework: Framework,
    query: AdditiveNoise | RecordQuery,
    epsilon: LevelLike,
    delta: Number | None = None,
    renyi: Number | None = None,
    noise: Kind = "gaussian",
) -> SmallestNoise:
    """Return the smallest noise with which a query keeps (epsilon, delta), or a Renyi divergence of
    at most epsilon, whatever noise it comes with.

    Args:
        framework: what must be protected, priors listed.
        query: what is released.
        epsilon: the level.
        delta: above 0 and below 1.
        renyi: an order above 1, instead of a delta.
        noise: "gaussian" or "laplace", of the same scale on every number.

    >>> from pufferproof import Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> bit = AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1))
    >>> print(smallest_noise(framework, bit, "1", delta="1/100000"))
    gaussian noise of sigma ≈ 3.730632, for 's' against 't', prior 'theta'
    >>> print(smallest_noise(framework, bit, "1", renyi=2, noise="laplace"))
    laplace noise of scale ≈ 0.7153335, for 's' against 't', prior 'theta'

    Raises `ModelError` unless one of delta and order is given, and as `audit` does; `SolverError`
    where enclosures never decide.
    """
    framework = check_type(framework, Framework, "framework")
    query = check_type(query, AdditiveNoise | RecordQuery, "query")
    noise = check_type(noise, Kind, "noise")
    level = Level.coerce(epsilon, "epsilon")
    if (delta is None) == (renyi is None):
        raise ModelError("expected either a delta or an order", "delta")
    if renyi is not None:
        question: OfDelta | OfOrder = OfOrder(Divergence(level, order_of(renyi)))
    else:
        question = OfDelta(Approximate(level, exact(delta if delta is not None else 0)))
    laws = query_laws(framework, NoisyQueries((query,)))
    return smallest_of(laws, noise, question)


def smallest_of(
    laws: QueryLaws, kind: Kind, question: ScaleQuestion, step: Callable[[float], None] = lambda width: None
) -> SmallestNoise:
    """Return the smallest noise for the laws of a query; `step` is called with the relative width that is left."""
    if not laws.pairs:
        raise nothing_to_check()
    pairs = [pair for pair in distinct(laws.pairs) if pair.above != pair.below]
    along = kind == "gaussian" and all(map(on_a_line, pairs))
    if along and isinstance(question, OfDelta | OfOrder):
        found = smallest_sigma(line_pairs(laws), question.promise, lambda _, width: step(width))
        names = (None, None) if found.pair is None else (found.pair.prior, found.pair.pair)
        return SmallestNoise(kind, found.lower, found.upper, *names)
    best = SmallestNoise(kind, Fraction(0), Fraction(0), None, None)
    for pair in pairs:
        fewer, chosen = varying(pair, [Noise.laplace(1)] * len(pair.axes))
        search = _SmallestScale(fewer, len(chosen), kind, question, step)
        if (best.upper and search.kept(best.upper)) or question.bare(fewer.above, fewer.below):
            continue
        lower, upper = search.bounds(best.upper or Fraction(1))
        if upper > best.upper:
            best = replace(best, upper=upper, prior=pair.prior, pair=pair.pair)
        best = replace(best, lower=max(best.lower, lower))
    return best


@dataclass(frozen=True)
class _SmallestScale:
    """The search for one ordered pair of laws."""

    pair: LawPair
    numbers: int
    kind: Kind
    question: ScaleQuestion
    step: Callable[[float], None]

    def kept(self, scale: Fraction) -> bool | None:
        """Say whether noise of a scale keeps the promise."""
        return self.question.kept(self.pair, (Noise(self.kind, scale),) * self.numbers)

    def bounds(self, start: Fraction) -> tuple[Fraction, Fraction]:
        """Return a scale that breaks the promise and a larger one that keeps it."""
        low, high = self._powers(start, False), self._powers(start, True)
        width = self.question.width(self.numbers)
        while high - low > width * low:
            self.step(float(high / low - 1))
            middle = rounded_down((low + high) / 2, _DIGITS)
            told = self.kept(middle)
            if told is None:
                return self._edge(low, middle, False), self._edge(high, middle, True)
            low, high = (low, middle) if told else (middle, high)
        return low, high

    def _edge(self, known: Fraction, open_: Fraction, kept: bool) -> Fraction:
        """Return the last scale between two that is told as the first is, about."""
        while abs(known - open_) > _WIDEST * known:
            self.step(float(abs(known / open_ - 1)))
            middle = rounded_down((known + open_) / 2, _DIGITS)
            if self.kept(middle) is kept:
                known = middle
            else:
                open_ = middle
        return known

    def _powers(self, start: Fraction, kept: bool) -> Fraction:
        """Return a scale that keeps, or breaks, the promise: by powers of 2."""
        for _ in range(_POWERS):
            self.step(float("inf"))
            if self.kept(start) is kept:
                return start
            start = start * 2 if kept else start / 2
        raise SolverError("no scale is decided")
