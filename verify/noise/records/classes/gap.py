"""The largest of w_i u_i v_i (`steps`) over two-valued chains with pi(x) >= p and an eigenvalue c
of size at most r, and a bound of what is leaked where c < 0.

For c >= 0 it falls in a = pi (1 - c) and b = (1 - pi) (1 - c) (classes.corner), so that c = r, and
an interval of pi is bounded at its least a and b. For c < 0 draw records given 1 and given 0 in
opposite order while they differ, by 1, -1, 1, ..: sums over consecutive records differ by at most
1, and releases leak at most as of one record that all cover.

Derived: classes.extremes, classes.corner.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pufferproof.models.priors.chains.gap import GapChains
from pufferproof.verify.noise.records.classes.search import CLOSE, Found, Question, values_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BATCH, _MOST_CELLS, _START = 512, 40_000, 16
_UP, _DOWN = 1 + 2.0**-48, 1 - 2.0**-48
_LOG_ERROR = 1e-12
Weights = Sequence[tuple[float, float]]


def search_gap_approx(
    chains: GapChains, weights: Weights, records: Sequence[int], floor: float, turned: float
) -> Found:
    """Return the largest over a class, `upper` being a bound; of the member, a, b and pi. `turned`:
    what chains with c < 0 leak at most.

    The bound is at most 1e-6 above the largest of `floor`, `turned` and the best.
    """
    least, change = float(chains.pi_min), float(chains.eigengap)

    def leaked(low: "Floats", high: "Floats") -> "Floats":
        import numpy as np

        a, b = low * change * _DOWN, (1 - high) * change * _DOWN
        start = a / (a + b)
        points = [np.stack([a, b, np.clip(start * way, 0, 1)], axis=1) for way in (_DOWN, _UP)]
        return values_of(Question((), (), weights, records), points[0], points[1])[1]

    best, place, upper, cells = _largest(leaked, least, floor)
    member = (place * change, (1 - place) * change, place)
    return Found(best, member, max(upper, turned), cells)


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
        found = bound(*parts)
        cells += len(found)
        if len(middle):
            values = bound(middle, middle)
            if values.max() > best:
                best, place = float(values.max()), float(middle[values.argmax()])
        low, high, uppers = (
            np.concatenate([each[left], more])
            for each, more in zip((low, high, uppers), (*parts, found))
        )
    upper = max(best, done, float(uppers.max(initial=-np.inf))) + _LOG_ERROR
    return best, place, upper, cells
