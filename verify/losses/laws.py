"""The two laws of one step, a sample and then noise, under two neighbouring databases.

With the noise Z, the shifts a and b that the record adds to the query, and the rate q at which it
is in the sample,

    P = (1 - q) law(Z) + q law(Z + a),   Q = (1 - q) law(Z) + q law(Z + b).

The privacy loss of an output is L = log(p / q). For b = 0 it grows with the likelihood ratio of
Z + a against Z, and a threshold of L is one of that ratio:

    L >= l  if and only if  log(dP_a / dQ_0) >= log((e^l - (1 - q)) / q).

Noise on the integers has atoms, which are listed up to tails that are counted as missing.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.text import text_of

if TYPE_CHECKING:
    from flint import arb

_LARGE = 500  # of a loss whose exponential is no float of moderate size
_LITTLE = 1e-60  # mass of integers that are left out of one step
_MOST_ATOMS = 200_000
_FEW = 64  # losses that a grid tries to meet
TIES = Fraction(1, 2**78)  # of what may be left out is what ties change at most


_WIDEST_LOSS = 1 / 2  # of a wide bin, so that q e^loss is of the size of p at both ends
_LEAST_SHARE = math.log(1 / 16)  # what a wide bin may have, times the square of its width in steps


class Bin(NamedTuple):
    """Masses of both laws whose losses are from start + low step to start + high step."""

    low: int
    high: int
    above: "arb"
    below: "arb"


class LossLaw(Protocol):
    """Two laws P and Q, known by how their privacy loss is distributed under both.

    `infinite` is the mass of P where Q has none, `never` that of Q where P has none. `nodes` are
    losses that have mass of their own, which a grid should meet, ascending. `levels` are two
    losses between which all mass lies but a share of both laws that is of the order of `tail`.
    `alone` is the sum or integral of (p - ratio q)_+, `back` that of (q - ratio p)_+, for
    a ratio of at least 1. Laws are known to be `symmetric` if both are the same for every ratio.
    `bins` may be wide where there is little p e^(tilt loss).
    """

    @property
    def infinite(self) -> Fraction: ...

    @property
    def never(self) -> Fraction: ...

    @property
    def symmetric(self) -> bool: ...

    @property
    def nodes(self) -> "list[arb]": ...

    def levels(self, tail: float) -> tuple[float, float]: ...

    def alone(self, ratio: "arb") -> "arb": ...

    def back(self, ratio: "arb") -> "arb": ...

    def bins(self, start: "arb", step: "arb", tail: float, tilt: float) -> list[Bin]: ...


@dataclass(frozen=True)
class Shift:
    """Real noise on a query that a record in the sample shifts: P = (1 - q) law(Z) + q law(Z +
    shift) against Q = law(Z).
    """

    rate: Fraction

    infinite: ClassVar[Fraction] = Fraction(0)
    never: ClassVar[Fraction] = Fraction(0)

    @property
    def symmetric(self) -> bool:
        return self.rate == 1  # noise is symmetric

    @staticmethod
    def of(noise: Noise, shift: Fraction, rate: Fraction) -> "GaussianShift | LaplaceShift":
        """Return the laws of a shift other than 0, and a rate 0 < q <= 1. Its sign is no matter:
        noise is symmetric.
        """
        if noise.variance is not None:
            return GaussianShift(rate, shift * shift / noise.variance)
        assert noise.decay is not None
        return LaplaceShift(rate, noise.decay, abs(shift))

    def bins(self, start: "arb", step: "arb", tail: float, tilt: float) -> list[Bin]:
        low, high = self.levels(tail)
        begin, size = float(start), float(step)
        first, last = math.floor((low - begin) / size) - 1, math.ceil((high - begin) / size) + 1
        middle = min(max(round(-begin / size), first), last)
        edge = self.tails(start + middle * step)
        found = []
        for sign, end in ((-1, first), (1, last)):
            place, here = middle, edge
            while place != end:
                beyond = float(here[0] if sign > 0 else 1 - here[0])
                # widths double while e^(tilt loss) P(beyond) width^2 is small in all of the bin
                width, share = 1, math.log(beyond) if beyond > 0 else -math.inf
                while 2 * width * size <= _WIDEST_LOSS and width < abs(end - place):
                    losses = begin + place * size, begin + (place + 2 * sign * width) * size
                    if share + max(tilt * loss for loss in losses) + 2 * math.log(2 * width) > _LEAST_SHARE:
                        break
                    width *= 2
                there = place + sign * min(width, abs(end - place))
                known = self.tails(start + there * step)
                above, below = (sign * (one - other) for one, other in zip(here, known))
                found.append(Bin(min(place, there), max(place, there), above, below))
                place, here = there, known
        return found

    def from_zero(self) -> "tuple[arb, arb]":
        """Return what both laws have where the loss is at least 0."""
        return self.tails(ball(0))

    def alone(self, ratio: "arb") -> "arb":
        above, below = self.tails(ratio.log())
        return above - ratio * below

    def back(self, ratio: "arb") -> "arb":
        if self.rate == 1:
            return self.alone(ratio)  # noise is symmetric
        if ratio * (1 - ball(self.rate)) >= 1:
            return ball(0)  # p is at least (1 - rate) q
        # (q - t p)_+ = q - t p + t (p - q / t)_+
        return 1 - ratio + ratio * self.alone(1 / ratio)

    def tails(self, loss: "arb") -> "tuple[arb, arb]":
        """Return P(L >= loss) and Q(L >= loss)."""
        rate = ball(self.rate)
        odds = loss.expm1() / rate  # of the ratio without a sample, less 1
        if not odds > -1:
            return ball(1), ball(1)
        above, below = self._unsampled(odds.log1p())
        return rate * above + (1 - rate) * below, below

    def levels(self, tail: float) -> tuple[float, float]:
        raise NotImplementedError

    def _unsampled(self, loss: "arb") -> "tuple[arb, arb]":
        """Return the tails of Z + shift and Z where the loss of one against the other is at
        least that.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class GaussianShift(Shift):
    """Gaussian noise; `squared` is the square of the shift in deviations."""

    squared: Fraction

    @property
    def nodes(self) -> "list[arb]":
        return []

    def levels(self, tail: float) -> tuple[float, float]:
        z, ratio, q = quantile(tail), math.sqrt(self.squared), float(self.rate)
        ends = [-ratio * z - ratio * ratio / 2, ratio * z + ratio * ratio / 2]
        low, high = (_sampled_approx(end, q) for end in ends)
        return low, high

    def _unsampled(self, loss: "arb") -> "tuple[arb, arb]":
        shift, root = ball(self.squared).sqrt(), ball(2).sqrt()
        place = loss / shift + shift / 2
        return ((place - shift) / root).erfc() / 2, (place / root).erfc() / 2


