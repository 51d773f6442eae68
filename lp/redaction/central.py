"""What the best central redaction achieves for one private record of a short binary chain.

A central mechanism sees the whole sequence: Y_t is X_t or *, with any joint law (so that r_t may
depend on every record). The expected fraction of records t with Y_t = X_t is largest subject to

    P(Y = y | X_p = z) <= E P(Y = y | X_p = 1 - z)
        for every output y and z in {0, 1},  E = e^epsilon,

which is a pairing of databases with 2^n rows, solved by an exact simplex method. Rational
e^epsilon: exact. Others: programs at rational bounds; the mechanism is that of the lower one. Source
of the question: massny2025, which treats local mechanisms only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pufferproof.lp.exact.linear import Program, Row, Solution, Status
from pufferproof.lp.exact.proposals import proposed
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Pair, private_records
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.proof.farkas import fraction

if TYPE_CHECKING:
    from flint import fmpq


# The best release that keeps one secret from one other where any two databases may share an output.
# Database u has probability mu(u) under secret 0, database v has nu(v) under secret 1; pairs take
# from both in the proportion E : 1 (x) or 1 : E (z), E = e^epsilon:
#
#     maximise sum gain(u, v) x(u, v) + gain'(u, v) z(u, v)
#     subject to sum_v E x(u, v) + z(u, v) = mu(u),  sum_u x(u, v) + E z(u, v) = nu(v),  x, z >= 0.
#
# Gains depend on the number of bits in which u and v differ.
PAIRING_RESTS_ON = ("redaction.central-pairing",)
_OFFERED = 2  # bits in which the databases of a near pair differ
_FINE = 1 << 60


@dataclass(frozen=True)
class Pairing:
    """The problem: laws `zero` and `one` of 2^k databases under the two secrets, and what pairs are
    worth.

    An output shown in u for a share f(u) of mu and in v for a share g(v) of nu keeps the level iff
    F <= E G and G <= E F, F = sum f, G = sum g, and every such release is made of pairs in the
    proportion E : 1 or 1 : E. If a pair is worth most at an output that depends on the pair alone,
    the best release is this program, a transportation problem with gains, two entries in every
    column.

    `gains[d]` is the worth of a unit of x and of z between databases that differ in d bits. `ratio`
    is E >= 1.
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
        rows, objective = [dict[int, Fraction]() for _ in range(2 * self.size)], {}
        for column in range(self.size * self.size * self.kinds):
            u, v, kind = self.pair(column)
            rows[u][column], rows[self.size + v][column] = self.weights(kind)
            objective[column] = self.gains[(u ^ v).bit_count()][kind]
        bounds = (*self.zero, *self.one)
        return Program(objective, [Row(row, "=", bound) for row, bound in zip(rows, bounds)], len(objective))

    def proposal(self, ratio: Fraction) -> Sequence[int]:
        """Return a basis that HiGHS proposes at a ratio, none if it does not: for near pairs, and
        those of the likeliest ones.

        Rows and variables are scaled by the masses, and rounded.
        """
        likely = [max(range(self.size), key=law.__getitem__) for law in (self.zero, self.one)]
        offered = [
            (u, v, kind)
            for u in range(self.size)
            for v in range(self.size)
            if (u ^ v).bit_count() <= _OFFERED or u == likely[0] or v == likely[1]
            for kind in range(self.kinds)
        ]
        same: dict[Fraction, Fraction] = {}  # one object for equal masses
        zero, one = ([same.setdefault(mass, mass) or Fraction(1) for mass in law] for law in (self.zero, self.one))
        scale = _Scale(self, ratio)
        rows, objective = [dict[int, int]() for _ in range(2 * self.size)], {}
        for j, (u, v, kind) in enumerate(offered):
            entry = scale.entry(zero[u], one[v], kind, (u ^ v).bit_count())
            rows[u][j], rows[self.size + v][j], objective[j] = entry
        bounds = [_FINE if mass else 0 for mass in (*self.zero, *self.one)]
        program = Program(objective, [Row(row, "=", bound) for row, bound in zip(rows, bounds)], len(offered))
        proposal = proposed(program, seconds=60)
        if proposal is None:
            return ()
        left = set(range(2 * self.size)) - set(proposal.active)
        return [*(self.place(*offered[column]) for column in proposal.columns), *(-1 - row for row in left)]


