"""What depends on the process (the order of sets of text, hashes, addresses) is refused by name."""

import dataclasses
from collections import defaultdict

import pytest

import pufferproof as pp
from pufferproof.verify.programs.law import ProgramError

LETTERS, NUMBERS, NAMES = {"a", "b"}, {1, 2}, {"x": frozenset(["a", "b"])}


class Named:
    def __init__(self, rng=None):
        self.rng, self.seen = rng, set()

    def release(self, database):
        self.seen.add("a")
        self.seen.add(database)
        return [*self.seen][1]


class Plain:
    """An object without text of its own."""


@dataclasses.dataclass
class Holder:
    seen: set[str] = dataclasses.field(default_factory=set)


def of_field(database, rng):
    held = Holder()
    held.seen.update(database, "a")
    return [*held.seen][1]


def grouped(database, rng):
    groups = defaultdict(set)
    groups["a"].update(database, "a")
    return [*groups["a"]][1]


def lists(database, rng):
    letters = list(database)
    return bool([each for each in letters]) and rng.random() < 0.5  # noqa: C416


def sets(database, rng):
    letters = set(database)
    return lists(database, rng) and len(letters)


def list_first(database, rng):
    letters = list({"a"} | {database})
    return letters[0]


def letters_of(text):
    return set(text)


def assigned(database, rng):
    letters = set(database)
    letters.add("2")
    return next(iter(letters))


def looped(database, rng):
    out = ""
    for letter in {*database, "2"}:
        out += letter
    return out


def unpacked(database, rng):
    first, *_ = {"a", "b"}
    return first


def popped(database, rng):
    return {"a", "b", database}.pop()


def made(text):
    space = {}
    exec(text, space)
    return space["f"]


DEPENDS = {
    "list": lambda x, rng: list({"a", "b"})[-1],
    "ties": lambda x, rng: max(set(x), key=x.count),
    "joined": lambda x, rng: "".join(frozenset("ab")),
    "assigned": assigned,
    "looped": looped,
    "unpacked": unpacked,
    "popped": popped,
    "attribute": Named,
    "returned": lambda x, rng: list(letters_of(x + "2"))[-1],
    "field": of_field,
    "groups": grouped,
    "a list": list_first,
    "global": lambda x, rng: next(iter(LETTERS)),
    "in a table": lambda x, rng: [*NAMES["x"]][1],
    "views": lambda x, rng: [*({"a": 1, "b": 2}.keys() & {"a", "b"})][1],
    "dict": lambda x, rng: next(iter(dict.fromkeys(set("ab"), 1))),
    "sorted by": lambda x, rng: sorted(set("ab"), key=len)[-1],
    "text": lambda x, rng: f"{set('ab')}",
    "handed on": lambda x, rng: repr({"a", "b"}),
    "no source": made("def f(x, rng):\n    return list({'a', 'b'})[0]\n"),
}
PROCESS = {
    "hash as a method": (lambda x, rng: "abc".__hash__() % 2, "uses __hash__"),
    "hash as a key": (lambda x, rng: sorted("ab", key=hash)[-1], "uses hash"),
    "id handed on": (lambda x, rng: next(map(id, [x])) % 64, "uses id"),
    "address": (lambda x, rng: str(object()), "address of an object"),
    "in a list": (lambda x, rng: [1, f"{Plain()}"], "address of an object"),
    "end of an address": (lambda x, rng: str(object())[-4:], "not a function of its draws"),
}


@pytest.mark.parametrize("name", DEPENDS)
def test_the_order_of_a_set_is_refused(name):
    with pytest.raises(ProgramError, match="goes through a set, whose order is another") as error:
        pp.as_mechanism(DEPENDS[name], ["0", "1"])
    assert name == "no source" or "test_orders.py:" in str(error.value)


@pytest.mark.parametrize("name", PROCESS)
def test_what_is_of_one_process_is_refused(name):
    program, message = PROCESS[name]
    with pytest.raises(ProgramError, match=message):
        pp.as_mechanism(program, ["0", "1"])


def asked(database, rng):
    seen = set()
    for place, letter in enumerate(database):
        if letter in seen or place in {1, 2}:
            continue
        seen.add(letter)
    seen |= {"a"}
    return len(seen), "a" in LETTERS, seen == {"a", database} and rng.random() < 0.5


def of_integers(database, rng):
    ones = {int(x) for x in database}
    return [*ones, *{1, 2}, *set(map(int, database)), *NUMBERS], rng.random() < 0.5


PERMITTED = {
    "count": (lambda x, rng: len(set(x)) * (rng.random() < 0.5), ["1", "0"]),
    "sorted": (lambda x, rng: "".join(sorted({x, "a"})) * (rng.random() < 0.5), ["0a", ""]),
    "items sorted": (lambda x, rng: sorted(c for c in {"a"} | {x})[rng.integers(2)], ["0", "a"]),
    "every": (lambda x, rng: all(c in "ab" for c in LETTERS) and rng.random() < 0.5, ["True", "False"]),
    "put out": (lambda x, rng: {"a", "b"[: rng.integers(2)]}, ["{,a}", "{a,b}"]),
    "put out in a list": (lambda x, rng: ({"a", x}, rng.random() < 0.5), None),
    "asked": (asked, ["(2,True,True)", "(2,True,False)"]),
    "integers": (of_integers, None),
    "the same name": (sets, ["1", "False"]),
    "reversed": (lambda x, rng: sorted({x, "a"}, reverse=True)[rng.integers(2)], ["0", "a"]),
    "largest": (lambda x, rng: max({"a", x}) if rng.random() < 0.5 else "", ["a", ""]),
}


@pytest.mark.parametrize("name", PERMITTED)
def test_sets_may_be_asked(name):
    program, outputs = PERMITTED[name]
    law = pp.as_mechanism(program, ["0"]).value
    assert set(law.outputs) == set(outputs or law.outputs)
    assert len(law.outputs) == 2
