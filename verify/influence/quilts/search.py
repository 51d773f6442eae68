"""The best Markov quilt of a record on a chain: the one that asks for the least noise, found
without trying all of them.

    score(a, b) = (a + b - 1) / (epsilon - e(a, b)),    e(a, b) the influence of {X_(i-a), X_(i+b)}

over 1 <= a <= i and 1 <= b <= T + 1 - i, where a = i stands for no record on the left and b = T + 1
- i for none on the right. Boxes of quilts whose bound exceeds a score already found are dropped,
the others split in four: about N survive of N^2 quilts as large as the best one. Floats with the
error that the influences state propose; `QuiltCandidate`s keep bounds that hold. Source: wang2016,
Appendix B, which tries every quilt.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.noise.scale import margin
from pufferproof.models.numbers.level import Level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Floats = NDArray[np.float64]

RESTS_ON = ("influence.boxes",)
Influences = Callable[["Indices", "Indices"], tuple["Floats", "Floats"]]
"""Left and right distances, 0 for none -> bounds of e in nats, both falling in each distance
and infinite where e is.
"""

_ROUNDED = 2.0**-48  # more than the rounding errors of the few operations on a score


@dataclass(frozen=True)
class QuiltCandidate:
    """A quilt that may be the best one, None for no record on a side, and bounds of its score
    in floats.
    """

    left: int | None
    right: int | None
    nearby: int
    lower: float
    upper: float


@dataclass(frozen=True)
class DistanceWindow:
    """Distances that a quilt may have: up to `most` records away, or none at all, which makes
    `none` records nearby.

    For record i of T: left Window(i - 1, i), right Window(T - i, T + 1 - i).
    """

    most: int
    none: int

    def reach(self, index: "Indices") -> "Indices":
        """Return how many records an index 1 .. most + 1 makes nearby, itself included."""
        import numpy as np

        return np.where(index > self.most, self.none, index)

    def distance(self, index: "Indices") -> "Indices":
        """Return the distance of an index, 0 for none."""
        import numpy as np

        return np.where(index > self.most, 0, index)


def search_quilts(
    left: DistanceWindow,
    right: DistanceWindow,
    length: int,
    influences: Influences,
    level: Level,
    enough: float = math.inf,
) -> list[QuiltCandidate]:
    """Return every quilt that may have the least score, the least lower bound first; none if no
    score is up to `enough`.

    No quilt has more than `length` records nearby.
    """
    import numpy as np

    least, most = _nats(level)
    reach = max(1, math.ceil(enough * most)) if enough < math.inf else max(left.most, right.most) + 1
    boxes = np.array([[1, min(left.most + 1, reach), 1, min(right.most + 1, reach)]], dtype=np.int64)
    candidates: list[QuiltCandidate] = []
    best = enough
    while len(boxes):
        low, high = influences(left.distance(boxes[:, 1]), right.distance(boxes[:, 3]))
        near = np.minimum(left.reach(boxes[:, 0]) + right.reach(boxes[:, 2]) - 1, length)
        far = np.minimum(left.reach(boxes[:, 1]) + right.reach(boxes[:, 3]) - 1, length)
        bound = _scores(near, most - low) * (1 - _ROUNDED)  # influence.boxes
        score = _scores(far, least - high) * (1 + _ROUNDED)
        best = min(best, float(score.min()))
        kept = bound <= best
        single = (boxes[:, 0] == boxes[:, 1]) & (boxes[:, 2] == boxes[:, 3])
        for index in np.flatnonzero(kept & single):
            a, b = left.distance(boxes[index, 1]), right.distance(boxes[index, 3])
            ends = int(near[index]), float(bound[index]), float(score[index])
            candidates.append(QuiltCandidate(int(a) or None, int(b) or None, *ends))
        boxes = _quarters(boxes[kept & ~single])
    return sorted(
        (candidate for candidate in candidates if candidate.lower <= best),
        key=lambda each: (each.lower, each.nearby, each.left or math.inf),
    )


def _scores(nearby: "Indices", margins: "Floats") -> "Floats":
    """Return nearby / margin, infinite unless the margin is positive."""
    import numpy as np

    scores = np.full(len(nearby), np.inf)
    np.divide(nearby, margins, out=scores, where=margins > 0)
    return scores


def _quarters(boxes: "Indices") -> "Indices":
    """Split every box in halves along each side that is longer than one."""
    import numpy as np

    for start in (0, 2):
        middle = (boxes[:, start] + boxes[:, start + 1]) // 2
        lower, upper = boxes.copy(), boxes[boxes[:, start] < boxes[:, start + 1]].copy()
        lower[:, start + 1] = middle
        upper[:, start] = middle[boxes[:, start] < boxes[:, start + 1]] + 1
        boxes = np.concatenate([lower, upper])
    return boxes


def _nats(level: Level) -> tuple[float, float]:
    """Return floats below and above epsilon, 0 for level 0."""
    bounds = margin(level, Fraction(1))
    if bounds is None:
        return 0.0, 0.0
    return float(bounds[0]) * (1 - _ROUNDED), float(bounds[1]) * (1 + _ROUNDED)