class _Scale:
    """Coefficients of variables in units of their databases, as multiples of 2^-60."""

    def __init__(self, pairing: Pairing, ratio: Fraction) -> None:
        self.pairing, self.ratio = pairing, ratio
        self.known: dict[tuple[int, int, int, int], tuple[int, int, int]] = {}

    def entry(self, mass: Fraction, other: Fraction, kind: int, differing: int) -> tuple[int, int, int]:
        """Return the two entries and the objective coefficient of x (kind 0) or z (kind 1)."""
        key = id(mass), id(other), kind, differing
        if key not in self.known:
            above, below = (Fraction(1), self.ratio) if kind else (self.ratio, Fraction(1))
            unit = min(mass / above, other / below)
            entries = (above * unit / mass, below * unit / other, self.pairing.gains[differing][kind] * unit)
            self.known[key] = (round(entries[0] * _FINE), round(entries[1] * _FINE), round(entries[2] * _FINE))
        return self.known[key]


@dataclass(frozen=True)
class Paired:
    """The optimum of a pairing: its value, the positive variables by number, the prices of both
    sides, the basis.

    Prices s, t of databases prove the optimum: E s(u) + t(v) >= gain(u, v) and s(u) + E t(v) >=
    gain'(u, v) for all u, v, and sum mu s + sum nu t is the value.
    """

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


RESTS_ON = ("redaction.central-own", "redaction.central-pairing")
MOST_RECORDS = 8
_WIDTH = Fraction(1, 10**10)  # of the interval of a utility, relative


@dataclass(frozen=True)
class CentralOptimum:
    """Bounds of an optimal utility, and a mechanism that reaches the lower one.

    `below` is the pairing solved at a rational ratio at most e^epsilon, `above` at one that is at
    least e^epsilon. They are equal where e^epsilon is rational.
    """

    chain: BinaryChain
    private: int
    lower: Fraction
    upper: Fraction
    below: Paired
    above: Paired

    @property
    def program(self) -> Program:
        """The linear program of `above`: its rows are `databases`, in units of P(x | X_p)."""
        return self.above.pairing.program

    @property
    def solution(self) -> Solution:
        """The optimum of `program` with its dual, one price per database."""
        return self.above.solution

    @property
    def databases(self) -> tuple[str, ...]:
        """Sequences in the order of the rows: those with X_p = 0, then those with X_p = 1, each
        in order of the others.
        """
        return tuple(
            _sequence(u, self.private, value, self.chain.length)
            for value in (0, 1)
            for u in range(self.above.pairing.size)
        )

    @property
    def prices(self) -> dict[str, Fraction]:
        """A price per sequence: sum_x P(x | X_p = x_p) price(x) >= the utility of every mechanism
        within the level.

        For any x with X_p = 0 and x' with X_p = 1, and what a pair of them is worth, E price(x) +
        price(x') and price(x) + E price(x') are at least that: n times it is (m_0 E + m_1) (n - 1 -
        d), and (m_0 + m_1 E) (n - 1 - d).
        """
        return dict(zip(self.databases, (*self.above.prices[0], *self.above.prices[1])))

    @cached_property
    def releases(self) -> dict[str, dict[str, Fraction]]:
        """P(y | X = x) for every sequence x; impossible ones show the first output."""
        rows: dict[str, dict[str, Fraction]] = {x: {} for x in self.databases}
        for column, flow in self.below.flows.items():
            u, v, kind = self.below.pairing.pair(column)
            shares = self.below.pairing.weights(kind)
            # what a pair prints: the records in which it agrees
            zero, one = (
                _sequence(database, self.private, value, self.chain.length) for value, database in enumerate((u, v))
            )
            output = "".join(x if x == other else "*" for x, other in zip(zero, one))
            masses = self.below.pairing.zero[u], self.below.pairing.one[v]
            for value, (database, share, mass) in enumerate(zip((u, v), shares, masses)):
                row = rows[_sequence(database, self.private, value, self.chain.length)]
                row[output] = row.get(output, Fraction(0)) + share * flow / mass
        spare = next(output for row in rows.values() for output in row)
        return {x: row or {spare: Fraction(1)} for x, row in rows.items()}

    @property
    def channel(self) -> Channel:
        """The mechanism: databases by labels, possible outputs in the order of 0, 1, *."""
        outputs = sorted({output for row in self.releases.values() for output in row}, key=_in_order)
        return Channel.of({x: self.releases[x] for x in sorted(self.releases)}, outputs)

    @cached_property
    def leakage(self) -> Leakage:
        """The exact leakage of the mechanism, from its channel and the law of the chain."""
        sums: dict[str, list[Fraction]] = {}
        for x, row in self.releases.items():
            for output, share in row.items():
                pair = sums.setdefault(output, [Fraction(0), Fraction(0)])
                pair[int(x[self.private - 1])] += self.law[x] * share
        m = self.chain.law(self.private)
        shown = [(zero / m[0], one / m[1]) for zero, one in sums.values() if zero or one]
        return Leakage.of(max(max(pair) / min(pair) for pair in shown) if all(map(min, shown)) else None)

    @cached_property
    def law(self) -> dict[str, Fraction]:
        """P(X = x) for every sequence."""
        return {x: probability(self.chain, tuple(map(int, x))) for x in self.databases}

    @property
    def utility(self) -> Fraction:
        """The expected fraction of records with Y_t = X_t, from the channel: `lower`."""
        return (
            sum(
                (
                    self.law[x] * share * sum(map(str.__eq__, x, y))
                    for x, row in self.releases.items()
                    for y, share in row.items()
                ),
                Fraction(0),
            )
            / self.chain.length
        )


