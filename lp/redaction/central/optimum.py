"""What the best central redaction achieves for one private record of a short binary chain.

A central mechanism sees the whole sequence: Y_t is X_t or *, with any joint law (so that r_t may
depend on every record). The expected fraction of records t with Y_t = X_t is largest subject to

    P(Y = y | X_p = z) <= E P(Y = y | X_p = 1 - z)
        for every output y and z in {0, 1},  E = e^epsilon,

which is a pairing with 2^n rows (`pufferproof.lp.redaction.central.pairing`). Rational e^epsilon:
exact. Others: programs at rational bounds; the mechanism is that of the lower one. Source of the
question: massny2025, which treats local mechanisms only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pufferproof.lp.exact.linear import Program, Solution
from pufferproof.lp.redaction.central.pairing import Paired, Pairing
from pufferproof.lp.redaction.central.simplex import solve_pairing
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Pair, private_records
from pufferproof.verify.leakage.ratio import Leakage

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
            output = self._output(u, v)
            masses = self.below.pairing.zero[u], self.below.pairing.one[v]
            for value, (database, share, mass) in enumerate(zip((u, v), shares, masses)):
                row = rows[_sequence(database, self.private, value, self.chain.length)]
                row[output] = row.get(output, Fraction(0)) + share * flow / mass
        spare = next(output for row in rows.values() for output in row)
        return {x: row or {spare: Fraction(1)} for x, row in rows.items()}

    @property
    def channel(self) -> Channel:
        """The mechanism: databases by labels, possible outputs in the order of 0, 1, *."""
        outputs = sorted(
            {output for row in self.releases.values() for output in row}, key=_in_order
        )
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
        return Leakage.of(
            max(max(pair) / min(pair) for pair in shown) if all(map(min, shown)) else None
        )

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

    def _output(self, u: int, v: int) -> str:
        """Return what a pair prints: the records in which it agrees."""
        zero, one = (
            _sequence(database, self.private, value, self.chain.length)
            for value, database in enumerate((u, v))
        )
        return "".join(x if x == other else "*" for x, other in zip(zero, one))


def central_optimum(
    chain: BinaryChain, private: int, level: Level, most: int = MOST_RECORDS
) -> CentralOptimum:
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
        raise ModelError(
            f"nothing to check: a value of record {private} has probability 0", "private"
        )
    laws = _laws(chain, private)
    enough = _enough(laws)
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
            probability(chain, [int(x) for x in _sequence(u, private, value, chain.length)])
            / m[value]
            for u in others
        )
        for value in (0, 1)
    )
    return zero, one


def _enough(laws: tuple[Sequence[Fraction], Sequence[Fraction]]) -> Fraction | None:
    """Return the ratio at which everything but X_p may be released, or None if none is enough.

    It is K = max P(u | X_p = z) / P(u | X_p = 1 - z): at E >= K the programs are not needed.
    """
    seen = [pair for pair in zip(*laws) if any(pair)]
    return max(max(pair) / min(pair) for pair in seen) if all(map(min, seen)) else None


def _everything(
    chain: BinaryChain,
    private: int,
    laws: tuple[tuple[Fraction, ...], tuple[Fraction, ...]],
    ratio: Fraction,
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
    best = Paired(
        pairing, most, {column: flow for column, flow in flows.items() if flow}, prices, ()
    )
    return CentralOptimum(chain, private, most, most, best, best)


def _pairing(
    laws: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], m: Pair, ratio: Fraction
) -> Pairing:
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
