"""Reading trusted Python: what a signature says, how records and arguments are handed over."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Calls, Program, Releases, arguments_of, code_of, is_code
from pufferproof.models.priors.records import Records

BITS = Records(3, ("0", "1"))


def read(function, **calls):
    return code_of(function, "mine:f", None, Calls(True, **calls))


class Memory:
    def __init__(self, rng, step=1):
        self.rng, self.step, self.count = rng, step, 0

    def release(self, database):
        self.count += self.step
        return f"{database}{self.count}"


class Empty:
    def __init__(self, rng):
        pass

    def release(self):
        return 1


class Silent:
    def __init__(self, rng):
        pass


@pytest.mark.parametrize(
    "function",
    [
        lambda database, rng: (database, rng),
        lambda database, *, rng: (database, rng),
        lambda database, rng=None: (database, rng),
        lambda database, epsilon=1, rng=None: (database, rng),
        lambda database, size, rng: [(database, rng)] * size,
        lambda database, size, rng: np.array([[database, rng]])[:size],
    ],
)
def test_a_program_is_told_by_its_signature(function):
    code = read(function)
    assert isinstance(code, Program)
    assert tuple(code("01", "rng")) == ("01", "rng")


@pytest.mark.parametrize("function", [lambda database: {}, lambda database, epsilon=1: {}, lambda *databases: {}])
def test_a_function_of_the_database_alone_is_no_program(function):
    assert not isinstance(read(function), Program)


def test_an_object_is_made_for_every_run_and_remembers_within_it():
    code = read(Memory, runs=3)
    assert code("a", None) == code("a", None) == Releases(("a1", "a2", "a3"))
    assert read(Memory, runs=2, arguments={"step": 5})("a", None) == Releases(("a5", "a10"))
    assert read(Memory)("a", None) == "a1"


@pytest.mark.parametrize(
    ("form", "records", "database", "expected"),
    [
        ("text", BITS, "011", "011"),
        ("list", BITS, "011", [0, 1, 1]),
        ("list", Records(2, ("a", "b")), "ab", ["a", "b"]),
        ("list", Records(2, ("-1", "10")), "-1,10", [-1, 10]),
        ("list", Records(2, ("0.5", "1")), "0.5,1", [0.5, 1.0]),
        ("list", Records(1, ("1", "01")), "01", ["01"]),  # as numbers they would be one
    ],
)
def test_records_are_handed_over_in_the_form_asked_for(form, records, database, expected):
    code = read(lambda database, rng: database, records=form).on(records)
    assert code(database, None) == expected
    assert type(code(database, None)[0]) is type(expected[0])
    if form == "list":
        array = read(lambda database, rng: database, records="array").on(records)(database, None)
        assert isinstance(array, np.ndarray)
        assert array.tolist() == expected


def test_a_list_is_made_anew_for_every_call():
    code = read(lambda database, rng: database.append(1) or len(database), records="list").on(BITS)
    assert [code("000", None) for _ in range(3)] == [4, 4, 4]


def test_arguments_are_exact():
    found = arguments_of(["a=1/3", "b=0.1", "c=2", "d=x", "e=TRUE", "f=none", "g=", "h=1=2"])
    assert (found["a"].exact, found["b"].exact) == (Fraction(1, 3), Fraction(1, 10))
    assert found == {"a": 1 / 3, "b": 0.1, "c": 2, "d": "x", "e": True, "f": None, "g": "", "h": "1=2"}
    assert type(arguments_of(["c=2.0"])["c"]) is int


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["epsilon"], "expected NAME=VALUE such as epsilon=1/2"),
        (["=1"], "expected NAME=VALUE"),
        (["1=2"], "expected NAME=VALUE"),
        (["a=1", "a=2"], "is given twice"),
    ],
)
def test_bad_arguments_are_told_with_their_option(texts, message):
    with pytest.raises(ModelError, match=message) as caught:
        arguments_of(texts)
    assert caught.value.where == "--with"


@pytest.mark.parametrize(
    ("function", "calls", "message"),
    [
        (lambda a, b, c, d: 1, {}, "found 4 arguments"),
        (lambda: 1, {}, "found 0 arguments"),
        (lambda rng, database: 1, {}, r"expected \(database, rng\), found \(rng, database\)"),
        (lambda database, rng, epsilon: 1, {}, "pass --with epsilon=VALUE"),
        (lambda database, *, rng, epsilon: 1, {}, "pass --with epsilon=VALUE"),
        (lambda database, epsilon, rng=None: 1, {}, "pass --with epsilon=VALUE"),
        (lambda *, rng: 1, {}, "expected a parameter for database"),
        (lambda database, rng: 1, {"arguments": {"rng": 1}}, "rng is no argument of its own"),
        (lambda x, rng: 1, {"arguments": {"x": 1}}, "x is no argument of its own"),
        (Memory, {"arguments": {"rng": 1}}, "rng is no argument of its own"),
        (Empty, {}, r"expected release\(self, database\), found \(self\)"),
        (Silent, {}, r"a method release\(database\)"),
        (lambda database, rng: 1, {"runs": 2}, "needs module:Class"),
        (max, {}, "no signature"),
    ],
)
def test_what_cannot_be_called_is_refused_by_name(function, calls, message):
    with pytest.raises(ModelError, match=message):
        read(function, **calls)


def test_a_class_without_a_value_for_a_parameter_is_refused():
    class Two:
        def __init__(self, rng, epsilon):
            pass

        def release(self, database):
            pass

    with pytest.raises(ModelError, match="pass --with epsilon=VALUE"):
        read(Two)
    assert isinstance(read(Two, arguments={"epsilon": 1}), Program)


@pytest.mark.parametrize(("size", "message"), [(lambda n: 3, "expected an array"), (lambda n: [1, 2], "found 2")])
def test_a_program_with_a_size_gives_as_many_outputs(size, message):
    with pytest.raises(ModelError, match=message):
        read(lambda database, size_, rng: size(size_))("a", None)


def test_a_list_needs_records():
    with pytest.raises(ModelError, match='expected a framework with "records"'):
        read(lambda database, rng: 1, records="list").on(None)


def test_code_is_told_from_what_else_can_be_called():
    assert all(map(is_code, [Memory, len, partial(len), lambda x: x]))
    assert not any(map(is_code, ["len", 3, [len], np.array([1])]))
