"""Whether Laplace noise of one scale on every coordinate keeps a level: decided exactly, without
asking where it leaks most.

    sup over theta, (s, s'), w of f(w | s, theta) / f(w | s', theta) <= e^epsilon

over the outputs w of `pufferproof.verify.noise.ratio.listed`. Balls (Arb) around every ratio and
around e^epsilon mostly tell; outputs where they overlap even at 512 bits are decided by exponential
sums in normal form. Which of many equal ratios is the largest, most of the work of a leakage, is
never asked.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.laws.of_framework import QueryLaws, merged
from pufferproof.verify.noise.ratio.listed import (
    candidate_at,
    distinct_pairs,
    ratio_balls,
    refuse_tiny_noise,
)
from pufferproof.verify.noise.scale.least_approx import least_scale_approx

RESTS_ON = ("noise.attained", "noise.decided")
_BITS = (128, 512)
_MOST_CELLS = 10_000_000  # of all grids together: beyond, a guess takes longer than it saves


class LaplaceLevel:
    """The laws of a query beside a level, asked about Laplace noise of many scales.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.verify.noise.laws.of_framework import LawPair
    >>> pair = LawPair(
    ...     "theta", ("s", "t"), {(Fraction(0),): Fraction(1)}, {(Fraction(1),): Fraction(1)}
    ... )
    >>> bit = LaplaceLevel(QueryLaws((Noise.laplace(1),), (pair,), 0, ()), Level.of_nats(2))
    >>> bit.exceeds(Fraction(1, 2)), bit.exceeds(Fraction(49, 100))
    (False, True)

    Args:
        laws: at least one pair of laws; the noise in it is not used.
        level: what the leakage is compared with.

    Raises `TooLargeError` unless every pair has at most 200,000 candidates.
    """

    def __init__(self, laws: QueryLaws, level: Level) -> None:
        fewer = merged([Power.exp(Fraction(-1))] * len(laws.noises), laws.pairs)
        self.level = level
        self._rates = fewer.decays  # at scale 1
        self._pairs = [fewer.pairs[index] for index in distinct_pairs(fewer.pairs)[0]]

    def exceeds(self, scale: Fraction) -> bool:
        """Say whether noise of a scale leaks more than the level. Raises `ModelError` for noise
        too small for enclosures.
        """
        decays = [rate.to(1 / scale) for rate in self._rates]
        refuse_tiny_noise(decays, self._pairs)
        left: dict[int, set[int]] = {index: set() for index in range(len(self._pairs))}
        for bits in _BITS:
            overlaps = self._overlaps(decays, list(left), bits)
            if overlaps is None:
                return True
            left = overlaps
        return any(
            candidate_at(self._pairs[index], output, decays).compare(self.level) > 0
            for index, places in left.items()
            for place, output in enumerate(product(*self._pairs[index].axes))
            if place in places
        )

    def guess(self, start: Fraction, told: Callable[[float], None]) -> Fraction | None:
        """Return about the least scale that keeps the level, looked for around `start`, or None if
        floats find none.

        `told` is called with the relative width that is left, before every leakage in floats.
        """
        if sum(prod(map(len, pair.axes)) for pair in self._pairs) > _MOST_CELLS:
            return None
        scale = least_scale_approx(
            [-rate.nats for rate in self._rates], self._pairs, self.level, start, told
        )
        return None if scale is None else Fraction(scale)

    def _overlaps(
        self, decays: Sequence[Power], left: Sequence[int], bits: int
    ) -> dict[int, set[int]] | None:
        """Return the places on the grids of the pairs left where balls do not tell, or None if a
        ratio is above e^epsilon.
        """
        import numpy as np
        from flint import ctx

        overlaps: dict[int, set[int]] = {}
        with ctx.workprec(bits):
            bar = self.level.ball()
            for index, ratios in ratio_balls(decays, self._pairs, left):
                if (ratios > bar).any():
                    return None
                places = np.flatnonzero(~(ratios < bar).astype(bool))
                if len(places):
                    overlaps[index] = set(places.tolist())
        return overlaps
