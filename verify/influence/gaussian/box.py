"""Integrals of exp(-x'Qx/2 - b'x) over boxes, enclosed.

Let x* be the mode over the box and y = x - x*. The exponent is its value at x*, kept in Arb, minus
y'Qy/2 + g'y, where g = Qx* + b vanishes inside the box and g'y >= 0 on it. What is left is at most
1 and is done in floats (`rows`). Source: the usual reduction of normal integrals over boxes to
successive conditional ones (Genz 1992), with rules and bounds instead of samples.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.verify.influence.gaussian.ladder import EPS, Ladder
from pufferproof.verify.influence.gaussian.rows import ROOM, RoundedSum, Task, TooMuchWorkError
from pufferproof.verify.influence.gaussian.tails import ERROR

if TYPE_CHECKING:
    from flint import arb, arb_mat, fmpq


class BoxIntegral:
    """The integral of exp(-x'Qx/2 - b'x) over a box, for one Q and box and any b.

    `precision` is an Arb matrix, `low` and `high` are exact (`fmpq`). Intermediate results are kept
    at Arb's current precision.
    """

    def __init__(self, precision: "arb_mat", low: "Sequence[fmpq]", high: "Sequence[fmpq]") -> None:
        self.precision, self.low, self.high = precision, list(low), list(high)
        self.ladders: dict[tuple[int, ...], Ladder] = {}
        self.rows = 0
        self.caution = 30.0  # how much larger the tolerance of a sum is than its error, about

    def log(self, linear: "Sequence[arb]", tolerance: float, most_rows: float = 1e8) -> "arb":
        """Enclose the logarithm as an Arb ball, of radius about `tolerance` where that can be
        reached. Raises `TooMuchWorkError` where it takes more rows than allowed.
        """
        from flint import arb

        if len(self.low) == 1:
            return _one_dimension(self.precision[0, 0], linear[0], self.low[0], self.high[0])
        mode, gradient = self._mode(linear)
        order = self._order(mode, gradient)
        if order not in self.ladders:
            self.ladders[order] = Ladder(self.precision, order)
        ladder, sum_tolerance = self.ladders[order], min(self.caution * tolerance, 1e-3)
        for _ in range(4):
            task = self._task(ladder, order, mode, gradient, sum_tolerance, most_rows)
            found = task[0].run().found
            self.rows += found.rows
            error, value = self._error(task[0], found), found.value
            if not error < value:
                self.caution, sum_tolerance = 1.0, sum_tolerance * 1e-2
                continue
            self.caution = _caution(self.caution, found.error / value, sum_tolerance)
            if found.error <= tolerance * value:
                break
            sum_tolerance *= min(0.5, 0.5 * tolerance * value / found.error)
        if not value > error:
            raise TooMuchWorkError
        at_mode = -sum(
            (
                mode[i] * (sum(self.precision[i, j] * mode[j] for j in range(len(mode))) / 2) + linear[i] * mode[i]
                for i in range(len(mode))
            ),
            arb(0),
        )
        return at_mode + arb(value, error).log() + arb(0, task[1])

    def _error(self, task: Task, found: RoundedSum) -> float:
        import numpy as np

        reach = np.maximum(np.abs(task.low), np.abs(task.high))
        span = task.span + 20 + float(np.log(max(1, found.rows)))
        relative = task.ladder.rounding(reach, task.drift, span)
        relative += EPS * (64 + 2 * found.sums)
        return (found.error + 4 * ERROR * found.magnitude) * ROOM + relative * 2 * found.value

    def _task(
        self,
        ladder: Ladder,
        order: Sequence[int],
        mode: "Sequence[arb]",
        gradient: "Sequence[arb]",
        tolerance: float,
        most_rows: float,
    ) -> tuple[Task, float]:
        """Return the integral around the mode, and the log error of neglected gradients."""
        import numpy as np
        from flint import arb

        low = np.array([float(arb(self.low[i]) - mode[i]) for i in order])
        high = np.array([float(arb(self.high[i]) - mode[i]) for i in order])
        drift, neglected = [], 0.0
        for i, below, above in zip(order, low, high):
            g = float(gradient[i])
            kept = (below == 0 and g > 0) or (above == 0 and g < 0)
            drift.append(g if kept else 0.0)
            rest = gradient[i] - drift[-1]
            neglected += float(abs(rest).upper()) * max(above, -below)
        return (Task(ladder, low, high, np.array(drift), tolerance, most_rows), neglected * ROOM)

    def _mode(self, linear: "Sequence[arb]") -> "tuple[list[arb], list[arb]]":
        """Return a point near the mode of the box, exactly, and the gradient of -log there."""
        from flint import arb

        d = len(self.low)
        low, high = [arb(each) for each in self.low], [arb(each) for each in self.high]
        at: dict[int, int] = {}
        x = [arb(0)] * d
        for turn in range(100 * d):
            free = [i for i in range(d) if i not in at]
            for i, side in at.items():
                x[i] = low[i] if side < 0 else high[i]
            for i, value in zip(free, self._solved(free, at, x, linear)):
                x[i] = value
            gradient = self._gradient(x, linear)
            new = {i: side for i, side in at.items() if (gradient[i].mid() > 0) == (side < 0)}
            new |= {i: -1 for i in free if x[i] < low[i]} | {i: 1 for i in free if x[i] > high[i]}
            if new == at:
                break
            if turn > 2 * d:  # one at a time, the least index: this cannot go round in circles
                first = min(i for i in range(d) if at.get(i) != new.get(i))
                new = {i: s for i, s in at.items() if i != first} | ({first: new[first]} if first in new else {})
            at = new
        for i in range(d):
            if i not in at:
                inside = x[i].mid()
                within = inside if inside < high[i] else high[i]
                x[i] = within if inside > low[i] else low[i]
        return x, self._gradient(x, linear)

    def _gradient(self, x: "Sequence[arb]", linear: "Sequence[arb]") -> "list[arb]":
        d = len(x)
        return [sum((self.precision[i, j] * x[j] for j in range(d)), linear[i]) for i in range(d)]

    def _solved(
        self, free: Sequence[int], at: dict[int, int], x: "Sequence[arb]", linear: "Sequence[arb]"
    ) -> "list[arb]":
        from flint import arb_mat

        if not free:
            return []
        matrix = arb_mat([[self.precision[i, j] for j in free] for i in free])
        right = [-linear[i] - sum(self.precision[i, j] * x[j] for j in at) for i in free]
        found = matrix.solve(arb_mat([[each] for each in right]))
        return [found[i, 0] for i in range(len(free))]

    def _order(self, mode: "Sequence[arb]", gradient: "Sequence[arb]") -> tuple[int, ...]:
        """Return the coordinates, those first that meet a wall of the box soonest."""
        import numpy as np

        d = len(mode)
        q = np.array([[float(self.precision[i, j]) for j in range(d)] for i in range(d)])
        room = [min(float(mode[i] - self.low[i]), float(self.high[i] - mode[i])) for i in range(d)]
        order: list[int] = []
        while len(order) < d:
            later = [i for i in range(d) if i not in order]
            spread = np.sqrt(np.abs(np.diag(np.linalg.inv(q[np.ix_(later, later)]))))
            steps = [(round(room[i] / s, 9), i) for i, s in zip(later, spread)]
            order.append(min(steps)[1])
        return tuple(order)


def _caution(before: float, error: float, tolerance: float) -> float:
    """Return what to multiply the wanted error with, after a sum of this tolerance had this error:
    0.6 of what would have been right, and not twice what it was.
    """
    return float(min(max(0.6 * tolerance / max(error, 1e-300), 1.0), 2 * before, 1e3))


def _one_dimension(q: "arb", b: "arb", low: "fmpq", high: "fmpq") -> "arb":
    """Enclose log of the integral of exp(-q x^2 / 2 - b x) from low to high."""
    from flint import arb, ctx

    for extra in (0, 64, 256, 1024, 4096):
        with ctx.workprec(ctx.prec + extra):
            scale = (q / 2).sqrt()
            start, end = (low + b / q) * scale, (high + b / q) * scale
            if start > 0:
                value = start.erfc() - end.erfc()
            elif end < 0:
                value = (-end).erfc() - (-start).erfc()
            else:
                value = end.erf() - start.erf()
            found = b * b / (2 * q) + (value * (arb.pi() / (2 * q)).sqrt()).log()
            if found.rad() < arb(2) ** -60 or extra == 4096:
                break
    return found