@dataclass(frozen=True)
class LaplaceShift(Shift):
    """Laplace noise of scale b, with decay = e^(-1/b)."""

    decay: Power
    shift: Fraction

    @property
    def nodes(self) -> "list[arb]":
        """The least and the largest loss, which have mass of their own."""
        most, rate = self._most, ball(self.rate)
        # log(1 - q + q e^loss)
        return [(rate * loss.expm1()).log1p() for loss in (-most, most)]

    @property
    def _most(self) -> "arb":
        """The largest loss of an output without a sample, shift / b."""
        return -ball(self.shift) * self.decay.ball().log()

    def levels(self, tail: float) -> tuple[float, float]:
        low, high = self.nodes
        return float(low.mid()), float(high.mid())

    def _unsampled(self, loss: "arb") -> "tuple[arb, arb]":
        most = self._most
        if loss > most:
            return ball(0), ball(0)
        if not loss > -most:  # so is a tie
            return ball(1), ball(1)
        if not loss < most:  # the atom: outputs from the shift on
            return ball(1) / 2, (-most).exp() / 2
        # at x = (shift + b loss) / 2 between 0 and the shift, over b
        place = (most + loss) / 2
        return 1 - (place - most).exp() / 2, (-place).exp() / 2


@dataclass(frozen=True)
class Listed:
    """Two laws on listed outputs: `masses` are pairs of likelihoods, as balls, or only most of
    them: what is missing counts against the answer. `infinite` and `never` are included in 1.
    """

    masses: "Callable[[float], Sequence[tuple[arb, arb]]]"
    infinite: Fraction = Fraction(0)
    never: Fraction = Fraction(0)
    symmetric: ClassVar[bool] = False

    @property
    def nodes(self) -> "list[arb]":
        """All losses if they are few, else the two least: on a lattice all others are at points
        of their grid.
        """
        losses = sorted(self.losses(_LITTLE), key=lambda loss: loss.mid())
        first = losses[:1]
        others = [loss for loss in losses if not loss.overlaps(first[0])]
        return first + (others if len(others) < _FEW else others[:1])

    def losses(self, tail: float) -> "list[arb]":
        return [(p / q).log() for p, q in self.masses(tail)]

    def levels(self, tail: float) -> tuple[float, float]:
        losses = [float(loss.mid()) for loss in self.losses(tail)]
        return (min(losses), max(losses)) if losses else (0.0, 0.0)

    def from_zero(self) -> "tuple[arb, arb]":
        """Return what both laws have at most where the loss is at least 0."""
        masses = self.masses(_LITTLE)
        lost = [_between(1 - sum(each, ball(0))).upper() for each in zip(*masses)]
        some = [pair for pair in masses if not pair[0] < pair[1]]
        p, q = (sum((pair[side] for pair in some), ball(0)) for side in (0, 1))
        return p + lost[0], q + lost[1]

    def alone(self, ratio: "arb") -> "arb":
        parts = [(p - ratio * q).max(ball(0)) for p, q in self.masses(_LITTLE)]
        missing = 1 - sum((p for p, _ in self.masses(_LITTLE)), ball(self.infinite))
        return sum(parts, ball(self.infinite)) + _between(missing)

    def back(self, ratio: "arb") -> "arb":
        swapped = Listed(lambda tail: [(q, p) for p, q in self.masses(tail)], self.never)
        return swapped.alone(ratio)

    def bins(self, start: "arb", step: "arb", tail: float, tilt: float) -> list[Bin]:
        found: dict[int, Bin] = {}
        tie = ball(Fraction(tail) * TIES / 4) / step.max(ball(1))
        for (p, q), loss in zip(self.masses(tail), self.losses(tail)):
            at = (loss - start) / step + tie
            upper = at.upper().floor().unique_fmpz()  # a tie is at the point of the grid
            assert upper is not None
            place = int(upper)
            known = found.get(place)
            found[place] = (
                Bin(place, place + 1, p, q)
                if known is None
                else known._replace(above=known.above + p, below=known.below + q)
            )
        return list(found.values()) or [Bin(0, 1, ball(0), ball(0))]


