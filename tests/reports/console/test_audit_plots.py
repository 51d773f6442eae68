"""`audit --plot --draw` and `audit --profile`: files with what they show, tables that agree with
the audit at each level, and bad input.
"""

import json
import re
from fractions import Fraction
from itertools import pairwise
from math import erfc, exp, sqrt

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import AdditiveNoise, Noise, audit
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.integrals.delta.smallest import profile_approx
from pufferproof.verify.noise.queries import query_laws

BITS = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/3", "b": "2/3"}}},
}
LISTED = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v", "w"],
    "channel": {"a": ["3/4", "1/4", "0"], "b": ["1/4", "1/2", "1/4"]},
}
NOISE = {"gaussian": {"sigma": "2"}, "laplace": {"scale": "2"}, "geometric": {"ratio": "1/2"}}


def noisy(kind):
    return {"format": "pufferproof-mechanism/1", "query": {"a": "0", "b": "1"}, "noise": {kind: NOISE[kind]}}


FAINT = {**noisy("laplace"), "noise": {"laplace": {"scale": "1/1000"}}}
PLANE = {**noisy("laplace"), "query": {"a": ["0", "1"], "b": ["1", "0"]}}


@pytest.fixture
def run(run, save):
    def called(mechanism, *options, framework=BITS):
        return run("audit", save("f.json", framework), save("m.json", mechanism), *options)

    return called


@pytest.mark.parametrize(
    ("kind", "finding"),
    [
        ("loss", 'The privacy loss exceeds 0.1 nats with probability 0.5 given "t".'),
        ("trade-off", "its two errors sum to 0.5, those of guessing to 1."),
        ("region", 'likelier given "t" than given "s" by more than 0.5: the region has 6 vertices.'),
        ("odds", 'An output rules "s" out, and leaves "t".'),
        ("outputs", 'Output "w" is possible given "t" and impossible given "s".'),
        ("profile", "Delta stays above 0 at every epsilon"),
    ],
)
def test_plots_say_what_they_show(run, tmp_path, kind, finding):
    found = []
    for name in ("one.svg", "two.svg"):
        path = tmp_path / name
        code, _, err = run(LISTED, "--epsilon", "0.1", "--plot", path, "--draw", kind)
        assert (code, err) == (1, "")
        found.append(path.read_text(encoding="utf-8"))
    assert found[0] == found[1]
    if kind == "loss":  # of "t" against "s", which w rules out
        finding = finding.replace("0.5", "0.75")
    assert finding in found[0].replace("&quot;", '"')


@pytest.mark.parametrize("kind", NOISE)
def test_noise_has_a_profile(run, tmp_path, kind):
    path = tmp_path / "noise.svg"
    code, out, _ = run(noisy(kind), "--epsilon", "0.5", "--plot", path, "--profile", "--json")
    assert "mathdefault" not in path.read_text()
    assert code in (0, 1)
    found = json.loads(out)
    expect_valid(found, "audit")
    assert "The smallest delta falls from" in path.read_text(encoding="utf-8")
    framework = read_framework(path.with_name("f.json")).value
    assert len(found["profile"]) == 9
    query = AdditiveNoise({"a": 0, "b": 1}, Noise(kind, next(iter(NOISE[kind].values()))))
    for point in found["profile"]:
        level = "log(1)" if point["level"]["upper"] == "0" else point["level"]["upper"]
        lower, upper = audit(framework, query, level, "1/2").delta.bounds()
        assert exact(point["delta"]["lower"]) <= upper
        assert lower <= exact(point["delta"]["upper"])


def test_the_drawn_delta_of_normal_noise_falls_to_the_end(tmp_path):
    (path := tmp_path / "f.json").write_text(json.dumps(BITS), encoding="utf-8")
    query = AdditiveNoise({"a": 0, "b": 1}, Noise("gaussian", "1/8"))
    laws = query_laws(read_framework(path).value, NoisyQueries((query,)))
    deltas = profile_approx(laws, [Level.of_nats(Fraction(40 + k)) for k in range(30)])
    assert all(one > other > 0 for one, other in pairwise(deltas))


