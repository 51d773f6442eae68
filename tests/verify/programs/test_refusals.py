"""What has no exact law is refused by name, whatever the program catches; errors name the line."""

import copy
import pickle
import re
import sys
from fractions import Fraction

import numpy as np
import pytest

from pufferproof import as_mechanism
from pufferproof.models.errors import ModelError
from pufferproof.verify.programs import paths
from pufferproof.verify.programs.law import ProgramError, law_of


def caught(database, rng):
    try:
        return str(float(rng.laplace()) > 0)
    except:  # noqa: E722 as programs do
        return "hidden"


def swallowed(database, rng):
    try:
        return rng.standard_t(3) > 0
    except BaseException:
        return "hidden"


REFUSED = {
    "float": (caught, "turns a draw into a float"),
    "Student": (swallowed, "rng.standard_t has no exact law"),
    "text": (lambda _, rng: f"{rng.laplace()}", "turns a draw into text"),
    "text in a list": (lambda _, rng: str([rng.laplace()]), "turns a draw into text"),
    "set": (lambda _, rng: len({rng.laplace()}), "uses a draw as a key"),
    "product": (lambda _, rng: rng.laplace() * rng.laplace() > 0, "multiplies two draws"),
    "quotient": (lambda _, rng: 1 / rng.laplace() > 0, "divides by a draw"),
    "division by 0": (lambda _, rng: rng.laplace() / 0 > 0, "divides a draw by 0"),
    "power": (lambda _, rng: rng.laplace() ** 2 > 1, "a power"),
    "exponential function": (lambda _, rng: np.exp(rng.laplace()) > 1, "exp"),
    "infinity": (lambda _, rng: rng.laplace() + np.inf > 1, "a draw and inf"),
    "NaN": (lambda _, rng: rng.laplace() * np.nan > 1, "a draw and nan"),
    "scale": (lambda _, rng: rng.laplace(scale=rng.exponential()) > 1, "a scale is a draw"),
    "probability": (lambda _, rng: rng.binomial(2, rng.random()), "a probability is a draw"),
    "index": (lambda _, rng: "ab"[rng.random()], "an integer of a draw"),
    "output": (lambda _, rng: (rng.laplace(), rng.random()), "neither Laplace nor Gaussian"),
    "object": (lambda _, rng: object(), "its output is of type object"),
    "order": (
        lambda _, rng: rng.choice(3, size=2, replace=False, shuffle=False).sum(),
        "shuffle=False, whose order is not random",
    ),
    "number of trials": (lambda _, rng: rng.binomial(2.5, 0.5), "2.5 where an integer is needed"),
}


def test_refused_by_name():
    for name in REFUSED:
        program, words = REFUSED[name]
        with pytest.raises(ProgramError, match=words) as error:
            law_of(program, ["0"], name="module:program")
        assert "estimate" in str(error.value)
        assert str(error.value).startswith("module:program")
        if name != "output" and name != "object":
            assert re.search(r"module:program, test_refusals.py:\d+: ", str(error.value))


def test_errors_of_a_program_name_database_and_draws():
    def program(database, rng):
        if rng.random() < 0.25:
            return 1 // int(database)
        return 0

    assert law_of(program, ["1"]).whole
    with pytest.raises(ProgramError, match="raises ZeroDivisionError") as error:
        law_of(program, ["1", "0"])
    assert "database '0' after uniform < 1/4" in str(error.value)
    assert f"test_refusals.py:{program.__code__.co_firstlineno + 2}" in str(error.value)


def forever(rng):
    while [rng.random() < 0.5 and 1]:
        pass


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda _, rng: rng.laplace(scale=-1) > 0, "scale < 0"),
        (lambda _, rng: rng.choice(2, p=[0.5, 0.6]), "do not sum to 1"),
        (lambda _, rng: rng.choice(2, p=[1.0]), "same size"),
        (lambda _, rng: rng.integers(3, 3), "low >= high"),
        (lambda _, rng: rng.binomial(2, 1.5), "p > 1"),
        (lambda _, rng: rng.laplace(scale="wide"), "expected a number, found 'wide'"),
        (lambda _, rng: rng.laplac(), "no attribute 'laplac'"),
        (lambda _, rng: rng.laplace() > "a", "TypeError"),
        (lambda _, rng: np.array("12") + rng.laplace(size=2), "expected numbers beside draws"),
        (lambda _, rng: rng.laplace(size=2) < np.array(["1", "2"]), "expected numbers beside"),
        (lambda _, rng: rng.laplace(size=2) * 1j, "expected numbers beside draws"),
        (lambda _, rng: sys.exit(3), "SystemExit"),
        (lambda _, rng: rng.choice([]), "cannot be empty"),
        (lambda _, rng: forever(rng), r"py:\d+: no path of it ends on database '0': does a loop of it end"),
    ],
)
def test_what_the_program_raises(call, error):
    with pytest.raises(ProgramError, match=error):
        law_of(call, ["0"], paths=500)


