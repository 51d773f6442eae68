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
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds, Name, PrecisionError, Rigorous
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

        logs, radius = np.full((len(entries), len(entries[0])), -np.inf), 0.0  # -inf where t(v, j) = 0
        for j in range(logs.shape[1]):
            reference: tuple[object, object] | None = None
            for v, row in enumerate(entries):
                if row[j] is None or scales[v] is None:
                    continue
                if reference is None:
                    reference, logs[v, j] = (row[j], scales[v]), 0.0
                else:
                    above, below = (row[j], reference[1]), (reference[0], scales[v])
                    logs[v, j], width = self.arithmetic.log_quotient(above, below)
                    radius = max(radius, width)
        most = float(np.max(np.abs(logs), where=np.isfinite(logs), initial=0))
        error = 2 * radius + _RELATIVE * most
        bottom = np.where(np.isneginf(logs), -_UNREACHED, logs)
        largest = np.array([(row - bottom).max(axis=1, initial=-np.inf) for row in logs])
        largest[largest > _UNREACHED / 2] = np.inf
        known = self.arithmetic.unsure(2 * (most + radius) * (1 + _RELATIVE))
        if known is not None and radius > _SORTABLE * most and len(entries) > _FEW:
            return PairFactor(largest, 2 * error, lambda v, w: known)

        def value(v: int, w: int) -> "arb | Fraction":
            near = np.flatnonzero(logs[v] - bottom[w] >= largest[v, w] - 2 * error)
            if most == 0 and radius == 0:  # all equal
                near = near[:1]
            quotients = [self.arithmetic.quotient((entries[v][j], scales[w]), (entries[w][j], scales[v])) for j in near]
            number: arb | Fraction = self.arithmetic.largest(quotients)
            return number

        return PairFactor(largest, 2 * error, lru_cache(maxsize=None)(value))


# Max-influence of one quilt to full accuracy, over one record or all of them.
#
# Exact rationals where their numbers stay short; else enclosures with as many bits as it takes, an influence of 0
# being decided exactly (X_Q and X_i are independent). Over all records of a long chain that is not stationary, the
# first records are taken one by one, and the others together, with the law of a later record as that of the first one.

REFINED_RESTS_ON = ("influence.any-start",)
QUILTS_REST_ON = (*REFINED_RESTS_ON, *RESTS_ON)
MAX_DIGITS = 10_000
_ACCURACY = 50  # bits of the influence itself, relative
_MOST_BITS = 1 << 15
_FEW_RECORDS, _MOST_RECORDS, _MOST_PERIOD = 512, 4096, 64


def max_influence(
    chain: MarkovChain,
    length: int,
    record: int | None,
    left: int | None = None,
    right: int | None = None,
    arithmetic: Name = "exact",
    any_start: bool = False,
) -> Bounds:
    """Return e^e of {X_(i-a), X_(i+b)}, i = `record`, a = `left`, b = `right`, or the supremum over
    all i that have the quilt.

    With `any_start` it is the supremum over all laws of X_1, that of the chain being ignored.
    "exact" gives the rational twice, "enclosed" bounds that are narrower than 2^-50 relative to the
    influence in nats.

    >>> chain = MarkovChain("stationary", [["99/100", "1/100"], ["1/10", "9/10"]])
    >>> influence = max_influence(chain, 10**6, 5000, 400, 500, "enclosed")
    >>> (
    ...     float(influence.lower - 1) < 1e-15,
    ...     0 < (influence.upper - influence.lower) / (influence.lower - 1) < Fraction(1, 2**50),
    ... )
    (True, True)

    Raises `ModelError` unless the quilt is on the chain, and the numbers can be had in this
    arithmetic.
    """
    chain = check_type(chain, MarkovChain, "chain")
    length = check_type(length, int, "length")
    record = check_type(record, int | None, "record")
    left = check_type(left, int | None, "left")
    right = check_type(right, int | None, "right")
    arithmetic = check_type(arithmetic, Name, "arithmetic")
    any_start = check_type(any_start, bool, "any_start")
    if arithmetic != "enclosed":
        return _at(ChainInfluence(Along(chain, length, arithmetic)), record, left, right, any_start)
    quilt, bits = (record, left, right), 128
    while bits <= _MOST_BITS:
        laws = Along(chain, length, "enclosed", bits)
        if bits == 256 and _independent(laws, *quilt, any_start):
            return Bounds.none()
        try:
            bounds = _at(ChainInfluence(laws), *quilt, any_start)
        except PrecisionError:
            bits *= 2
            continue
        if bounds == Bounds.infinite() or is_narrow(bounds):
            return bounds
        bits *= 2
    raise PrecisionError(f"{_MOST_BITS} bits are too few for an influence this small", "arithmetic")


def short_enough(chain: MarkovChain, length: int, record: int | None, left: int | None, right: int | None) -> bool:
    """Whether the exact ratio is short enough to write, by denominators and distances."""
    laws = Along(chain, length)
    if record is None and not laws.stationary and length > _FEW_RECORDS:
        return False
    steps = (left or 0) + (right or 0) + (laws.states if laws.stationary else 2 * (record or length))
    return steps * laws.denominator.bit_length() < 3 * MAX_DIGITS


