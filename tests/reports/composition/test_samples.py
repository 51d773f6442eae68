"""`compose` of mechanisms that draw a fresh sample in every run: files, answers and refusals."""

import json

import pytest
from tests.reports.console.schemas import expect_valid
from tests.reports.test_cli import files, run  # noqa: F401 - fixtures

RECORDS = {"count": 100, "alphabet": ["0", "1"]}
SPACE = {"format": "pufferproof-framework/1", "records": RECORDS}
ADDED = SPACE | {"neighbours": {"relation": "add-remove"}}
REPLACED = SPACE | {"neighbours": {"relation": "substitute", "changes": 1}}
SUM = {
    "format": "pufferproof-mechanism/1",
    "query": "sum",
    "noise": {"gaussian": {"sigma": "1"}},
    "sample": {"poisson": "1/10"},
}
FIXED = SUM | {"query": {"count": "1"}, "sample": {"fixed": 10}}
EVENT = """
class GaussianDpEvent:
    __module__ = "dp_accounting.dp_event"
    noise_multiplier = 1.0


class PoissonSampledDpEvent:
    __module__ = "dp_accounting.dp_event"
    sampling_probability, event = 0.1, GaussianDpEvent()


step = PoissonSampledDpEvent()
"""


@pytest.fixture
def compose(run, files):  # noqa: F811
    documents = {"added": ADDED, "replaced": REPLACED, "sum": SUM, "fixed": FIXED}
    for name, document in documents.items():
        (files / f"{name}.json").write_text(json.dumps(document))
    (files / "sampled_steps.py").write_text(EVENT)

    def invoke(*arguments):
        code, out, err = run("compose", *arguments)
        if "--json" in arguments and code != 2:
            answer = json.loads(out)
            expect_valid(answer, "compose-sampled")
            return code, answer, err
        return code, out, err

    return invoke


@pytest.mark.parametrize(("delta", "code", "verdict"), [("1/10", 1, "VIOLATES"), ("1/8", 0, "SATISFIES")])
def test_a_verdict_on_all_runs(compose, delta, code, verdict):
    asked = ("added.json", "sum.json", "--runs", "64", "--epsilon", "1", "--delta", delta)
    found, answer, err = compose(*asked, "--json")
    assert (found, answer["verdict"], err) == (code, verdict, "")
    assert float(answer["delta"]["lower"]) <= 0.124847 <= float(answer["delta"]["upper"])
    assert (answer["runs"], answer["reached"]) == (64, True)
    assert "new sample" in answer["shared"]
    found, out, _ = compose(*asked)
    assert found == code
    assert out.splitlines()[0] == f"{verdict} 1 nat, delta {delta}"
    assert "shared    the database only; every run draws a new sample and new noise" in out


def test_delta_alone_gives_the_level_and_epsilon_alone_the_delta(compose):
    asked = ("added.json", "sum.json", "--runs", "64", "--json")
    _, level, _ = compose(*asked, "--delta", "1/100000")
    low, high = (float(level["epsilon"][end]) for end in ("lower", "upper"))
    assert low <= 5.7344949 <= high <= low * 1.001
    assert level["verdict"] is level["delta"] is None
    code, delta, _ = compose(*asked, "--epsilon", "1")
    assert (code, delta["epsilon"], delta["verdict"]) == (0, None, None)
    assert float(delta["delta"]["lower"]) <= 0.124847 <= float(delta["delta"]["upper"])


def test_bounds_that_do_not_decide_say_which_databases_they_are_about(compose):
    asked = ("replaced.json", "fixed.json", "--runs", "64", "--epsilon", "1", "--delta", "3/20")
    code, answer, _ = compose(*asked, "--json")
    assert (code, answer["verdict"], answer["reached"]) == (3, "UNDECIDED", False)
    assert "no other record adds anything" in answer["about"]


def test_events_of_dp_accounting_are_mechanisms(compose):
    asked = ("added.json", "sampled_steps:step", "--runs", "64", "--epsilon", "1", "--json")
    code, answer, _ = compose(*asked, "--trust-code")
    assert (code, answer["notes"]) == (0, [])
    assert float(answer["delta"]["lower"]) <= 0.124847 <= float(answer["delta"]["upper"])
    assert compose(*asked)[0] == 2  # code is not trusted


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("added.json", "sum.json"), "--delta: expected --delta for the smallest level"),
        (("added.json", "fixed.json", "--delta", "1/10"), 'needs neighbours by "substitute"'),
        (("added.json", "sum.json", "--delta", "2"), "--delta"),
        (("added.json", "sum.json", "--delta", "0.1", "--together", "1"), "--together"),
        (("added.json", "sum.json", "--delta", "0.1", "--ledger", "l.json"), "as it was released"),
        (("added.json", "sum.json", "--delta", "0.1", "--runs", "0"), "expected 1 to"),
        (("added.json", "sum.json", "m.json", "--delta", "0.1"), "draws no sample"),
        (("f.json", "sum.json", "--delta", "0.1"), '"neighbours"'),
        (("added.json", "sum.json", *["--epsilon", "1"] * 2), "expected one, of all runs"),
    ],
)
def test_what_does_not_go_with_samples_is_one_line(compose, arguments, says):
    code, out, err = compose(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("sample", "says"),
    [
        ({"poisson": "3/2"}, "from 0 to 1, found 3/2"),
        ({"poisson": "1/2", "fixed": 3}, "either"),
        ({}, "expected {"),
        ({"fixed": 101}, "at most 100"),
        ({"every": 3}, "unknown key"),
        ({"poisson": "nan"}, "poisson"),
    ],
)
def test_what_is_no_sample_names_its_place(compose, files, sample, says):  # noqa: F811
    (files / "bad.json").write_text(json.dumps(SUM | {"sample": sample}))
    code, _, err = compose("replaced.json", "bad.json", "--delta", "1/10")
    assert code == 2
    assert err.startswith("pufferproof: bad.json: sample")
    assert says in err


def test_other_commands_refuse_samples_by_name(compose, run, files):  # noqa: F811
    document = SPACE | {
        "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"product": [["1/2", "1/2"]] * 100}},
    }
    (files / "space.json").write_text(json.dumps(document))
    code, _, err = run("audit", "space.json", "sum.json")
    assert code == 2
    assert "compose --runs K" in err


@pytest.mark.parametrize("key", [{"round": True}, {"clamp": ["0", "1"]}, {"threshold": "3"}])
def test_a_sample_is_never_left_out_beside_other_keys(compose, run, files, key):  # noqa: F811
    (files / "both.json").write_text(json.dumps(SUM | key))
    for command in ("compose", "audit"):
        code, _, err = run(command, "replaced.json", "both.json", "--epsilon", "1")
        assert code == 2
        assert '"sample" needs noise' in err
