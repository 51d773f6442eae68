"""The sum of per-record levels over many releases.

Levels change at the ends of segments only: what changes there is added up, and one pass over these
places gives the sum of all releases at every record. Sums that would be long numbers are rounded
up: every level by at most 2^-256 nats.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, lcm
from typing import Any

from pufferproof.lp.translation.levels import NOTHING, RecordLevels, Total
from pufferproof.models.numbers.enclosures import log_bounds

_BITS = 256
_UNIT = Fraction(1, 1 << _BITS)  # of levels that are rounded up
_LONGEST = 2_048  # bits of a sum that is exact

Spent = tuple[RecordLevels, int]


def summed(count: int, spent: Sequence[Spent]) -> RecordLevels:
    """Return the levels of releases, each so many times, summed record by record.

    >>> first = RecordLevels(((1, Total(Fraction(2), Fraction(0))), (2, NOTHING)))
    >>> every = RecordLevels.uniform(3, ["log(3)"])
    >>> [(length, str(level)) for length, level in summed(3, [(first, 2), (every, 1)]).runs]
    [(1, 'log(12)'), (2, 'log(3)')]
    """
    known = _grouped(spent)
    if _is_short(known):
        exact = _swept(count, known, NOTHING, Total.__add__, Total.times)
        return merged((length, level) for length, level in exact)
    units = {id(level): _units(level) for levels, _ in known for _, level in levels.runs}
    rounded = _swept(count, known, 0, int.__add__, lambda level, runs: units[id(level)] * runs)
    return merged((length, Total(Fraction(1), level * _UNIT)) for length, level in rounded)


def _grouped(spent: Iterable[Spent]) -> list[Spent]:
    """Return equal levels once; they are mostly one object."""
    known: dict[int, Spent] = {}
    for levels, runs in spent:
        known[id(levels)] = (levels, known.get(id(levels), (levels, 0))[1] + runs)
    return list(known.values())


def _is_short(spent: Iterable[Spent]) -> bool:
    """Whether no sum can be a long number."""
    bits, common = 0, 1
    for levels, runs in spent:
        for level in levels.distinct.values():
            bits += level.ratio.numerator.bit_length() * runs if level.ratio != 1 else 0
            common = lcm(common, level.nats.denominator, *(y.denominator for _, y in level.roots))
            if max(bits, common.bit_length()) > _LONGEST:
                return False
    return True


def _units(level: Total) -> int:
    """Return a level in units of 2^-256 nats, rounded up."""
    nats = level.nats
    if level.ratio != 1:
        nats += log_bounds(level.ratio, 2 * _BITS)[1]
    for prime, exponent in level.roots:
        nats += exponent * log_bounds(Fraction(prime), 2 * _BITS)[1]
    return ceil(nats / _UNIT)


def _swept(
    count: int,
    spent: Sequence[Spent],
    nothing: object,
    add: Callable[[Any, Any], Any],
    times: Callable[[Total, int], Any],
) -> Iterable[tuple[int, Any]]:
    """Yield how many records, from the first on, have which sum."""
    changes: dict[int, Any] = {1: nothing}
    for levels, runs in spent:
        place = 1
        for length, level in levels.runs:
            if level is not NOTHING:
                for at, sign in ((place, runs), (place + length, -runs)):
                    changes[at] = add(changes.get(at, nothing), times(level, sign))
            place += length
    sum_so_far = nothing
    for first, after in pairwise(sorted({*changes, count + 1})):
        sum_so_far = add(sum_so_far, changes.get(first, nothing))
        yield after - first, sum_so_far


def merged(known: Iterable[tuple[int, Total]]) -> RecordLevels:
    """Return levels with equal neighbours together."""
    runs: list[tuple[int, Total]] = []
    for length, level in known:
        if runs and runs[-1][1] == level:
            runs[-1] = (runs[-1][0] + length, runs[-1][1])
        else:
            runs.append((length, level))
    return RecordLevels(tuple(runs))
