"""Edits of certificates that the kernel accepts: numbers moved so that sums stay, swapped, or put
instead of what is no number; rows dropped, doubled and exchanged; parts of other certificates;
keys that are missing, new or there twice; depth; and bytes.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

from tests.kernel.changes import at, numbers

Place = tuple[str | int, ...]
ODD: list[Any] = [
    "0", 0, "1", 1, "-1", -1, "1/2", "2", "1/3", "1/0", "0/0", "-0", "1e9999", "1e-9999", "1e99999",
    float("nan"), float("inf"), "NaN", "inf", "-inf", True, False, None, "٣", "１", "1_0", " 1",
    "1 ", "+1", "0x1", "1/2/3", "1/-2", "", "-", ".5", "5.", "1.5/2", "9" * 400, "1/" + "9" * 400,
    [], {}, [1], "0.1e2", "1E5", "1e", "00", "01", 10**30, -(10**30), 1e300, 0.1, "\u202e1",
]  # fmt: skip
BYTES = (b"\xff", b"\xef\xbb\xbf", b"\x00", b"NaN", b"{", b"]", b"\xe2\x80\xae", b"0")
NAMES = ("kind", "format", "claim", "level", "attained", "pair", "prior", "mixture", "log", "nats")


def places(value: Any, path: Place = ()) -> list[Place]:
    """The paths of everything in a certificate, but itself."""
    found = []
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, entry in inner:
        found += [(*path, key), *places(entry, (*path, key))]
    return found


def put(value: Any, path: Place, new: Any) -> None:
    at(value, path[:-1])[path[-1]] = new


def moved(value: Any, draw: Random, others: list[Any]) -> None:
    """Move a share from one number of a list or an object to another: the sum stays."""
    rows = [
        path
        for path in places(value)
        if isinstance(at(value, path), dict | list) and len([*numbers_in(at(value, path))]) > 1
    ]
    row = at(value, draw.choice(rows))
    one, other = draw.sample([*numbers_in(row)], 2)
    share = Fraction(draw.randint(1, 4), draw.choice((4, 7, 100)))
    for key, sign in ((one, -1), (other, 1)):
        row[key] = str(Fraction(str(row[key])) + sign * share * abs(Fraction(str(row[one]))))


def numbers_in(row: Any):
    """The keys of the numbers right in a list or an object."""
    for key, entry in row.items() if isinstance(row, dict) else enumerate(row):
        try:
            small = not isinstance(entry, bool | dict | list | None) and len(str(entry)) < 40
            if small and abs(Fraction(str(entry))) < 10**20:
                yield key
        except (ValueError, ZeroDivisionError):
            continue


def shifted(value: Any, draw: Random, others: list[Any]) -> None:
    """Change a number a little."""
    path = draw.choice([*numbers(value)])
    old = at(value, path)
    if len(str(old)) < 100 and "e" not in str(old).lower():
        by = Fraction(draw.choice((-1, 1)), draw.choice((1, 2, 7, 100, 10**9)))
        new = Fraction(str(old)) + by
        put(value, path, int(new) if isinstance(old, int) and new.denominator == 1 else str(new))


def exchanged(value: Any, draw: Random, others: list[Any]) -> None:
    """Exchange two numbers."""
    one, other = draw.choices([*numbers(value)], k=2)
    first, second = at(value, one), at(value, other)
    put(value, one, second)
    put(value, other, first)


def odd(value: Any, draw: Random, others: list[Any]) -> None:
    """Put something odd instead of a number, or of anything."""
    path = draw.choice([*numbers(value)] if draw.random() < 0.7 else places(value))
    put(value, path, draw.choice(ODD))


def dropped(value: Any, draw: Random, others: list[Any]) -> None:
    path = draw.choice(places(value))
    del at(value, path[:-1])[path[-1]]


def doubled(value: Any, draw: Random, others: list[Any]) -> None:
    """An entry of a list twice, or two of them exchanged."""
    lists = [at(value, path) for path in places(value)]
    row = draw.choice([each for each in lists if isinstance(each, list) and each])
    one, other = draw.randrange(len(row)), draw.randrange(len(row))
    if draw.random() < 0.5:
        row.insert(other, deepcopy(row[one]))
    else:
        row[one], row[other] = row[other], row[one]


def spliced(value: Any, draw: Random, others: list[Any]) -> None:
    """A part of another certificate, of the same name where there is one."""
    other = draw.choice(others)
    path = draw.choice(places(value))
    same = [each for each in places(other) if each[-1] == path[-1]]
    put(value, path, deepcopy(at(other, draw.choice(same or places(other)))))


def named(value: Any, draw: Random, others: list[Any]) -> None:
    """A key that is new, or another name for one."""
    objects = [path for path in places(value) if isinstance(at(value, path), dict)]
    inner = at(value, draw.choice(objects)) if objects else value
    key = draw.choice([*inner, *NAMES])
    inner[draw.choice((*NAMES, *inner, "é", "\u202e", "x" * 50))] = deepcopy(inner.get(key, 1))


def deep(value: Any, draw: Random, others: list[Any]) -> None:
    path = draw.choice(places(value))
    inner = at(value, path)
    for _ in range(draw.choice((1, 2, 50, 400))):
        inner = [inner] if draw.random() < 0.5 else {"x": inner}
    put(value, path, inner)


def respelled(value: Any, draw: Random, others: list[Any]) -> None:
    """Change letters of a text: of a tree of cells, where there is one."""
    texts = [path for path in places(value) if isinstance(at(value, path), str)]
    path = draw.choice([each for each in texts if "cells" in each] or texts)
    old, new = at(value, path), draw.choice([*"absp.", "a..", "s..", "p..", ""])
    start = draw.randrange(len(old) + 1)
    put(value, path, old[:start] + new + old[start + draw.randrange(2) :])


EDITS: list[Callable[[Any, Random, list[Any]], None]] = [
    *[moved] * 4, *[shifted] * 4, *[exchanged] * 2, odd, odd, dropped, doubled, doubled, spliced,
    named, deep, respelled,
]  # fmt: skip


def of_bytes(data: bytes, draw: Random) -> bytes:
    """A file with some bytes changed, cut off, doubled, or a key there twice."""
    start = draw.randrange(len(data))
    end = min(len(data), start + draw.choice((1, 1, 4, 30)))
    new = {
        0: lambda: bytes(draw.randrange(256) for _ in range(end - start)),
        1: lambda: b"",
        2: lambda: data[start:end] * 2,
        3: lambda: draw.choice(BYTES),
        4: lambda: b'"kind": "x", ' if data[start:end] == b'"' else b"1" + data[start:end],
    }[draw.randrange(5)]()
    return data[:start] + new + data[end:]


def edited(bases: list[Any], draw: Random) -> bytes:
    """A file that comes from one of the certificates by some edits."""
    value = deepcopy(draw.choice(bases))
    for _ in range(draw.choice((1, 1, 2, 3))):
        try:
            draw.choice(EDITS)(value, draw, bases)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
            continue  # there is nothing of the kind to edit, or it is too deep
    try:
        data = json.dumps(value, ensure_ascii=draw.random() < 0.8).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        data = b"["
    return of_bytes(data, draw) if draw.random() < 0.15 else data
