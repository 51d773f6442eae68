"""`compose` prints published bounds beside the joint leakage, for every kind of mechanism."""

import json

import pytest
from tests.reports.composition.test_account import SUM, document, run  # noqa: F401
from tests.reports.console.schemas import expect_valid

HALF = {"laplace": {"scale": "1/log(2)"}}
FIRST, LAST = (SUM | {"segment": span, "noise": HALF} for span in ([1, 2], [5, 6]))
COIN, NOTHING = [["3/4", "1/4"], ["1/4", "3/4"]], [["1/2", "1/2"], ["1/2", "1/2"]]


def local(*records, count=6):
    rows = [COIN if t in records else NOTHING for t in range(1, count + 1)]
    return {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "local": rows}


def published(run, *arguments):  # noqa: F811
    code, out, _ = run(*arguments)
    answer = json.loads(out)
    expect_valid(answer, "compose")
    assert code == 0
    return answer, {each["theorem"]: each for each in answer["published"]}


def test_a_bound_whose_conditions_are_met_is_printed(run):  # noqa: F811
    answer, bounds = published(run, document(6, 1), FIRST, LAST)
    assert [name for name, each in bounds.items() if each["applies"]] == ["III.1", "III.6", "III.7"]
    assert [name for name, each in bounds.items() if each["smallest"]] == ["III.6"]
    joint = float(answer["joint"]["epsilon"]["upper"])
    for each in bounds.values():
        if each["applies"]:
            above = float(each["bound"]["epsilon"]["lower"]) - joint
            assert above == pytest.approx(float(each["above"]["lower"]), abs=1e-12)
    assert bounds["III.1"]["printed"] == {"claim": "song2017.thm-III1", "verdict": "REFUTED"}
    text = run(document(6, 1), FIRST, LAST, options=())[1]
    assert "published III.1  at most " in text
    assert "(as repaired: the print is false)" in text


def test_a_theorem_that_says_nothing_says_what_it_needs(run):  # noqa: F811
    _, bounds = published(run, document(6, 1), FIRST, LAST | {"segment": [2, 6]})
    assert bounds["III.1"]["bound"] is None
    assert bounds["III.1"]["reason"] == "needs two segments that do not overlap (found 1)"
    _, bounds = published(run, document(6, 1), FIRST, LAST | {"segment": [3, 6]})
    (gap,) = (each for each in bounds["III.3"]["conditions"] if each["says"].startswith("T3"))
    assert gap["met"] is False
    assert (gap["margin"], gap["unit"]) == ("-2", "records")


@pytest.mark.parametrize("count", [4, 40])
def test_mechanisms_record_by_record_look_at_their_segments(run, count):  # noqa: F811
    places = document(count, 1), local(1, 2, count=count), local(4, count=count)
    _, bounds = published(run, *places)
    assert bounds["III.1"]["applies"]
    assert bounds["III.6"]["applies"] == (count == 4)  # else outputs are not listed
    assert "III.7" not in bounds


def test_listed_mechanisms_have_their_divergence_alone(run):  # noqa: F811
    space = {
        "format": "pufferproof-framework/1",
        "databases": ["a", "b"],
        "secrets": {"s": ["a"], "t": ["b"]},
        "pairs": "disjoint",
        "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
    }
    coin = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"]}
    coin["channel"] = {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}
    answer, bounds = published(run, space, coin, coin)
    assert list(bounds) == ["III.6"]
    assert bounds["III.6"]["parts"]["E"]["ratio"] == "1"
    assert bounds["III.6"]["bound"] == answer["joint"]
