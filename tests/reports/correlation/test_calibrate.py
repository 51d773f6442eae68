"""The command `calibrate`: scales, quilts, exact leakage of the scale printed, JSON by its
schema, and bad input.
"""

import json
import re
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.reports import cli
from pufferproof.reports.correlation.calibrate.comparison import compared
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify import kernel
from pufferproof.verify.audit import audit
from pufferproof.verify.influence.bounds import song_bound, spectral_bound, wang_bound
from pufferproof.verify.influence.quilts.exact import markov_quilt
from pufferproof.verify.influence.quilts.worst_record import markov_quilt_approx, markov_quilt_spectral
from pufferproof.verify.noise.ratio.listed import noise_leakage

STICKY = [["9/10", "1/10"], ["1/10", "9/10"]]


def markov(initial="stationary", transition=STICKY):
    return {"markov": {"initial": initial, "transition": transition}}


def document(count=5, records=(3,), alphabet=("0", "1"), **priors):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": list(alphabet)},
        "secrets": {f"x{t}={value}": {"record": t, "value": value} for t in records for value in alphabet},
        "pairs": "disjoint",
        "priors": priors or {"theta": markov()},
    }


@pytest.fixture
def run(run, save):
    def called(what, mechanism, query, epsilon, *options):
        if not isinstance(query, str):
            query = save("query.json", query)
        given = ["--mechanism", mechanism, "--query", query, "--epsilon", epsilon]
        return run("calibrate", save("framework.json", what), *given, *options)

    return called


@pytest.fixture
def answer(run):
    def called(*given):
        code, out, _ = run(*given, "--json")
        assert code == 0
        found = json.loads(out)
        expect_valid(found, "calibrate")
        assert exact(found["scale"]["lower"]) <= exact(found["scale"]["upper"])
        return found

    return called


@pytest.mark.parametrize("mechanism", ["wasserstein", "markov-quilt"])
@pytest.mark.parametrize("query", ["sum", "mean", "histogram"])
def test_leakage_is_that_of_the_scale_printed_and_within_the_level(answer, tmp_path, mechanism, query):
    found = answer(document(), mechanism, query, "1.5")
    framework = read_framework(tmp_path / "framework.json").value
    noise = Noise.laplace(exact(found["scale"]["upper"]))
    expected = noise_leakage(framework, AdditiveNoise.of_records(query, framework.records, noise))
    assert found["leakage"] == expected.leakage.as_json()
    assert expected.compare(Level.parse("1.5")) <= 0


def test_tight_scale_separates_keeping_from_breaking_the_level(answer, tmp_path):
    found = answer(document(6), "wasserstein", "sum", "log(2)", "--tight")
    framework = read_framework(tmp_path / "framework.json").value
    low, high = (exact(found["tight"][end]) for end in ("lower", "upper"))
    assert 0 < high - low <= low / 10**9

    def above(scale):
        release = AdditiveNoise.of_records("sum", framework.records, Noise.laplace(scale))
        return noise_leakage(framework, release).compare(Level.log(2))

    assert (above(low), above(high)) == (1, -1)


def test_the_least_scale_as_printed_keeps_the_level(run, answer):
    _, out, _ = run(document(9), "markov-quilt", "sum", "1", "--tight")
    printed = next(line.split()[1].rstrip(",") for line in out.splitlines() if line.startswith("tight"))
    found = answer(document(9), "markov-quilt", "sum", "1", "--tight")["tight"]
    assert len(printed.replace(".", "").lstrip("0")) == 10
    assert exact(found["upper"]) <= exact(printed) <= exact(found["upper"]) * (1 + Fraction(1, 10**9))


def test_all_records(answer):
    chain = MarkovChain(["1", "0"], STICKY)
    expected = markov_quilt(chain, 9, Level.log(4))
    found = answer(document(9, theta=markov(["1", "0"])), "markov-quilt", "sum", "log(4)", "--all-records")
    assert found["scale"] == expected.scale.enclosure().as_json()
    assert found["quilt"]["record"] == expected.quilt.record


def test_the_largest_scale_over_the_priors(answer):
    independent = {"product": [["1/2", "1/2"]] * 5}
    found = answer(document(5, theta=independent), "markov-quilt", "sum", "2")
    assert found["scale"] == {"lower": "0.5", "upper": "0.5"}
    both = answer(document(5, easy=independent, hard=markov()), "markov-quilt", "sum", "2")
    assert both["prior"] == "hard"
    alone = answer(document(5, hard=markov()), "markov-quilt", "sum", "2")
    assert both["scale"] == alone["scale"]


