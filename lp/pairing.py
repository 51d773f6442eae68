"""The best release that keeps one secret from one other where any two databases may share an output: an exact pairing.

Database u has probability mu(u) under secret 0, database v has nu(v) under secret 1. An output shown in u for a share f(u)
of mu and in v for a share g(v) of nu keeps the level e^epsilon = E iff F <= E G and G <= E F, F = sum f, G = sum g. Then (F, G)
is a non-negative combination of (E, 1) and (1, E), and f, g are the margins of f g / (F G) times either: every release is made
of *pairs*, u and v in the proportion E : 1 or 1 : E. If a pair is worth most at an output that depends on the pair alone, the
best release is the linear program over x (E : 1) and z (1 : E), both >= 0,

    maximise sum gain(u, v) x(u, v) + gain'(u, v) z(u, v)
    subject to sum_v E x(u, v) + z(u, v) = mu(u),  sum_u x(u, v) + E z(u, v) = nu(v),

with two entries in every column: a transportation problem with gains. Its dual prices s, t of databases prove the optimum:
E s(u) + t(v) >= gain(u, v) and s(u) + E t(v) >= gain'(u, v) for all u, v, and sum mu s + sum nu t is the value.

Databases are numbers 0 .. 2^k - 1 and gains depend on the number of bits in which u and v differ. HiGHS proposes a basis; the
simplex method in rationals continues from there to the end, by Bland's rule where nothing moves. Other gains are not treated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.lp.basis_graph import BasisGraph
from pufferproof.lp.exact_lp import Program, Row, Solution, Status
from pufferproof.lp.float_lp import proposed
from pufferproof.models.errors import SolverError
from pufferproof.verify.farkas import fraction

_NEAR_ONE = Fraction(1025, 1024)  # floats see no difference between ratios of 1 + 10^-12 and 1
_OFFERED = 2  # bits in which the databases of a near pair differ
_PATIENCE = 20  # pivots that change nothing, before Bland's rule


@dataclass(frozen=True)
class Pairing:
    """The problem: laws `zero` and `one` of 2^k databases under the two secrets, and what pairs are worth.

    `gains[d]` is the worth of a unit of x and of z between databases that differ in d bits. `ratio` is E >= 1.
    """

    zero: tuple[Fraction, ...]
    one: tuple[Fraction, ...]
    gains: tuple[tuple[Fraction, Fraction], ...]
    ratio: Fraction

    @property
    def size(self) -> int:
        """The number of databases under each secret."""
        return len(self.zero)

    @property
    def kinds(self) -> int:
        """2, or 1 where E = 1 and x and z are the same."""
        return 1 if self.ratio == 1 else 2

    def place(self, u: int, v: int, kind: int) -> int:
        """Return the number of the variable x(u, v), kind 0, or z(u, v), kind 1."""
        return (u * self.size + v) * self.kinds + kind

    def pair(self, column: int) -> tuple[int, int, int]:
        """Return (u, v, kind) of a variable."""
        both, kind = divmod(column, self.kinds)
        return *divmod(both, self.size), kind

    def weights(self, kind: int) -> tuple[Fraction, Fraction]:
        """Return the proportion in which a pair takes from its two databases."""
        return (Fraction(1), self.ratio) if kind else (self.ratio, Fraction(1))

    @cached_property
    def program(self) -> Program:
        """The linear program: rows are the databases under secret 0, then those under secret 1."""
        return self._program(range(self.size * self.size * self.kinds), self.ratio)

    def proposal(self, ratio: Fraction) -> Sequence[int]:
        """Return a basis that HiGHS proposes at a ratio, none if it does not: for near pairs, and those of the likeliest ones.

        Rows and variables are scaled by the masses.
        """
        masses = [mass or Fraction(1) for mass in (*self.zero, *self.one)]
        likely = [max(range(self.size), key=law.__getitem__) for law in (self.zero, self.one)]
        offered = []
        for column in range(self.size * self.size * self.kinds):
            u, v, _ = self.pair(column)
            if (u ^ v).bit_count() <= _OFFERED or u == likely[0] or v == likely[1]:
                offered.append(column)
        found = proposed(self._program(offered, ratio, masses), seconds=60)
        if found is None:
            return ()
        left = set(range(2 * self.size)) - set(found.active)
        return [*(offered[column] for column in found.columns), *(-1 - row for row in left)]

    def _program(self, columns: Sequence[int], ratio: Fraction, masses: Sequence[Fraction] = ()) -> Program:
        """Return the program over some variables, with rows and variables scaled by the masses if they are given."""
        size, rows, objective = self.size, [dict[int, Fraction]() for _ in range(2 * self.size)], {}
        for j, column in enumerate(columns):
            u, v, kind = self.pair(column)
            above, below = (Fraction(1), ratio) if kind else (ratio, Fraction(1))
            gain = self.gains[(u ^ v).bit_count()][kind]
            if masses:
                unit = min(masses[u] / above, masses[size + v] / below)
                above, below, gain = above * unit / masses[u], below * unit / masses[size + v], gain * unit
            rows[u][j], rows[size + v][j], objective[j] = above, below, gain
        bounds = [*self.zero, *self.one]
        if masses:
            bounds = [bound / mass for bound, mass in zip(bounds, masses)]
        return Program(objective, [Row(row, "=", bound) for row, bound in zip(rows, bounds)], len(objective))


@dataclass(frozen=True)
class Paired:
    """The optimum of a pairing: its value, the positive variables by number, the prices of both sides, the basis."""

    pairing: Pairing
    value: Fraction
    flows: dict[int, Fraction]
    prices: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    basis: tuple[int, ...]

    @property
    def solution(self) -> Solution:
        """The optimum as a solution of `pairing.program`."""
        x = [Fraction(0)] * self.pairing.program.variables
        for column, value in self.flows.items():
            x[column] = value
        return Solution(Status.OPTIMAL, self.value, tuple(x), (*self.prices[0], *self.prices[1]))


def solve_pairing(pairing: Pairing, start: Sequence[int] = ()) -> Paired:
    """Solve a pairing exactly.

    >>> half, worth = Fraction(1, 2), ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)))
    >>> solve_pairing(Pairing((half, half), (Fraction(1, 4), Fraction(3, 4)), worth, Fraction(1))).value
    Fraction(3, 4)

    Args:
        start: the basis of a pairing with the same `kinds` and a ratio near this one, instead of asking HiGHS.

    Raises `SolverError` unless the laws sum to the same.
    """
    if sum(pairing.zero) != sum(pairing.one):
        raise SolverError("expected two laws with the same sum")
    basis = start or pairing.proposal(pairing.ratio if pairing.kinds == 1 else max(pairing.ratio, _NEAR_ONE))
    simplex = _Simplex(pairing)
    simplex.start(basis)
    simplex.improve()
    return simplex.result()


class _Simplex:
    """The revised simplex method on rationals.

    Columns below 0 are artificial, kept at 0 once they are: -1 - r has one entry, 1, in row r; -1 - rows - j is -1 times
    column j, so that a basis with negative values becomes feasible by exchanging those columns.
    """

    def __init__(self, pairing: Pairing) -> None:
        self.pairing, self.rows = pairing, 2 * pairing.size
        self.ratio, self.nothing, self.one = (_flint(Fraction(value)) for value in (pairing.ratio, 0, 1))
        self.gains = [[_flint(value) for value in pair] for pair in pairing.gains]
        self.bound = [_flint(mass) for mass in (*pairing.zero, *pairing.one)]
        self.distance = [each.bit_count() for each in range(pairing.size)]
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
        """Start from a basis, or from the artificial one if it is none, and make the artificial variables 0."""
        if not self._take(basis):
            self._take([-1 - row for row in range(self.rows)])
        self.phase = 1
        self.improve()
        if any(value for column, value in zip(self.basis, self.x) if column < 0):
            raise SolverError("a pairing of laws with the same sum is feasible")
        self.phase = 2

    def _take(self, basis: Sequence[int]) -> bool:
        """Make a basis the present one, with negative variables exchanged; say whether that is possible."""
        if len(basis) != self.rows or len(set(basis)) != self.rows:
            return False
        graph = BasisGraph.of([self.entries(column) for column in basis], self.rows)
        if graph is None:
            return False
        x = graph.solve(self.bound)
        if any(value < 0 and column < 0 for column, value in zip(basis, x)):
            return False
        self.basis = [column if value >= 0 else -1 - self.rows - column for column, value in zip(basis, x)]
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
        """Return a variable of positive reduced gain, the first one for Bland's rule; None at the optimum."""
        size, kinds = self.pairing.size, self.pairing.kinds
        prices = self.graph.prices([self.gain(column) for column in self.basis])
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

    def _first(self, u: int, near: Sequence[Any], far: Sequence[Any], gains: Sequence[Sequence[Any]]) -> int:
        """Return the variable of least number with a positive reduced gain at u, where there is one."""
        for v, price in enumerate(far):
            worth = gains[self.distance[u ^ v]]
            for kind, cost in enumerate((self.ratio * near[u] + price, near[u] + self.ratio * price)):
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
            if least is None or bound < least or (bound == least and self.basis[index] < self.basis[leaving]):
                leaving, least = index, bound
        if least is None:
            raise AssertionError("a pairing is bounded")
        self.x = [value - least * change if change else value for value, change in zip(self.x, step)]
        self.basis[leaving], self.x[leaving] = column, least
        self._factor()
        return bool(least != 0)

    def result(self) -> Paired:
        """Return the optimum that was reached: no price can be improved; that the flows fill every row is checked."""
        size = self.pairing.size
        prices = [fraction(price) for price in self.graph.prices([self.gain(column) for column in self.basis])]
        flows = {column: fraction(value) for column, value in zip(self.basis, self.x) if value != 0}
        left = [*self.pairing.zero, *self.pairing.one]
        for column, flow in flows.items():
            u, v, kind = self.pairing.pair(column)
            above, below = self.pairing.weights(kind)
            left[u], left[size + v] = left[u] - above * flow, left[size + v] - below * flow
        if any(left) or min(flows) < 0 or min(flows.values()) < 0:
            raise SolverError("the exact solution of a pairing failed its own check")
        value = sum((price * mass for price, mass in zip(prices, (*self.pairing.zero, *self.pairing.one))), Fraction(0))
        return Paired(self.pairing, value, flows, (tuple(prices[:size]), tuple(prices[size:])), tuple(self.basis))


def _flint(value: Fraction) -> Any:
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)