def drawn_number(run, path, kind, plot):
    """The number at the end of what a plot of noise says, under `plot`."""
    code, _, err = run(noisy(kind), "--epsilon", "0.1", "--plot", path, "--draw", plot)
    assert (code, err) == (1, "")
    text = path.read_text(encoding="utf-8").replace("&quot;", '"')
    words = {"loss": "with probability ", "trade-off": "errors sum to ", "odds": " to "}
    after = text.split(words[plot], 1)[1]
    return float(re.match(r"[0-9.e+-]*[0-9]", after)[0])


def test_losses_of_noise_have_their_probabilities(run, tmp_path):
    """The loss of Laplace noise of scale 2 exceeds 0.1 below 2/5, that of Gaussian noise below
    1/10.
    """
    known = {"laplace": 1 - exp(-0.2) / 2, "gaussian": erfc(-(0.5 - 0.4) / 2 / sqrt(2)) / 2, "geometric": 2 / 3}
    for kind, near in known.items():
        path = tmp_path / f"{kind}.svg"
        assert drawn_number(run, path, kind, "loss") == pytest.approx(near, abs=1e-3)


@pytest.mark.parametrize("kind", NOISE)
def test_tests_of_noise_err_by_the_delta_at_level_0(run, tmp_path, kind):
    found = drawn_number(run, tmp_path / "noise.svg", kind, "trade-off")
    framework = read_framework(tmp_path / "f.json").value
    query = AdditiveNoise({"a": 0, "b": 1}, Noise(kind, next(iter(NOISE[kind].values()))))
    lower, _ = audit(framework, query, "0", "1/2").delta.bounds()
    assert found == pytest.approx(1 - float(lower), abs=1e-3)


@pytest.mark.parametrize("kind", ["laplace", "geometric"])
def test_odds_of_noise_reach_the_leakage(run, tmp_path, kind):
    found = drawn_number(run, tmp_path / "noise.svg", kind, "odds")
    assert found == (1.65 if kind == "laplace" else 2)  # exp(1/2), with three digits


def test_the_profile_of_listed_outputs_is_exact_and_has_the_level_asked_for(run):
    code, out, _ = run(LISTED, "--epsilon", "log(3)", "--profile")
    rows = [line.split() for line in out.splitlines() if " delta " in line]
    assert code == 1
    assert rows[0] == ["profile", "0", "delta", "1/2"]
    at = next(row for row in rows if row[0] == "log(3)")
    assert Fraction(at[-1]) == Fraction(1, 4)


@pytest.mark.parametrize(
    ("mechanism", "options", "said"),
    [
        (LISTED, ["--draw", "loss"], "--draw: needs --plot"),
        (LISTED, ["--plot", "x.svg", "--draw", "pie"], "--draw: expected one of profile, loss"),
        (PLANE, ["--plot", "x.svg", "--draw", "odds"], "--draw: needs noise on one number"),
        (FAINT, ["--plot", "x.svg", "--draw", "loss"], "--draw: values are too far apart"),
        (FAINT, ["--plot", "x.svg", "--draw", "trade-off"], "--draw: values are too far apart"),
        (noisy("laplace"), ["--plot", "x.txt"], "expected a plot file ending in"),
    ],
)
def test_what_does_not_go_together(run, mechanism, options, said):
    code, _, err = run(mechanism, *options)
    assert code == 2
    assert said in err


def test_mixtures_have_no_profile_table(run):
    code, _, err = run(LISTED, "--profile", framework={**BITS, "closure": "convex"})
    assert code == 2
    assert "--profile: needs listed priors" in err


def test_outputs_of_noise_are_not_listed(run, tmp_path):
    path = tmp_path / "p.svg"
    code, out, err = run(noisy("laplace"), "--plot", path, "--draw", "outputs")
    assert (code, out) == (2, "")
    assert err == "pufferproof: --draw outputs: draws listed outputs, not noise\n"
