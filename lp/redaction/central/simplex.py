"""Pairings solved exactly: the simplex method in rationals, from a basis that HiGHS proposes or any
other, to the end.

A basis that is not feasible is made so by artificial variables. Floats may choose what enters; what
is positive, feasible and optimal is decided in rationals, and where nothing moves Bland's rule ends
it. The problem is that of `pufferproof.lp.redaction.central.pairing`.

This file also has a basis of a linear program with at most two entries per column, as a graph.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pufferproof.lp.redaction.central.pairing import Paired, Pairing
from pufferproof.models.errors import SolverError
from pufferproof.verify.proof.farkas import fraction

Edge = tuple[tuple[int, Any], ...]
Cycle = list[tuple[int, int]]  # rows, each with the edge to the next row
_NEAR_ONE = Fraction(1025, 1024)  # floats see no difference between ratios of 1 + 10^-12 and 1
_PATIENCE = 20  # pivots that change nothing, before Bland's rule


def solve_pairing(pairing: Pairing, start: Sequence[int] = ()) -> Paired:
    """Solve a pairing exactly.

    >>> half, worth = Fraction(1, 2), ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)))
    >>> solve_pairing(
    ...     Pairing((half, half), (Fraction(1, 4), Fraction(3, 4)), worth, Fraction(1))
    ... ).value
    Fraction(3, 4)

    Args:
        start: the basis of a pairing with the same `kinds` and a ratio near this one, instead of
            asking HiGHS.

    Raises `SolverError` unless the laws sum to the same.
    """
    if sum(pairing.zero) != sum(pairing.one):
        raise SolverError("expected two laws with the same sum")
    basis = start or pairing.proposal(
        pairing.ratio if pairing.kinds == 1 else max(pairing.ratio, _NEAR_ONE)
    )
    simplex = _Simplex(pairing)
    simplex.start(basis)
    simplex.improve()
    return simplex.result()


class _Simplex:
    """The revised simplex method on rationals.

    Columns below 0 are artificial, kept at 0 once they are: -1 - r has one entry, 1, in row r; -1 -
    rows - j is -1 times column j, so that a basis with negative values becomes feasible by
    exchanging those columns.
    """

    def __init__(self, pairing: Pairing) -> None:
        import numpy as np

        self.pairing, self.rows = pairing, 2 * pairing.size
        self.ratio, self.nothing, self.one = (
            _flint(Fraction(value)) for value in (pairing.ratio, 0, 1)
        )
        self.gains = [[_flint(value) for value in pair] for pair in pairing.gains]
        self.bound = [_flint(mass) for mass in (*pairing.zero, *pairing.one)]
        self.distance = [each.bit_count() for each in range(pairing.size)]
        self.apart = np.array(
            [[self.distance[u ^ v] for v in range(pairing.size)] for u in range(pairing.size)]
        )
        self.phase, self.next_row = 2, 0

    def entries(self, column: int) -> tuple[tuple[int, Any], ...]:
        """Return the one or two entries of a column."""
        if column < -self.rows:
            return tuple((row, -value) for row, value in self.entries(-1 - self.rows - column))
        if column < 0:
            return ((-1 - column, self.one),)
        u, v, kind = self.pairing.pair(column)
        weights = (self.one, self.ratio) if kind else (self.ratio, self.one)
        return (u, weights[0]), (self.pairing.size + v, weights[1])

    def gain(self, column: int) -> Any:
        """Return the objective coefficient in this phase."""
        if self.phase == 1:
            return -self.one if column < 0 else self.nothing
        if column < 0:
            return self.nothing
        u, v, kind = self.pairing.pair(column)
        return self.gains[self.distance[u ^ v]][kind]

    def start(self, basis: Sequence[int]) -> None:
        """Start from a basis, or from the artificial one, and make artificial variables 0."""
        if not self._take(basis):
            self._take([-1 - row for row in range(self.rows)])
        self.phase = 1
        self.improve()
        if any(value for column, value in zip(self.basis, self.x) if column < 0):
            raise SolverError("a pairing of laws with the same sum is feasible")
        self.phase = 2

    def _take(self, basis: Sequence[int]) -> bool:
        """Make a basis the present one, negative variables exchanged; say if that is possible."""
        if len(basis) != self.rows or len(set(basis)) != self.rows:
            return False
        graph = BasisGraph.of([self.entries(column) for column in basis], self.rows)
        if graph is None:
            return False
        x = graph.solve(self.bound)
        if any(value < 0 and column < 0 for column, value in zip(basis, x)):
            return False
        self.basis = [
            column if value >= 0 else -1 - self.rows - column for column, value in zip(basis, x)
        ]
        self.x = [abs(value) for value in x]
        self._factor()
        return True

    def _factor(self) -> None:
        graph = BasisGraph.of([self.entries(column) for column in self.basis], self.rows)
        if graph is None:
            raise AssertionError("a pivot left a singular basis")
        self.graph = graph

    def improve(self) -> None:
        """Pivot until no variable has a positive reduced gain."""
        idle = 0
        while (column := self._entering(bland=idle > _PATIENCE)) is not None:
            idle = 0 if self._pivot(column) else idle + 1

    def _entering(self, bland: bool) -> int | None:
        """Return a variable of positive reduced gain, the first for Bland's rule, or None."""
        size, kinds = self.pairing.size, self.pairing.kinds
        prices = self.graph.prices([self.gain(column) for column in self.basis])
        if not bland and (guess := self._guess(prices)) is not None:
            return guess
        near, far = prices[:size], prices[size:]
        scaled = [self.ratio * price for price in far]
        gains = self.gains if self.phase == 2 else [[self.nothing] * 2] * len(self.gains)
        for turn in range(size):
            u = turn if bland else (self.next_row + turn) % size
            best, most = None, self.nothing
            for kind, others, own in ((0, far, self.ratio * near[u]), (1, scaled, near[u]))[:kinds]:
                room = [pair[kind] - own for pair in gains]
                for v, price in enumerate(others):
                    limit = room[self.distance[u ^ v]]
                    if price < limit and limit - price > most:
                        best, most = self.pairing.place(u, v, kind), limit - price
                        if bland and kinds == 1:
                            return best
            if best is not None:
                self.next_row = u
                return best if not bland else self._first(u, near, far, gains)
        return None

    def _guess(self, prices: Sequence[object]) -> int | None:
        """Return the variable that floats prefer, if its reduced gain really is positive."""
        import numpy as np

        size, kinds = self.pairing.size, self.pairing.kinds
        try:
            ratio, (near, far) = (
                float(self.pairing.ratio),
                np.array([float(fraction(x)) for x in prices]).reshape(2, size),
            )
            gains = np.array([[float(x) for x in pair] for pair in self.pairing.gains]) * (
                self.phase == 2
            )
        except OverflowError:
            return None
        sides = [(ratio * near, far), (near, ratio * far)][:kinds]
        reduced = [
            gains[self.apart, kind] - own[:, None] - other
            for kind, (own, other) in enumerate(sides)
        ]
        u, v, kind = (
            int(place)
            for place in np.unravel_index(np.argmax(np.stack(reduced, 2)), (size, size, kinds))
        )
        column = self.pairing.place(u, v, kind)
        cost = sum((value * prices[row] for row, value in self.entries(column)), self.nothing)
        return column if self.gain(column) > cost else None

    def _first(
        self,
        u: int,
        near: Sequence[object],
        far: Sequence[object],
        gains: Sequence[Sequence[object]],
    ) -> int:
        """Return the first variable with a positive reduced gain at u, or None."""
        for v, price in enumerate(far):
            worth = gains[self.distance[u ^ v]]
            for kind, cost in enumerate(
                (self.ratio * near[u] + price, near[u] + self.ratio * price)
            ):
                if worth[kind] > cost:
                    return self.pairing.place(u, v, kind)
        raise AssertionError("a variable with a positive reduced gain was seen")

    def _pivot(self, column: int) -> bool:
        """Bring a variable into the basis; say whether the point moved."""
        right = [self.nothing] * self.rows
        for row, value in self.entries(column):
            right[row] = value
        step = self.graph.solve(right)
        leaving, least = -1, None
        for index, change in enumerate(step):
            if change == 0 or (change < 0 and (self.phase == 1 or self.basis[index] >= 0)):
                continue  # in phase 2 an artificial variable leaves as soon as it would move
            bound = self.x[index] / change
            if (
                least is None
                or bound < least
                or (bound == least and self.basis[index] < self.basis[leaving])
            ):
                leaving, least = index, bound
        if least is None:
            raise AssertionError("a pairing is bounded")
        self.x = [
            value - least * change if change else value for value, change in zip(self.x, step)
        ]
        self.basis[leaving], self.x[leaving] = column, least
        self._factor()
        return bool(least != 0)

    def result(self) -> Paired:
        """Return the optimum reached, with rows checked to be filled."""
        size = self.pairing.size
        prices = [
            fraction(price)
            for price in self.graph.prices([self.gain(column) for column in self.basis])
        ]
        flows = {column: fraction(value) for column, value in zip(self.basis, self.x) if value != 0}
        left = [*self.pairing.zero, *self.pairing.one]
        for column, flow in flows.items():
            u, v, kind = self.pairing.pair(column)
            above, below = self.pairing.weights(kind)
            left[u], left[size + v] = left[u] - above * flow, left[size + v] - below * flow
        if any(left) or min(flows) < 0 or min(flows.values()) < 0:
            raise SolverError("the exact solution of a pairing failed its own check")
        value = sum(
            (price * mass for price, mass in zip(prices, (*self.pairing.zero, *self.pairing.one))),
            Fraction(0),
        )
        return Paired(
            self.pairing,
            value,
            flows,
            (tuple(prices[:size]), tuple(prices[size:])),
            tuple(self.basis),
        )


