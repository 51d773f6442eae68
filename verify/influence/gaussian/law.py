"""A truncated Gaussian law in numbers: logarithms of what is integrated over the hidden records.

With Q = Sigma^-1, hidden records H, which hold the secret record i, and shown ones L, the density
of x_L given that x_i lies in a window s is, up to a factor that does not depend on s,
e^A_s(x_L) / P_s, where

    A_s(x_L) = log of the integral of exp(-x_H'Q_HH x_H/2 - x_H'Q_HL x_L), x_i in s, the rest of H
    in the box, and P_s = e^A_s with every record hidden.

A window that is one point u stands for x_i = u.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import Window
from pufferproof.verify.influence.gaussian.rows import EPS, ERROR, ROOM, Ladder, RoundedSum, Task, TooMuchWorkError

if TYPE_CHECKING:
    from flint import arb, arb_mat, fmpq

# Integrals of exp(-x'Qx/2 - b'x) over boxes, enclosed.
#
# Let x* be the mode over the box and y = x - x*. The exponent is its value at x*, kept in Arb, minus y'Qy/2 + g'y,
# where g = Qx* + b vanishes inside the box and g'y >= 0 on it. What is left is at most 1 and is done in floats
# (`rows`). Source: the usual reduction of normal integrals over boxes to successive conditional ones (Genz 1992), with
# rules and bounds instead of samples.


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


_LEAST_BITS = 160
_MOST_BITS = 20_000
_ROWS = 4e7
_LOOSER = (1.0, 1e3, 1e6)  # tolerances to try, relative to that asked for
Hidden = tuple[int, ...]


def fmpq_of(value: Fraction) -> "fmpq":
    """Return a rational as flint has it."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


@dataclass(frozen=True)
class GaussianLaw:
    """A prior on `count` records, which are counted from 0 here."""

    prior: TruncatedGaussian
    count: int
    _integrals: dict[tuple[Hidden, int, Window], BoxIntegral] = field(default_factory=dict)
    _odds: dict[tuple[int, Window, Window], "arb"] = field(default_factory=dict)

    @cached_property
    def bits(self) -> int:
        """A precision at which Sigma^-1 has enough digits."""
        return self._inverse[0]

    @property
    def precision(self) -> "arb_mat":
        """Q = Sigma^-1, an Arb matrix."""
        return self._inverse[1]

    @cached_property
    def _inverse(self) -> "tuple[int, arb_mat]":
        from flint import arb, ctx

        bits = _LEAST_BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                try:
                    q = self.prior.arb_covariance(self.count).inv()
                except ZeroDivisionError:
                    bits *= 2
                    continue
                sizes = [q[i, i].sqrt() for i in range(self.count)]
                every = [(i, j) for i in range(self.count) for j in range(self.count)]
                if all(q[i, j].rad() < arb(2) ** -100 * sizes[i] * sizes[j] for i, j in every):
                    return bits, q
            bits *= 2
        raise TooMuchWorkError

    def log_given(self, window: Window, record: int, hidden: Hidden, x: Sequence[Fraction], tolerance: float) -> "arb":
        """Enclose A_s(x_L), x in the order of the shown records. Raises `TooMuchWorkError` where
        that would take too long.
        """
        from flint import ctx

        with ctx.workprec(self.bits):
            return self._log_given(window, record, hidden, x, tolerance)

    def _log_given(self, window: Window, record: int, hidden: Hidden, x: Sequence[Fraction], tolerance: float) -> "arb":
        from flint import arb

        q = self.precision
        shown = [k for k in range(self.count) if k not in hidden]
        values = [(k, fmpq_of(value)) for k, value in zip(shown, x)]
        constant = arb(0)
        if window[0] == window[1]:
            u = fmpq_of(window[0])
            constant = -q[record, record] * u * u / 2
            constant -= sum((q[record, k] * value for k, value in values), arb(0)) * u
            values.append((record, u))
            hidden = tuple(k for k in hidden if k != record)
            if not hidden:
                return constant
        linear = [sum((q[h, k] * value for k, value in values), arb(0)) for h in hidden]
        integral = self._integral(window, record, hidden)
        for looser in _LOOSER:
            try:
                return constant + integral.log(linear, min(tolerance * looser, 1e-2), _ROWS)
            except TooMuchWorkError:
                if looser == _LOOSER[-1] or tolerance * looser >= 1e-2:
                    raise
        raise TooMuchWorkError

    def _integral(self, window: Window, record: int, hidden: Hidden) -> BoxIntegral:
        key = (hidden, record, window)
        if key not in self._integrals:
            from flint import arb_mat

            sides = [window if k == record else self.prior.box for k in hidden]
            q = arb_mat([[self.precision[i, j] for j in hidden] for i in hidden])
            self._integrals[key] = BoxIntegral(
                q, [fmpq_of(low) for low, _ in sides], [fmpq_of(high) for _, high in sides]
            )
        return self._integrals[key]

    def odds(self, record: int, one: Window, other: Window, tolerance: float) -> "arb":
        """Enclose log(P_other / P_one), of windows of one record: exactly 0 where the box is
        symmetric and so are they.
        """
        from flint import arb, ctx

        if self.mirrored and one == (-other[1], -other[0]):
            return arb(0)
        key = (record, one, other)
        if key not in self._odds or float(self._odds[key].rad()) > 4 * tolerance:
            every = tuple(range(self.count))
            with ctx.workprec(self.bits):
                found = [self._log_given(w, record, every, (), tolerance) for w in (other, one)]
                self._odds[key] = found[0] - found[1]
        return self._odds[key]

    @property
    def mirrored(self) -> bool:
        """Whether x and -x have the same law."""
        return self.prior.box[0] == -self.prior.box[1]


