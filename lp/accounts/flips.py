"""The worst case over all mechanisms of a guarantee per record, for one pair of laws p, q of the
database, enclosed with both ends proved.

For an event S of outputs h(x) = P(S | x) is a function of the database with h(x) <= G(h(y)) for
neighbours x, y, and each such function is a mechanism with two outputs (`guarantees`). So

    delta(epsilon) = max <p, h> - e^epsilon <q, h>  over h: X -> [0, 1], h(x) <= G(h(y)),

a linear program for each set of lines above G. HiGHS solves it in floats, which propose:

    from above  multipliers y >= 0 of the rows h(x) - a h(x') <= b give the bound
                <b, y> + sum_x max(0, c_x - (A'y)_x), whatever y is (weak duality);
    from below  any h is made feasible by h(x) -> min over paths of G(..G(h(y))), which only
                lowers it (McShane), in the order of a shortest path.

Both are computed in whole numbers over 2^-192 from bounds of the laws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import ceil, floor, ldexp
from typing import TYPE_CHECKING, Any

from pufferproof.lp.accounts.guarantees import BITS, Guarantee, Line, downward
from pufferproof.lp.exact.proposals import highs
from pufferproof.models.errors import extras

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.int32]

_DEEP = 2 * BITS  # after the point, of sums: a multiplier times a line
_ROUNDS = 40
_FARTHEST = 4  # relative, how far above the ratio that is proposed a bound is looked for
_MOST_STEPS = 100_000  # of the simplex method, for one program
_FEW = 4  # lines of a group that are entered at once
_STEEPEST = 10**14  # slope of a line that HiGHS is given
_MOST_COST = 1 << (BITS + 24)  # below 0, in 2^-96, of a proposal
NEAR = 1e-9  # relative, by how much a row may be missed
COARSE = 1e-4  # for where to look
_GAIN = 100  # a round of rows is idle if it lowers the optimum by less than `near` times this
_IDLE, _PATIENT = 2, 10  # idle rounds that end the search: of a coarse one or for a bound from above alone, else
_SPREAD = 2.0**17  # variables are solved for in units of 1 / _SPREAD, so that tolerances are small beside delta


@dataclass(frozen=True)
class Law:
    """Bounds of the probabilities of all databases, as multiples of 2^-192."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]

    @classmethod
    def of(cls, bounds: Sequence[tuple[Fraction, Fraction]]) -> "Law":
        """Return the law of lower and upper bounds."""
        unit = 1 << _DEEP
        return cls(
            tuple(low.numerator * unit // low.denominator for low, _ in bounds),
            tuple(-(-high.numerator * unit // high.denominator) for _, high in bounds),
        )


@dataclass(frozen=True)
class Flips:
    """Rows h(above[r]) <= line(h(below[r])) for every r and every one of the lines; `smooth` if
    the lines are some tangents of a guarantee.
    """

    above: "Places"
    below: "Places"
    lines: tuple[Line, ...]
    smooth: Guarantee | None = None


class Program:
    """Maximise <c, h> over 0 <= h <= 1 within rows, for several c: HiGHS goes on from one to the
    next.

    Lines that are too steep for floats are left out. Of a group with more lines than a few, and of
    further tangents of a smooth guarantee, only rows that an optimum misses are entered, until it
    misses none.
    """

    def __init__(self, size: int, flips: Sequence[Flips]) -> None:
        import numpy as np

        self.size = size
        self._flips = [replace(group, lines=tuple(filter(_gentle, group.lines))) for group in flips]
        self._solver: Any = None
        self._above, self._below, self._line = (np.empty(0, np.int64) for _ in range(3))
        self._lines: list[Line] = []
        self._entered: dict[Line, int] = {}

    def _start(self) -> None:
        import numpy as np

        options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        self._solver = highs(**options, simplex_iteration_limit=_MOST_STEPS)
        empty = np.empty(0, np.int32), np.empty(0)
        ends = np.zeros(self.size), np.full(self.size, _SPREAD)
        self._solver.addCols(self.size, np.zeros(self.size), *ends, 0, np.zeros(self.size, np.int32), *empty)
        for group in self._flips:
            for line in group.lines[:: max(-(-len(group.lines) // _FEW), 1)]:
                self._enter(group.above, group.below, [line] * len(group.above))

    def _enter(self, above: Any, below: Any, lines: Sequence[Line]) -> None:
        """Enter rows h(above[r]) - slope h(below[r]) <= intercept, of line r."""
        import numpy as np

        for line in dict.fromkeys(lines):
            if line not in self._entered:
                self._entered[line] = len(self._lines)
                self._lines.append(line)
        count = len(lines)
        slopes = np.array([float(line.slope) for line in lines])
        tops = np.array([float(line.intercept) for line in lines]) * _SPREAD
        index = np.stack([above, below], axis=1).ravel().astype(np.int32)
        value = np.stack([np.ones(count), -slopes], axis=1).ravel()
        starts = np.arange(0, 2 * count, 2, dtype=np.int32)
        self._solver.addRows(count, np.full(count, -np.inf), tops, 2 * count, starts, index, value)
        numbers = [self._entered[line] for line in lines]
        new = zip((self._above, self._below, self._line), (above, below, numbers))
        self._above, self._below, self._line = (np.concatenate(both).astype(np.int64) for both in new)

    def proposed(
        self, costs: "NDArray[np.float64]", near: float = NEAR, patience: int = _PATIENT
    ) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        """Return h and the multipliers of all rows that were entered, in floats; rows of which h misses
        none by more than `near`, relative.
        """
        import numpy as np

        if self._solver is None:
            self._start()
        size = max(float(costs.max()), 1e-30)
        places = np.arange(self.size, dtype=np.int32)
        self._solver.changeColsCost(self.size, places, -costs / size)
        last, idle = np.inf, 0
        for _ in range(_ROUNDS):
            self._run()
            h = np.clip(np.array(self._solver.getSolution().col_value) / _SPREAD, 0, 1)
            missed, value = [*self._missed(h, near)], float(h @ costs)
            idle = idle + 1 if last - value <= near * _GAIN * abs(value) else 0
            if not missed or idle == patience:
                break
            for above, below, lines in missed:
                self._enter(above, below, lines)
            last = value
        multipliers = np.maximum(-np.array(self._solver.getSolution().row_dual), 0) * size
        return h, multipliers

    def _run(self) -> None:
        """Solve; where the last optimum leads HiGHS astray, anew. What it has then is taken: a
        proposal, whatever it is.
        """
        with extras:
            import highspy

        self._solver.run()
        if self._solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            self._solver.clearSolver()
            self._solver.run()

    def _missed(self, h: "NDArray[np.float64]", near: float) -> Iterator[tuple[Any, Any, list[Line]]]:
        """List the rows that h misses, of every pair the one that it misses by most."""
        import numpy as np

        for group in self._flips:
            if len(group.lines) <= _FEW:
                continue
            slopes, tops = (
                np.array([float(getattr(line, name)) for line in group.lines]) for name in ("slope", "intercept")
            )
            values = np.multiply.outer(h, slopes) + tops
            least = values.argmin(axis=1)[group.below]
            over = np.flatnonzero(h[group.above] > values.min(axis=1)[group.below] * (1 + near) + NEAR**2)
            if len(over):
                yield group.above[over], group.below[over], [group.lines[n] for n in least[over].tolist()]
        for group in self._flips:
            if group.smooth is not None and group.smooth.smooth:
                yield from _tangents(group, group.smooth, h, near)

    def bound(self, multipliers: "NDArray[np.float64]") -> "Bound":
        """Return what the multipliers prove, for every c."""
        reached, total = [0] * self.size, 0
        for row in multipliers.nonzero()[0]:
            line = self._lines[self._line[row]]
            y = int(ldexp(float(multipliers[row]), BITS))
            reached[self._above[row]] += y << BITS
            reached[self._below[row]] -= y * _whole(line.slope)
            total += y * _whole(line.intercept)
        return Bound(total, tuple(reached))


def _tangents(
    group: Flips, guarantee: Guarantee, h: "NDArray[np.float64]", near: float
) -> Iterator[tuple[Any, Any, list[Line]]]:
    """List the rows of tangents, at the values of h, for the pairs that pass the guarantee."""
    import numpy as np

    most = {t: float(guarantee.below(Fraction(t))) for t in set(h[group.below].tolist())}
    highest = np.array([most[t] for t in h[group.below].tolist()])
    over = np.flatnonzero(h[group.above] > highest * (1 + near) + NEAR**2)
    lines = {t: guarantee.tangent(t) for t in set(h[group.below[over]].tolist())}
    known = [(r, line) for r in over.tolist() if (line := lines[h[group.below[r]]]) is not None and _gentle(line)]
    if known:
        rows = [r for r, _ in known]
        yield group.above[rows], group.below[rows], [line for _, line in known]


def _gentle(line: Line) -> bool:
    """Whether HiGHS can do with a line in floats; what is proved without a row is weaker, and right."""
    return line.slope <= _STEEPEST


def _whole(number: Fraction) -> int:
    """Return a multiple of 2^-96 as that many."""
    return number.numerator * ((1 << BITS) // number.denominator)


@dataclass(frozen=True)
class Bound:
    """<c, h> <= total + sum_x max(0, c_x - reached_x) for every h of a program, in 2^-192."""

    total: int
    reached: tuple[int, ...]

    def of(self, costs: Sequence[int]) -> Fraction:
        """Return the bound of <c, h> for costs in units of 2^-192, rounded up."""
        over = sum(c - r for c, r in zip(costs, self.reached) if c > r)
        return Fraction(self.total + over, 1 << _DEEP)


@dataclass(frozen=True)
class Neighbours:
    """Databases 0 .. size - 1, and those that differ from each in one record, ordered pairs."""

    size: int
    above: "Places"
    below: "Places"

    @classmethod
    def of_words(cls, letters: int, length: int) -> "Neighbours":
        """Return all words of a length in lexicographic order.

        >>> near = Neighbours.of_words(2, 2)
        >>> list(zip(near.above.tolist(), near.below.tolist()))
        [(0, 2), (1, 3), (2, 0), (3, 1), (0, 1), (1, 0), (2, 3), (3, 2)]
        """
        import numpy as np

        words = np.arange(letters**length)
        above, below = [], []
        for record in range(length):
            weight = letters ** (length - 1 - record)
            digit = words // weight % letters
            for step in range(1, letters):
                above.append(words)
                below.append(words + ((digit + step) % letters - digit) * weight)
        joined = [np.concatenate(each or [words[:0]]).astype(np.int32) for each in (above, below)]
        return cls(letters**length, *joined)

    def within(self, guarantee: Guarantee) -> Flips:
        """Return the rows of a guarantee for all neighbours."""
        return Flips(self.above, self.below, tuple(guarantee.lines), guarantee)

    def repaired(self, proposal: Sequence[float], guarantee: Guarantee) -> list[int]:
        """Return the largest h that is feasible and nowhere above a proposal, rounded down, in
        units of 2^-96.

        G(t) >= t: the smallest value that is left is final, as in Dijkstra's shortest paths.
        """
        near: list[list[int]] = [[] for _ in range(self.size)]
        for x, y in zip(self.above.tolist(), self.below.tolist()):
            near[y].append(x)
        values = [min(max(floor(ldexp(float(value), BITS)), 0), 1 << BITS) for value in proposal]
        left = [(value, x) for x, value in enumerate(values)]
        heapify(left)
        known: dict[int, int] = {}
        while left:
            value, y = heappop(left)
            if value > values[y]:
                continue
            if value not in known:
                known[value] = _whole(downward(guarantee.below(Fraction(value, 1 << BITS))))
            most = known[value]
            for x in near[y]:
                if values[x] > most:
                    values[x] = most
                    heappush(left, (most, x))
        return values


@dataclass(frozen=True)
class Ends:
    """A value between both ends: `upper` None if no bound is known, `lower` None if it is
    infinite.
    """

    lower: Fraction | None
    upper: Fraction | None

    def close(self, relative: Fraction) -> bool:
        """Whether the ends are close, relative to the upper one."""
        if self.lower is None or self.upper is None:
            return self.lower is None
        return self.upper - self.lower <= relative * self.upper


@dataclass
class Pair:
    """The laws of the database given two secrets, and what is known of h between them.

    `exact` says that rows of `program` are those of `neighbours` alone: then what is proposed is
    repaired to a bound from below as well. `cuts` says that tangents are added where they are
    missed.
    """

    p: Law
    q: Law
    program: Program
    neighbours: Neighbours | None
    guarantee: Guarantee

    def delta(self, ratio: tuple[Fraction, Fraction], near: float = NEAR) -> Ends:
        """Return bounds of the largest <p, h> - r <q, h>, r between the ends of `ratio`; 0 from
        below where the program has other rows than those of neighbours.
        """
        _, upper, h = self._solved(ratio, near)
        if self.neighbours is None:
            return Ends(Fraction(0), upper)
        over, under = self._sums(h)
        return Ends(max(over - ratio[1] * under, Fraction(0)), upper)

    def _solved(self, ratio: tuple[Fraction, Fraction], near: float = NEAR) -> tuple[Bound, Fraction, list[int]]:
        """Return what multipliers prove at a ratio, and h in units of 2^-96: feasible if rows are
        those of neighbours alone, else as HiGHS proposes it.
        """
        import numpy as np

        costs = self._costs(ratio[0])
        approx = np.array([ldexp(float(max(cost >> BITS, -_MOST_COST)), -BITS) for cost in costs])
        h, multipliers = self.program.proposed(
            approx, near, _IDLE if self.neighbours is None or near >= COARSE else _PATIENT
        )
        bound = self.program.bound(multipliers)
        upper = max(min(bound.of(costs), self._plain(costs)), Fraction(0))
        if self.neighbours is None:
            return bound, upper, [floor(ldexp(float(value), BITS)) for value in h]
        return bound, upper, self.neighbours.repaired(h.tolist(), self.guarantee)

    def _plain(self, costs: Sequence[int]) -> Fraction:
        return Fraction(sum(cost for cost in costs if cost > 0), 1 << _DEEP)

    def _costs(self, ratio: Fraction) -> list[int]:
        """Return p - ratio q, rounded up, for a ratio that is not too large."""
        above, below = ratio.numerator, ratio.denominator
        return [p - above * q // below for p, q in zip(self.p.upper, self.q.lower)]

    def _sums(self, h: Sequence[int]) -> tuple[Fraction, Fraction]:
        """Return a lower bound of <p, h>, and an upper bound of <q, h>."""
        unit = 1 << (_DEEP + BITS)
        over = sum(p * value for p, value in zip(self.p.lower, h) if value)
        under = sum(q * value for q, value in zip(self.q.upper, h) if value)
        return Fraction(over, unit), Fraction(under, unit)

    def level(self, delta: Fraction, relative: Fraction, start: Fraction = Fraction(1), near: float = NEAR) -> Ends:
        """Return bounds of the least ratio r >= 1 at which <p, h> - r <q, h> <= delta for all h.

        For one h this is linear in r: its zero is a bound from below, at which is asked next
        (Dinkelbach). What is proved from above at two ratios holds between them, since the largest
        <p, h> - r <q, h> is convex in r.
        """
        low, ratio, over, closer, near = Fraction(1), start, None, near, COARSE
        for _ in range(_ROUNDS):
            _, upper, proposal = self._solved((ratio, ratio), near)
            if upper <= delta:
                break
            over = (ratio, upper)
            if self.neighbours is not None:
                sums = self._sums(proposal)
                if sums[0] > delta and not sums[1]:
                    return Ends(None, None)
                low = max(low, (sums[0] - delta) / sums[1]) if sums[1] else low
            following = self._zero(proposal, delta)
            if following is None:
                return Ends(low, None)
            if following <= ratio * (1 + relative / 8):
                if near <= closer:
                    break
                near = closer
            ratio = max(following, ratio)
        step = relative / 4
        while upper > delta:
            if step > _FARTHEST:
                return Ends(low, None)
            over = (ratio, upper)
            ratio, step = _short(ratio * (1 + step), up=True), 4 * step
            _, upper, _ = self._solved((ratio, ratio), near)
        if over is None or over[1] == upper:
            return Ends(low, ratio)
        share = (over[1] - delta) / (over[1] - upper)
        return Ends(low, over[0] + share * (ratio - over[0]))

    def _zero(self, h: Sequence[int], delta: Fraction) -> Fraction | None:
        """Return about the ratio at which <p, h> - r <q, h> = delta, at least 1, None for infinite:
        only where to ask next.
        """
        over, under = self._sums(h)
        if not under:
            return None if over > delta else Fraction(1)
        return max(_short((over - delta) / under), Fraction(1))


def _short(ratio: Fraction, up: bool = False) -> Fraction:
    """Round a ratio to 64 bits after the point."""
    return Fraction((ceil if up else floor)(ratio * (1 << 64)), 1 << 64)