def steps_of(noise: Noise, rate: Fraction, left: Fraction, right: Fraction) -> LossLaw:
    """Return the laws P and Q of a step, of a record that adds `left` under P and `right` under Q
    if it is in the sample.

    >>> from pufferproof.models.noise.additive import Noise
    >>> law = steps_of(Noise.gaussian(1), Fraction(1, 10), Fraction(1), Fraction(0))
    >>> [float(tail) for tail in law.tails(ball(0))][1] > 0.3
    True

    Raises `ModelError` for real noise unless one of both is 0.
    """
    if noise.on_integers:
        return Listed(lambda tail: _on_integers(noise, rate, int(left), int(right), tail))
    if right == 0 or rate == 1:
        return Shift.of(noise, left - right, rate)
    if left == 0:
        return Reversed(Shift.of(noise, right, rate))
    raise ModelError(
        f"the record adds {text_of(left)} or {text_of(right)}, and neither is 0: real noise on "
        "samples is supported where one of them is; use noise on the integers",
        "sample",
    )


@dataclass(frozen=True)
class Reversed:
    """Q against P: the loss changes its sign."""

    law: LossLaw

    @property
    def symmetric(self) -> bool:
        return self.law.symmetric

    @property
    def infinite(self) -> Fraction:
        return self.law.never

    @property
    def never(self) -> Fraction:
        return self.law.infinite

    @property
    def nodes(self) -> "list[arb]":
        return [-node for node in reversed(self.law.nodes)]

    def levels(self, tail: float) -> tuple[float, float]:
        low, high = self.law.levels(tail)
        return -high, -low

    def alone(self, ratio: "arb") -> "arb":
        return self.law.back(ratio)

    def back(self, ratio: "arb") -> "arb":
        return self.law.alone(ratio)

    def bins(self, start: "arb", step: "arb", tail: float, tilt: float) -> list[Bin]:
        # ends of bins have no mass except at points of the grid, which belong to both; q = p e^-L
        turned = self.law.bins(-start, step, tail, -1 - tilt)
        return [Bin(-high, -low, q, p) for low, high, p, q in turned]