def central_optimum(chain: BinaryChain, private: int, level: Level, most: int = MOST_RECORDS) -> CentralOptimum:
    """Return the best central redaction mechanism within a level.

    r_t may depend on every record: any joint law of what is released.

    >>> optimum = central_optimum(BinaryChain("1/4", "1/2", 2), 1, Level.log(1))
    >>> optimum.upper, optimum.channel.outputs, optimum.leakage.ratio
    (Fraction(3, 8), ('*0', '*1', '**'), Fraction(1, 1))

    At epsilon = 0 the optimum is (1/n) sum over t /= p of 1 - |lam|^|t - p| (here (1 - 1/4) / 2).
    Raises `ModelError` unless the chain has at most `most` records (the default takes seconds; 10
    take about 10 times as long) and both values of X_p have positive probability.
    """
    (private,) = private_records(private, chain.length)
    if chain.length > most:
        raise ModelError(f"expected at most {most} records, found {chain.length}", "length")
    m = chain.law(private)
    if 0 in m:
        raise ModelError(f"nothing to check: a value of record {private} has probability 0", "private")
    laws = _laws(chain, private)
    seen = [pair for pair in zip(*laws) if any(pair)]
    enough = max(max(pair) / min(pair) for pair in seen) if all(map(min, seen)) else None
    if enough is not None and level.compare(enough) <= 0:
        return _everything(chain, private, laws, level.ratio or enough)
    accuracy, start = 64, tuple[int, ...]()
    while True:
        low, high = level.bounds(accuracy)
        below = solve_pairing(_pairing(laws, m, low), start if low != 1 else ())
        start = below.basis if low != 1 else ()
        above = below if low == high else solve_pairing(_pairing(laws, m, high), start)
        if above.value - below.value <= _WIDTH * below.value:
            return CentralOptimum(chain, private, below.value, above.value, below, above)
        accuracy, start = 2 * accuracy, above.basis


def probability(chain: BinaryChain, x: Sequence[int]) -> Fraction:
    """Return the probability of a sequence."""
    weight = chain.law(1)[x[0]]
    for now, then in pairwise(x):
        weight *= chain.transition[now][then]
    return weight


