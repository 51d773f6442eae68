"""The delta of Laplace noise on one number, between bounds as close as asked for.

With values v_1 < ... < v_m and c_j = P(F = v_j | s) - e^epsilon P(F = v_j | s'), the positive part
is to be integrated of

    h(w) = (rate / 2) sum_j c_j e^(-rate |w - v_j|).

Between two values, h is A e^(-rate (L - y)) + B e^(-rate y), y the distance from the left one and
L that between them: with at most one zero, at e^(2 rate y) = -(B/A) e^(rate L). Beyond the extreme
values its sign is constant. A coefficient whose sign balls do not tell is taken as 0, which is
wrong by at most half its size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import floor, prod
from typing import TYPE_CHECKING, Any

from flint import arb, arb_poly, ctx

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.lattice import LatticeGaussian, deviations
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import common_step
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.noise.laws.of_framework import Law, LawPair

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A delta between bounds, and the outputs over which it is an integral or a sum.

_TINY = Fraction(1, 2**40_000)  # less than any number that a file can ask for, but 0


@dataclass(frozen=True)
class DeltaRegion:
    """The sum of the positive part of f - e^epsilon g, lower <= delta <= upper, and where it is
    positive: named for a person, ends rounded to six digits.
    """

    lower: Fraction
    upper: Fraction
    outputs: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether the bounds agree to 2^-60 of the value, or the value is tiny."""
        return self.upper <= _TINY or (self.upper - self.lower) * 2**60 <= self.lower


Evaluate = Callable[[int], DeltaRegion]  # at a working precision in bits


class Enclosed:
    """A sum of balls, of positive parts whose sign is known and of errors where it is not."""

    def __init__(self) -> None:
        self._total = arb(0)
        self._error = Fraction(0)
        self._intervals: list[tuple[float, float]] = []

    def add(self, part: arb, low: float, high: float) -> None:
        """Add a part that is not negative, the integral over an interval of outputs."""
        self._total += part
        if self._intervals and self._intervals[-1][1] >= low:
            self._intervals[-1] = self._intervals[-1][0], high
        elif low < high:
            self._intervals.append((low, high))

    def signed(self, part: arb, low: float = 0.0, high: float = 0.0) -> bool:
        """Add the positive part of a number, and say whether it is above 0; where its sign is not known, doubt it."""
        if part > 0:
            self.add(part, low, high)
            return True
        if not part <= 0:
            self.doubt(part)
        return False

    def doubt(self, most: arb) -> None:
        """Allow for an error of either sign, of at most a number."""
        self._error += _above(most)

    def region(self) -> DeltaRegion:
        """Return the bounds of the sum, and the outputs of its parts."""
        # a lower bound of a ball: 0 if it may be negative or tiny, which is not written out
        lower, upper = (
            (dyadic(self._total.lower()) if self._total > _tiny() else Fraction(0)) - self._error,
            _above(self._total) + self._error,
        )
        named = tuple(f"({low:.6g}, {high:.6g})" for low, high in self._intervals)
        return DeltaRegion(max(lower, Fraction(0)), upper, named)


def _above(value: arb) -> Fraction:
    """Return an upper bound of a ball: 0 if it is not above 0, else at least the tiny number."""
    if value <= 0:
        return Fraction(0)
    return _TINY if value <= _tiny() else dyadic(value.upper())


def _tiny() -> arb:
    return ball(_TINY)


RESTS_ON = ("noise.delta-step",)
ScalarLaw = dict[Fraction, Fraction]
_INFINITY = float("inf")


def laplace_delta(above: ScalarLaw, below: ScalarLaw, decay: Power, level: Level, bits: int) -> DeltaRegion:
    """Return the delta of the ordered pair of laws, at a working precision.

    >>> region = laplace_delta(
    ...     {Fraction(0): Fraction(1)}, {Fraction(1): Fraction(1)}, Power.exp(Fraction(-1)), Level("0"), 128
    ... )
    >>> float(region.lower), region.outputs  # 1 - e^(-1/2)
    (0.3934693402873666, ('(-inf, 0.5)',))
    """
    with ctx.workprec(bits):
        factor = level.ball()
        values = sorted({*above, *below})
        weights = [ball(above.get(v, _NONE)) - factor * ball(below.get(v, _NONE)) for v in values]
        gaps = [high - low for low, high in pairwise(values)]
        falls = [decay.to(gap).ball() for gap in gaps]
        up, down = rising(weights, falls), falling(weights, falls)
        total = Enclosed()
        total.signed(up[0] / 2, -_INFINITY, float(values[0]))
        rate = -decay.ball().log()
        for place, gap in enumerate(gaps):
            piece = _DeltaPiece(up[place + 1], down[place], falls[place], rate, ball(gap))
            piece.add_to(total, values[place], gap)
        total.signed(down[-1] / 2, float(values[-1]), _INFINITY)
        return total.region()


