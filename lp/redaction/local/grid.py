"""What one side of a private record may release at most, on a grid of budgets: bounds that sort
shapes, before any is solved.

A bound at a grid point holds for every budget up to it. It is the largest gain of all boxes of
stationary designs (`pufferproof.lp.redaction.local.curve`) whose budget may be that small; nothing
is decided here but what need not be looked at.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pufferproof.lp.redaction.local.curve import DOWN, UP, Curve, Shape

if TYPE_CHECKING:
    import numpy as np

RESTS_ON = ("redaction.level-monotone",)


class Grid:
    """Bounds of what one side may release: by the ratio that is free, the first record with q <
    1, and a grid of budgets.
    """

    def __init__(self, curve: Curve, count: int, edges: "np.ndarray") -> None:
        import numpy as np

        self.curve, self.count, self.edges = curve, count, edges
        self._tables: dict[tuple[int, int], tuple[list[Shape], np.ndarray]] = {}
        self.excess = np.zeros((2, count + 2))  # influences - 1 by value and distance
        for value in (0, 1):
            for distance in range(1, count + 1):
                self.excess[value, distance] = float((curve.chain.influence(value, distance) or 1) - 1)
        self.bound = np.full((2, count + 2, len(edges)), -np.inf)
        if count:
            for first in range(1, self.count + 1):
                for kind in (0, 1):
                    value = self.value(kind, first)

                    self._put(
                        self.bound[kind, first],
                        np.array([self._spent(value, first)]),
                        np.array([(self.count + 1.0 - first)]),
                    )
            for far in (0, 1):
                for i, row in enumerate(self.curve.rows(far, True, self.count)[: self.count - 1], 1):
                    self._enter_row(far, row, i, range(1, self.count - i + 1))
                for i, row in enumerate(self.curve.rows(far, False, self.count), 1):
                    self._enter_row(far, row, i, range(self.count + 1 - i, self.count + 2 - i))
        self.bound[:, count + 1, :] = np.maximum(self.bound[:, count + 1, :], 0.0)
        self.bound = np.maximum.accumulate(self.bound, axis=2)

    def opposite(self, kind: int) -> "np.ndarray":
        """Return the influences, less 1, of the values released first, by `first`."""
        import numpy as np

        return np.array([0.0, *(self.excess[self.value(kind, k), k] for k in range(1, self.count + 1)), 0.0])

    def value(self, kind: int, first: int) -> int:
        """Return the value released at a distance if the free ratio at p is that of `kind`."""
        return self.curve.value_at(kind, first)

    def shapes(self, kind: int, first: int) -> Iterator[Shape]:
        """Yield the shapes with this first record, that without q first."""
        if first > self.count:
            yield Shape(kind, first, first, self.count)
            return
        value = self.value(kind, first)
        for end in range(first, self.count + 2):
            yield Shape(value, first, end, self.count)

    def plain(self, kind: int) -> "np.ndarray":
        """Return the bounds of the shapes without q, one row for each first record."""
        import numpy as np

        rows = [self.row(next(self.shapes(kind, first))) for first in range(1, self.count + 2)]
        return np.array([np.full(len(self.edges), -np.inf), *rows])

    def table(self, kind: int, first: int) -> tuple[list[Shape], "np.ndarray"]:
        """Return the shapes with this first record, a row each, and bounds of their releases."""
        import numpy as np

        if (kind, first) not in self._tables:
            shapes = list(self.shapes(kind, first))
            self._tables[kind, first] = shapes, np.array([self.row(shape) for shape in shapes])
        return self._tables[kind, first]

    def wide_table(self, kind: int, first: int) -> tuple[list[Shape], "np.ndarray"]:
        """Return weaker bounds at hand: shapes with q release at most those from distance 1 on."""
        import numpy as np

        if first > self.count:
            return self.table(kind, first)
        shapes, (_, widest) = list(self.shapes(kind, first)), self.table(kind, 1)
        return shapes, np.concatenate((self.row(shapes[0])[None], widest[first:]))

    def row(self, shape: Shape) -> "np.ndarray":
        """Return bounds of what a shape releases with each budget of the grid."""
        import numpy as np

        gains = np.full(len(self.edges), -np.inf)
        if shape.first > shape.count:
            gains[:] = 0.0
        elif not shape.size:
            self._put(
                gains, np.array([self._spent(shape.value, shape.first)]), np.array([shape.count + 1.0 - shape.first])
            )
        else:
            arcs = self.curve.fine(shape)
            self._put(gains, arcs.room[0], arcs.gain[1])
        return np.maximum.accumulate(gains)

    def _put(self, gains: Any, room: Any, gain: Any) -> None:
        import numpy as np

        bins = np.searchsorted(self.edges, room * DOWN, "left")
        fits = bins < len(self.edges)
        np.maximum.at(gains, bins[fits], gain[fits])

    def _spent(self, value: int, first: int) -> float:
        """Return a lower bound of 1 - 1/i of the value not released first, at its distance."""
        import numpy as np

        return float(self.curve.room(value, first, (np.zeros(1), np.zeros(1)))[0][0])

    def _enter_row(self, far: int, row: Any, i: int, firsts: range) -> None:
        """Enter designs of i records with q, the nearest below 1, at every possible place."""
        import numpy as np

        free = row.star[0] < 1
        u, gain = tuple(each[free] for each in row.u), row.gain[1][free]
        if not len(gain):
            return
        value = self.curve.value_at(far, i - 1)
        places = np.array(firsts)
        room = self.curve.rooms(value, places, u)
        bins = np.searchsorted(self.edges, room * DOWN, "left")
        which, box = np.nonzero(bins < len(self.edges))
        kinds = (value ^ (places & 1)) if self.curve.turns else np.full_like(places, value)
        gains = (gain[box] + (self.count + 1 - i - places[which])) * UP
        np.maximum.at(self.bound, (kinds[which], places[which], bins[which, box]), gains)
