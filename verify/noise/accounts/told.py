"""What product weights tell of a bit of a network: E[w | 1] / E[w | 0], enclosed.

By elimination of all other bits or, where that is too wide, of those that the bit depends on. The
others are leaves, eliminated first: their mean D of w, as a function of bits before, has bounds

    low_j <= D(x_j = 1) / D(x_j = 0) <= high_j.

With r_j between both, D is prod r_j^x_j times a column whose levels are log(high_j / r_j) and
log(r_j / low_j). Elimination bounds what such a column adds under the law tilted by w and r.
"""

from collections.abc import Sequence
from math import inf, nextafter, sqrt
from typing import TYPE_CHECKING

from pufferproof.models.priors.forest import Family
from pufferproof.verify.noise.accounts.elimination import (
    ancestors,
    grown,
    leaves_first,
    met,
    only,
    orders_within,
    told_by,
    weighed,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays",)
_UNIT = 2.0**-53
_NEAR = 1 + 2.0**-40  # more than all roundings of a mean
Weights = Sequence[tuple[float, float]]  # of 0 and of 1, for every record


def told(families: Sequence[Family], last: int, weights: Weights) -> tuple[float, float] | None:
    """Return bounds of E[w | x_last = 1] / E[w | x_last = 0], or None if tables are too large, or a
    value is impossible.
    """
    for steps in orders_within(families, last):
        if (odds := told_by(families, last, weights, steps)) is not None:
            return odds
    return _told_by_ancestors(families, last, weights)


def told_of_some(families: Sequence[Family], last: int, weights: Weights) -> tuple[float, float, set[int]] | None:
    """Return bounds as `told`, of the weights of some records alone, and these: all that the bit
    depends on.
    """
    above = ancestors(families, last)
    before = only(families, above)
    for steps in orders_within(before, last):
        if (odds := told_by(before, last, weights, steps)) is not None:
            return *odds, above
    return None


def _told_by_ancestors(families: Sequence[Family], last: int, weights: Weights) -> tuple[float, float] | None:
    above = ancestors(families, last)
    ranges = _ranges(families, above, weights)
    if ranges is None:
        return None
    middle = {record: sqrt(low * high) for record, (low, high) in ranges.items()}
    tilted = [
        (zero, one * (middle[record] if record in above else 1.0)) for record, (zero, one) in enumerate(weights, 1)
    ]
    rates = [1.0] * len(families)
    for record in above:
        low, high = ranges[record]
        rates[record - 1] = max(high / middle[record], middle[record] / low) * (1 + 8 * _UNIT)
    before = only(families, above)
    for steps in orders_within(before, last):
        odds = told_by(before, last, tilted, steps)
        if odds is not None:
            tables = met(weighed(before, tilted), steps, last, laws=False)
            more = grown(tables, last, rates)
            return None if more == inf else (odds[0] / more / _NEAR, odds[1] * more * _NEAR)
    return None


def _ranges(families: Sequence[Family], above: set[int], weights: Weights) -> dict[int, tuple[float, float]] | None:
    """Return bounds of D(x_j = 1) / D(x_j = 0) for all records, D the mean of the weights of
    leaves; those of `above` do not count in it.
    """
    import numpy as np

    ranges = {
        record: (1.0, 1.0) if record in above else (one / zero / _NEAR, one / zero * _NEAR)
        for record, (zero, one) in enumerate(weights, 1)
    }
    for record, _ in leaves_first(families, above):
        low, high = ranges[record]
        if not 0 < low <= high < inf:
            return None
        table = families[record - 1].table.astype(np.float64)
        means = [table[..., 0] + table[..., 1] * rate for rate in (low, high)]
        for axis, parent in enumerate(families[record - 1].parents):
            rows = [np.moveaxis(mean, axis, 0) for mean in means]
            least = min(float((mean[1] / mean[0]).min()) for mean in rows)
            most = max(float((mean[1] / mean[0]).max()) for mean in rows)
            old = ranges[parent]
            ranges[parent] = old[0] * least / _NEAR, nextafter(old[1] * most * _NEAR, inf)
    return ranges
