"""Changed numbers of certificates: what was accepted must have stayed true."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any, NamedTuple

Place = tuple[str | int, ...]
LABELS = ("databases", "secrets", "pairs", "outputs", "pair")


class Change(NamedTuple):
    """A certificate of the corpus, by its name, with one number changed."""

    name: str
    certificate: Any
    place: Place
    old: Fraction
    new: Fraction


def numbers(value: Any, path: Place = ()) -> Iterator[Place]:
    """Yield the paths of all numbers of a certificate."""
    if isinstance(value, dict):
        for key, entry in value.items():
            if key not in (*LABELS, "prior" if isinstance(entry, str) else ""):
                yield from numbers(entry, (*path, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from numbers(entry, (*path, i))
    elif not isinstance(value, bool) and re.fullmatch(r"-?\d[\d./eE+-]*", str(value)):
        yield path


def at(value: Any, path: Place) -> Any:
    for key in path:
        value = value[key]
    return value


def replaced(value: Any, path: Place, new: Any) -> Any:
    changed = deepcopy(value)
    at(changed, path[:-1])[path[-1]] = new
    return changed


def written(value: Any, path: Place, new: Any) -> bytes:
    """Return the file of a value that is replaced for a moment."""
    inner = at(value, path[:-1])
    old, inner[path[-1]] = inner[path[-1]], new
    try:
        return json.dumps(value).encode()
    finally:
        inner[path[-1]] = old


def changes(old: Any) -> list[Any]:
    """Return other values of a number."""
    value = Fraction(str(old))
    if value > 10**100:
        return ["1e9998", "1/7"]
    moved = [str(value + Fraction(1, 7)), str(value * Fraction(99, 100) - Fraction(1, 1000))]
    return [*moved, int(value) + 1] if isinstance(old, int) else moved
