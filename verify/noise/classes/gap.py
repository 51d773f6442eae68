"""The largest of w_i u_i v_i (`steps`) over two-valued chains with pi(x) >= p and an eigenvalue c
of size at most r, and a bound of what is leaked where c < 0.

For c >= 0 it falls in a = pi (1 - c) and b = (1 - pi) (1 - c), so that c = r, and an interval of pi
is bounded at its least a and b. Chains with c < 0 leak at most as of one record that all queries
cover, and as mechanisms of the same levels per record: with the values of every second record
exchanged the law is TP2, of steps 1 - a, 1 - b.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.priors.chains.gap import GapChains
from pufferproof.verify.noise.classes.search import CLOSE, EndsQuestion, FoundChain, told_of
from pufferproof.verify.noise.classes.steps import ChainCells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Span = tuple[Floats, ...]

RESTS_ON = ("classes.extremes", "classes.corner", "classes.turning", "classes.columns")
_BATCH, _MOST_CELLS, _START = 512, 40_000, 16
_UP, _DOWN = 1 + 2.0**-48, 1 - 2.0**-48
_LOG_ERROR, _SLACK = 1e-12, 1e-12
_FEW = 64  # intervals, up to which slopes are not worth their time
Weights = Sequence[tuple[float, float]]


def search_gap_approx(
    chains: GapChains, weights: Weights, records: Sequence[int], floor: float, turned: float
) -> FoundChain:
    """Return the largest over a class, `upper` being a bound; of the member, a, b and pi. `turned`:
    what chains with c < 0 leak at most, as of one record.

    The bound is at most 1e-6 above the largest of `floor`, the best, and the lesser of `turned` and
    what mechanisms of the levels per record leak where c < 0.
    """
    least, change = float(chains.pi_min), float(chains.eigengap)
    curve = _LeakageByStart(change, weights, records)
    best, place, upper, cells = _largest(curve.leaked, least, floor)
    member = (place * change, (1 - place) * change, place)
    if turned > max(upper, floor):
        turning = _largest(_Turning(change, weights, records).leaked, least, max(upper, floor))
        turned, cells = min(turned, turning[2]), cells + turning[3]
    return FoundChain(best, member, max(upper, turned), cells)


@dataclass(frozen=True)
class _LeakageByStart:
    """Chains with c = 1 - `change`, by pi: bounds of what is leaked of any of the records."""

    change: float
    weights: Weights
    records: Sequence[int]

    def leaked(self, low: "Floats", high: "Floats") -> "Floats":
        """Return bounds by interval of pi; of points the number, but for its rounding."""
        import numpy as np

        a, b = low * self.change * _DOWN, (1 - high) * self.change * _DOWN
        start = a / (a + b)
        value, _ = self._at((a, b, start * _DOWN), (a, b, np.minimum(start * _UP, 1)))
        logs = np.log(value[1])
        if len(low) > _FEW and (high > low).any():
            logs = np.fmin(logs, self._mean_value(low, high))
        largest: Floats = np.where(np.isnan(logs), np.inf, logs).max(axis=1)
        return largest

    def _at(self, low: "Span", high: "Span", slopes: bool = False) -> "tuple[Floats, Floats]":
        import numpy as np

        cells = ChainCells(np.stack(low, axis=1), np.stack(high, axis=1), self.weights, slopes)
        return told_of(EndsQuestion(self.weights, self.records), cells)

    def _mean_value(self, low: "Floats", high: "Floats") -> "Floats":
        """Return log f in the middle plus the radius times the largest slope along pi, for which a
        rises, b falls, and the start is pi.
        """
        import numpy as np

        middle, change = (low + high) / 2, self.change
        at = middle * change, (1 - middle) * change, middle
        point, _ = self._at(tuple(x * _DOWN for x in at), tuple(np.minimum(x * _UP, 1) for x in at))
        least = low * change * _DOWN, (1 - high) * change * _DOWN, low
        most = high * change * _UP, (1 - low) * change * _UP, high
        _, slopes = self._at(least, tuple(np.minimum(x, 1) for x in most), True)
        with np.errstate(all="ignore"):
            up = change * (slopes[0, 1] - slopes[1, 0]) + slopes[2, 1]
            down = change * (slopes[0, 0] - slopes[1, 1]) + slopes[2, 0]
            steep = np.maximum(abs(up), abs(down)) + _SLACK * abs(slopes).max(axis=(0, 1))
            radius = ((high - low) / 2 * (1 + _SLACK))[:, None]
            form = np.log(point[1]) + radius * steep * (1 + _SLACK)
        return np.where(np.isnan(form), np.inf, form)


@dataclass(frozen=True)
class _Turning:
    """What mechanisms with the levels log w_j tell at most of records where c < 0, by pi."""

    change: float
    weights: Weights
    records: Sequence[int]

    def leaked(self, low: "Floats", high: "Floats") -> "Floats":
        """Return bounds by interval of pi, the larger of both orders of the values."""
        import numpy as np

        # -c is at most r, pi/(1 - pi) and (1 - pi)/pi
        memory = np.minimum((1 - self.change) * _UP, np.minimum(high / (1 - high), (1 - low) / low))
        stays = (1 + memory * _UP) * _UP
        a = np.maximum(1 - high * stays * _UP, 0) * _DOWN
        b = np.maximum(1 - (1 - low) * _UP * stays * _UP, 0) * _DOWN
        most: Floats = np.maximum(self._told(a, b), self._told(b, a))
        return most

    def _told(self, a: "Floats", b: "Floats") -> "Floats":
        """Return the largest log of w_i u_i v_i, of steps a, b from odd records and b, a from even
        ones; back from record i they are those from it, as the chain is reversible.
        """
        import numpy as np

        count = len(self.weights)
        ends = [(a, b), (a, b) if count % 2 else (b, a)]
        after, before = (
            [likelihood.value[1] for likelihood in self._cells(*steps, weights).later()]
            for steps, weights in zip(ends, (self.weights, self.weights[::-1]))
        )
        most = np.zeros_like(a)
        for record in self.records:
            likelihood = after[count - record] * before[record - 1] * self.weights[record - 1][1]
            most = np.maximum(most, np.log(likelihood * _UP))
        return most

    def _cells(self, a: "Floats", b: "Floats", weights: Weights) -> ChainCells:
        import numpy as np

        points = np.stack([a, b, a * 0], axis=1)
        return ChainCells(points, points, weights, False, alternating=True)


def _largest(
    bound: Callable[["Floats", "Floats"], "Floats"], least: float, floor: float
) -> tuple[float, float, float, int]:
    """Return the largest value over pi from `least` to 1 - `least`, where it is, a bound of all,
    and how many intervals were looked at. `bound`: of intervals; of points it is the value.
    """
    import numpy as np

    ends = np.linspace(least * _DOWN, min(1.0, (1 - least) * _UP), _START + 1)
    low, high = ends[:-1], ends[1:]
    uppers, done, cells = bound(low, high), -np.inf, 0
    points = np.concatenate([ends, (low + high) / 2])
    values = bound(points, points)
    best, place = float(values.max()), float(points[values.argmax()])
    while len(low) and cells < _MOST_CELLS:
        open_ = uppers > max(best, floor) + CLOSE
        done = max(done, float(uppers[~open_].max(initial=-np.inf)))
        low, high, uppers = low[open_], high[open_], uppers[open_]
        order = np.argsort(-uppers, kind="stable")
        chosen, left = order[:_BATCH], order[_BATCH:]
        middle = (low[chosen] + high[chosen]) / 2
        parts = np.concatenate([low[chosen], middle]), np.concatenate([middle, high[chosen]])
        fresh = bound(*parts)
        cells += len(fresh)
        if len(middle):
            values = bound(middle, middle)
            if values.max() > best:
                best, place = float(values.max()), float(middle[values.argmax()])
        low, high, uppers = (
            np.concatenate([kept[left], more]) for kept, more in zip((low, high, uppers), (*parts, fresh))
        )
    upper = max(best, done, float(uppers.max(initial=-np.inf))) + _LOG_ERROR
    return best, place, upper, cells