@dataclass(frozen=True)
class WorstOfBoth:
    """Two laws above a step of either order: P against Q where ratios are above 1, and Q against P
    where they are below.

    Its integral of (p - t q)_+ is the larger one of both orders for every t, if that of P against Q
    is the larger one for t >= 1: so it is for `Shift` (Zhu, Dong and Wang 2022, Proposition 30).
    """

    law: "GaussianShift | LaplaceShift | Listed"

    infinite: ClassVar[Fraction] = Fraction(0)
    never: ClassVar[Fraction] = Fraction(0)
    symmetric: ClassVar[bool] = True

    @property
    def nodes(self) -> "list[arb]":
        return [ball(0)]

    def levels(self, tail: float) -> tuple[float, float]:
        _, high = self.law.levels(tail)
        return -high, high

    def alone(self, ratio: "arb") -> "arb":
        return self.law.alone(ratio)

    def back(self, ratio: "arb") -> "arb":
        return self.law.alone(ratio)

    def bins(self, start: "arb", step: "arb", tail: float, tilt: float) -> list[Bin]:
        half = [each for each in self.law.bins(ball(0), step, tail, max(tilt, -1 - tilt)) if each.low >= 0]
        p, q = self.law.from_zero()
        # of both laws, where the loss is 0; below 0 if outputs of loss 0 are in both halves
        even = 1 - p - q
        zero = next((each for each in half if each.low == 0), Bin(0, 1, ball(0), ball(0)))
        turned = [Bin(-high, -low, q, p) for low, high, p, q in half]
        rest = [each for each in half if each.low > 0]
        return [*turned, zero._replace(above=zero.above + even, below=zero.below + even), *rest]


def worst_of_both(law: LossLaw) -> LossLaw:
    """Return laws above a step of either order; those of a step without a sample are the same in
    both.
    """
    if isinstance(law, Shift) and law.rate == 1:
        return law
    if not isinstance(law, GaussianShift | LaplaceShift | Listed):
        raise ModelError("expected a step against no record", "sample")
    return WorstOfBoth(law)


def _between(missing: "arb") -> "arb":
    """Return a ball of all numbers from 0 to what is missing."""
    most = missing.abs_upper()
    return ball(0).union(most)


def _sampled_approx(loss: float, rate: float) -> float:
    """log(1 - q + q e^loss) as a float, for where a grid begins and ends."""
    if loss > _LARGE:
        return loss + math.log(rate)
    inside = rate * math.expm1(loss)
    return math.log1p(inside) if inside > -1 else loss


def _on_integers(noise: Noise, rate: Fraction, left: int, right: int, tail: float) -> "list[tuple[arb, arb]]":
    """Return both likelihoods of all integers but some of a mass of about `tail`."""
    # how far from 0 all integers lie but some of a mass of about `tail`
    if noise.sigma2 is not None:  # discrete Gaussian noise
        reach = math.ceil(math.sqrt(noise.sigma2) * quantile(tail)) + 1
    else:
        assert noise.decay is not None
        decay = noise.decay.ball()
        reach = math.ceil(math.log(tail) / float(decay.log().mid())) + 1
    low, high = min(0, left, right) - reach, max(0, left, right) + reach
    if high - low > _MOST_ATOMS:
        raise TooLargeError(f"expected at most {_MOST_ATOMS} outputs, found {high - low}", "noise")
    sizes = range(reach + high - low + 1)
    if noise.sigma2 is not None:
        mass = LatticeGaussian(noise.sigma2).probabilities(sizes)
    else:
        first = (1 - decay) / (1 + decay)
        mass = [first * decay**z for z in sizes]
    q, pairs = ball(rate), []
    for z in range(low, high + 1):
        alone = (1 - q) * mass[abs(z)]
        pairs.append((alone + q * mass[abs(z - left)], alone + q * mass[abs(z - right)]))
    return pairs


def quantile(tail: float) -> float:
    """Return about the place that normal noise exceeds with the probability `tail`."""
    return math.sqrt(-2 * math.log(tail))


# Gaussian noise on shifts that are drawn, under both databases: two mixtures of one deviation.
#
# The loss L = log(p / q) need not grow with the output. Outputs are cut into cells, on which
#
#     L' = (E[shift | x] under P - E[shift | x] under Q) / sigma^2,
#
# and both means grow with x: the noise has a monotone likelihood ratio. So their values at the ends of a cell bound
# the losses inside.

Shifts = tuple[tuple[Fraction, Fraction], ...]
_PART = 4  # cells of a bin, about
_WIDEST = 1 / 16  # of a deviation
_MOST_CELLS = 1_000_000


class _Place(NamedTuple):
    """What is known at an output: both tails, the loss, and both means of the shift."""

    at: "arb"
    above: "arb"
    below: "arb"
    loss: "arb"
    mean_above: "arb"
    mean_below: "arb"