# The published recipe for truncated Gaussian priors (bai2026, Theorem 5), as printed.
#
# With L the n - b records that are correlated least with record i, and all laws untruncated,
#
#     sup over mu of log[W(r | mu) / W(r' | mu)] - log[W(r) / W(r')],
#
# W(r | mu) being the probability of the window r under N(mu, sigma^2), sigma^2 = Sigma_ii - Sigma_iL Sigma_LL^-1
# Sigma_Li, and W(r) that under N(0, Sigma_ii). The print lets mu sweep without an end: then the supremum is infinite.
# Here mu runs over what x_L in the box makes of it. Among sets L with ties the best is taken.


@dataclass(frozen=True)
class Recipe:
    """What the recipe gives for two windows of a record: an Arb ball, and the hidden records."""

    influence: "arb"
    hidden: Hidden


def farthest(law: GaussianLaw, record: int, hidden: int) -> list[Hidden]:
    """Return the sets of so many hidden records, counted from 0, that hold the record and those
    correlated most with it: several where there are ties.

    >>> from pufferproof.models.priors.continuous.normal import TruncatedGaussian
    >>> farthest(GaussianLaw(TruncatedGaussian([-1, 1], length=1), 4), 1, 2)
    [(0, 1), (1, 2)]
    """
    size = law.prior.size_of_correlation
    others = sorted((k for k in range(law.count) if k != record), key=lambda k: size(record, k), reverse=True)
    last = size(record, others[hidden - 2]) if hidden > 1 else None
    if last is None:
        return [(record,)]
    sure = [k for k in others if size(record, k) > last]
    tied = [k for k in others if size(record, k) == last]
    return [tuple(sorted((record, *sure, *some))) for some in combinations(tied, hidden - 1 - len(sure))]


def published(law: GaussianLaw, record: int, one: Window, other: Window, hidden: Sequence[Hidden]) -> Recipe:
    """Return the least value of the recipe over these sets of hidden records."""
    found = [Recipe(recipe(law, record, one, other, each), each) for each in hidden]
    return min(found, key=lambda each: float(each.influence.mid()))


def recipe(law: GaussianLaw, record: int, one: Window, other: Window, hidden: Hidden) -> "arb":
    """Enclose the recipe's value for one set of hidden records, mu ending where the box makes it
    end.

    That end is [box] times the sum of |Sigma_iL Sigma_LL^-1|. The log-ratio is monotone in mu (a
    likelihood ratio of normal laws), so that the supremum is at an end.
    """
    from flint import arb, arb_mat, ctx

    with ctx.workprec(law.bits):
        sigma = law.prior.arb_covariance(law.count)
        shown = [k for k in range(law.count) if k not in hidden]
        if not shown:
            return arb(0)
        inverse = arb_mat([[sigma[i, j] for j in shown] for i in shown]).inv()
        row = arb_mat([[sigma[record, j] for j in shown]])
        weights = row * inverse
        variance = sigma[record, record] - (weights * row.transpose())[0, 0]
        mean = arb(0)
        side = 1 if one[0] >= other[1] else -1
        for j in range(len(shown)):
            ends = [weights[0, j] * fmpq_of(end) * side for end in law.prior.box]
            mean += ends[0].max(ends[1])
        found = [_log_window(1 / variance, side * mean, w) for w in (one, other)]
        alone = [_log_window(1 / sigma[record, record], arb(0), w) for w in (one, other)]
        return found[0] - found[1] - alone[0] + alone[1]


def _log_window(precision: "arb", mean: "arb", window: tuple[Fraction, Fraction]) -> "arb":
    """Enclose log of the integral of exp(-q x^2/2 + q mu x) over a window: that of its probability
    up to what does not depend on it.
    """
    from flint import arb_mat

    integral = BoxIntegral(arb_mat([[precision]]), [fmpq_of(window[0])], [fmpq_of(window[1])])
    return integral.log([-precision * mean], 0.0)
