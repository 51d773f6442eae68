"""The worst ratio about one record of a chain with any number of values, from above: the walk by
signs of `pufferproof.verify.noise.accounts.tilted`, which is exact up to the rounding of floats.

A column of level log(R_j) at record j changes by a factor of at most r_j(z) r_j(z') with r_j =
R_j^(1/2) for all values. Given X_i the records on both sides are independent, and products of
factors on either side reach the largest ratio of each, so that

    E[u | X_i = v] / E[u | X_i = w] <= R_i before(v, w) after(v, w).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import TYPE_CHECKING

from pufferproof.lp.translation.case import Order
from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.models.numbers.intervals import above
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.noise.accounts.tilted import TiltedSides, Tilts

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESTS_ON = ("worst.tilts",)


def tilted_bounds(
    chain: Chain, levels: RecordLevels, orders: Sequence[Order]
) -> list[Fraction] | None:
    """Return upper bounds of the ratios of values of records, or None if a step is below 1e-200,
    a chain mixes too slowly, or walks along sides of records that differ are long together.

    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> flips = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> levels = RecordLevels.uniform(3, ["log(2)"])
    >>> found = tilted_bounds(Chain.of_markov(flips), levels, [Order(("s", "t"), 2, 0, 1)])
    >>> f"{float(found[0]):.9f}"
    '3.920000000'
    """
    size, tilts, last = len(chain.step), list[tuple[int, int, Tilts]](), 0
    for length, total in levels.between(1, levels.count):
        tilts.append((last + 1, last + length, _tilts(total, size)))
        last += length
    sides = TiltedSides.of(chain, tilts)
    if sides is None:
        return None
    asked: dict[int, list[tuple[int, int]]] = {}
    for order in orders:
        asked.setdefault(order.record, []).append((order.one, order.other))
    bounds = dict[tuple[int, int, int], Fraction]()
    for record, values in asked.items():
        ratios = sides.ratios(record, values)
        if ratios is None:
            return None
        own = levels.at(record).bounds()[1]
        for pair, (before, after) in zip(values, ratios):
            bounds[record, *pair] = own * before * after
    return [bounds[order.record, order.one, order.other] for order in orders]


def _tilts(total: Total, size: int) -> Tilts:
    import numpy as np

    up = nextafter(sqrt(above(total.bounds()[1])), inf)
    ends: NDArray[np.float64] = np.full(size, up)
    return Tilts(ends, np.nextafter(1 / ends, 0.0))
