"""The most that one or two sides of given shapes release under one budget: boxes of stationary
points, cut finer and finer.

    maximise    gain_left + gain_right
    subject to  ratio_left ratio_right >= 1 / E      (one side: ratio >= 1 / B),

ratio the constrained likelihood ratio of a side at p. At an optimum the budget is used up, each
side is a point of its curve (`pufferproof.lp.redaction.local.curve`), and d gain / d log ratio is
the same on both (Lagrange). Boxes of the two parameters in which this is excluded, or in which the
gain is no more than what is already reached, are thrown away, the others are cut. What remains
bounds the optimum from above, however little work was done; its midpoint is a proposal.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.lp.redaction.local.curve import DOWN, UP, Arcs, Curve, Shape, theta_boxes
from pufferproof.models.numbers.level import Level

if TYPE_CHECKING:
    import numpy as np

    Box = tuple[np.ndarray, np.ndarray]

RESTS_ON = ("redaction.joint-of-sides", "redaction.exact-shape", "redaction.side-levels")
_ACCURACY = 110  # bits of rational bounds of e^epsilon - 1
_PARTS = 8  # pieces a box is cut into
_MOST_PAIRS = 60_000
_MOST_ROUNDS = 60
_ENDLESS = 1e30  # parameters beyond are not told apart
_NARROW = 2e-13  # relative width of gains and parameters that ends the search


class SideBudget(NamedTuple):
    """What sides may use: floats around 1 / E and, with its digits, 1 - 1 / E."""

    ratio: tuple[float, float]
    room: tuple[float, float]

    @classmethod
    def between(cls, low: Fraction, high: Fraction) -> "SideBudget":
        """Return what a level E between two rationals allows."""
        return cls(outward(1 / high, 1 / low), outward(1 - 1 / low, 1 - 1 / high))


def level_bounds(level: Level) -> tuple[Fraction, Fraction]:
    """Return rational bounds of e^epsilon, and, relative to it as closely, of e^epsilon - 1."""
    zeros = 0 if level.nats is None else (1 / level.nats).__ceil__().bit_length()
    return level.bounds(_ACCURACY + zeros)


@dataclass(frozen=True)
class Most:
    """An upper bound of the gain, 0 if no stationary point may exceed the cutoff, and
    parameters close to the optimum.
    """

    upper: float
    thetas: tuple[float, ...]


def most_gain(
    curve: Curve,
    shapes: tuple[Shape, ...],
    budget: SideBudget,
    cutoff: float,
    limits: tuple[SideBudget, ...] = (),
    *,
    ones: bool = False,
) -> Most:
    """Bound the gain of one or two sides with N >= 1 that use up a budget; `limits` of each keep to
    a part of the curves.

    Designs of a side whose q are all 1 count if `ones`; otherwise they may be left out.
    """
    import numpy as np

    boxes = [theta_boxes() for _ in shapes]
    arcs = [curve.coarse(shape) for shape in shapes]
    if len(shapes) == 1:
        chosen = np.arange(len(boxes[0][0])).reshape(-1, 1)
    else:
        grids = np.meshgrid(*(np.arange(len(low)) for low, _ in boxes), indexing="ij")
        chosen = np.stack([grid.ravel() for grid in grids], axis=1)
    most = Most(0.0, ())
    for left in range(_MOST_ROUNDS, -1, -1):
        chosen, high = _possible(chosen, arcs, budget, max(cutoff, most.upper if most.thetas else cutoff), limits, ones)
        settled = (
            _narrow(chosen, arcs, boxes, high) if left and len(chosen) <= _MOST_PAIRS else np.full(len(chosen), True)
        )
        if settled.any():
            best = int(np.argmax(np.where(settled, high, -np.inf)))
            most = Most(float(high[best]), tuple(_middle(box, i) for box, i in zip(boxes, chosen[best])))
        chosen = chosen[~settled]
        if not len(chosen):
            break
        chosen, boxes = _cut(chosen, boxes)
        arcs = [curve.arcs(shape, *box) for shape, box in zip(shapes, boxes)]
    return most


def _possible(
    chosen: "np.ndarray",
    arcs: list[Arcs],
    budget: SideBudget,
    cutoff: float,
    limits: tuple[SideBudget, ...],
    ones: bool,
) -> "tuple[np.ndarray, np.ndarray]":
    """Keep the combinations of boxes that may hold an optimum above the cutoff, with bounds."""
    picked = [chosen[:, side] for side in range(len(arcs))]
    high = sum(arc.gain[1][i] for arc, i in zip(arcs, picked)) * UP
    keep = high > cutoff
    for arc, i in zip(arcs, picked):
        keep &= arc.free[i] | ones
    least, most = (_both([arc.room[end][i] for arc, i in zip(arcs, picked)]) for end in (0, 1))
    keep &= (least * DOWN <= budget.room[1]) & (most * UP >= budget.room[0])
    least, most = (prod(arc.ratio[end][i] for arc, i in zip(arcs, picked)) for end in (0, 1))
    keep &= (least * DOWN <= budget.ratio[1]) & (most * UP >= budget.ratio[0])
    for arc, i, limit in zip(arcs, picked, limits):
        keep &= (arc.room[0][i] <= limit.room[1]) & (arc.room[1][i] >= limit.room[0])
        keep &= (arc.ratio[0][i] <= limit.ratio[1]) & (arc.ratio[1][i] >= limit.ratio[0])
    if len(arcs) == 2:
        (one, i), (two, j) = zip(arcs, picked)
        keep &= (one.slope[0][i] <= two.slope[1][j]) & (two.slope[0][j] <= one.slope[1][i])
    return chosen[keep], high[keep]


def _both(rooms: "list[np.ndarray]") -> "np.ndarray":
    """1 - (1 - x)(1 - y) = x + y (1 - x), increasing in both."""
    return rooms[0] if len(rooms) == 1 else rooms[0] + rooms[1] * (1 - rooms[0])


def _narrow(chosen: "np.ndarray", arcs: list[Arcs], boxes: "list[Box]", high: "np.ndarray") -> Any:
    """Tell which combinations need no cut, because their gains are known well enough."""
    low = sum(arc.gain[0][chosen[:, side]] for side, arc in enumerate(arcs))
    small = True
    for (start, end), i in zip(boxes, chosen.T):
        small = small & ((end[i] * (1 - _NARROW) <= start[i]) & (end[i] < _ENDLESS) | (start[i] > _ENDLESS))
    return (high - low <= _NARROW * high) | small


def _cut(chosen: "np.ndarray", boxes: "list[Box]") -> "tuple[np.ndarray, list[Box]]":
    """Cut every box that is still in use, and combine the pieces as the boxes were combined."""
    import numpy as np

    parts, columns = [], []
    for side, (low, high) in enumerate(boxes):
        used, where = np.unique(chosen[:, side], return_inverse=True)
        # the ends of the pieces of boxes: equal, of equal ratios, or growing to inf
        steps = np.arange(_PARTS + 1) / _PARTS
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            even = low[used][:, None] + (high[used] - low[used])[:, None] * steps
            ratio = low[used][:, None] * (high[used] / low[used])[:, None] ** steps
            endless = low[used][:, None] * 16.0 ** np.arange(_PARTS + 1)
        wide = (low[used] > 0) & (high[used] > 4 * low[used]) & np.isfinite(high[used])
        edges: np.ndarray = np.where(np.isinf(high[used])[:, None], endless, np.where(wide[:, None], ratio, even))
        edges[:, 0], edges[:, -1] = low[used], high[used]
        parts.append((edges[:, :-1].ravel(), edges[:, 1:].ravel()))
        columns.append(where)
    if len(boxes) == 1:
        return (columns[0][:, None] * _PARTS + np.arange(_PARTS)).reshape(-1, 1), parts
    i, j = np.meshgrid(np.arange(_PARTS), np.arange(_PARTS), indexing="ij")
    left = (columns[0][:, None] * _PARTS + i.ravel()).ravel()
    right = (columns[1][:, None] * _PARTS + j.ravel()).ravel()
    return np.stack([left, right], axis=1), parts


def _middle(box: "Box", i: int) -> float:
    low, high = float(box[0][i]), float(box[1][i])
    return low if high == float("inf") else (low + high) / 2


def outward(low: Fraction, high: Fraction) -> tuple[float, float]:
    """Return floats below and above two rationals."""
    below, above = float(low), float(high)
    return below - abs(below) * (UP - 1), above + abs(above) * (UP - 1)