@pytest.mark.parametrize(("bound", "make"), [("song2017", song_bound), ("wang2016", lambda chain: wang_bound([chain]))])
def test_published_bounds(answer, bound, make):
    chain = MarkovChain("stationary", STICKY)
    expected = markov_quilt_approx(make(chain.transition), 400, Level.of_nats(1), [200])
    found = answer(document(400, [200]), "markov-quilt-approx", "sum", "1", "--bound", bound)
    assert found["scale"] == expected.scale.enclosure().as_json()
    assert exact(found["scale"]["lower"]) > exact(
        answer(document(400, [200]), "markov-quilt", "sum", "1")["scale"]["upper"]
    )
    assert exact(found["leakage"]["epsilon"]["upper"]) < 1
    assert any(bound in each for each in found["assumed"])


def test_the_sharper_bound(answer):
    """Between exact influences and published bounds; a first record of another law costs."""
    asked = "markov-quilt-approx", "sum", "1", "--bound", "sharp"
    steady, same, other, anyone = (
        answer(document(400, [200], theta=markov(start)), *asked)
        for start in ("stationary", ["1/2", "1/2"], ["1/5", "4/5"], "any")
    )
    chain = MarkovChain("stationary", STICKY).transition
    expected = markov_quilt_spectral(spectral_bound(chain, True), 400, Level.of_nats(1), [200])
    assert steady["scale"] == same["scale"] == expected.scale.enclosure().as_json()
    assert other["scale"] == anyone["scale"]
    assert exact(other["scale"]["lower"]) > exact(steady["scale"]["upper"])
    assert not any("under theta" in each for each in steady["assumed"])
    assert "records before: by its bound for any law of the first, under theta" in other["assumed"]
    assert any("general.spectral-influence" in each for each in steady["assumed"])
    for bound in ("song2017", "wang2016"):
        published = answer(document(400, [200]), *asked[:-1], bound)
        assert exact(other["scale"]["upper"]) < exact(published["scale"]["lower"])
    for start, found in (("stationary", steady), (["1/5", "4/5"], other), ("any", anyone)):
        true = answer(document(400, [200], theta=markov(start)), "markov-quilt", "sum", "1")
        assert exact(true["scale"]["lower"]) <= exact(found["scale"]["upper"])


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        ([["1", "0"], ["1/2", "1/2"]], "expected an irreducible chain"),
        ([["1", "0"], ["0", "1"]], "expected an irreducible chain"),
        ([["0", "1"], ["1", "0"]], "expected 1 to be a simple eigenvalue of P P*"),
    ],
)
def test_the_sharper_bound_is_refused_where_it_is_not_proved(run, transition, message):
    asked = "markov-quilt-approx", "sum", "1", "--bound", "sharp"
    code, out, err = run(document(9, theta=markov(["1/2", "1/2"], transition)), *asked)
    assert (code, out) == (2, "")
    assert "priors.theta" in err
    assert message in err


def test_bayesian_networks(answer, tmp_path):
    noisy = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    cpt = {"1": {"": ["1/2", "1/2"]}, "2": noisy, "3": noisy, "4": noisy}
    network = {"bayes_net": {"parents": {"1": [], "2": ["1"], "3": ["1"], "4": ["3"]}, "cpt": cpt}}
    sharp = "markov-quilt-approx", "sum", "log(36)"
    quilts = answer(document(4, [1], theta=network), *sharp)
    assert (quilts["quilt"], quilts["exact"], quilts["nearby"]) == ({"record": 1, "nodes": [2, 3]}, "1/log(4)", 1)
    found = answer(document(4, [1], theta=network), "markov-quilt", "sum", "log(36)", "--tight")
    assert (found["quilt"], found["eliminated"]) == (None, 1)
    assert exact(found["scale"]["upper"]) < exact(quilts["scale"]["lower"])
    least, most = (exact(found["tight"][end]) for end in ("upper", "lower"))
    assert abs(exact(found["scale"]["upper"]) - least) < Fraction(1, 10**8)  # a tree: exact
    assert most <= least
    framework = read_framework(tmp_path / "framework.json").value
    release = AdditiveNoise.of_records("sum", framework.records, Noise.laplace(exact(found["scale"]["upper"])))
    assert found["leakage"] == noise_leakage(framework, release).leakage.as_json()
    every = answer(document(4, [1], theta=network), "markov-quilt", "sum", "log(36)", "--all-records")
    assert exact(every["scale"]["lower"]) >= exact(found["scale"]["lower"])
    assert every["leakage"]["epsilon"]["upper"] >= found["leakage"]["epsilon"]["lower"]


