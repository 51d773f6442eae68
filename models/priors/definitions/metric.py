"""Levels of pairs by a metric: the level of two secrets is their distance times the level of a
unit.

    e^(level of s, t) = e^(per d(s, t))

Metric privacy, with geo-indistinguishability for positions in the plane. A level log(r) a unit is
log(r^d) at a distance d, which is a rational where r^d is one; other distances take a level in
nats.

Source: Andres, Bordenabe, Chatzikokolakis and Palamidessi, "Geo-indistinguishability", CCS 2013.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Any, Literal, get_args

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import did_you_mean, shown, text_of

Distance = Literal["l1", "l2", "max"]
LeveledPair = tuple[str, str, Any]  # two secrets and a level
_LONGEST = 10_000  # bits of r^d


def metric_pairs(positions: Mapping[str, Any], per: LevelLike, distance: Distance = "l2") -> list[LeveledPair]:
    """Return all pairs of secrets with their levels, for `Framework(pairs=...)`.

    Args:
        positions: secret -> where it is: a number, or a list of coordinates.
        per: the level of a unit of distance.
        distance: "l2" (Euclidean), "l1" or "max"; the same on a line.

    >>> metric_pairs({"a": 0, "b": 1, "c": 2}, "log(3)")[1]
    ('a', 'c', Level('log(9)'))

    Raises `ModelError` unless there are two positions that differ, of one dimension, and every
    level is known exactly: e^level rational, or a rational number of nats.
    """
    level = Level.coerce(per, "metric.per")
    if distance not in get_args(Distance):
        hint = did_you_mean(str(distance), get_args(Distance))
        raise ModelError(f'expected "l1", "l2" or "max", found {shown(distance)}{hint}', "metric.distance")
    places = {name: _place(name, place) for name, place in positions.items()}
    if len(places) < 2:
        raise ModelError(f"expected two positions or more, found {len(places)}", "metric.positions")
    if len({len(place) for place in places.values()}) > 1:
        raise ModelError("expected positions with equally many coordinates", "metric.positions")
    return [
        (one, other, _times(level, _apart(places[one], places[other], distance, (one, other))))
        for one, other in combinations(places, 2)
    ]


def levels_of(pairs: Any) -> tuple[tuple[tuple[str, str], Level], ...]:
    """Return pairs with their levels, none where no pair has one.

    Raises `ModelError` unless all pairs have a level or none, and no pair has two.
    """
    try:
        entries = [pair for pair in pairs if isinstance(pair, list | tuple) and len(pair) == 3]
    except TypeError:
        return ()
    if not entries:
        return ()
    found: dict[frozenset[str], tuple[tuple[str, str], Level]] = {}
    for index, pair in enumerate(pairs):
        where = f"pairs[{index}]"
        if not isinstance(pair, list | tuple) or len(pair) != 3:
            raise ModelError("expected a level as third entry of every pair, or of none", where)
        one, other, level = pair
        if not (isinstance(one, str) and isinstance(other, str)):
            raise ModelError("expected the names of two secrets, and a level", where)
        if frozenset((one, other)) in found:
            raise ModelError(f'"{one}" and "{other}" have a level already', where)
        found[frozenset((one, other))] = (one, other), Level.coerce(level, f"{where}[2]")
    return tuple(found.values())


def _place(name: str, place: Any) -> tuple[Fraction, ...]:
    many = isinstance(place, Sequence) and not isinstance(place, str)
    try:
        found = tuple(map(exact, place if many else [place]))
    except ModelError as error:
        raise error.within(f"metric.positions.{name}") from None
    if not found:
        raise ModelError("expected a coordinate, found none", f"metric.positions.{name}")
    return found


def _apart(one: Sequence[Fraction], other: Sequence[Fraction], distance: str, names: tuple[str, str]) -> Fraction:
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    if not any(gaps):
        raise ModelError(
            f'"{names[0]}" and "{names[1]}" are at one place: expected positions that differ', "metric.positions"
        )
    if distance == "max" or len(gaps) == 1:
        return max(gaps)
    if distance == "l1":
        return sum(gaps, Fraction(0))
    squared = sum((gap * gap for gap in gaps), Fraction(0))
    root = Fraction(isqrt(squared.numerator), isqrt(squared.denominator))
    if root * root != squared:
        raise ModelError(
            f'"{names[0]}" and "{names[1]}" are sqrt({text_of(squared)}) apart, expected a '
            f'rational distance: "distance": "l1" or "max", or a level as third entry of each pair',
            "metric.positions",
        )
    return root


def _times(level: Level, distance: Fraction) -> Level:
    """Return a multiple of a level. Raises `ModelError` unless it is known exactly."""
    if level.nats is not None:
        return Level(nats=level.nats * distance)
    ratio = level.ratio or Fraction(1)
    power = ratio.numerator.bit_length() * distance.numerator
    parts = [_root(part, distance.denominator) for part in ratio.as_integer_ratio()]
    if power > _LONGEST:
        raise ModelError(
            f"{level} times a distance is log(r), r of over {_LONGEST} bits: "
            f"expected shorter distances, or a level in nats",
            "metric.per",
        )
    if None in parts:
        raise ModelError(
            f"{level} times {text_of(distance)} is not log(r) of a rational r: expected distances "
            f"that are integers, or a level in nats",
            "metric.per",
        )
    above, below = (part or 1 for part in parts)
    return Level(ratio=Fraction(above, below) ** distance.numerator)


def _root(number: int, degree: int) -> int | None:
    """Return the integer root of a degree, None if there is none."""
    if degree == 1 or number == 1:
        return number
    if degree > number.bit_length():
        return None
    from flint import fmpz

    root = int(fmpz(number).root(degree))
    return root if root**degree == number else None
