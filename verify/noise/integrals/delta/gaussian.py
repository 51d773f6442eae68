"""The delta of Gaussian noise on one number or integer, between bounds as close as asked.

With values v_j and c_j = P(F = v_j | s) - e^epsilon P(F = v_j | s'), the positive part is to be
integrated of

    h(w) = sum_j c_j phi((w - v_j) / sigma) / sigma,

which has the sign of the exponential sum S(w) = sum_j c_j e^((w v_j - v_j^2 / 2) / sigma^2). S has
no more zeros than its coefficients have changes of sign, in the order of values (Laguerre): none or
one are found by bisection; more by halving cells until balls tell the sign in each. What is left at
the working precision widens the bounds. Where the extreme term outweighs others it does so
for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import common_step
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion, Enclosed

if TYPE_CHECKING:
    from flint import arb, arb_poly

RESTS_ON = ("noise.sign-changes",)
_MOST_CELLS = 100_000  # intervals of outputs, each cut until the sign there is known
_MOST_DOUBTED = 10_000  # integers in cells whose sign is not told
_DENSE = 50  # as many coefficients of a polynomial may stand for one that is not 0


@dataclass(frozen=True)
class Cell:
    """An interval of outputs, ends None if it is unbounded, and the sign of h on it (0: not
    told).
    """

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
    from flint import ctx

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
        return _together([Cell(None, low, ends[0]), *inner, Cell(high, None, ends[1])])

    def _beyond(self, side: int) -> Fraction:
        """Return a place from which on the extreme term outweighs all others: relative to it, they
        only fall.
        """
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
        from flint import arb, arb_poly

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
        """Return the sign of h at a distance of at most `half` from a place, 0 where balls do not
        tell it.
        """
        from flint import arb

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
        """Yield the cell left of the only zero, the cell with the zero, and the cell right of
        it.
        """
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
        from flint import arb

        total = arb(0)
        for value, _, weight in self.terms:
            total += weight * self._probability(cell, value)
        return total

    def most(self, cell: Cell) -> arb:
        """Enclose a bound of the integral of the positive terms over a bounded cell: its width
        times the largest density.
        """
        from flint import arb

        if cell.low is None or cell.high is None:
            raise TypeError("expected a bounded cell")
        largest = 1 / (2 * arb.pi() * ball(self.variance)).sqrt()
        weights = sum((weight for _, sign, weight in self.terms if sign > 0), arb(0))
        return ball(cell.high - cell.low) * largest * weights

    def _probability(self, cell: Cell, value: Fraction) -> arb:
        """Enclose the probability that noise about a value lies in a cell: by the tails on the
        side where they are small.
        """
        from flint import arb

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


def _together(cells: Iterable[Cell]) -> list[Cell]:
    """Return neighbours of one known sign put together."""
    kept: list[Cell] = []
    for cell in cells:
        if kept and kept[-1].sign == cell.sign != 0:
            kept[-1] = Cell(kept[-1].low, cell.high, cell.sign)
        else:
            kept.append(cell)
    return kept
