"""Renyi Pufferfish privacy of a channel: the largest Renyi divergence over priors and ordered
pairs, for an order alpha > 1.

    e^((alpha - 1) epsilon) = max over theta, (s, s') of
        sum over outputs of P(y | s, theta)^alpha P(y | s', theta)^(1 - alpha),

the moment, 0 where both vanish and infinite where only P(y | s') does. For an integer order it is
rational, and so it is where every ratio has the root that a fractional order asks for; else Arb
encloses it, and bounds are refined until they decide. A float pass discards pairs that cannot be
the largest.

Definition: Pierquin, Bellet, Tommasi and Boussard, Renyi Pufferfish Privacy (ICML 2024),
Definition 3.1, without its additive term.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number, check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, ball, dyadic, enclose, log_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, rounded, text_of
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.ratio import nothing_to_check

if TYPE_CHECKING:
    from flint import arb

_LARGEST_ORDER = 10**4
_LARGEST_ROOT = 10**6
_LONGEST = 400_000  # bits of a moment that is computed as a rational
_ACCURACY, _FINEST = 96, 2_560
_STEPS = (16, 96)  # bits at which pairs that cannot be the largest are left out

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Moment:
    """The moment of an ordered pair: P(y | s) > 0 and P(y | s') of all outputs; none where it is
    enclosed in another way.
    """

    order: Fraction
    prior: str
    pair: Pair
    terms: tuple[tuple[Fraction, Fraction], ...] = ()

    coarsest: ClassVar[int] = _ACCURACY  # bits with which comparisons begin
    finest: ClassVar[int] = _FINEST  # bits to which bounds are refined

    @property
    def infinite(self) -> bool:
        """Whether an output of the first secret rules out the second."""
        return any(not below for _, below in self.terms)

    @cached_property
    def value(self) -> Fraction | None:
        """The moment where it is a rational of moderate length, else None; also where infinite."""
        if not self.terms or self.infinite or self._bits > _LONGEST:
            return None
        power, root = (self.order - 1).as_integer_ratio()
        total = Fraction(0)
        for above, below in self.terms:
            ratio = _root(above / below, root)
            if ratio is None:
                return None
            total += above * ratio**power
        return total

    @property
    def _bits(self) -> int:
        return math.ceil(self.order) * sum(_bits(each) for pair in self.terms for each in pair)

    def bounds(self, accuracy: int) -> Bounds:
        """Return rational bounds of a finite moment, of relative width at most 2^-accuracy."""
        if self.value is not None:
            return self.value, self.value
        bits = accuracy + 64
        while True:
            lower, upper = self._enclosed(bits)
            if (upper - lower) * 2**accuracy <= lower:
                return lower, upper
            bits *= 2

    def _enclosed(self, bits: int) -> Bounds:
        from flint import ctx

        with ctx.workprec(bits):
            ratios = ((ball(p), ball(p / q)) for p, q in self.terms)
            total = moment_sum(ratios, self.order)
            return dyadic(total.lower()), dyadic(total.upper())

    def compare(self, other: Moment) -> int | None:
        """Return the sign of the difference of two moments, or None if 2,560 bits fail."""
        if self.value is not None and other.value is not None:
            return (self.value > other.value) - (self.value < other.value)
        return _told(self.bounds, other.bounds, self.coarsest, min(self.finest, other.finest))

    def at(self, level: Level) -> int | None:
        """Return the sign of the divergence minus a level, or None if 2,560 bits do not tell."""
        if self.infinite:
            return 1
        excess = self.order - 1
        if self.value is not None and level.nats is not None:
            return Level.of_nats(level.nats * excess).compare(self.value)
        if self.value is not None and level.ratio is not None:
            power, root = excess.as_integer_ratio()
            if self._bits * root + _bits(level.ratio) * power <= _LONGEST:
                ours, theirs = self.value**root, level.ratio**power
                return (ours > theirs) - (ours < theirs)
        return _told(self._logarithm, lambda accuracy: _multiple(level, excess, accuracy), self.coarsest, self.finest)

    def _logarithm(self, accuracy: int) -> Bounds:
        lower, upper = self.bounds(accuracy)
        return _log(lower, accuracy)[0], _log(upper, accuracy)[1]


@dataclass(frozen=True, repr=False)
class Renyi(Readable):
    """The largest Renyi divergence of an order, in nats, and where it is reached.

    `tied` has the moments that no refinement tells from the largest, in file order; `claims` what
    the algorithms rest on that found the laws.
    """

    order: Fraction
    tied: tuple[Moment, ...]
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

    @property
    def infinite(self) -> bool:
        """Whether some output rules out a secret."""
        return self.tied[0].infinite

    @property
    def moment(self) -> Fraction | None:
        """e^((alpha - 1) epsilon) where it is a rational of moderate length, else None."""
        return self.tied[0].value

    @property
    def prior(self) -> str:
        """The prior of the first of them."""
        return self.tied[0].prior

    @property
    def pair(self) -> Pair:
        """The ordered pair of the first of them."""
        return self.tied[0].pair

    def moment_bounds(self, accuracy: int = _ACCURACY) -> Bounds:
        """Return rational bounds of the moment. Raises `ModelError` where it is infinite."""
        if self.infinite:
            raise ModelError("expected a finite divergence", "renyi")
        bounds = [each.bounds(accuracy) for each in self.tied]
        return max(low for low, _ in bounds), max(high for _, high in bounds)

    def enclosure(self) -> Enclosure:
        """Return the divergence in nats as an enclosure."""
        if self.infinite:
            return INFINITE
        accuracy = _ACCURACY
        while True:  # until the logarithm, which is 0 where the moment is 1, has its digits
            lower, upper = self.moment_bounds(accuracy)
            low, high = _log(lower, accuracy)[0], _log(upper, accuracy)[1]
            if (high - low) * 2**60 <= low or accuracy >= self.tied[0].finest:
                return enclose(max(low, Fraction(0)) / (self.order - 1), high / (self.order - 1))
            accuracy *= 2

    def compare(self, level: Level) -> int | None:
        """Return the sign of the divergence minus a level, or None if 2,560 bits do not tell."""
        signs = [each.at(level) for each in self.tied]
        known = [sign for sign in signs if sign is not None]
        if 1 in known or len(known) == len(signs):
            return max(known)
        return None

    def as_json(self) -> JsonObject:
        """Return `{"alpha", "moment", "epsilon", "witness"}`."""
        known = None if self.moment is None else text_of(self.moment)
        return {
            "alpha": text_of(self.order),
            "moment": "inf" if self.infinite else known,
            "epsilon": self.enclosure().as_json(),
            "witness": {"prior": self.prior, "pair": list(self.pair)},
        }

    def __str__(self) -> str:
        above, below = self.pair
        where = f"for {above!r} against {below!r}, prior {self.prior!r}"
        return f"Renyi divergence of order {brief(self.order)} {self.text()}, {where}"

    def text(self) -> str:
        """Write the divergence for a person."""
        if self.infinite:
            return "infinite"
        ends = self.enclosure()
        low, high = (rounded(end, 7) for end in (ends.lower, ends.upper))
        if low != high and float(ends.upper) > float(ends.lower) * (1 + 1e-8):
            return f"between {low} and {high} nats"
        nats = f"{low} nats"
        if self.moment is None or "~" in brief(self.moment):
            return f"≈ {nats}"
        if self.moment == 1:
            return "0"
        times = "" if self.order == 2 else f"{brief(1 / (self.order - 1))} "
        return f"{times}log({brief(self.moment)}) ≈ {nats}"


def moment_sum(ratios: Iterable[tuple[arb, arb]], order: Fraction) -> arb:
    """Enclose sum of p (p / q)^(alpha - 1), given p and p / q of every output, at the working
    precision.
    """
    excess = ball(order - 1)
    return sum((p * (ratio.log() * excess).exp() for p, ratio in ratios), ball(0))


def largest_of(
    order: Fraction, moments: list[Moment], kind: type[Renyi] = Renyi, claims: tuple[str, ...] = ()
) -> Renyi:
    """Return the largest of some moments, and those that 96 bits do not tell from it."""
    if not moments:
        raise nothing_to_check()
    if infinite := [moment for moment in moments if moment.infinite]:
        return kind(order, (infinite[0],), claims=claims)
    for accuracy in _STEPS:
        if len(moments) > 1:
            bounds = [moment.bounds(accuracy) for moment in moments]
            floor = max(lower for lower, _ in bounds)
            moments = [kept for kept, (_, upper) in zip(moments, bounds) if upper >= floor]
    return kind(order, tuple(moments), claims=claims)


def renyi_divergence(framework: Framework, channel: Channel, alpha: Number) -> Renyi:
    """Compute the largest Renyi divergence of order alpha, in nats, between the laws of the output
    given two secrets.

        D_alpha(P || Q) = log(sum over y of P(y)^alpha Q(y)^(1 - alpha)) / (alpha - 1),

    with P = P(. | s, theta) and Q = P(. | t, theta), largest over listed priors theta and ordered
    pairs (s, t). The channel is (alpha, epsilon)-Renyi Pufferfish private if and only if the
    divergence is at most epsilon.

    Args:
        framework: secrets, pairs and listed priors on listed databases.
        channel: |databases| x |outputs|, with a row for every database of positive probability.
        alpha: the order, above 1 and at most 10^4, with a denominator of at most 10^6. The moment
            e^((alpha - 1) D) is exact for an integer and enclosed otherwise.

    Raises `ModelError` if alpha is out of range, if the framework asks for mixtures of priors
    ("closure": "convex"), or if no pair has two secrets of positive probability.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> channel = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> renyi_divergence(framework, channel, 2).moment
    Fraction(7, 3)
    """
    framework = check_type(framework, Framework, "framework")
    channel = check_type(channel, Channel, "channel")
    order = order_of(check_type(alpha, Number, "alpha"))
    if framework.closure == "convex":
        raise ModelError('needs listed priors, found "closure": "convex"', "renyi")
    channel = channel.aligned(framework.databases, framework.support)
    best: list[Moment] = []
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        for pair in _candidates(laws, list(ordered_pairs(framework, prior)), order):
            moment = Moment(order, prior, pair, _terms(laws, pair))
            if moment.infinite:
                return Renyi(order, (moment,))
            sign = moment.compare(best[0]) if best else 1
            if sign == 1:
                best = [moment]
            elif sign is None:
                best.append(moment)
    if not best:
        raise nothing_to_check()
    return Renyi(order, tuple(best))


def order_of(alpha: Number) -> Fraction:
    """Read an order. Raises `ModelError` unless it is above 1, at most 10^4, and its denominator
    at most 10^6.
    """
    order = exact(check_type(alpha, Number, "renyi"))
    if not 1 < order <= _LARGEST_ORDER or order.denominator > _LARGEST_ROOT:
        raise ModelError(
            f"expected an order above 1 and at most {_LARGEST_ORDER}, its denominator at most "
            f"{_LARGEST_ROOT}, found {brief(order)} (the largest order, infinity, is the leakage)",
            "renyi",
        )
    return order


def _terms(laws: ConditionalLaws, pair: Pair) -> tuple[tuple[Fraction, Fraction], ...]:
    (above, above_scale), (below, below_scale) = (laws.exact_row(secret) for secret in pair)
    return tuple(
        (Fraction(left, above_scale), Fraction(right, below_scale))
        for left, right in zip(above, below, strict=True)
        if left
    )


def _candidates(laws: ConditionalLaws, pairs: list[Pair], order: Fraction) -> Iterator[Pair]:
    """Yield the ordered pairs whose moment could be the largest under one prior, by a float pass;
    more is harmless.

    A probability has a relative error of at most tolerance / 2 and a ratio of tolerance, a power of
    it alpha times as much; adding positive terms adds a unit each.
    """
    import numpy as np

    error = 4 * float(order + 1) * (laws.tolerance + len(laws.channel.outputs) * 2.0**-52)
    if not laws.reliable or error > 2.0**-10 or len(pairs) < 2:
        yield from pairs
        return
    rows, power = laws.floats_approx, float(order - 1)
    moments = []
    for above, below in pairs:
        left, right = rows[laws.row[above]], rows[laws.row[below]]
        possible = left > 0
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            ratios = left[possible] / right[possible]
            moments.append(float((left[possible] * ratios**power).sum()))
    approximate = np.array(moments)
    for position in np.flatnonzero(approximate >= approximate.max() * (1 - error)).tolist():
        yield pairs[position]


def _root(ratio: Fraction, degree: int) -> Fraction | None:
    """Return the rational root of a degree, or None if there is none."""
    if degree == 1 or ratio == 1:
        return ratio
    from flint import fmpz

    roots = []
    for part in ratio.as_integer_ratio():
        root = int(fmpz(part).root(degree))
        if root**degree != part:
            return None
        roots.append(root)
    return Fraction(*roots)


def _told(left: Callable[[int], Bounds], right: Callable[[int], Bounds], coarsest: int, finest: int) -> int | None:
    """Return the sign of a difference of numbers that are enclosed ever more closely."""
    accuracy = coarsest
    while accuracy <= finest:
        (low, high), (least, most) = left(accuracy), right(accuracy)
        if low > most:
            return 1
        if high < least:
            return -1
        if low == high == least == most:
            return 0
        accuracy *= 2
    return None


def _multiple(level: Level, factor: Fraction, accuracy: int) -> Bounds:
    """Return bounds of a multiple of a level in nats."""
    if level.ratio is None:
        exactly = (level.nats or Fraction(0)) * factor
        return exactly, exactly
    lower, upper = _log(level.ratio, accuracy)
    return lower * factor, upper * factor


def _log(value: Fraction, accuracy: int) -> Bounds:
    """Return bounds of the logarithm of a positive number."""
    return (Fraction(0), Fraction(0)) if value == 1 else log_bounds(value, accuracy)


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