def _laws(chain: BinaryChain, private: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return P(u | X_p = 0) and P(u | X_p = 1) for the other records' values u."""
    m, others = chain.law(private), range(1 << (chain.length - 1))
    zero, one = (
        tuple(
            probability(chain, [int(x) for x in _sequence(u, private, value, chain.length)]) / m[value] for u in others
        )
        for value in (0, 1)
    )
    return zero, one


def _everything(
    chain: BinaryChain, private: int, laws: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], ratio: Fraction
) -> CentralOptimum:
    """Return the release of all other records, as pairs of a database with itself."""
    m, most = chain.law(private), Fraction(chain.length - 1, chain.length)
    pairing, flows = _pairing(laws, m, ratio), {}
    for u, (mu, nu) in enumerate(zip(*laws)):
        if ratio == 1:
            flows[pairing.place(u, u, 0)] = mu
            continue
        flows[pairing.place(u, u, 0)] = (ratio * mu - nu) / (ratio**2 - 1)
        flows[pairing.place(u, u, 1)] = (ratio * nu - mu) / (ratio**2 - 1)
    prices = (most * m[0],) * pairing.size, (most * m[1],) * pairing.size
    best = Paired(pairing, most, {column: flow for column, flow in flows.items() if flow}, prices, ())
    return CentralOptimum(chain, private, most, most, best, best)


def _pairing(laws: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], m: Pair, ratio: Fraction) -> Pairing:
    """Return the pairing of the other records, with what pairs are worth.

    u = (X_t : t /= p) under X_p = 0 is paired with v under X_p = 1, m the law of X_p, d the number
    of records in which they differ. A redaction shown in both releases at most the n - 1 - d
    records in which they agree; each is worth m_0 E + m_1 to a pair in proportion E : 1, m_0 + m_1
    E in proportion 1 : E (redaction.central-pairing). So there are 2^n rows with two entries per
    column instead of 3^n constraints on 4^n probabilities.
    """
    length = len(laws[0]).bit_length()
    shares = [Fraction(same, length) for same in reversed(range(length))]
    gains = [(share * (m[0] * ratio + m[1]), share * (m[0] + m[1] * ratio)) for share in shares]
    return Pairing(*laws, tuple(gains), ratio)


def _sequence(u: int, private: int, value: int, length: int) -> str:
    """Return the sequence with X_p = value and the other records those of u."""
    others = format(u, f"0{length - 1}b") if length > 1 else ""
    return others[: private - 1] + str(value) + others[private - 1 :]


def _in_order(output: str) -> list[int]:
    return ["01*".index(symbol) for symbol in output]


# Simplex ------------------------------------------------------------------------------------------
#
# Pairings solved exactly: the simplex method in rationals, from a basis that HiGHS proposes or any
# other, to the end.
#
# A basis that is not feasible is made so by artificial variables. Floats may choose what enters;
# what is positive, feasible and optimal is decided in rationals, and where nothing moves Bland's
# rule ends it. The problem is that of `Pairing`, with at most two
# entries per column, so that a basis is a graph.

Edge = tuple[tuple[int, "fmpq"], ...]
Cycle = list[tuple[int, int]]  # rows, each with the edge to the next row
_NEAR_ONE = Fraction(1025, 1024)  # floats see no difference between ratios of 1 + 10^-12 and 1
_PATIENCE = 20  # pivots that change nothing, before Bland's rule


