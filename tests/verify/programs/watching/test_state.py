"""What a program keeps between calls is seen wherever it is; what only saves time is permitted."""

import array
import contextvars
import dataclasses
import enum
import functools
import io
import itertools
import json
import logging
import os
import random
import sqlite3
import sys
import threading
import warnings
from fractions import Fraction

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.verify.programs.law import ProgramError

DATABASES = ["000", "001", "010", "011"]


@dataclasses.dataclass(slots=True)
class Budget:
    left: int = 10**6


class Engine:
    def __init__(self):
        self.seen = []

    def __call__(self, database):
        self.seen.append(database)
        return self.seen[0]


class Indirect:
    def first(self, database):
        LISTED.append(database)
        return LISTED[0]


class Text(str):
    """Text with attributes."""


class Late:
    """An attribute that the class gets in a call."""

    def __init__(self, rng):
        self.rng = rng

    def release(self, database):
        if not hasattr(Late, "seen"):
            Late.seen = database
        return Late.seen


class CachedMethod(Late):
    @functools.cache  # noqa: B019
    def kept(self):
        return []

    def release(self, database):
        kept = CachedMethod.kept("one for all")
        kept.append(database)
        return kept[0]


BUDGET, BYTES, ARRAY = Budget(), bytearray(2), array.array("i", [0])
LOCAL, CONTEXT = threading.local(), contextvars.ContextVar("kept", default=None)
COUNTS, CYCLE, TEXTS = itertools.count(), itertools.cycle("ab"), iter("ab" * 1000)
TABLE, NUMBERS = dict.fromkeys(range(5000)), np.zeros(100_000)
ENGINES, INDIRECT, LISTED, FUNCTIONS = {"one": Engine()}, Indirect(), [], {}
TEXT, FILE, SQL = Text("a"), io.StringIO(), sqlite3.connect(":memory:")
PART = functools.partial(lambda kept, x: kept.append(x) or kept[0], [])


@functools.cache
def kept_list():
    return []


@functools.lru_cache
def kept_in_links():
    return []


@functools.cache
def kept_coin(_):
    return random.random() < 0.25


def set_attribute(database, rng):
    if not hasattr(set_attribute, "seen"):
        set_attribute.seen = database
    return set_attribute.seen


def new_global(database, rng):
    global NEW
    try:
        return NEW
    except NameError:
        NEW = database
    return NEW


def context(database, rng):
    if CONTEXT.get() is None:
        CONTEXT.set(database)
    return CONTEXT.get()


def swapped(database, rng):
    NUMBERS[50_000] += 1
    NUMBERS[50_001] -= 1
    return database[0]


def slotted(database, rng):
    BUDGET.left -= 1
    return database[0] if BUDGET.left else "none"


def local(database, rng):
    LOCAL.kept = getattr(LOCAL, "kept", database)
    return LOCAL.kept


def file(database, rng):
    with open(os.path.join(PATH, "kept.txt"), "a") as kept:
        kept.write(database)
    return database[0]


def on_library(database, rng):
    sys.kept_by_program = getattr(sys, "kept_by_program", database)
    return sys.kept_by_program


def attribute_of_text(database, rng):
    TEXT.kept = getattr(TEXT, "kept", database)
    return TEXT.kept


def thread(database, rng):
    drawn = []
    running = threading.Thread(target=lambda: drawn.append(rng.random() < 0.5))
    running.start()
    running.join()
    return drawn[0]


def of_table(database, rng):
    FUNCTIONS["one"] = lambda x: LISTED.append(x) or LISTED[0]
    return database


def written(database, rng):
    FILE.write(database)
    return FILE.getvalue()[:3]


def large(database, rng):
    TABLE[4000] = TABLE[4000] or database
    return TABLE[4000]


def bytes_kept(database, rng):
    BYTES[0] = max(BYTES[0], int(database))
    return BYTES[0]


def array_kept(database, rng):
    ARRAY[0] = max(ARRAY[0], int(database))
    return ARRAY[0]


