"""Max-influence of one quilt to full accuracy, over one record or all of them.

Exact rationals where their numbers stay short; else enclosures with as many bits as it takes, an
influence of 0 being decided exactly (X_Q and X_i are independent). Over all records of a long chain
that is not stationary, the first records are taken one by one, and the others together, with the
law of a later record as that of the first one.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds, Name, PrecisionError
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import RESTS_ON as CHAINS_REST_ON
from pufferproof.verify.influence.chain import ChainInfluence

RESTS_ON = ("influence.any-start",)
QUILTS_REST_ON = (*RESTS_ON, *CHAINS_REST_ON)
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
    return _refined(chain, length, (record, left, right), any_start)


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


def _refined(
    chain: MarkovChain, length: int, quilt: tuple[int | None, int | None, int | None], any_start: bool
) -> Bounds:
    bits = 128
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
    if any_start:
        place, values_at = records[0], ChainInfluence(laws).values_of_any_start
        supports = iter([(values_at(place), values_at(place - (left or 0)))])
    else:
        supports = _supports(laws, left, records)
    for values, before in supports:
        if right is not None and not laws.forgets(right, values):
            return False
        if left is not None and not laws.forgets(left, before):
            return False
    return True


def _supports(laws: Along, left: int | None, records: range) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the possible values of X_i and X_(i-a) up to where they repeat."""
    seen = set()
    for record in records:
        supports = laws.possible(record), laws.possible(record - (left or 0))
        if tuple(supports[1]) in seen:
            return
        seen.add(tuple(supports[1]))
        yield supports


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
