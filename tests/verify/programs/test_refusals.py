"""What has no exact law is refused by name, whatever the program catches; errors name the line."""

import re
import sys

import numpy as np
import pytest

from pufferproof.models.errors import ModelError
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
    "weights": (
        lambda _, rng: rng.choice(3, size=2, replace=False, p=[0.5, 0.25, 0.25]).sum(),
        "without replacement but with weights",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name):
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
    while rng.random() >= 0:
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
        (lambda _, rng: forever(rng), "no path of it ends on database '0'"),
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
        ([{"a": 1}, {"a": 1.0}], ["{a: 1}"]),
        ([b"\x00", np.int64(3), 3, float("inf"), 0.1], ["b'\\x00'", "3", "inf", "0.1"]),
    ],
)
def test_labels_are_by_value(outputs, labels):
    def program(database, rng):
        return outputs[rng.integers(len(outputs))]

    assert list(law_of(program, ["0"]).outputs) == labels
