"""`calibrate --delta`: what is printed, JSON by its schema, and bad input."""

import json
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import Noise, audit, smallest_noise
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.grammar import exact

CHAIN = {
    "format": "pufferproof-framework/1",
    "records": {"count": 8, "alphabet": ["0", "1"]},
    "secrets": {f"x4={value}": {"record": 4, "value": value} for value in "01"},
    "pairs": "disjoint",
    "priors": {"theta": {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/10", "9/10"]]}}},
}


@pytest.fixture
def run(run, save):
    def called(*options, what=CHAIN):
        return run("calibrate", save("framework.json", what), *options)

    return called


@pytest.mark.parametrize("query", ["sum", "histogram"])
def test_the_sigma_printed_keeps_the_promise(run, tmp_path, query):
    given = ["--epsilon", "1", "--delta", "1/1000"]
    code, out, _ = run("--query", query, *given, "--json")
    assert code == 0
    found = json.loads(out)
    expect_valid(found, "calibrate")
    sigmas = [exact(row["sigma"]["upper"]) for row in found["sigmas"]]
    assert [row["rule"] for row in found["sigmas"]] == ["exact", "wasserstein", "markov-quilt"]
    assert sigmas == sorted(sigmas)
    framework = read_framework(tmp_path / "framework.json").value
    for sigma, row in zip(sigmas, found["sigmas"]):
        release = RecordQuery(query, Noise.gaussian(sigma), framework.records)
        answer = audit(framework, release, "1", "1/1000")
        assert answer.verdict.value == "SATISFIES"
        lower, upper = answer.delta.bounds()
        measured = [exact(row["measured"][end]) for end in ("lower", "upper")]
        assert measured[0] <= upper
        assert lower <= measured[1]
    tight = exact(found["sigmas"][0]["sigma"]["lower"])
    release = RecordQuery(query, Noise.gaussian(tight), framework.records)
    assert audit(framework, release, "1", "1/1000").verdict.value == "VIOLATES"


def test_no_noise_keeps_level_0_for_an_order(run):
    code, _, err = run("--query", "sum", "--epsilon", "0", "--renyi", "2")
    assert code == 2
    assert "at level 0 no finite noise is enough" in err


def test_what_is_printed(run):
    code, out, _ = run("--query", "sum", "--epsilon", "0", "--delta", "0.4")
    rows = out.splitlines()
    assert code == 0
    assert rows[0].split()[:2] == ["rule", "sigma"]
    assert rows[3].endswith("at level 0 no finite noise is enough")


def three_values():
    three = json.loads(json.dumps(CHAIN))
    three["records"] = {"count": 4, "alphabet": ["0", "1", "2"]}
    third = Fraction(1, 3)
    rows = [[str(third)] * 3] * 3
    three["priors"]["theta"] = {"markov": {"initial": "stationary", "transition": rows}}
    return three


def test_three_values_off_a_line_have_a_smallest_sigma_too(run):
    given = ["--query", "histogram", "--epsilon", "1", "--renyi", "2"]
    code, out, _ = run(*given, what=three_values())
    rows = {row.split()[0]: row.split()[1] for row in out.splitlines()[1:]}
    assert code == 0
    assert float(rows["exact"]) <= float(rows["wasserstein"]) * (1 + 1e-9)
    assert float(rows["markov-quilt"]) >= float(rows["wasserstein"]) * (1 - 1e-9)


@pytest.mark.parametrize("query", ["sum", "histogram"])
@pytest.mark.parametrize("asked", [("--delta", "1/100"), ("--renyi", "2")])
def test_the_smallest_scale_of_laplace_noise(run, tmp_path, query, asked):
    given = ["--query", query, "--epsilon", "0.5", *asked, "--noise", "laplace", "--json"]
    code, out, _ = run(*given)
    assert code == 0
    found = json.loads(out)
    expect_valid(found, "calibrate")
    (row,) = found["sigmas"]
    framework = read_framework(tmp_path / "framework.json").value
    named = {asked[0].removeprefix("--"): asked[1]}
    for end, verdict in (("upper", "SATISFIES"), ("lower", "VIOLATES")):
        release = RecordQuery(query, Noise.laplace(exact(row["sigma"][end])), framework.records)
        assert audit(framework, release, "0.5", **named).verdict.value == verdict
    again = smallest_noise(framework, release, "0.5", **named, noise="laplace")
    assert again.as_json()["scale"] == row["sigma"]
    assert again.noise.kind == found["noise"] == "laplace"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--delta", "0"], "--delta: expected a delta between 0 and 1"),
        (["--delta", "x"], "--delta: "),
        (["--delta", "0.1", "--compare"], "choose only one rule"),
        (["--delta", "0.1", "--mechanism", "wasserstein"], "choose only one rule"),
        (["--delta", "0.1", "--renyi", "2"], "choose only one rule"),
        (["--renyi", "1"], "--renyi: expected an order above 1"),
        (["--renyi", "2", "--tight"], "--tight: needs one mechanism"),
        (["--delta", "0.1", "--tight"], "--tight: needs one mechanism"),
        (["--mechanism", "wasserstein", "--noise", "laplace"], "--noise: needs --delta"),
        (["--delta", "0.1", "--noise", "pink"], "--noise: expected one of gaussian, laplace"),
        (["--delta", "0.1", "--plot", "x.svg"], "--plot: needs a comparison"),
    ],
)
def test_options_that_do_not_go_together(run, options, said):
    code, _, err = run("--query", "sum", "--epsilon", "1", *options)
    assert code == 2
    assert said in err


@pytest.mark.parametrize("promise", [("--delta", "1/10"), ("--renyi", "2")])
def test_where_no_pair_is_possible_there_is_nothing_to_check(run, promise):
    sure = CHAIN | {
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {f"x1={value}": {"record": 1, "value": value} for value in "01"},
        "priors": {"sure": {"product": [["1", "0"], ["1/2", "1/2"]]}},
    }
    code, out, _ = run("--query", "sum", "--epsilon", "1", *promise, what=sure)
    assert code == 0
    assert "wasserstein   none            nothing to check" in out
