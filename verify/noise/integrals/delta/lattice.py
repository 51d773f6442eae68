"""The delta of discrete Gaussian noise: on one number of any size, and on several where outputs
are few.

Of one number the sign of P(w | s) - e^epsilon P(w | s') is that of the same exponential sum S(w)
as of Gaussian noise (`gaussian`), now at integers w alone: its cells are found in the same way, and
tails of the law are summed over the integers of each cell of positive sign (`LatticeGaussian`). In
cells whose sign is not told, integers are taken one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import floor, prod
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.lattice import LatticeGaussian, deviations
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.integrals.delta.gaussian import Cell, Difference
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion, Enclosed
from pufferproof.verify.noise.laws.of_framework import Law, LawPair

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("noise.sign-changes",)
_MOST_OUTPUTS = 200_000  # of several numbers, each an enclosure
_MOST_DOUBTED = 10_000  # integers in cells whose sign is not told
_GRID_BITS = 200  # of the probability that is left outside of a grid of several numbers


def lattice_delta(
    above: ScalarLaw, below: ScalarLaw, sigma2: Fraction, level: Level, bits: int
) -> DeltaRegion:
    """Return the delta of the ordered pair of laws of an integer, at a working precision.

    >>> zero, one = {Fraction(0): Fraction(1)}, {Fraction(1): Fraction(1)}
    >>> region = lattice_delta(one, zero, Fraction(1), Level("0"), 128)
    >>> round(float(region.lower), 12)  # the probability of 0
    0.398942278267

    Raises `TooLargeError` where more than 100,000 cells are needed.
    """
    from flint import ctx

    with ctx.workprec(bits):
        return _LatticeDifference(above, below, sigma2, level).region(bits)


class _LatticeDifference(Difference):
    """The difference of two mixtures of discrete Gaussian laws."""

    def __init__(self, above: ScalarLaw, below: ScalarLaw, sigma2: Fraction, level: Level) -> None:
        super().__init__(above, below, sigma2, level)
        self.law = LatticeGaussian(sigma2)

    def ends(self, cell: Cell) -> tuple[int | None, int | None]:
        """Return the first and the last integer w with low < w <= high, None at an open end: every
        integer is in one cell.
        """
        low = None if cell.low is None else floor(cell.low) + 1
        return low, None if cell.high is None else floor(cell.high)

    def doubt(self, cell: Cell, total: Enclosed) -> None:
        """Take the integers of a cell one by one."""
        low, high = self.ends(cell)
        if low is None or high is None or high - low > _MOST_DOUBTED:
            raise TooLargeError("the sign of a difference of probabilities is not told", "query")
        for place in range(low, high + 1):
            excess = self.at(place)
            if excess > 0:
                total.add(excess, float(place), float(place))
            elif not excess <= 0:
                total.doubt(abs(excess))

    def at(self, place: int) -> arb:
        """Enclose P(w | s) - e^epsilon P(w | s') at an integer."""
        from flint import arb

        total = arb(0)
        for value, _, weight in self.terms:
            total += weight * self.law.probability(place - int(value))
        return total

    def _probability(self, cell: Cell, value: Fraction) -> arb:
        """Enclose the probability that noise about a value lies in a cell: by the tails on the
        side where they are small.
        """
        from flint import arb

        low, high = self.ends(cell)
        if low is not None and high is not None and low > high:
            return arb(0)
        middle = int(value)

        def from_on(end: int | None) -> arb:
            return arb(0) if end is None else self.law.tail(end - middle)

        def up_to(end: int | None) -> arb:
            return arb(0) if end is None else self.law.tail(middle - end)

        if low is not None and low > middle:
            return from_on(low) - from_on(None if high is None else high + 1)
        if high is not None and high < middle:
            return up_to(high) - up_to(None if low is None else low - 1)
        return (
            1
            - up_to(None if low is None else low - 1)
            - from_on(None if high is None else high + 1)
        )


def several_lattice_delta(
    pair: LawPair, sigmas: Sequence[Fraction], level: Level, bits: int
) -> DeltaRegion:
    """Return the delta of several integers with discrete Gaussian noise of their own: a sum over
    all outputs but 2^-200 of the probability, at a working precision.

    Raises `TooLargeError` where there are more than 200,000 such outputs.
    """
    from flint import arb, ctx

    reaches = [deviations(sigma2, _GRID_BITS + len(sigmas).bit_length()) for sigma2 in sigmas]
    ranges = [
        range(int(axis[0]) - reach, int(axis[-1]) + reach + 1)
        for axis, reach in zip(pair.axes, reaches)
    ]
    outputs = prod(map(len, ranges))
    if outputs > _MOST_OUTPUTS:
        raise TooLargeError(
            f"{outputs} outputs of {len(ranges)} numbers with discrete Gaussian noise for one "
            f"pair: expected at most {_MOST_OUTPUTS}, or one number",
            "query",
        )
    with ctx.workprec(bits):
        tables = [
            _table(sigma2, axis, places) for sigma2, axis, places in zip(sigmas, pair.axes, ranges)
        ]
        factor, total = level.ball(), Enclosed()
        for output in product(*(range(len(places)) for places in ranges)):
            excess = _mixture(pair.above, tables, output) - factor * _mixture(
                pair.below, tables, output
            )
            if excess > 0:
                total.add(excess, 0.0, 0.0)
            elif not excess <= 0:
                total.doubt(abs(excess))
        total.doubt(arb(2) ** -_GRID_BITS)
        return total.region()


def _table(sigma2: Fraction, axis: Sequence[Fraction], places: range) -> dict[Fraction, list[arb]]:
    """Enclose value -> probabilities of outputs."""
    law = LatticeGaussian(sigma2)
    whole, half = law.theta(), 1 / (2 * sigma2)
    return {
        value: [ball(-((place - value) ** 2) * half).exp() / whole for place in places]
        for value in axis
    }


def _mixture(law: Law, tables: Sequence[dict[Fraction, list[arb]]], output: Sequence[int]) -> arb:
    from flint import arb

    total = arb(0)
    for value, p in law.items():
        term = ball(p)
        for table, number, place in zip(tables, value, output):
            term *= table[number][place]
        total += term
    return total
