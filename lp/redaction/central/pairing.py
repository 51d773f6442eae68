"""The best release that keeps one secret from one other where any two databases may share an
output: an exact pairing.

Database u has probability mu(u) under secret 0, database v has nu(v) under secret 1; pairs take
from both in the proportion E : 1 (x) or 1 : E (z), E = e^epsilon:

    maximise sum gain(u, v) x(u, v) + gain'(u, v) z(u, v)
    subject to sum_v E x(u, v) + z(u, v) = mu(u),  sum_u x(u, v) + E z(u, v) = nu(v),  x, z >= 0.

Databases are numbers 0 .. 2^k - 1 and gains depend on the number of bits in which u and v differ;
other gains are not treated. It is solved in `pufferproof.lp.redaction.central.optimum`; here are
the problem, its optimum, and the basis that HiGHS proposes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pufferproof.lp.exact.linear import Program, Row, Solution, Status
from pufferproof.lp.exact.proposals import proposed

RESTS_ON = ("redaction.central-pairing",)
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
