"""The delta of noise on any number of integers, a sum over a grid.

Of geometric and discrete Laplace noise, outputs beyond the extreme values of a coordinate have the
ratio of the extreme one, so that a delta is that of the noise which is cut off there. With a
rational ratio it is alpha - e^epsilon beta for rational alpha and beta, else between bounds. Of
discrete Gaussian noise the grid holds all outputs but 2^-200 of the probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.tables.lattice import LatticeGaussian, deviations
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion, Enclosed, Evaluate
from pufferproof.verify.noise.laws.of_framework import Law, LawPair

if TYPE_CHECKING:
    from flint import arb
    from numpy.typing import NDArray

_MOST_CELLS = 200_000  # outputs of the grid, each an exact number
_OUTSIDE = 200  # bits of the probability that is left outside of a grid of several numbers
_SHOWN = 12  # outputs of a region that are named


class OutputGrid:
    """The outputs of an ordered pair of laws, cut off at the extreme values of every coordinate."""

    def __init__(self, pair: LawPair, decays: Sequence[Power]) -> None:
        self.pair = pair
        self.decays = decays
        self.ranges = [range(int(axis[0]), int(axis[-1]) + 1) for axis in pair.axes]
        cells = prod(map(len, self.ranges))
        if cells > _MOST_CELLS:
            raise TooLargeError(f"{cells} outputs for one pair: expected at most {_MOST_CELLS}", "query")

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
        from flint import ctx

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
            table[self._place(value)] = number(p)
        for axis, rate in enumerate(rates):
            table = np.apply_along_axis(_smoothed, axis, table, rate)
        return dict(zip(product(*self.ranges), table.reshape(-1).tolist(), strict=True))

    def _place(self, value: Vector) -> tuple[int, ...]:
        return tuple(int(entry) - axis[0] for entry, axis in zip(value, self.ranges, strict=True))

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
    from flint import arb, ctx

    reaches = [deviations(sigma2, _OUTSIDE + len(sigmas).bit_length()) for sigma2 in sigmas]
    ranges = [range(int(axis[0]) - reach, int(axis[-1]) + reach + 1) for axis, reach in zip(pair.axes, reaches)]
    outputs = prod(map(len, ranges))
    if outputs > _MOST_CELLS:
        raise TooLargeError(
            f"{outputs} outputs of {len(ranges)} numbers with discrete Gaussian noise for one "
            f"pair: expected at most {_MOST_CELLS}, or one number",
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