def solve_pairing(pairing: Pairing, start: Sequence[int] = ()) -> Paired:
    """Solve a pairing exactly.

    >>> half, worth = Fraction(1, 2), ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)))
    >>> solve_pairing(Pairing((half, half), (Fraction(1, 4), Fraction(3, 4)), worth, Fraction(1))).value
    Fraction(3, 4)

    Args:
        start: the basis of a pairing with the same `kinds` and a ratio near this one, instead of
            asking HiGHS.

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

    Columns below 0 are artificial, kept at 0 once they are: -1 - r has one entry, 1, in row r; -1 -
    rows - j is -1 times column j, so that a basis with negative values becomes feasible by
    exchanging those columns.
    """

    def __init__(self, pairing: Pairing) -> None:
        import numpy as np

        self.pairing, self.rows = pairing, 2 * pairing.size
        self.ratio, self.nothing, self.one = (_flint(Fraction(value)) for value in (pairing.ratio, 0, 1))
        self.gains = [[_flint(value) for value in pair] for pair in pairing.gains]
        self.bound = [_flint(mass) for mass in (*pairing.zero, *pairing.one)]
        self.distance = [each.bit_count() for each in range(pairing.size)]
        self.apart = np.array([[self.distance[u ^ v] for v in range(pairing.size)] for u in range(pairing.size)])
        self.phase, self.next_row = 2, 0

    def entries(self, column: int) -> "tuple[tuple[int, fmpq], ...]":
        """Return the one or two entries of a column."""
        if column < -self.rows:
            return tuple((row, -value) for row, value in self.entries(-1 - self.rows - column))
        if column < 0:
            return ((-1 - column, self.one),)
        u, v, kind = self.pairing.pair(column)
        weights = (self.one, self.ratio) if kind else (self.ratio, self.one)
        return (u, weights[0]), (self.pairing.size + v, weights[1])

    def gain(self, column: int) -> "fmpq":
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

    def _guess(self, prices: "Sequence[fmpq]") -> int | None:
        """Return the variable that floats prefer, if its reduced gain really is positive."""
        import numpy as np

        size, kinds = self.pairing.size, self.pairing.kinds
        try:
            ratio, (near, far) = (
                float(self.pairing.ratio),
                np.array([float(fraction(x)) for x in prices]).reshape(2, size),
            )
            gains = np.array([[float(x) for x in pair] for pair in self.pairing.gains]) * (self.phase == 2)
        except OverflowError:
            return None
        sides = [(ratio * near, far), (near, ratio * far)][:kinds]
        reduced = [gains[self.apart, kind] - own[:, None] - other for kind, (own, other) in enumerate(sides)]
        u, v, kind = (int(place) for place in np.unravel_index(np.argmax(np.stack(reduced, 2)), (size, size, kinds)))
        column = self.pairing.place(u, v, kind)
        cost = sum((value * prices[row] for row, value in self.entries(column)), self.nothing)
        return column if self.gain(column) > cost else None

    def _first(self, u: int, near: "Sequence[fmpq]", far: "Sequence[fmpq]", gains: "Sequence[Sequence[fmpq]]") -> int:
        """Return the first variable with a positive reduced gain at u, or None."""
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
        """Return the optimum reached, with rows checked to be filled."""
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


def _flint(value: Fraction) -> "fmpq":
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


class BasisGraph:
    """A basis as a graph on the rows: an edge per column, two entries or one. Leaves in order
    of removal, then cycles.
    """

    def __init__(self, edges: Sequence[Edge], leaves: list[tuple[int, int]], cycles: list[Cycle]) -> None:
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
    def _cycles(edges: Sequence[Edge], around: Sequence[set[int]], rest: Sequence[int]) -> list[Cycle]:
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

    def entry(self, row: int, index: int) -> "fmpq":
        """Return the coefficient of an edge in a row."""
        return next(value for other, value in self.edges[index] if other == row)

    def closing(self, cycle: Cycle) -> "fmpq":
        """Return the determinant of a cycle over the product of its forward entries."""
        factor: Any = 1
        for (row, edge), (_, before) in zip(cycle, [cycle[-1], *cycle[:-1]]):
            factor = factor * -self.entry(row, before) / self.entry(row, edge)
        determinant: fmpq = factor - 1
        return determinant

    def solve(self, right: "Sequence[fmpq]") -> "list[fmpq]":
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

    def prices(self, gains: "Sequence[fmpq]") -> "list[fmpq]":
        """Return y by rows, with sum of entry * y = gain in every column."""
        y: list[fmpq] = [gains[0] * 0] * len(self.edges)
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