_NONE = Fraction(0)


def rising(weights: list[arb], falls: list[arb]) -> list[arb]:
    """Return the sums of c_j e^(-rate (v_j - v_i)) over j >= i, for every i."""
    sums = [weights[-1]]
    for weight, fall in zip(reversed(weights[:-1]), reversed(falls)):
        sums.append(weight + fall * sums[-1])
    return sums[::-1]


def falling(weights: list[arb], falls: list[arb]) -> list[arb]:
    """Return the sums of c_j e^(-rate (v_i - v_j)) over j <= i, for every i."""
    sums = [weights[0]]
    for weight, fall in zip(weights[1:], falls):
        sums.append(weight + fall * sums[-1])
    return sums


class _DeltaPiece:
    """Between two neighbouring values: `rising` A, `falling` B, `fall` e^(-rate L)."""

    def __init__(self, rising: arb, falling: arb, fall: arb, rate: arb, length: arb) -> None:
        self.rising, self.falling = rising, falling
        self.fall, self.rate, self.length = fall, rate, length

    def add_to(self, total: Enclosed, start: Fraction, length: Fraction) -> None:
        """Add the integral of the positive part; a coefficient of unknown sign is left out, and half of it doubted."""
        for name in ("rising", "falling"):
            ball = getattr(self, name)
            if not ball >= 0 and not ball <= 0:
                total.doubt(arb(ball.abs_upper()) / 2)
                setattr(self, name, arb(0))
        if not (self.rising <= 0 and self.falling <= 0):
            # Where the function is positive, as distances from the left value
            nothing, all_of_it = arb(0), self.length
            if self.rising >= 0 and self.falling >= 0:
                first, last = nothing, all_of_it
            else:
                zero = ((-self.falling / self.rising).log() / self.rate + self.length) / 2
                inside = zero.max(nothing).min(all_of_it)
                first, last = (inside, all_of_it) if self.rising > 0 else (nothing, inside)
            low, high = (float(start) + float((end / self.length).mid()) * float(length) for end in (first, last))
            up = (-self.rate * (self.length - last)).exp() - (-self.rate * (self.length - first)).exp()
            down = (-self.rate * first).exp() - (-self.rate * last).exp()
            total.add((self.rising * up + self.falling * down) / 2, low, high)


# The delta of Gaussian noise on one number or integer, between bounds as close as asked.
#
# With values v_j and c_j = P(F = v_j | s) - e^epsilon P(F = v_j | s'), the positive part is to be integrated of
#
#     h(w) = sum_j c_j phi((w - v_j) / sigma) / sigma,
#
# which has the sign of the exponential sum S(w) = sum_j c_j e^((w v_j - v_j^2 / 2) / sigma^2). S has no more zeros
# than its coefficients have changes of sign, in the order of values (Laguerre): none or one are found by bisection;
# more by halving cells until balls tell the sign in each. What is left at the working precision widens the bounds.
# Where the extreme term outweighs others it does so for good.

GAUSSIAN_RESTS_ON = ("noise.sign-changes",)
_MOST_CELLS = 100_000  # intervals of outputs, each cut until the sign there is known
_MOST_DOUBTED = 10_000  # integers in cells whose sign is not told
_DENSE = 50  # as many coefficients of a polynomial may stand for one that is not 0


@dataclass(frozen=True)
class Cell:
    """An interval of outputs, ends None if it is unbounded, and the sign of h on it (0: not told)."""

    low: Fraction | None
    high: Fraction | None
    sign: int


