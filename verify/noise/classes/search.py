"""The largest of some numbers over a box of two-valued chains, by branch and bound: of w_i u_i v_i
over records (`steps`), or of likelihood ratios at outputs (`outputs`).

Of `steps` chains with a + b <= 1 are searched: all numbers are w_i on that line, and cells that
reach over it are bounded from their corner. A cell of (a, b, t) is bounded by the span of the
number, and by the mean value form

    log f(theta) <= log f(middle) + sum_k r_k max |d log f / d theta_k|,

r its radii. A parameter in which all numbers that could be the largest rise, or all fall, makes the
cell its face. The largest bound is cut first, until none is 1e-6 above the best middle, or a level
is decided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pufferproof.verify.noise.classes.steps import PARAMETERS, ChainCells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ends = tuple[float, ...]

RESTS_ON = ("classes.extremes",)
CLOSE = 1e-6  # in nats, of a bound to the best chain
_BATCH, MOST_CELLS = 256, 40_000
_MOST_WORK = 4_000_000  # cells times records
_FEWEST_CELLS = 64
_MOST_ENTRIES = 400_000  # of a batch, times records that are secret
_THIN = 1e-13  # of a side that is not cut
_LOG_ERROR = 1e-12  # of a logarithm in floats, generously
Decided = Callable[[float, float, int], bool]  # of a lower and an upper bound in nats, and cells


@dataclass(frozen=True)
class FoundChain:
    """The best chain, its approximate leakage, the upper bound of all chains, and the number of
    cells.
    """

    best: float
    member: tuple[float, float, float]
    upper: float
    cells: int


@dataclass(frozen=True)
class CellBounds:
    """Of a batch of cells, by cell and number: bounds of log f; least and greatest slopes by
    parameter; the best log f of the member in every cell.
    """

    upper: "Floats"
    low: "Floats"
    high: "Floats"
    middle: "Floats"
    members: "Floats"


class Searched(Protocol):
    """Numbers over cells of parameters."""

    @property
    def batch(self) -> int:
        """How many cells are looked at together."""

    @property
    def work(self) -> int:
        """About how much work a cell is."""

    @property
    def most_work(self) -> int:
        """How much is done of all cells."""

    @property
    def most_cells(self) -> int:
        """How many cells are looked at."""

    def enclosed(self, low: "Floats", high: "Floats") -> CellBounds:
        """Return bounds of all numbers over cells."""

    def values(self, points: "Floats") -> "Floats":
        """Return about the largest log f at points."""


@dataclass(frozen=True)
class EndsQuestion:
    """What is searched at ends: spans of the weights, the records that are secret. `alternating`:
    of chains whose every second step is with the values exchanged. `effort`: each step doubles the
    work.
    """

    weights: Sequence[tuple[float, float]]
    records: Sequence[int]
    alternating: bool = False
    effort: int = 1

    @property
    def batch(self) -> int:
        """How many cells are looked at together."""
        return max(1, min(_BATCH, _MOST_ENTRIES // len(self.records)))

    @property
    def work(self) -> int:
        """About how much work a cell is."""
        return len(self.weights)

    @property
    def most_work(self) -> int:
        """How much is done of all cells."""
        return _MOST_WORK << (self.effort - 1)

    @property
    def most_cells(self) -> int:
        """How many cells are looked at."""
        return MOST_CELLS << (self.effort - 1)

    def cells(self, low: "Floats", high: "Floats", slopes: bool) -> ChainCells:
        """Return cells of the chains."""
        return ChainCells(low, high, self.weights, slopes, self.alternating)

    def enclosed(self, low: "Floats", high: "Floats") -> CellBounds:
        """Return bounds of log f of all records."""
        return _enclosed(self, low, high)

    def values(self, points: "Floats") -> "Floats":
        """Return about the largest log f of all records, by point."""
        return _values(self, points)


def search_approx(searched: Searched, box: "tuple[Ends, Ends]", floor: float, decided: Decided) -> FoundChain:
    """Return the largest of numbers over a box of (a, b, t), `upper` being a bound: it is at most
    the larger of `floor` and the best, plus 1e-6, unless cells ran out or a level was decided
    before.
    """
    import numpy as np

    low, high = np.array([box[0]]), np.array([box[1]])
    uppers = np.array([np.inf])
    points = _grid(low[0], high[0])
    values = searched.values(points)
    best, member = float(values.max()), points[values.argmax()]
    cells, done = 0, -np.inf
    most = min(searched.most_cells, max(_FEWEST_CELLS, searched.most_work // searched.work))
    while len(low) and cells < most:
        order = np.argsort(-uppers, kind="stable")
        chosen, left = order[: searched.batch], order[searched.batch :]
        batch_low, batch_high = low[chosen], high[chosen]
        bounds = searched.enclosed(batch_low, batch_high)
        cells += len(chosen)
        if bounds.middle.max() > best:
            place = bounds.middle.argmax()
            best, member = float(bounds.middle[place]), bounds.members[place]
        parts = _parts(bounds, batch_low, batch_high, max(best, floor) + CLOSE)
        done = max(done, parts.done)
        low, high = np.concatenate([low[left], parts.low]), np.concatenate([high[left], parts.high])
        uppers = np.concatenate([uppers[left], parts.uppers])
        open_ = uppers > max(best, floor) + CLOSE
        done = max(done, uppers[~open_].max(initial=-np.inf))
        low, high, uppers = low[open_], high[open_], uppers[open_]
        if decided(best, max(done, uppers.max(initial=-np.inf)), cells):
            break
    upper = max(best, done, float(uppers.max(initial=-np.inf))) + _LOG_ERROR
    return FoundChain(best, (float(member[0]), float(member[1]), float(member[2])), upper, cells)


@dataclass(frozen=True)
class _CellsLeft:
    """Cells that are left of a batch, with their bounds, and the largest bound of the others."""

    low: "Floats"
    high: "Floats"
    uppers: "Floats"
    done: float


def _parts(bounds: CellBounds, low: "Floats", high: "Floats", floor: float) -> _CellsLeft:
    """Return the faces or halves of the cells whose bounds are above a floor."""
    import numpy as np

    uppers = bounds.upper.max(axis=1)
    open_ = uppers > floor
    done = float(uppers[~open_].max(initial=-np.inf))
    low, high, uppers, alive = low[open_], high[open_], uppers[open_], bounds.upper[open_] > floor
    least, most = bounds.low[:, open_], bounds.high[:, open_]
    wide = (high - low).T > 0
    rises = (~alive | (least >= 0)).all(axis=2) & wide
    falls = (~alive | (most <= 0)).all(axis=2) & wide & ~rises
    low, high = np.where(rises.T, high, low), np.where(falls.T, low, high)
    faces = (rises | falls).any(axis=0)
    steep = np.where(alive, np.maximum(abs(least), abs(most)), 0).max(axis=2)
    widths = np.where(high - low > _THIN, high - low, 0)
    axis = (widths * np.minimum(steep.T, 1e9) + 1e-9 * widths).argmax(axis=1)
    every = np.arange(len(low))
    stuck = ~faces & (widths[every, axis] == 0)
    done = max(done, float(uppers[stuck].max(initial=-np.inf)))
    cut = ~faces & ~stuck
    left_high, right_low = high[cut].copy(), low[cut].copy()
    rows, axis = np.arange(len(left_high)), axis[cut]
    middle = (low[cut] + high[cut])[rows, axis] / 2
    left_high[rows, axis] = right_low[rows, axis] = middle
    return _CellsLeft(
        np.concatenate([low[faces], low[cut], right_low]),
        np.concatenate([high[faces], left_high, high[cut]]),
        np.concatenate([uppers[faces], uppers[cut], uppers[cut]]),
        done,
    )


def _enclosed(question: EndsQuestion, low: "Floats", high: "Floats") -> CellBounds:
    import numpy as np

    value, slopes = told_of(question, question.cells(low, high, True))
    over, beyond = _over(high), _over(low)
    middle = np.where(over[:, None], low, (low + high) / 2)
    radius = (np.maximum(high - middle, middle - low) * (1 + 1e-15)).T[:, :, None]
    least, most = slopes[:, 0], slopes[:, 1]
    point, _ = told_of(question, question.cells(middle, middle, False))
    with np.errstate(all="ignore"):
        steep = np.maximum(abs(least), abs(most))
        slack = np.where(radius > 0, radius * steep, 0).sum(axis=0) * (1 + 1e-14)
        own, form = np.log(value[1]), np.log(point[1]) + slack
        upper = np.fmin(own, np.where(np.isnan(form), np.inf, form))
        upper = np.where(np.isnan(upper), np.inf, upper) + _LOG_ERROR
        best = np.log(point[0]).max(axis=1)
    upper[beyond], best[beyond] = -np.inf, -np.inf
    return CellBounds(upper, least, most, best, middle)


def _over(points: "Floats") -> "NDArray[np.bool_]":
    """Whether a + b > 1, by point."""
    over: NDArray[np.bool_] = (1 - points[:, 0]) - points[:, 1] < 0
    return over


def _values(question: EndsQuestion, points: "Floats") -> "Floats":
    """Return about the largest log f of all records, by point."""
    import numpy as np

    value, _ = told_of(question, question.cells(points, points, False))
    logs: Floats = np.where(_over(points), -np.inf, np.log(value[0]).max(axis=1))
    return logs


def told_of(question: EndsQuestion, cells: ChainCells) -> "tuple[Floats, Floats]":
    """Return spans of f, of shape (2, cells, records), and of its slopes in front of them."""
    import numpy as np

    places = {record: k for k, record in enumerate(question.records)}
    count, first, last = len(question.weights), min(places), max(places)
    size = len(cells.a[0]), len(places)
    value = np.ones((2, *size))
    slopes = np.zeros((PARAMETERS, 2, *size))
    walks = (zip(range(count, first - 1, -1), cells.later()), zip(range(1, last + 1), cells.earlier()))
    for walk in walks:
        for record, odds in walk:
            if record in places:
                k = places[record]
                for side in (0, 1):
                    value[side, :, k] *= odds.value[side]
                    slopes[:, side, :, k] += odds.slopes[side]
    weights = np.array([question.weights[record - 1] for record in question.records]).T
    value *= weights[:, None, :]
    value *= np.array([1 - 1e-14, 1 + 1e-14])[:, None, None]
    wide = abs(slopes).max(axis=1) * 1e-14
    signs = slopes[:, 0] >= 0, slopes[:, 1] <= 0  # floats add two numbers with the right sign
    slopes[:, 0] -= np.where(signs[0], np.minimum(wide, slopes[:, 0]), wide)
    slopes[:, 1] += np.where(signs[1], np.minimum(wide, -slopes[:, 1]), wide)
    slopes = np.where(np.isnan(slopes), np.array([-np.inf, np.inf])[:, None, None], slopes)
    return value, slopes


def _grid(low: "Floats", high: "Floats") -> "Floats":
    """Return the corners of a box, its middle, and the middles of its sides and faces."""
    import numpy as np

    axes = [np.unique([a, (a + b) / 2, b]) for a, b in zip(low, high)]
    return np.array(np.meshgrid(*axes)).reshape(PARAMETERS, -1).T
