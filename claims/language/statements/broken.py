"""Instances that no family draws, made from those that it drew: what a conclusion must be able to
call false.

An entry is that of another instance, or a number within an entry is another one, up to three times
over: a level that belongs to another mechanism, a row that sums to more than 1, a probability below
0. Nothing is meant by such an instance, and a conclusion may fail on one; but one that is False at
none, where hypotheses hold or not, says nothing of its entries.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction as Slow
from random import Random
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance

Path = tuple[Any, ...]
"""Where something stands within an entry: indices, keys and names of fields, from outside."""

MOST = 3
"""How many changes are made to an instance at most."""


ANY = tuple(Fraction(each, 3) for each in range(-4, 9))
"""Numbers that may stand anywhere."""


def broken(instances: Sequence[Mapping[str, object]], random: Random, number: int) -> Iterator[Instance]:
    """Yield so many instances that are drawn ones with changes.

    >>> drawn = [{"p": Fraction(1, 3), "R": Fraction(2)}, {"p": Fraction(1), "R": Fraction(5)}]
    >>> made = list(broken(drawn, Random(1), 50))
    >>> len(made), {"p": Fraction(1), "R": Fraction(2)} in made, any(each["p"] < 0 for each in made)
    (50, True, True)
    """
    for _ in range(number if instances else 0):
        instance = dict(random.choice(instances))
        for _ in range(1 + random.randrange(MOST)):
            _change(instance, random.choice(instances), random)
        yield instance


def _change(instance: Instance, other: Mapping[str, object], random: Random) -> None:
    """Change an entry of an instance in place."""
    name = random.choice([*instance])
    if random.randrange(2) and name in other:
        instance[name] = other[name]
    elif places := list(numbers(instance[name])):
        path, number = random.choice(places)
        instance[name] = _put(instance[name], path, _another(number, random))


def numbers(thing: object) -> Iterator[tuple[Path, object]]:
    """Yield every number within an entry, and where it stands."""
    if isinstance(thing, int | Fraction | Slow):
        yield (), thing
    for key, part in _parts(thing):
        for path, number in numbers(part):
            yield (key, *path), number


def _parts(thing: object) -> Iterator[tuple[Any, Any]]:
    if isinstance(thing, list | tuple):
        yield from enumerate(thing)
    elif isinstance(thing, Mapping):
        yield from thing.items()
    elif is_dataclass(thing):
        yield from ((each.name, getattr(thing, each.name)) for each in fields(thing) if each.init)


def _another(number: Any, random: Random) -> object:
    if isinstance(number, bool):
        return not number
    if isinstance(number, int):
        return random.choice((number - 1, number + 1, 0, 1, 2, 3))
    others = (number + 1, -number, 1 - number, 2 * number, number / 2)
    return random.choice((*others, *ANY, *ANY))


def _put(thing: Any, path: Path, number: Any) -> object:
    """Return a copy of a thing with a number in the place of another."""
    if not path:
        return number
    key, *rest = path
    if isinstance(thing, Mapping):
        return {**thing, key: _put(thing[key], tuple(rest), number)}
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{key: _put(getattr(thing, key), tuple(rest), number)})
    parts = [_put(each, tuple(rest), number) if n == key else each for n, each in enumerate(thing)]
    if isinstance(thing, list):
        return parts
    return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)