def test_a_counter_outside_is_found():
    calls = []

    def program(database, rng):
        calls.append(database)
        return len(calls) % 2

    with pytest.raises(ProgramError, match="not a function of its draws"):
        law_of(program, ["0"])


def test_other_choices_in_a_second_run_are_found():
    calls = []

    def program(database, rng):
        calls.append(database)
        return rng.laplace() > len(calls) % 2

    with pytest.raises(ProgramError, match="not a function of its draws"):
        law_of(program, ["0"])


def test_arguments_are_checked():
    with pytest.raises(ModelError, match="databases: expected"):
        law_of(caught, 3)
    with pytest.raises(ModelError, match="paths: expected an integer"):
        law_of(caught, ["0"], paths="many")


@pytest.mark.parametrize(
    ("outputs", "labels"),
    [
        ([0, 0.0, -0.0, False], ["0", "False"]),
        ([1, True, "1"], ["1", "True", "'1'"]),
        ([[1, 0.5], (1, 0.5), np.array([1, 0.5])], ["(1,0.5)"]),
        ([None, "None"], ["None", "'None'"]),
        ([{1, 2}, frozenset([2, 1])], ["{1,2}"]),
        ([set(), {}, frozenset(), (), ""], ["set()", "{}", "()", ""]),
        ([{"a": 1}, {"a": 1.0}], ["{a: 1}"]),
        ([b"\x00", np.int64(3), 3, float("inf"), 0.1], ["b'\\x00'", "3", "inf", "0.1"]),
    ],
)
def test_labels_are_by_value(outputs, labels):
    def program(database, rng):
        return outputs[rng.integers(len(outputs))]

    assert list(law_of(program, ["0"]).outputs) == labels


def test_a_nan_is_one_of_the_values_of_a_choice():
    law = law_of(lambda _, rng: rng.choice([np.nan, 1.0, 2.0]), ["0"]).table()
    assert {y: law.probability("0", y) for y in law.outputs} == dict.fromkeys(["nan", "1", "2"], Fraction(1, 3))


def expects_generator(database, rng):
    if not isinstance(rng, np.random.Generator) or type(rng) is not np.random.Generator:
        raise TypeError("rng must be a Generator")
    same = copy.copy(np.random.default_rng(rng))
    return same.random() < rng.integers(2)


def test_what_stands_for_a_generator_is_one():
    law = as_mechanism(expects_generator, ["0"]).value
    assert law.probability("0", "True") == Fraction(1, 2)


@pytest.mark.parametrize("copied", [copy.deepcopy, pickle.dumps])
def test_a_copy_that_draws_the_same_again_is_refused(copied):
    with pytest.raises(ProgramError, match="would draw the same again"):
        law_of(lambda _, rng: copied(rng) and rng.random() < 0.5, ["0"])


def draws_on(database, rng):
    while rng.random() < 2:
        pass


def draws_without_asking(database, rng):
    while True:
        rng.laplace()


def on_one_database(database, rng):
    return draws_on(database, rng) if database == "1" else rng.random() < 0.5


@pytest.mark.parametrize("program", [draws_on, draws_without_asking, on_one_database])
def test_a_loop_without_end_is_refused_with_its_line(program, monkeypatch):
    monkeypatch.setattr(paths, "LONGEST", 50)
    with pytest.raises(ProgramError, match=r"test_refusals.py:\d+: one run .* does a loop of it"):
        as_mechanism(program, ["0", "1"])


def test_what_never_ends_with_some_probability_is_left():
    def program(database, rng):
        while rng.random() < 0.5:
            if rng.random() < 0.5:
                while [rng.random() < 0.5 and 1]:
                    pass
        return "ended"

    law = law_of(program, ["0"], paths=200)
    assert not law.whole
    assert Fraction(1, 2) <= law.masses["0"]["ended"].rational < Fraction(2, 3)


class OwnError(BaseException):
    def __str__(self):
        raise ValueError("no text")


def raises(error):
    raise error


def generator(database, rng):
    yield rng.random()


async def coroutine(database, rng):
    return rng.random()