PATH = "."
REFUSED = {
    "slots": (slotted, "changes BUDGET"),
    "bytes": (bytes_kept, "changes BYTES"),
    "array": (array_kept, "changes ARRAY"),
    "numbers": (swapped, "changes NUMBERS"),
    "large": (large, "changes TABLE"),
    "cache": (lambda x, rng: kept_list().append(x) or kept_list()[0], "cache of kept_list"),
    "cache of links": (lambda x, rng: kept_in_links().append(1) or len(kept_in_links()), "cache of kept_in_links"),
    "cache of draws": (lambda x, rng: kept_coin(1) or kept_coin(2), "cache of kept_coin"),
    "cached method": (CachedMethod, "cache of kept"),
    "thread's": (local, "changes LOCAL"),
    "context": (context, "changes CONTEXT"),
    "count": (lambda x, rng: next(COUNTS) > 100, "changes COUNTS"),
    "cycle": (lambda x, rng: next(CYCLE), "changes CYCLE"),
    "iterator": (lambda x, rng: next(TEXTS), "changes TEXTS"),
    "attribute": (set_attribute, "changes an attribute of set_attribute"),
    "attribute of a class": (Late, "changes an attribute of Late"),
    "new global": (new_global, "changes NEW"),
    "on a library": (on_library, "changes sys.kept_by_program"),
    "object in a table": (lambda x, rng: ENGINES["one"](x), "changes ENGINES"),
    "function in a table": (of_table, "changes FUNCTIONS"),
    "through an object": (lambda x, rng: INDIRECT.first(x), "changes LISTED"),
    "partial": (lambda x, rng: PART(x), "changes PART"),
    "text": (attribute_of_text, "changes TEXT"),
    "file in memory": (written, "changes FILE"),
    "database": (lambda x, rng: SQL.execute("select 1").fetchone()[0], "cannot look into SQL"),
    "environment": (lambda x, rng: os.environ.setdefault("KEPT_BY_A_PROGRAM", x), "sets a variable of the environment"),
    "file": (file, "writes 'kept.txt'"),
    "device": (lambda x, rng: np.fromfile("/dev/urandom", "u1", 1)[0], "reads /dev/urandom"),
    "process": (lambda x, rng: os.system("true"), "starts a process"),
    "thread": (thread, "starts a thread"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_next_call_sees_is_refused_by_name(name, tmp_path, monkeypatch):
    program, message = REFUSED[name]
    monkeypatch.setitem(globals(), "PATH", str(tmp_path))
    with pytest.raises(ProgramError, match=message):
        pp.as_mechanism(program, DATABASES)


def test_nothing_is_refused_while_no_program_runs(tmp_path):
    (tmp_path / "kept.txt").write_text("a")
    assert threading.Thread(target=print).start() is None


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.lru_cache
def weights(k):
    return {"a": k}


@functools.lru_cache(maxsize=4)
def pair(k, shift=0):
    return (k, k + shift)


@functools.singledispatch
def kind(_):
    return "other"


@kind.register
def _(_: str):
    return "text"


class Colour(enum.Flag):
    RED = 1
    BLUE = 2


class Remembers:
    def __init__(self, rng):
        self.rng = rng

    @functools.cached_property
    def lie(self):
        return self.rng.random() < 0.5

    def release(self, database):
        return self.lie


LOG, LOCK, THIRD, NAN = logging.getLogger("vendor"), threading.Lock(), Fraction(1, 3), float("nan")


def logs(database, rng):
    LOG.warning("lie %s", database)
    warnings.warn("old", stacklevel=1)
    return rng.random() < 0.5


def inner_cache(database, rng):
    @functools.cache
    def lie(_):
        return rng.random() < 0.5

    return lie(1) and lie(1)


def constants(database, rng):
    with LOCK:
        return rng.random() < 0.5 and str(THIRD) and str(NAN)


def read(database, rng):
    with open(__file__) as source, open(os.devnull, "w") as nowhere:
        nowhere.write(source.read())
    return rng.random() < 0.5


PERMITTED = {
    "a function of its arguments": lambda x, rng: fibonacci(20) if rng.random() < 0.5 else 0,
    "a table": lambda x, rng: weights(1)["a"] if rng.random() < 0.5 else weights(2)["a"],
    "few": lambda x, rng: sum(pair(k)[0] for k in [3, 1, 2, 3]) * (rng.random() < 0.5),
    "by name": lambda x, rng: pair(1, shift=2)[1] if rng.random() < 0.5 else 0,
    "dispatch": lambda x, rng: kind(x) if rng.random() < 0.5 else kind(1),
    "flags": lambda x, rng: (Colour.RED | Colour.BLUE).value if rng.random() < 0.5 else 0,
    "object": Remembers,
    "log": logs,
    "inner": inner_cache,
    "partial": functools.partial(lambda p, x, rng: rng.random() < p, Fraction(1, 2)),
    "constants": constants,
    "read": read,
    "json": lambda x, rng: json.dumps({"lie": rng.random() < 0.5}),
}


@pytest.mark.parametrize("name", PERMITTED)
@pytest.mark.filterwarnings("ignore:old")
def test_what_saves_time_alone_is_permitted(name):
    law = pp.as_mechanism(PERMITTED[name], DATABASES).value
    assert all(law.probability(x, y) == Fraction(1, 2) for x in DATABASES for y in law.outputs)


def test_a_full_cache_is_refused():
    program = lambda x, rng: sum(pair(k)[0] for k in range(6)) + (rng.random() < 0.5)  # noqa: E731
    with pytest.raises(ProgramError, match="give lru_cache maxsize=None"):
        pp.as_mechanism(program, DATABASES)


def test_an_attribute_of_a_known_name_opens_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "asks_name.py").write_text(
        "import sqlite3\n"
        "KEPT = sqlite3.connect(':memory:')\n"
        "class Options:\n    rate = 0.5\n"
        "OPTIONS = Options()\n"
        "def other():\n    return [*{'a', 'b'}]\n"
        "def program(database, rng):\n"
        "    return rng.random() < getattr(OPTIONS, 'rate', 1)\n"
        "def made(database, rng):\n"
        "    return globals().setdefault('FIRST', database)\n"
        "def unclear(database, rng):\n"
        "    return rng.random() < getattr(OPTIONS, 'ra' + database, 1)\n"
        "def last(database, rng):\n"
        "    one = rng.integers(100)\n"
        "    return globals()['ot' + 'her']() if one == 99 else int(one)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import asks_name

    law = pp.as_mechanism(asks_name.program, ["0"]).value
    assert law.probability("0", "True") == Fraction(1, 2)
    for program, database in ((asks_name.made, "0"), (asks_name.unclear, "te")):
        with pytest.raises(ProgramError, match=r"changes FIRST|look into KEPT"):
            pp.as_mechanism(program, [database])
    monkeypatch.delattr(asks_name, "KEPT")
    law = pp.as_mechanism(asks_name.unclear, ["te"]).value
    assert law.probability("te", "True") == Fraction(1, 2)
    with pytest.raises(ProgramError, match=r"asks_name.py:7: it goes through a set"):
        pp.as_mechanism(asks_name.last, ["0"])
