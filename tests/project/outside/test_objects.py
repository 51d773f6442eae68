"""Objects of other libraries are audited by their name in a module, as in Python."""

import json
from typing import Any

import pytest
from tests.reports.test_cli import files, run  # noqa: F401 - fixtures

pytest.importorskip("opendp", exc_type=ImportError)
FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 3, "alphabet": ["0", "1"]},
    "secrets": {"sick": {"record": 1, "value": "1"}, "well": {"record": 1, "value": "0"}},
    "pairs": [["sick", "well"]],
    "priors": {"even": {"product": [["1/2", "1/2"]] * 3}},
}
NUMBERS = {
    "format": "pufferproof-framework/1",
    "databases": ["3", "5"],
    "secrets": {"three": ["3"], "five": ["5"]},
    "pairs": [["three", "five"]],
    "priors": {"even": {"table": {"3": "1/2", "5": "1/2"}}},
}
SPELLS = {
    **FRAMEWORK,
    "records": {"count": 365, "alphabet": ["0", "1"]},
    "secrets": {"sick": {"record": 180, "value": "1"}, "well": {"record": 180, "value": "0"}},
    "priors": {"spells": {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/5", "4/5"]]}}},
}
MODULE = """
import opendp.prelude as dp
import pufferproof as pp

dp.enable_features("contrib", "honest-but-curious")
count = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1.0)
coin = dp.m.make_randomized_response_bool(prob=0.75)
three, year = (
    pp.as_mechanism(count, pp.Records(records, "01"), query="sum") for records in (3, 365)
)
silent = pp.as_mechanism(count >> (lambda value: 0), pp.Records(3, "01"), "sum")
twice = pp.as_mechanism(dp.c.make_composition([count, count]), pp.Records(3, "01"), "sum")
users = dp.m.make_user_measurement(
    *(dp.atom_domain(T=int), dp.absolute_distance(T=int)),
    dp.max_divergence(),
    lambda value: value,
    lambda distance: 0.0,
)
nothing = 3
"""


@pytest.fixture
def audit(run: Any, files: Any) -> Any:  # noqa: F811
    for name, framework in (("three", FRAMEWORK), ("numbers", NUMBERS), ("year", SPELLS)):
        (files / f"{name}.json").write_text(json.dumps(framework), encoding="utf-8")
    (files / "library_objects.py").write_text(MODULE, encoding="utf-8")

    def invoke(framework: str, name: str, *options: str, command: str = "audit") -> Any:
        asked = f"{framework}.json", f"library_objects:{name}", "--trust-code", *options
        return run(command, *asked)

    return invoke


@pytest.mark.parametrize(
    ("framework", "name", "level", "verdict", "nats"),
    [
        ("three", "three", "1", "SATISFIES", "1"),
        ("three", "twice", "1", "VIOLATES", "2"),
        ("three", "coin", "log(3)", "SATISFIES", "1.098612"),
        ("year", "year", "1", "VIOLATES", "4.154271"),
        ("year", "coin", "log(3)", "VIOLATES", "4.368806"),
        ("numbers", "count", "1", "VIOLATES", "2"),
    ],
)
def test_an_object_is_audited_by_its_name(
    audit: Any, framework: str, name: str, level: str, verdict: str, nats: str
) -> None:
    code, out, _ = audit(framework, name, "--epsilon", level, "--json")
    answer = json.loads(out)
    assert answer["verdict"] == verdict
    assert float(answer["leakage"]["epsilon"]["upper"]) == pytest.approx(float(nats), abs=1e-6)
    assert "of opendp" in answer["source"]
    assert ("claimed" in answer["source"]) == (framework != "numbers")
    assert code == (0 if verdict == "SATISFIES" else 1)


def test_lines_show_what_is_claimed(audit: Any) -> None:
    _, lines, _ = audit("year", "year", "--epsilon", "1")
    assert "claimed 1 at d_in=1 (one record changed), leaks ≈ 4.154271 nats" in lines


def test_what_is_known_before_post_processing_is_no_violation(audit: Any) -> None:
    code, out, _ = audit("three", "silent", "--epsilon", "1/2", "--json")
    answer = json.loads(out)
    assert (answer["verdict"], answer["before"]["verdict"]) == ("UNDECIDED", "VIOLATES")
    assert answer["leakage"]["epsilon"]["lower"] == "0"
    assert code == 3
    assert audit("three", "silent", "--epsilon", "1")[0] == 0
    assert "a function that may hide all of it" in audit("three", "silent")[1]


@pytest.mark.parametrize(
    ("framework", "name", "options", "words"),
    [
        ("three", "count", (), "is noise on a number: expected a name for as_mechanism"),
        ("three", "users", (), "make_user_measurement of OpenDP, which is a function of its user"),
        ("three", "nothing", (), "expected a function of (database, rng), found 3"),
        ("three", "year", (), "expected a query of the framework's records"),
        ("three", "silent", ("--certificate", "c.json"), "needs mechanisms that the kernel"),
        ("three", "silent", ("--table",), "needs mechanisms whose outputs are listed"),
    ],
)
def test_what_does_not_go_is_one_line(audit: Any, framework: str, name: str, options: Any, words: str) -> None:
    code, out, err = audit(framework, name, *options)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_objects_are_composed(audit: Any) -> None:
    _, out, _ = audit("three", "three", "library_objects:twice", "--json", command="compose")
    joint = json.loads(out)["joint"]["epsilon"]["upper"]
    assert float(joint) == pytest.approx(3, abs=1e-6)
