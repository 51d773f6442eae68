"""A basis of a linear program with at most two entries per column, as a graph: its systems are
solved by removing leaves.

Rows are nodes; a column is an edge, or a loop if it has one entry. Independent columns, as many as
rows, make components with one cycle or loop each. A row with one edge determines it, and is removed
with it; rows of what is left lie on cycles, along which a solution is affine in its first value.
Exact in any field: numbers are those of python-flint. Source: the theory of networks with gains, as
in Dantzig, "Linear Programming and Extensions", 1963, chapter 21.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Edge = tuple[tuple[int, Any], ...]
Cycle = list[tuple[int, int]]  # rows, each with the edge to the next row


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
            known, shift = (
                x[0] * 0,
                None,
            )  # the value on the last edge, if it were 0; each step is affine in it
            for (row, edge), (_, before) in zip(cycle, [cycle[-1], *cycle[:-1]]):
                known = (left[row] - self.entry(row, before) * known) / self.entry(row, edge)
            shift = known / -self.closing(cycle)
            for (row, edge), (_, before) in zip(cycle, [cycle[-1], *cycle[:-1]]):
                shift = (left[row] - self.entry(row, before) * shift) / self.entry(row, edge)
                x[edge] = shift
        return x

    def prices(self, gains: Sequence[Any]) -> list[Any]:
        """Return y, one per row, with sum over the entries of every column of entry * y = its
        gain.
        """
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