UNFIT = {
    "an error of its own": (lambda _, rng: raises(OwnError()), "raises OwnError on database '0'"),
    "a generator's": (lambda _, rng: raises(GeneratorExit()), "raises GeneratorExit on database"),
    "long": (lambda _, rng: raises(ValueError("x" * 999)), r"raises ValueError: x{200}\.\. on"),
    "generator": (generator, "its output is a generator, .* return a list"),
    "coroutine": (coroutine, "it is an async function, .* call asyncio.run"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_errors_and_outputs_of_any_kind_are_one_line(name):
    program, message = UNFIT[name]
    with pytest.raises(ProgramError, match=message):
        as_mechanism(program, ["0"])


def counting():
    calls = []

    def row(database):
        calls.append(database)
        share = Fraction(1, 2 + len(calls))
        return {"0": share, "1": 1 - share}

    return row


def same_dict():
    row = {"0": Fraction(1, 2), "1": Fraction(1, 2)}

    def changed(database):
        row["0"], row["1"] = row["0"] / 2, 1 - row["0"] / 2
        return row

    return changed


class Fading:
    share = Fraction(1, 2)

    def __call__(self, database):
        self.share /= 2
        return {"0": self.share, "1": 1 - self.share}


@pytest.mark.parametrize("made", [counting, same_dict, Fading])
def test_a_function_whose_rows_change_has_no_law(made):
    with pytest.raises(ModelError, match="returned another row when it was called again"):
        as_mechanism(made(), ["0", "1"])


NAN = float("nan")
ORDERED = [
    lambda x: np.clip(x, NAN, 1) > 0,
    lambda x: np.clip(x, 0, NAN) > 0,
    lambda x: x.clip(NAN) > 0,
    lambda x: np.clip(NAN, x, 1) > 0,
    lambda x: np.clip([x, 0.5], [0, NAN], 1)[0] > 0,
    lambda x: np.array([x, 0.5]).clip(NAN, 1)[0] > 0,
    lambda x: np.fmax(NAN, x) > 0,
    lambda x: np.fmin(x, [1, NAN])[1] > 0,
    lambda x: np.maximum([x, NAN], [0, 0])[1] > 0,
    lambda x: np.max([NAN, 0.0, x]) > 0,
    lambda x: np.argsort([NAN, x])[0],
    lambda x: np.array([NAN, x]).argsort()[0],
    lambda x: np.argpartition([NAN, x, 1.0], 1)[0],
    lambda x: np.array([NAN, x, 1.0]).argpartition(1)[0],
    lambda x: np.sort([0.0, NAN, x])[2] > 0,
    lambda x: np.lexsort(([NAN, x],))[0],
    lambda x: np.unique([NAN, NAN, x]).size,
    lambda x: np.percentile([NAN, x, 1.0], 50) > 0,
    lambda x: np.searchsorted([0.0, x + 1], NAN),
    lambda x: np.array([0.0, x + 1]).searchsorted(NAN),
    lambda x: np.maximum.reduce([NAN, 0.0, x]) > 0,
    lambda x: np.maximum.accumulate([NAN, x])[1] > 0,
    lambda x: max(NAN, x) > 0,
]


@pytest.mark.parametrize("number", range(len(ORDERED)))
def test_an_order_of_nan_and_draws_is_refused(number):
    """NumPy puts NaN last, or returns it: a comparison of objects would do neither."""
    with pytest.raises(ProgramError, match=r"NaN beside a draw|compares a draw with NaN"):
        as_mechanism(lambda _, rng: int(ORDERED[number](rng.laplace() * np.float64(1))), ["0"])


TAKEN = [
    lambda x: np.nanmax([NAN, x]) > 0,
    lambda x: np.nanmean([NAN, x]) > 0,
    lambda x: np.nanargmax([NAN, x, 0.0]),
    lambda x: np.argmax([0.0, NAN, x]),
    lambda x: np.argmin([[x, 1.0], [1.0, NAN]], axis=1).tolist(),
    lambda x: np.where(np.isnan(np.array([NAN, x])), 0, [1, 2 * x]).tolist()[0],
    lambda x: (np.append([NAN], x) == NAN).tolist(),
    lambda x: np.clip(int(x > 0), NAN, 1) > 0,
]


@pytest.mark.parametrize("number", range(len(TAKEN)))
def test_what_takes_nan_beside_draws_does_as_numpy_does(number):
    as_mechanism(lambda _, rng: TAKEN[number](rng.laplace() * np.float64(1)), ["0"], check=True)