def _flint(value: Fraction) -> Any:
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


class BasisGraph:
    """A basis as a graph on the rows: an edge per column, two entries or one. Leaves in order
    of removal, then cycles.
    """

    def __init__(
        self, edges: Sequence[Edge], leaves: list[tuple[int, int]], cycles: list[Cycle]
    ) -> None:
        self.edges, self.leaves, self.cycles = edges, leaves, cycles

    @classmethod
    def of(cls, edges: Sequence[Edge], rows: int) -> "BasisGraph | None":
        """Order the rows for elimination, or None if the columns are dependent."""
        around: list[set[int]] = [set() for _ in range(rows)]
        for index, edge in enumerate(edges):
            for row, _ in edge:
                around[row].add(index)
        waiting, leaves = [row for row in range(rows) if len(around[row]) == 1], []
        while waiting:
            row = waiting.pop()
            if len(around[row]) != 1:
                continue
            index = around[row].pop()
            leaves.append((row, index))
            for other, _ in edges[index]:
                if other != row:
                    around[other].discard(index)
                    if len(around[other]) == 1:
                        waiting.append(other)
        removed = {row for row, _ in leaves}
        rest = [row for row in range(rows) if row not in removed]
        if any(len(around[row]) != 2 for row in rest):
            return None
        graph = cls(edges, leaves, cls._cycles(edges, around, rest))
        return graph if all(graph.closing(cycle) != 0 for cycle in graph.cycles) else None

    @staticmethod
    def _cycles(
        edges: Sequence[Any], around: Sequence[set[int]], rest: Sequence[int]
    ) -> list[Cycle]:
        """Return the cycles left: rows with the edge to the next row."""
        cycles, seen = [], set[int]()
        for start in rest:
            if start in seen:
                continue
            cycle, row, edge = Cycle(), start, min(around[start])
            while row not in seen:
                seen.add(row)
                cycle.append((row, edge))
                row = next(other for other, _ in edges[edge] if other != row)
                edge = next(index for index in around[row] if index != edge)
            cycles.append(cycle)
        return cycles

    def entry(self, row: int, index: int) -> Any:
        """Return the coefficient of an edge in a row."""
        return next(value for other, value in self.edges[index] if other == row)

    def closing(self, cycle: Cycle) -> Any:
        """Return the determinant of a cycle over the product of its forward entries."""
        factor: Any = 1
        for (row, edge), (_, before) in zip(cycle, [cycle[-1], *cycle[:-1]]):
            factor = factor * -self.entry(row, before) / self.entry(row, edge)
        return factor - 1

    def solve(self, right: Sequence[Any]) -> list[Any]:
        """Return x, one per column, with sum_j entries x_j = right in every row."""
        left, x = list(right), [right[0] * 0] * len(self.edges)
        for row, index in self.leaves:
            if left[row] != 0:
                x[index] = value = left[row] / self.entry(row, index)
                for other, coefficient in self.edges[index]:
                    if other != row:
                        left[other] -= coefficient * value
        for cycle in self.cycles:
            if all(left[row] == 0 for row, _ in cycle):
                continue
            # the value on the last edge, if it were 0; each step is affine in it
            at_zero, shift = x[0] * 0, None
            for (row, edge), (_, before) in zip(cycle, [cycle[-1], *cycle[:-1]]):
                at_zero = (left[row] - self.entry(row, before) * at_zero) / self.entry(row, edge)
            shift = at_zero / -self.closing(cycle)
            for (row, edge), (_, before) in zip(cycle, [cycle[-1], *cycle[:-1]]):
                shift = (left[row] - self.entry(row, before) * shift) / self.entry(row, edge)
                x[edge] = shift
        return x

    def prices(self, gains: Sequence[Any]) -> list[Any]:
        """Return y by rows, with sum of entry * y = gain in every column."""
        y: list[Any] = [gains[0] * 0] * len(self.edges)
        for cycle in self.cycles:
            start = cycle[0][0]
            at, slope = y[0] * 0, y[0] * 0 + 1
            for (row, edge), (then, _) in zip(cycle, [*cycle[1:], cycle[0]]):
                own, other = self.entry(row, edge), self.entry(then, edge)
                at, slope = (gains[edge] - own * at) / other, -own * slope / other
            y[start] = at / (1 - slope)
            for (row, edge), (then, _) in pairwise(cycle):
                y[then] = (gains[edge] - self.entry(row, edge) * y[row]) / self.entry(then, edge)
        for row, index in reversed(self.leaves):
            taken = sum((c * y[other] for other, c in self.edges[index] if other != row), y[row])
            y[row] = (gains[index] - taken) / self.entry(row, index)
        return y
