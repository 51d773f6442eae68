"""Hard edges: laws, kernels, sets of tables and rates at which false statements fail, and which
small random weights never give.

`Draws` chooses among them in hard instances. Each list has the simplest first. What has a size that
is a power of 2 or of 3 is read as all tables of so many bits or values.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple

from pufferproof.claims.language.statements.rationals import Fraction, listed

RATES = tuple(listed("1/10 9/10 1/100 99/100"))
"""Probabilities near the ends: little noise, strong correlation, rare values."""

_ZERO, _ONE, _HALF = listed("0 1 1/2")
_RARE = Fraction(1, 100)
_LEVELS = listed("11/10 3 10 100")
_MOST_TABLES = 9

Law = tuple[Fraction, ...]
Rows = tuple[Law, ...]


@lru_cache
def laws(size: int) -> list[Law]:
    """List laws on so many values: certain, even, at both ends, nearly certain of each, falling,
    and those of tables.
    """
    rest = size - 1
    found = [_point(0, size), (Fraction(1, size),) * size]
    if rest:
        falling = [_RARE**place for place in range(size)]
        found.append((_HALF, *[_ZERO] * (rest - 1), _HALF))
        found += [response(99 * Fraction(rest), place, size) for place in range(size)]
        found.append(tuple(weight / sum(falling, _ZERO) for weight in falling))
    return [*dict.fromkeys([*found, *_tables(size)])]


def _tables(size: int) -> list[Law]:
    """List laws of tables of at least two records: equal ones, parity, products, chains."""
    values, count = _shape(size)
    if count < 2:
        return []
    tables = list(product(range(values), repeat=count))
    equal = [len({*x}) == 1 for x in tables]
    even, odd = ([sum(x) % values == left for x in tables] for left in (0, 1))
    fair, rare = (Fraction(1, values),) * values, response(99 * Fraction(values - 1), 1, values)
    apart = [sum(x) == values - 1 for x in tables] if count == 2 else odd
    laws = [
        *(_on(each) for each in (equal, even, odd, apart)),
        *(_mixed(each, 1 - _RARE) for each in (equal, apart)),
        _mixed(even, Fraction(9, 10)),
        _joint([rare] * count),
        _joint([fair] * (count - 1) + [rare[::-1]]),
    ]
    if values == 2:
        laws += [tuple(_stays(x, share) / 2 for x in tables) for share in (_RARE, 1 - _RARE)]
    return laws


def _on(tables: Sequence[bool]) -> Law:
    """Return the even law on some tables."""
    return tuple(Fraction(int(each), sum(tables)) for each in tables)


def _mixed(tables: Sequence[bool], share: Fraction) -> Law:
    """Return the even law on some tables with a share, and the even law on all with the rest."""
    return tuple(share * p + (1 - share) / len(tables) for p in _on(tables))


def _stays(table: Sequence[int], share: Fraction) -> Fraction:
    """Return the probability of the steps of a chain of bits that keeps its value so often."""
    steps = (share if x == y else 1 - share for x, y in pairwise(table))
    return prod(steps, start=_ONE)


@lru_cache
def kernels(number: int, size: int) -> list[Rows]:
    """List stochastic matrices: equal rows, the identity, one step a value (cyclic, absorbing,
    lazy with a repeated eigenvalue), responses of a level, and those of tables of bits.
    """
    found: list[Rows] = [
        ((Fraction(1, size),) * size,) * number,
        tuple(_point(row % size, size) for row in range(number)),
    ]
    if size == number > 1:
        found.append(tuple(_point((row + 1) % size, size) for row in range(size)))
        found.append(tuple(_point(max(0, row - 1), size) for row in range(size)))
        found += [_lazy(rate, size) for rate in RATES]
    if (number, size) == (4, 2):
        # given the first two or the last two, moments differ from the third
        found.append(tuple((p, 1 - p) for p in listed("9/10 4/10 1/10 6/10")))
    for ratio in _LEVELS:
        found.append(tuple(response(ratio, row % size, size) for row in range(number)))
        if size == 2:
            found += _of_levels(ratio, number)
        values, count = _shape(number)
        if count >= 2 and size == number:
            each = [response(ratio, value, values) for value in range(values)]
            tables = product(range(values), repeat=count)
            found.append(tuple(_joint([each[value] for value in table]) for table in tables))
    return found


def _of_levels(ratio: Fraction, number: int) -> Iterator[Rows]:
    """Yield binary responses whose levels add up: along the rows, by parity, by the number of 1."""
    yield _growing(ratio, list(range(number)))
    values, count = _shape(number)
    if values == 2 and count >= 2:
        ones = [sum(x) for x in product((0, 1), repeat=count)]
        yield tuple(response(ratio, each % 2, 2) for each in ones)
        yield _growing(ratio, ones)


def _growing(ratio: Fraction, exponents: Sequence[int]) -> Rows:
    """Return rows whose first entry is multiplied by the ratio with each exponent."""
    most = 2 * ratio ** max(exponents)
    return tuple((ratio**each / most, 1 - ratio**each / most) for each in exponents)


def response(ratio: Fraction, place: int, size: int) -> Law:
    """Return the law with so many times the probability at a place of that at another one."""
    total = ratio + size - 1
    return tuple((ratio if each == place else _ONE) / total for each in range(size))


def _lazy(rate: Fraction, size: int) -> Rows:
    moved = (1 - rate) / size
    return tuple(tuple(rate + moved if x == y else moved for y in range(size)) for x in range(size))


def _point(place: int, size: int) -> Law:
    return tuple(Fraction(int(each == place)) for each in range(size))


def _joint(laws: Sequence[Law]) -> Law:
    return tuple(prod(each, start=_ONE) for each in product(*laws))


def _shape(size: int) -> tuple[int, int]:
    """Return of how many values and records there are so many tables; one record if of no more."""
    for values in (2, 3):
        count = next((n for n in range(2, 7) if values**n == size), 0)
        if count:
            return values, count
    return size, 1


class Releases(NamedTuple):
    """Databases with an even or given prior, two secrets, and the rows of mechanisms in turn."""

    prior: Law
    secrets: tuple[frozenset[int], frozenset[int]]
    mechanisms: Sequence[Rows]


@lru_cache
def releases() -> list[Releases]:
    """List what several releases show that fewer do not: the parity of two bits, each released with
    noise or none; three runs of which any two have laws that the secret leaves alone.
    """
    ends, halves = (frozenset({0, 3}), frozenset({1, 2})), (frozenset({0, 1}), frozenset({2, 3}))
    parity = [
        Releases((Fraction(1, 4),) * 4, ends, (_by((0, 0, 1, 1), bits), _by((0, 1, 0, 1), bits)))
        for bits in ([_point(0, 2), _point(1, 2)], [response(Fraction(3), x, 2) for x in (0, 1)])
    ]
    third = tuple((p, 1 - p) for p in listed("9/10 4/10 1/10 6/10"))
    return [*parity, Releases(tuple(listed("1/10 4/10 1/10 4/10")), halves, (third,))]


def _by(values: Sequence[int], rows: Sequence[Law]) -> Rows:
    return tuple(rows[each] for each in values)


def parts(things: Sequence[Any]) -> list[list[Any]]:
    """List parts: the longest paths of tables that changes of one record connect, and pairs far
    apart; of other things one alone, a half, every second one.
    """
    if not things:
        return [[]]
    tables = [each for each in things if isinstance(each, tuple)]
    if len(tables) < len(things) or len({len(each) for each in tables}) > 1:
        half = (len(things) + 1) // 2
        return [[things[0]], [things[-1]], [*things[:half]], [*things[half:]], [*things[::2]]]
    far = max(tables, key=lambda each: _distance(tables[0], each))
    return [[tables[0]], [tables[0], far], *_paths(tuple(tables))[:3]]


@lru_cache
def _paths(tables: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """List the paths from the first table in which only neighbours on it differ in one record, the
    longest first.
    """
    found: list[list[Any]] = []

    def grow(path: list[Any]) -> None:
        longer = [
            each
            for each in tables
            if _distance(path[-1], each) == 1 and all(_distance(before, each) > 1 for before in path[:-1])
        ]
        for each in longer:
            grow([*path, each])
        if not longer and len(path) > 2:
            found.append(path)

    if len(tables) <= _MOST_TABLES:
        grow([tables[0]])
    return sorted(found, key=len, reverse=True)


def _distance(x: Sequence[Any], y: Sequence[Any]) -> int:
    return sum(a != b for a, b in zip(x, y))