def test_quilts_that_are_left_out_are_counted(run, monkeypatch):
    coin, noisy = {"": ["1/2", "1/2"]}, {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    parents = {"1": [], **{str(t): [str(t - 1)] for t in range(2, 6)}}
    cpt = {node: noisy if above else coin for node, above in parents.items()}
    network = document(5, [3], theta={"bayes_net": {"parents": parents, "cpt": cpt}})
    monkeypatch.setattr("pufferproof.models.priors.bayesian_network.MAX_TABLE", 4)
    code, out, _ = run(network, "markov-quilt-approx", "sum", "4")
    assert code == 0
    assert re.search(r"quilts: \d left out, too large to tabulate; a smaller scale may be", out)


def test_the_least_scale_of_a_class_keeps_the_level_for_it(answer):
    box = {
        "markov": {
            "initial": "any",
            "transition_lower": [["1/2", "1/10"], ["1/10", "1/2"]],
            "transition_upper": [["9/10", "1/2"], ["1/2", "9/10"]],
        }
    }
    least = answer(document(9, [4], theta=box), "markov-quilt", "sum", "1", "--tight")["tight"]
    scale = exact(least["upper"])
    assert exact(least["lower"]) < scale < exact(least["lower"]) * (1 + Fraction(1, 10**4))
    records = Records(9, ("0", "1"))
    chains = IntervalChain("any", box["markov"]["transition_lower"], box["markov"]["transition_upper"])
    secrets = {"off": (4, "0"), "on": (4, "1")}
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": chains})
    for noise, verdict in ((scale, "SATISFIES"), (scale * Fraction(999, 1000), "VIOLATES")):
        query = RecordQuery("sum", Noise.laplace(noise), records)
        assert audit(framework, query, "1").verdict.value == verdict
    three = [["2/5", "1/5", "1/5"], ["1/5", "2/5", "1/5"], ["1/5", "1/5", "2/5"]]
    wide = {"markov": {"initial": "any", "transition_lower": three, "transition_upper": [["3/5"] * 3] * 3}}
    found = answer(document(3, [2], ("0", "1", "2"), theta=wide), "markov-quilt", "sum", "1")
    assert found["leakage"] is None
    assert "class of priors" in found["reason"]


def test_a_constant_query_needs_no_noise(answer):
    values = dict.fromkeys((format(x, "03b") for x in range(8)), 7)
    for mechanism in ("wasserstein", "markov-quilt"):
        found = answer(document(3, [2]), mechanism, values, "1", "--tight")
        assert found["scale"] == found["tight"] == {"lower": "0", "upper": "0"}
        assert found["leakage"]["ratio"] == "1"


def test_long_chains_have_a_scale_and_a_leakage_between_bounds_that_meet(answer):
    found = answer(document(10**6, [5000]), "markov-quilt", "mean", "1")
    assert found["scale"]["lower"].startswith("0.0000317377")
    ends = [exact(found["leakage"]["epsilon"][side]) for side in ("lower", "upper")]
    assert 0 < ends[0] <= ends[1] < ends[0] * (1 + Fraction(1, 10**8))
    assert (found["leakage"]["ratio"], found["reason"]) == (None, None)


def test_tiny_noise_has_a_scale_but_no_leakage(answer, run):
    found = answer(document(), "markov-quilt", "sum", "100000000")
    assert exact(found["scale"]["upper"]) < Fraction(1, 10**7)
    assert found["leakage"] is None
    assert "times the scale of the noise" in found["reason"]
    code, out, err = run(document(), "markov-quilt", "sum", "100000000", "--tight")
    assert (code, out) == (2, "")
    assert "--tight: the exact leakage cannot be computed" in err


TABLE = {
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "format": "pufferproof-framework/1",
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
}


@pytest.mark.parametrize(
    ("what", "mechanism", "query", "epsilon", "message"),
    [
        (document(), "markov-quilt", "sum", "0", "--epsilon: expected a level above 0"),
        (document(), "wasserstein", "sum", "0", "expected a level above 0"),
        (document(), "markov-quilt", "sum", "-1", "--epsilon: expected a level"),
        (document(), "nonsense", "sum", "1", 'unknown mechanism "nonsense"'),
        (document(), "pufferfish-exponential", "sum", "1", "needs noise"),
        (
            document(),
            "wasserstein",
            "product",
            "1",
            "--query: expected one of sum, mean, histogram, count=VALUE, or a file",
        ),
        (document(), "wasserstein", "count=7", "1", "--query: expected one of"),
        (document(alphabet=("a", "b")), "markov-quilt", "sum", "1", '"sum" needs numbers as values, found "a"'),
        (document(3), "wasserstein", {"000": 1}, "1", 'no value for database "010"'),
        (document(3), "markov-quilt", {"000": 1}, "1", 'expected a value for every database, found none for "001"'),
        (document(3), "wasserstein", {"000": "x"}, "1", "query"),
        (
            document(theta=markov("stationary", [["0", "1"], ["1", "0"]])),
            "markov-quilt-approx",
            "sum",
            "1",
            "priors.theta: transition: expected an aperiodic chain, found period 2",
        ),
        (
            document(theta=markov(["1", "0"], [["1", "0"], ["1/2", "1/2"]])),
            "markov-quilt-approx",
            "sum",
            "1",
            "expected an irreducible chain",
        ),
        (document(theta=markov("any")), "wasserstein", "sum", "1", "expected one prior, found a class of priors"),
        (TABLE, "markov-quilt", {"a": 1, "b": 2}, "1", "expected databases made of records"),
        (TABLE, "wasserstein", "sum", "1", "expected databases made of records"),
        (document() | {"closure": "convex"}, "wasserstein", "sum", "1", 'expected "list"'),
        (document(theta={"table": {"00000": "1"}}), "markov-quilt", "sum", "1", '"product" or "bayes_net" prior'),
        (document(10**6), "wasserstein", "sum", "1", "expected at most"),
        (document(3, theta=markov(["1/2", "1/4"])), "markov-quilt", "sum", "1", "sums to 3/4, expected 1"),
    ],
)
def test_bad_input(run, what, mechanism, query, epsilon, message):
    code, out, err = run(what, mechanism, query, epsilon)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_certificate_says_that_the_scale_printed_keeps_the_level(run, answer, tmp_path):
    path, out = tmp_path / "scale.json", tmp_path / "m.json"
    files = "--certificate", path, "--out", out
    found = answer(document(365, (100,)), "wasserstein", "sum", "1", "--tight", *files)
    assert (found["certificate"], found["mechanism"]) == (str(path), str(out))
    mechanism = json.loads(out.read_text(encoding="utf-8"))
    assert mechanism["noise"] == {"laplace": {"scale": found["tight"]["upper"]}}
    given = str(path), str(tmp_path / "framework.json"), [str(out)]
    accepted = kernel.check(*given)
    assert "at most nats(1)" in accepted.statement
    assert accepted.inputs == "matched"
    mechanism["noise"]["laplace"]["scale"] = "1"
    out.write_text(json.dumps(mechanism), encoding="utf-8")
    with pytest.raises(kernel.Refused):
        kernel.check(*given)


@pytest.mark.parametrize("options", [("--compare",), ("--delta", "0.1"), ("--renyi", "2")], ids=lambda each: each[0])
def test_a_certificate_is_of_one_noisy_query(run, tmp_path, options):
    path = tmp_path / "c.json"
    (tmp_path / "framework.json").write_text(json.dumps(document()), encoding="utf-8")
    asked = ["--query", "sum", "--epsilon", "1", *options, "--certificate", str(path)]
    assert cli._run(["calibrate", str(tmp_path / "framework.json"), *asked]) == 2
    assert not path.exists()


def test_quilts_are_of_records_called_by_their_names(run):
    unnamed = document(count=9, records=(5,))
    named = document(count=9, records=(5,))
    named["records"]["names"] = [f"day {k}" for k in range(1, 10)]
    lines = [run(what, "markov-quilt", "sum", 1)[1].splitlines() for what in (unnamed, named)]
    without, said = ([line for line in each if line.startswith("quilt")] for each in lines)
    numbers = re.findall(r"\d+", without[0].partition(",")[0])
    assert said[0].startswith('quilt     "day 5"')
    assert re.findall(r'"day (\d+)"', said[0]) == numbers


def test_a_comparison_says_which_mechanism_is_computed_and_how_many_are_done(save):
    said = []
    task = Task.read(save("framework.json", document()), "sum", Level.log(3))
    rows = compared(task, None, said.append)
    ways = [row for row in rows if row.mechanism != "tight"]
    assert [each.rpartition(", ")[2] for each in said] == [
        f"{number} of {len(rows)} done" for number in range(len(ways))
    ]
    assert said[0] == f"comparing: wasserstein, 0 of {len(rows)} done"