@dataclass(frozen=True)
class GaussianMixtures:
    """P = sum of w law(Z + m) over `above`, Q over `below`; pairs (w, m) of weight and shift."""

    above: Shifts
    below: Shifts
    variance: Fraction

    infinite: ClassVar[Fraction] = Fraction(0)
    never: ClassVar[Fraction] = Fraction(0)

    @property
    def symmetric(self) -> bool:
        """Whether -x has under Q the law that x has under P."""
        return sorted(self.above) == sorted((weight, -shift) for weight, shift in self.below)

    @property
    def nodes(self) -> "list[arb]":
        """None: no loss has mass of its own."""
        return []

    def levels(self, tail: float) -> tuple[float, float]:
        low, high = self._ends(tail)
        losses = [self._approx(low + (high - low) * k / 256)[0] for k in range(257)]
        return min(losses), max(losses)

    def alone(self, ratio: "arb") -> "arb":
        """Return nothing: one step is bounded on a grid, as many are."""
        raise NotImplementedError

    def back(self, ratio: "arb") -> "arb":
        raise NotImplementedError

    def bins(self, start: "arb", step: "arb", tail: float, tilt: float) -> list[Bin]:
        places = [self._place(x) for x in self._cuts(float(step.mid()), tail, tilt)]
        found = []
        for one, other in pairwise(places):
            low, high = self._losses(one, other)
            first = ((low - start) / step).lower().floor().unique_fmpz()
            last = ((high - start) / step).upper().ceil().unique_fmpz()
            assert first is not None
            assert last is not None
            ends = int(first), max(int(last), int(first) + 1)
            found.append(Bin(*ends, one.above - other.above, one.below - other.below))
        return found

    def _ends(self, tail: float) -> tuple[float, float]:
        shifts = [float(shift) for _, shift in (*self.above, *self.below)]
        reach = math.sqrt(self.variance) * quantile(tail)
        return min(shifts) - reach, max(shifts) + reach

    @cached_property
    def _floats(self) -> "list[list[tuple[float, float]]]":
        return [[(float(weight), float(shift)) for weight, shift in side] for side in (self.above, self.below)]

    def _approx(self, x: float) -> tuple[float, float, float]:
        """Return the loss at an output, its derivative, and the logarithm of p but for a constant, as floats."""
        variance = float(self.variance)
        sums = []
        for side in self._floats:
            logs = [(m * x - m * m / 2) / variance for _, m in side]
            most = max(logs)
            weights = [w * math.exp(each - most) for (w, _), each in zip(side, logs)]
            total = sum(weights)
            mean = sum(each * m for each, (_, m) in zip(weights, side)) / total
            sums.append((most + math.log(total), mean))
        (one, mean_one), (other, mean_other) = sums
        return one - other, (mean_one - mean_other) / variance, one - x * x / (2 * variance)

    def _cuts(self, step: float, tail: float, tilt: float) -> Iterator[float]:
        """Return outputs between which the loss changes little, or there is little e^(tilt loss) p."""
        x, high = self._ends(tail)
        deviation = math.sqrt(self.variance)
        times = 1
        for _ in range(_MOST_CELLS):
            yield x
            if x > high:
                return
            here, times = self._approx(x), max(1, min(2 * times, int(_PART * _WIDEST_LOSS / step)))
            while True:
                width = _WIDEST * deviation
                for _ in range(3):  # the derivative here, and where it would take us
                    there = self._approx(x + width)
                    steep = max(abs(here[1]), abs(there[1]))
                    width = min(width, times * step / _PART / steep) if steep else width
                mass = math.log(width / deviation) + max(each[2] + tilt * each[0] for each in (here, there))
                if times == 1 or mass + 2 * math.log(times / _PART) < _LEAST_SHARE:
                    break
                times //= 2
            x += width
        raise TooLargeError(f"expected at most {_MOST_CELLS} cells of outputs", "noise")

    def _place(self, x: float) -> _Place:
        at, variance = ball(Fraction(x)), ball(self.variance)
        root = (2 * variance).sqrt()
        tails, sums, means = [], [], []
        for side in (self.above, self.below):
            tail, total, mean = ball(0), ball(0), ball(0)
            for weight, shift in side:
                w, m = ball(weight), ball(shift)
                tail += w * ((at - m) / root).erfc() / 2
                density = w * ((m * at - m * m / 2) / variance).exp()
                total += density
                mean += m * density
            tails.append(tail)
            sums.append(total)
            means.append(mean / total)
        loss = (sums[0] / sums[1]).log()
        return _Place(at, tails[0], tails[1], loss, means[0], means[1])

    def _losses(self, one: _Place, other: _Place) -> "tuple[arb, arb]":
        """Return bounds of the losses between two outputs."""
        width = (other.at - one.at) / ball(self.variance)
        least = (one.mean_above - other.mean_below).min(ball(0)) * width
        most = (other.mean_above - one.mean_below).max(ball(0)) * width
        return one.loss + least, one.loss + most