def anywhere(influence: ChainInfluence, left: int | None, right: int | None) -> Bounds:
    """Return the supremum of e^e over all records i with i - a >= 1 and i + b <= T.

    Raises `ModelError` unless there is one; and where a long chain does not settle, or exact
    numbers would be too long.
    """
    laws = influence.laws
    first, last = (left or 0) + 1, laws.length - (right or 0)
    if first > last:
        raise ModelError(f"expected a quilt within {laws.length} records, found distances {left} and {right}", "quilt")
    if laws.stationary:
        return influence.of(first, left, right)
    if last - first < _FEW_RECORDS:
        return _largest([influence.of(record, left, right) for record in range(first, last + 1)])
    return _in_two_parts(influence, left, right, first, last)


def _in_two_parts(influence: ChainInfluence, left: int | None, right: int | None, first: int, last: int) -> Bounds:
    known: list[Bounds] = []
    count = max(_FEW_RECORDS // 32, 2 * (left or 0))
    most = max(_MOST_RECORDS, count)
    while first + count + _MOST_PERIOD <= last and count <= most:
        known += [influence.of(record, left, right) for record in range(first + len(known), first + count)]
        head = _largest(known)
        tail = None if head == Bounds.infinite() else _tail(influence, left, right, first, count)
        if head == Bounds.infinite() or head.lower is None or head.upper is None:
            return Bounds.infinite()
        if not is_narrow(head) and count >= _FEW_RECORDS:
            raise PrecisionError("more bits are needed", "arithmetic")
        if tail is not None and tail.upper is not None and is_narrow(head):
            if tail.upper <= head.lower:
                return head
            bounds = Bounds(head.lower, max(head.upper, tail.upper))
            if influence.arithmetic.name == "enclosed" and is_narrow(bounds):
                return bounds
        count *= 2
    if count <= most and last - first < 2 * most + _MOST_PERIOD:
        return _largest([influence.of(record, left, right) for record in range(first, last + 1)])
    hint = ', or "enclosed"' if influence.arithmetic.name == "exact" else ""
    raise ModelError(f"the supremum over all records is not reached early: expected a record{hint}", "record")


def _tail(influence: ChainInfluence, left: int | None, right: int | None, first: int, count: int) -> Bounds | None:
    """Return bounds of which the upper one holds for every record from `first` + `count` on.

    m_i = m_(i-s) P^s, so that m_i(w) / m_i(v) is at most the largest P^s(z, w) / P^s(z, v) over the
    values z that records can have (influence.any-start). These repeat with some period p from a
    record on, so that p records stand for all of them. None if no period shows.
    """
    laws, early = influence.laws, count // 8
    steps = count - early
    known = [laws.possible(first + early + later) for later in range(min(laws.states, _MOST_PERIOD) + 1)]
    period = next((later for later, values in enumerate(known) if later and values == known[0]), None)
    if period is None:
        return None
    influences = []
    for record in range(first + count, first + count + period):
        factors = [] if right is None else [influence.forward(right)]
        if left is not None:
            shown, start = laws.possible(record - left), laws.possible(record - steps)
            factors += [
                influence.column(left, tuple(shown), steps + 1),
                influence.column(steps, tuple(start), steps + 1).swapped(),
            ]
        influences.append(influence.largest(factors, laws.possible(record)))
    return _largest(influences)


def _at(influence: ChainInfluence, record: int | None, left: int | None, right: int | None, any_start: bool) -> Bounds:
    if any_start:
        return influence.any_start((left or 0) + 1 if record is None else record, left, right)
    return anywhere(influence, left, right) if record is None else influence.of(record, left, right)


def _independent(laws: Along, record: int | None, left: int | None, right: int | None, any_start: bool) -> bool:
    """Whether X_Q and X_i are independent, exactly; over all records, whether they are at each.

    If so for every law of X_1, then at the first record where rows of P^a agree, X_i forgets X_1 as
    well.
    """
    first, last = (left or 0) + 1, laws.length - (right or 0)
    records = range(first, last + 1) if record is None else range(record, record + 1)
    values_at = ChainInfluence(laws).values_of_any_start if any_start else laws.possible
    supports = set()
    for place in records[:1] if any_start else records:
        values, before = values_at(place), values_at(place - (left or 0))
        if tuple(before) in supports:  # they repeat from here on
            break
        supports.add(tuple(before))
        if right is not None and not laws.forgets(right, values):
            return False
        if left is not None and not laws.forgets(left, before):
            return False
    return True


def is_narrow(bounds: Bounds) -> bool:
    """Whether bounds enclose a log to `_ACCURACY` bits: log r >= min(r - 1, 1) / 2."""
    if bounds.lower is None or bounds.upper is None or bounds.lower == bounds.upper:
        return True
    return (bounds.upper - bounds.lower) * (2 << _ACCURACY) <= min(bounds.lower - 1, Fraction(1))


def _largest(influences: list[Bounds]) -> Bounds:
    pairs = [(influence.lower, influence.upper) for influence in influences]
    finite = [(lower, upper) for lower, upper in pairs if lower is not None and upper is not None]
    if len(finite) < len(pairs):
        return Bounds.infinite()
    return Bounds(max(lower for lower, _ in finite), max(upper for _, upper in finite))
