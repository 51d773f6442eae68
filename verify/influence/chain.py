"""Max-influence along a Markov chain: how much the records at given distances say about X_i, for
every quilt, exactly.

    e(X_Q | X_i) = max over values v, w of X_i and outcomes z of
        log P(X_Q = z | X_i = v) / P(X_Q = z | X_i = w)

with P(X_i = v), P(X_i = w) > 0; 0/0 is left out and c/0, c > 0, is infinite. Only the nearest
records on either side count, each side is one factor for every pair v, w, and so is the law of X_1
where any will do. Logarithms in floats sort the candidates, with a slack far above their error;
exact rationals or enclosures decide among them. Definition: wang2016, Definition 4.2; song2017,
Definition II.2.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.arithmetic import Bounds, Rigorous
from pufferproof.models.sequences.chain import Along

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

RESTS_ON = (
    "influence.any-start",
    "wang2016.lem-4.5",
    "song2017.x-markov",
    "song2017.x-separated",
    "song2017.x-two-sides",
)
_UNREACHED = 1e300  # stands for -log 0 in a denominator
# far above the relative error of a logarithm in floats, and of sums of a few of them
_RELATIVE = 2.0**-40
_SORTABLE = 2.0**-20
_FEW = 8  # values for which all candidates are compared


class PairFactor(NamedTuple):
    """A ratio r(v, w) > 0 for all pairs of values: its logarithm in floats to sort by, an error
    of it, and its value.
    """

    logs: "NDArray[np.float64]"
    error: float
    value: "Callable[[int, int], arb | Fraction]"

    def swapped(self) -> "PairFactor":
        """Return r(w, v)."""
        return PairFactor(self.logs.T, self.error, lambda v, w: self.value(w, v))


class ChainInfluence:
    """Influences of every quilt of a chain, as bounds of ratios e^e: equal when `laws` are exact,
    both None when infinite.

    >>> from pufferproof import MarkovChain
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> influence = ChainInfluence(Along(chain, 9))
    >>> (influence.of(5, 1, 2).lower, influence.of(5, None, 2).lower, influence.of(5, None, None).lower)
    (Fraction(12, 5), Fraction(6, 5), Fraction(1, 1))

    Raises `ModelError` unless the arithmetic of `laws` is "exact" or "enclosed".
    """

    def __init__(self, laws: Along) -> None:
        if laws.arithmetic.name == "float":
            raise ModelError('expected "exact" or "enclosed", found "float"', "arithmetic")
        self.laws = laws
        self.arithmetic: Rigorous = laws.arithmetic  # type: ignore[assignment]
        self.forward = lru_cache(maxsize=None)(self._forward)
        self.backward = lru_cache(maxsize=None)(self._backward)
        self.column = lru_cache(maxsize=None)(self._column)

    def of(self, record: int, left: int | None, right: int | None) -> Bounds:
        """Return e^e of {X_(i-a), X_(i+b)}, i = `record`, a = `left`, b = `right`; None leaves that
        side out.

        Raises `ModelError` unless 1 <= i - a and i + b <= T, with a, b >= 1.
        """
        self.expect_quilt(record, left, right)
        return self.largest(self.factors(record, left, right), self.laws.possible(record))

    def table(self, record: int, lefts: Sequence[int | None], rights: Sequence[int | None]) -> list[list[Bounds]]:
        """Return e^e of every quilt in lefts x rights around a record, a row per left distance."""
        return [[self.of(record, left, right) for right in rights] for left in lefts]

    def of_set(self, record: int, others: Iterable[int]) -> Bounds:
        """Return e^e of any set of records: that of the nearest, or infinity with X_i itself."""
        chosen = [self.laws.expect_record(other) for other in others]
        if record in chosen:
            return Bounds.infinite() if len(self.laws.possible(record)) > 1 else Bounds.none()
        before = [record - other for other in chosen if other < record]
        after = [other - record for other in chosen if other > record]
        return self.of(record, min(before, default=None), min(after, default=None))

    def pointwise(self, record: int, other: int, value: int) -> Bounds:
        """Return e^i of the one outcome X_t = x, t = `other` != i: the largest P(X_t = x | v) /
        P(X_t = x | w).

        Source: massny2025, Section II, for two values.
        """
        self.expect_quilt(record, *((record - other, None) if other < record else (None, other - record)))
        if other < record:
            rows = tuple({value} & set(self.laws.possible(other)))
            factors = [self.backward(record if not self.laws.stationary else None, record - other, rows)]
        else:
            factors = [self.forward(other - record, (value,))]
        return self.largest(factors, self.laws.possible(record))

    def any_start(self, record: int, left: int | None, right: int | None) -> Bounds:
        """Return the supremum of e^e over laws of X_1 (influence.any-start)."""
        self.expect_quilt(record, left, right)
        return self.largest(self.factors_of_any_start(record, left, right), self.values_of_any_start(record))

    def factors(self, record: int, left: int | None, right: int | None) -> list[PairFactor]:
        """Return the ratios whose product at (v, w) is the largest one of the quilt for these
        two values (song2017.x-markov, Bayes's formula).
        """
        factors = [] if right is None else [self.forward(right)]
        if left is not None:
            rows = tuple(self.laws.possible(record - left))
            factors.append(self.backward(None if self.laws.stationary else record, left, rows))
        return factors

    def factors_of_any_start(self, record: int, left: int | None, right: int | None) -> list[PairFactor]:
        """Return the same for the supremum over initial laws (influence.any-start): the record i
        enters through m_i(w) / m_i(v), whose largest values are those of rows z of P^(i - 1).
        """
        factors = [] if right is None else [self.forward(right)]
        if left is not None:
            factors += [
                self.column(left, tuple(self.values_of_any_start(record - left)), record),
                self.column(record - 1, tuple(range(self.laws.states)), record).swapped(),
            ]
        return factors

    def values_of_any_start(self, record: int) -> list[int]:
        """Return the values that X_t can have for some law of X_1."""
        import numpy as np

        return [int(v) for v in np.flatnonzero(self.laws.pattern(record - 1).any(axis=0))]

    def _forward(self, distance: int, outcomes: tuple[int, ...] | None = None) -> PairFactor:
        """Return max over y of P^b(v, y) / P^b(w, y), over some outcomes y or all."""
        entries = self.arithmetic.numbers(self.laws.power_matrix(distance))
        chosen = range(self.laws.states) if outcomes is None else outcomes
        return self._quotients([[row[y] for y in chosen] for row in entries], [1] * self.laws.states)

    def _backward(self, record: int | None, distance: int, rows: tuple[int, ...]) -> PairFactor:
        """Return max over x in `rows` of P^a(x, v) / P^a(x, w) * m_i(w) / m_i(v)."""
        entries = self.arithmetic.numbers(self.laws.power_matrix(distance))
        (law,) = self.arithmetic.numbers(self.laws.law_matrix(record or 1))
        return self._quotients([[entries[x][v] for x in rows] for v in range(self.laws.states)], law)

    def _column(self, distance: int, rows: tuple[int, ...], record: int) -> PairFactor:
        """Return max over x in `rows` of P^a(x, v) s(w) / (P^a(x, w) s(v)), s sums of P^(i-1)."""
        entries = self.arithmetic.numbers(self.laws.power_matrix(distance))
        ones = self.arithmetic.matrix([[1] * self.laws.states], 1)
        (sums,) = self.arithmetic.numbers(self.arithmetic.times(ones, self.laws.power_matrix(record - 1)))
        return self._quotients([[entries[x][v] for x in rows] for v in range(self.laws.states)], sums)

    def largest(self, factors: Sequence[PairFactor], values: Sequence[int]) -> Bounds:
        """Return the largest product of ratios over pairs of values, 1 without factors."""
        import numpy as np

        if not factors or len(values) < 2:
            return Bounds.none()
        chosen = np.ix_(values, values)
        total = sum((factor.logs[chosen] for factor in factors), np.zeros((len(values), len(values))))
        if np.isposinf(total).any():
            return Bounds.infinite()
        if np.isneginf(total.max()):
            return Bounds.none()
        slack = sum(factor.error for factor in factors)
        near = [(values[v], values[w]) for v, w in zip(*np.nonzero(total >= total.max() - slack)) if v != w]
        products = [self.product(factors, v, w) for v, w in near]
        best = self.arithmetic.bounds(self.arithmetic.largest(products)) if products else Bounds.none()
        one = Fraction(1)
        return Bounds(*(max(end or one, one) for end in best))

    def product(self, factors: Sequence[PairFactor], v: int, w: int) -> "arb | Fraction":
        """Return the product of ratios at a pair of values where none is infinite."""
        first, *rest = (factor.value(v, w) for factor in factors)
        for number in rest:
            first = self.arithmetic.times_number(first, number)
        return first

    def expect_quilt(self, record: int, left: int | None, right: int | None) -> None:
        """Raise `ModelError` unless the record exists and each distance is at least 1 and stays
        on the chain.
        """
        self.laws.expect_record(record)
        for name, distance, most in (("left", left, record - 1), ("right", right, self.laws.length - record)):
            if distance is not None and not 1 <= distance <= most:
                span = f"from 1 to {most}" if most else f"none: record {record} has no neighbour there"
                raise ModelError(f"expected a distance {span}, found {distance}", name)

    def _quotients(self, entries: list[list[object]], scales: list[object]) -> PairFactor:
        """Return max over j of t(v, j) / t(w, j) for the table t(v, j) = entries[v][j] / scales[v],
        zeros being None.

        Where P forgets, all ratios come near 1. So logarithms of t(v, j) / t(u, j) are taken, u the
        first value with a positive entry: they are accurate relative to themselves. Where
        enclosures are too wide to sort, the ratio is only known to be no further from 1 than the
        logarithms allow.
        """
        import numpy as np

        logs, radius = self._logs(entries, scales)
        most = float(np.max(np.abs(logs), where=np.isfinite(logs), initial=0))
        error = 2 * radius + _RELATIVE * most
        below = np.where(np.isneginf(logs), -_UNREACHED, logs)
        largest = np.array([(row - below).max(axis=1, initial=-np.inf) for row in logs])
        largest[largest > _UNREACHED / 2] = np.inf
        known = self.arithmetic.unsure(2 * (most + radius) * (1 + _RELATIVE))
        if known is not None and radius > _SORTABLE * most and len(entries) > _FEW:
            return PairFactor(largest, 2 * error, lambda v, w: known)

        def value(v: int, w: int) -> Any:
            near = np.flatnonzero(logs[v] - below[w] >= largest[v, w] - 2 * error)
            if most == 0 and radius == 0:  # all equal
                near = near[:1]
            return self.arithmetic.largest(
                [self.arithmetic.quotient((entries[v][j], scales[w]), (entries[w][j], scales[v])) for j in near]
            )

        return PairFactor(largest, 2 * error, lru_cache(maxsize=None)(value))

    def _logs(self, entries: list[list[object]], scales: list[object]) -> "tuple[NDArray[np.float64], float]":
        """Return log t(v, j) / t(u, j), -inf if t(v, j) = 0, and the largest radius."""
        import numpy as np

        logs, radius = np.full((len(entries), len(entries[0])), -np.inf), 0.0
        for j in range(logs.shape[1]):
            reference: tuple[object, object] | None = None
            for v, row in enumerate(entries):
                if row[j] is None or scales[v] is None:
                    continue
                if reference is None:
                    reference, logs[v, j] = (row[j], scales[v]), 0.0
                else:
                    above, below = (row[j], reference[1]), (reference[0], scales[v])
                    logs[v, j], error = self.arithmetic.log_quotient(above, below)
                    radius = max(radius, error)
        return logs, radius