def gaussian_delta(
    above: ScalarLaw, below: ScalarLaw, variance: Fraction, level: Level, bits: int, on_integers: bool = False
) -> DeltaRegion:
    """Return the delta of the ordered pair of laws, at a working precision; of noise on integers,
    variance is sigma^2.

    >>> zero, one = {Fraction(0): Fraction(1)}, {Fraction(1): Fraction(1)}
    >>> region = gaussian_delta(zero, one, Fraction(1), Level("0"), 128)
    >>> round(float(region.lower), 12)  # 2 Phi(1/2) - 1
    0.382924922548
    >>> region = gaussian_delta(one, zero, Fraction(1), Level("0"), 128, on_integers=True)
    >>> round(float(region.lower), 12)  # the probability of 0
    0.398942278267

    Raises `TooLargeError` where more than 100,000 cells are needed.
    """
    with ctx.workprec(bits):
        kind = _DifferenceOnIntegers if on_integers else Difference
        return kind(above, below, variance, level).region(bits)


class Difference:
    """The difference h of two mixtures of normal densities, without coefficients that are 0."""

    def __init__(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction, level: Level) -> None:
        none = Fraction(0)
        self.variance = variance
        factor = level.ball()
        self.terms: list[tuple[Fraction, int, arb]] = []  # value, sign of coefficient, coefficient
        self._slopes: dict[tuple[Fraction, Fraction], tuple[arb, arb]] = {}
        for value in sorted({*above, *below}):
            left, right = above.get(value, none), below.get(value, none)
            sign = level.sign(left, right)
            if sign:
                self.terms.append((value, sign, ball(left) - factor * ball(right)))

    def region(self, bits: int) -> DeltaRegion:
        """Enclose the positive part of h, and say where it is."""
        total = Enclosed()
        for cell in self.cells(bits):
            if cell.sign > 0:
                low, high = self.ends(cell)
                none, endless = float("-inf"), float("inf")
                total.add(
                    self.mass(cell), none if low is None else float(low), endless if high is None else float(high)
                )
            elif not cell.sign:
                self.doubt(cell, total)
        return total.region()

    def ends(self, cell: Cell) -> tuple[Fraction | int | None, Fraction | int | None]:
        """Return the first and the last output in a cell, None at an open end."""
        return cell.low, cell.high

    def doubt(self, cell: Cell, total: Enclosed) -> None:
        """Count a cell whose sign is not told."""
        total.doubt(self.most(cell))

    def cells(self, bits: int) -> list[Cell]:
        """Return cells that cover the line, neighbours of one sign put together."""
        if not self.terms:
            return []
        changes = sum(one[1] != other[1] for one, other in pairwise(self.terms))
        if not changes:
            return [Cell(None, None, self.terms[0][1])]
        low, high = self._beyond(-1), self._beyond(1)
        ends = (self.terms[0][1], self.terms[-1][1])
        width = (high - low) / 2**bits
        inner = self._one_zero(low, high, width) if changes == 1 else self._zeros(low, high, width)
        # neighbours of one known sign put together
        cells = [Cell(None, low, ends[0]), *inner, Cell(high, None, ends[1])]
        kept: list[Cell] = []
        for cell in cells:
            if kept and kept[-1].sign == cell.sign != 0:
                kept[-1] = Cell(kept[-1].low, cell.high, cell.sign)
            else:
                kept.append(cell)
        return kept

    def _beyond(self, side: int) -> Fraction:
        """Return a place from which on the extreme term outweighs all others: relative to it, they only fall."""
        (extreme, _, largest), *others = self.terms[::-side]
        step = max(self.variance / abs(extreme - others[0][0]), Fraction(1, 1024))
        place = extreme
        for _ in range(200):
            place += side * step
            rest = sum(abs(c) * self._power(ball(place), v, extreme) for v, _, c in others)
            if abs(largest) > rest:
                return place
            step *= 2
        raise TooLargeError("coefficients of a delta differ by more than enclosures hold", "query")

    @cached_property
    def _step(self) -> Fraction:
        """The largest number of which all differences of values are multiples."""
        first = self.terms[0][0]
        return common_step(value - first for value, _, _ in self.terms)

    @cached_property
    def _polynomial(self) -> arb_poly | None:
        """S, divided by a positive number, as a polynomial in e^(step w / sigma^2), or None if few
        of its coefficients are not 0.
        """
        first, last = self.terms[0][0], self.terms[-1][0]
        degree = int((last - first) / self._step)
        if degree > _DENSE * len(self.terms):
            return None
        coefficients = [arb(0)] * (degree + 1)
        for value, _, weight in self.terms:
            power = ball(-value * value / (2 * self.variance)).exp()
            coefficients[int((value - first) / self._step)] = weight * power
        return arb_poly(coefficients)

    def _power(self, place: arb, value: Fraction, other: Fraction) -> arb:
        """Return the density about a value, divided by that about another one."""
        if (value, other) not in self._slopes:
            middle, slope = (value + other) / 2, (value - other) / self.variance
            self._slopes[value, other] = ball(middle), ball(slope)
        about, steep = self._slopes[value, other]
        return ((place - about) * steep).exp()

    def _sign(self, place: Fraction, half: Fraction) -> int:
        """Return the sign of h at a distance of at most `half` from a place, 0 where balls do not tell it."""
        if not half and self._polynomial is not None:
            total = self._polynomial((ball(place * self._step / self.variance)).exp())
            return int(total > 0) - int(total < 0)
        around = ball(place) + arb(0, 1) * ball(half) if half else ball(place)
        nearest = min((value for value, _, _ in self.terms), key=lambda v: abs(v - place))
        total = arb(0)
        for value, _, weight in self.terms:
            total += weight * self._power(around, value, nearest)
        return int(total > 0) - int(total < 0)

    def _one_zero(self, low: Fraction, high: Fraction, width: Fraction) -> Iterator[Cell]:
        """Yield the cell left of the only zero, the cell with the zero, and the cell right of it."""
        first, last = self.terms[0][1], self.terms[-1][1]
        left, right = low, high
        while right - left > width:
            middle = (left + right) / 2
            sign = self._sign(middle, Fraction(0))
            if not sign:
                left, right = self._about(middle, left, right, width)
                break
            left, right = (middle, right) if sign == first else (left, middle)
        yield from (Cell(low, left, first), Cell(left, right, 0), Cell(right, high, last))

    def _about(self, zero: Fraction, left: Fraction, right: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
        """Return ends of known signs close to a place that is hardly told from the only zero."""
        first, last = self.terms[0][1], self.terms[-1][1]
        while zero - width > left and self._sign(zero - width, Fraction(0)) != first:
            width *= 2
        while zero + width < right and self._sign(zero + width, Fraction(0)) != last:
            width *= 2
        return max(left, zero - width), min(right, zero + width)

    def _zeros(self, low: Fraction, high: Fraction, width: Fraction) -> Iterator[Cell]:
        """Yield cells from left to right, halved until the sign of each is known, or to a width."""
        open_cells, made = [(low, high)], 0
        while open_cells:
            left, right = open_cells.pop()
            made += 1
            if made > _MOST_CELLS:
                raise TooLargeError(f"more than {_MOST_CELLS} cells for one pair", "query")
            middle, half = (left + right) / 2, (right - left) / 2
            sign = self._sign(middle, half)
            if sign or half < width:
                yield Cell(left, right, sign)
            else:
                open_cells += [(middle, right), (left, middle)]

    def mass(self, cell: Cell) -> arb:
        """Enclose the integral of h over a cell."""
        total = arb(0)
        for value, _, weight in self.terms:
            total += weight * self._probability(cell, value)
        return total

    def most(self, cell: Cell) -> arb:
        """Enclose a bound of the integral of the positive terms over a bounded cell: its width
        times the largest density.
        """
        if cell.low is None or cell.high is None:
            raise TypeError("expected a bounded cell")
        largest = 1 / (2 * arb.pi() * ball(self.variance)).sqrt()
        weights = sum((weight for _, sign, weight in self.terms if sign > 0), arb(0))
        return ball(cell.high - cell.low) * largest * weights

    def _probability(self, cell: Cell, value: Fraction) -> arb:
        """Enclose the probability that noise about a value lies in a cell: by the tails on the
        side where they are small.
        """

        def beyond(end: Fraction | None, side: int) -> arb:
            return arb(0) if end is None else self.tail(end - value, side)

        if cell.low is not None and cell.low >= value:
            return beyond(cell.low, 1) - beyond(cell.high, 1)
        if cell.high is not None and cell.high <= value:
            return beyond(cell.high, -1) - beyond(cell.low, -1)
        return 1 - beyond(cell.low, -1) - beyond(cell.high, 1)

    def tail(self, end: Fraction, side: int) -> arb:
        """Enclose the probability that noise lies on a side of an end."""
        return (ball(side * end) / ball(2 * self.variance).sqrt()).erfc() / 2


class _DifferenceOnIntegers(Difference):
    """The difference of two mixtures of discrete Gaussian laws, which has the sign of the same S at
    integers w. Every integer is in one cell, low < w <= high: tails of the law are summed over
    cells, and where the sign is not told, integers are taken one by one.
    """

    @cached_property
    def _law(self) -> LatticeGaussian:
        return LatticeGaussian(self.variance)

    def ends(self, cell: Cell) -> tuple[int | None, int | None]:
        """Return the first and the last integer in a cell, None at an open end."""
        low = None if cell.low is None else floor(cell.low) + 1
        return low, None if cell.high is None else floor(cell.high)

    def doubt(self, cell: Cell, total: Enclosed) -> None:
        """Take the integers of a cell one by one."""
        low, high = self.ends(cell)
        if low is None or high is None or high - low > _MOST_DOUBTED:
            raise TooLargeError("the sign of a difference of probabilities is not told", "query")
        for place in range(low, high + 1):
            alone = self._law.probabilities(place - value for value, _, _ in self.terms)
            terms = (weight * p for (_, _, weight), p in zip(self.terms, alone))
            total.signed(sum(terms, ball(0)), place, place)

    def mass(self, cell: Cell) -> arb:
        """Enclose the sum of h over a cell."""
        low, high = self.ends(cell)
        empty = low is not None and high is not None and low > high
        return ball(0) if empty else super().mass(cell)

    def tail(self, end: Fraction, side: int) -> arb:
        """Enclose the probability that noise is above an end, or not above it."""
        return self._law.tail(floor(end) + 1 if side > 0 else -floor(end))


# The delta of noise on any number of integers, a sum over a grid.
#
# Of geometric and discrete Laplace noise, outputs beyond the extreme values of a coordinate have the ratio of the
# extreme one, so that a delta is that of the noise which is cut off there. With a rational ratio it is alpha -
# e^epsilon beta for rational alpha and beta, else between bounds. Of discrete Gaussian noise the grid holds all
# outputs but 2^-200 of the probability.

_MOST_INTEGER_CELLS = 200_000  # outputs of the grid, each an exact number
_OUTSIDE = 200  # bits of the probability that is left outside of a grid of several numbers
_SHOWN = 12  # outputs of a region that are named


class OutputGrid:
    """The outputs of an ordered pair of laws, cut off at the extreme values of every coordinate."""

    def __init__(self, pair: LawPair, decays: Sequence[Power]) -> None:
        self.pair = pair
        self.decays = decays
        self.ranges = [range(int(axis[0]), int(axis[-1]) + 1) for axis in pair.axes]
        cells = prod(map(len, self.ranges))
        if cells > _MOST_INTEGER_CELLS:
            raise TooLargeError(f"{cells} outputs for one pair: expected at most {_MOST_INTEGER_CELLS}", "query")

    @property
    def rational(self) -> list[Fraction] | None:
        """The decays where all are rational."""
        parts = [decay.split() for decay in self.decays]
        return [factor for factor, rest in parts] if all(rest == ONE for _, rest in parts) else None

    def exactly(self, level: Level) -> tuple[Fraction, Fraction, tuple[str, ...]] | None:
        """Return alpha and beta with delta = alpha - e^epsilon beta, and the outputs over which
        they are sums, or None if decays are not rational.
        """
        laws = self._exact_laws()
        if laws is None:
            return None
        above, below = laws
        chosen = [w for w in above if level.sign(above[w], below[w]) > 0]
        alpha, beta = (sum((law[w] for w in chosen), Fraction(0)) for law in (above, below))
        return alpha, beta, self._named(chosen)

    def terms(self) -> tuple[tuple[Fraction, Fraction], ...] | None:
        """Return both probabilities of every output, or None if decays are not rational."""
        laws = self._exact_laws()
        if laws is None:
            return None
        above, below = laws
        return tuple((above[w], below[w]) for w in above)

    def balls(self) -> list[tuple[arb, arb]]:
        """Enclose both probabilities of every output, at the present working precision."""
        rates = [decay.ball() for decay in self.decays]
        above, below = (self._law(law, rates, ball) for law in (self.pair.above, self.pair.below))
        return [(above[w], below[w]) for w in above]

    def _exact_laws(self) -> list[dict[tuple[int, ...], Fraction]] | None:
        rates = self.rational
        if rates is None:
            return None
        return [self._law(law, rates, Fraction) for law in (self.pair.above, self.pair.below)]

    def at(self, level: Level) -> Evaluate:
        """Return the enclosure of the delta at a level."""
        return lambda bits: self.enclosed(level, bits)

    def enclosed(self, level: Level, bits: int) -> DeltaRegion:
        """Return bounds of the delta, and the outputs over which it is a sum."""
        with ctx.workprec(bits):
            factor, total = level.ball(), Enclosed()
            chosen = [
                output
                for output, (above, below) in zip(product(*self.ranges), self.balls())
                if total.signed(above - factor * below)
            ]
            return replace(total.region(), outputs=self._named(chosen))

    def _law(
        self, law: Law, rates: Sequence[object], number: Callable[[Fraction], object]
    ) -> dict[tuple[int, ...], Any]:
        """Return the law of the output that is cut off."""
        import numpy as np

        table = np.full([len(numbers) for numbers in self.ranges], number(Fraction(0)), dtype=object)
        for value, p in law.items():
            table[tuple(int(entry) - axis[0] for entry, axis in zip(value, self.ranges, strict=True))] = number(p)
        for axis, rate in enumerate(rates):
            table = np.apply_along_axis(_smoothed, axis, table, rate)
        return dict(zip(product(*self.ranges), table.reshape(-1).tolist(), strict=True))

    def _named(self, outputs: Sequence[tuple[int, ...]]) -> tuple[str, ...]:
        """Name outputs; extreme ones stand for all beyond them."""
        names = [",".join(map(self._end, output, self.ranges)) for output in outputs[:_SHOWN]]
        return (*names, f"{len(outputs) - _SHOWN} more") if len(outputs) > _SHOWN else (*names,)

    @staticmethod
    def _end(place: int, axis: range) -> str:
        if len(axis) > 1 and place in (axis[0], axis[-1]):
            return f"{'<=' if place == axis[0] else '>='}{text_of(Fraction(place))}"
        return text_of(Fraction(place))


def _smoothed(law: NDArray[Any], rate: Any) -> NDArray[Any]:
    """Return the law of a number plus geometric noise, cut off at the ends of its range.

    >>> import numpy as np
    >>> _smoothed(np.array([Fraction(1), Fraction(0)], dtype=object), Fraction(1, 2)).tolist()
    [Fraction(2, 3), Fraction(1, 3)]
    """
    import numpy as np

    if len(law) == 1:
        return law
    forward, backward = law.tolist(), law.tolist()
    for place in range(1, len(law)):
        forward[place] = forward[place] + rate * forward[place - 1]
        backward[-place - 1] = backward[-place - 1] + rate * backward[-place]
    inner = [(1 - rate) / (1 + rate) * (up + down - here) for up, down, here in zip(forward, backward, law.tolist())]
    ends = [backward[0] / (1 + rate), *inner[1:-1], forward[-1] / (1 + rate)]
    smoothed = np.empty(len(law), dtype=object)
    smoothed[:] = ends
    return smoothed


def lattice_delta(pair: LawPair, sigmas: Sequence[Fraction], level: Level, bits: int) -> DeltaRegion:
    """Return the delta of several integers with discrete Gaussian noise of their own: a sum over
    all outputs but 2^-200 of the probability, at a working precision.

    Raises `TooLargeError` where there are more than 200,000 such outputs.
    """
    reaches = [deviations(sigma2, _OUTSIDE + len(sigmas).bit_length()) for sigma2 in sigmas]
    ranges = [range(int(axis[0]) - reach, int(axis[-1]) + reach + 1) for axis, reach in zip(pair.axes, reaches)]
    outputs = prod(map(len, ranges))
    if outputs > _MOST_INTEGER_CELLS:
        raise TooLargeError(
            f"{outputs} outputs of {len(ranges)} numbers with discrete Gaussian noise for one "
            f"pair: expected at most {_MOST_INTEGER_CELLS}, or one number",
            "query",
        )
    with ctx.workprec(bits):
        laws = [LatticeGaussian(sigma2) for sigma2 in sigmas]
        tables = [
            {value: law.probabilities(w - value for w in places) for value in axis}
            for law, axis, places in zip(laws, pair.axes, ranges)
        ]

        def likelihood(law: Law, output: Sequence[int]) -> arb:
            total = arb(0)
            for value, p in law.items():
                term = ball(p)
                for table, number, place in zip(tables, value, output):
                    term *= table[number][place]
                total += term
            return total

        factor, total = level.ball(), Enclosed()
        for output in product(*(range(len(places)) for places in ranges)):
            total.signed(likelihood(pair.above, output) - factor * likelihood(pair.below, output))
        total.doubt(arb(2) ** -_OUTSIDE)
        return total.region()
