"""The command `redact`: table, JSON by its schema, plots, and bad input."""

import json
from fractions import Fraction

import jsonschema
import pytest

from pufferproof.lp.redaction_strategies import NAMES
from pufferproof.reports import cli
from pufferproof.reports.schemas import json_schema

EXAMPLE = {"--alpha": "1/4", "--beta": "1/2", "--length": "2", "--private": "1", "--epsilon": "log(3/2)"}


def run(capsys, *more, **changed):
    options = {**EXAMPLE, **{f"--{name}": value for name, value in changed.items()}}
    code = cli._run(["redact", *(part for pair in options.items() for part in pair), *more])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys, *more, **changed):
    code, out, _ = run(capsys, "--json", *more, **changed)
    assert code == 0
    found = json.loads(out)
    jsonschema.validate(found, json_schema("redact"))
    return found


def test_first_example_of_the_source(capsys):
    found = {each["name"]: each for each in answer(capsys)["strategies"]}
    assert list(found) == list(NAMES)
    assert found["3r-exact"]["r"] == [["1", "1"], ["1/5", "1"]]
    assert found["3r-exact"]["leakage"]["ratio"] == "3/2"
    utility = found["3r-exact"]["utility"]
    assert Fraction(utility["lower"]) <= Fraction(4, 15) <= Fraction(utility["upper"])
    assert found["data-independent"]["utility"] == {"lower": "0", "upper": "0"}


def test_table_has_a_row_per_strategy(capsys):
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["strategy", *NAMES]


def test_only_the_strategies_asked_for(capsys):
    found = answer(capsys, "--strategy", "quilt", "--strategy", "3r-exact")["strategies"]
    assert [each["name"] for each in found] == ["quilt", "3r-exact"]


def test_exchanged_values_are_said(capsys):
    code, out, err = run(capsys, "--json", alpha="1/2", beta="1/4")
    assert code == 0
    assert "change roles" in err
    found = json.loads(out)
    assert found["swapped"] is True
    assert {each["name"]: each for each in found["strategies"]}["3r-exact"]["r"] == [["1", "1"], ["1", "1/5"]]


@pytest.mark.parametrize(
    "changed",
    [
        {"length": "1"},
        {"epsilon": "0"},
        {"epsilon": "1e-9"},
        {"epsilon": "1000000"},
        {"alpha": "2/3", "beta": "2/3", "length": "4"},
    ],
)
def test_edges_are_no_errors(capsys, changed):
    answer(capsys, **changed)


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_plots(capsys, tmp_path, suffix):
    path = tmp_path / f"designs{suffix}"
    answer(capsys, "--plot", str(path), "--strategy", "quilt", "--strategy", "3r-constant", alpha="1/100", length="6")
    assert path.stat().st_size > 1000


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"alpha": "0"}, "--alpha"),
        ({"beta": "1"}, "--beta"),
        ({"alpha": "nan"}, "--alpha"),
        ({"private": "3"}, "--private: expected a record from 1 to 2, found 3"),
        ({"private": "0"}, "--private"),
        ({"length": "0"}, "--length"),
        ({"epsilon": "-1"}, "--epsilon"),
        ({"strategy": "best"}, "--strategy"),
        ({"plot": "designs.txt"}, ".svg"),
    ],
)
def test_bad_input_is_one_line(capsys, changed, said):
    code, out, err = run(capsys, **changed)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err
