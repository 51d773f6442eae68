"""Published figures recomputed: the simulated mechanism against its closed form, the chain it
draws, and the command.
"""

import csv
import io
import json
import math
import re
from contextlib import closing
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import audit, read_framework, worst_composition
from pufferproof.examples.reproduce.simulation import figure as quilt_figure
from pufferproof.examples.reproduce.simulation.chains import drawn_reversible, laplace_noise, state_counts
from pufferproof.examples.reproduce.simulation.quilts import Setting, simulated_line
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import GaussianFramework
from pufferproof.models.priors.markov import MarkovChain, is_reversible, period, stationary_law
from pufferproof.models.sequences.arithmetic import own_spectrum
from pufferproof.reports import cli
from pufferproof.reports.console.drawing import rendered
from pufferproof.verify.influence.bounds import estimated_bound, wang_bound
from pufferproof.verify.influence.gaussian.definition import gaussian_curve
from pufferproof.verify.simulation.draws import WordStream

FEW = {
    "pi": (Setting(Fraction(1, 20), Fraction(1, 10), 300), Setting(Fraction(1, 100), Fraction(1, 10), 300)),
    "T": (Setting(Fraction(1, 20), Fraction(1, 10), 1_000),),
}
COIN = MarkovChain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]])


def small(seed=1):
    return quilt_figure.run_experiment(seed, 20, ("0.5", "2"), FEW)


@pytest.fixture
def run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulated = quilt_figure.run_experiment
    monkeypatch.setattr(
        quilt_figure, "run_experiment", lambda seed, r, sharing: simulated(seed, r, ("0.5", "2"), FEW, sharing)
    )

    def called(*arguments):
        simulated = "wang2016.figure2" in arguments and "--jobs" not in arguments
        return run("reproduce", *arguments, *(["--jobs", "1"] if simulated else []))

    return called


@pytest.mark.parametrize("seed", range(5))
def test_the_chain_drawn_is_what_the_paper_asks_for(seed):
    drawn = drawn_reversible(WordStream([seed, 0]), 5, Fraction(1, 20), Fraction(1, 10))
    transition = drawn.chain.transition
    assert is_reversible(transition)
    assert period(transition) == 1
    assert min(stationary_law(transition)) == drawn.least >= Fraction(1, 20)
    assert own_spectrum(transition).gap() > 0.1
    assert sum(drawn.chain.initial_law()) == 1


def test_chains_with_a_large_gap_or_an_even_law_are_found_or_refused():
    assert drawn_reversible(WordStream(3), 2, Fraction(49, 100), Fraction(3, 4)).gap[0] >= Fraction(3, 4)
    with pytest.raises(ModelError, match="no chain of 5 states found"):
        drawn_reversible(WordStream(1), 5, Fraction(1, 5) + Fraction(1, 10**9), Fraction(0))


def test_counts_follow_the_chain():
    """Impossible steps never happen; a frequency is within five standard errors (seed 7,
    failing once in a million).
    """
    cycle = MarkovChain([0, 1, 0], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert state_counts(cycle, 7, 3, WordStream(7)).tolist() == [[2, 3, 2]] * 3
    assert state_counts(MarkovChain([1], [[1]]), 4, 2, WordStream(7)).tolist() == [[4], [4]]
    assert state_counts(COIN, 1, 4, WordStream(7)).sum(axis=1).tolist() == [1] * 4
    biased = MarkovChain(["1/4", "3/4"], [["1/4", "3/4"], ["1/4", "3/4"]])
    counts = state_counts(biased, 1_000, 100, WordStream(7))
    assert counts.sum(axis=1).tolist() == [1_000] * 100
    assert abs(counts[:, 0].mean() - 250) < 5 * math.sqrt(1_000 * 3 / 16 / 100)


def test_laplace_noise_has_mean_size_one_and_either_sign():
    """Within five standard errors (seed 7)."""
    noise = laplace_noise((100, 1_000), WordStream(7))
    assert abs(abs(noise).mean() - 1) < 5 / math.sqrt(100_000)
    assert abs(noise.mean()) < 5 * math.sqrt(2 / 100_000)
    assert abs((abs(noise) > 1).mean() - math.exp(-1)) < 5 * math.sqrt(0.25 / 100_000)


def test_estimates_of_a_chain_give_its_own_bound():
    chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 5), Fraction(4, 5)))
    own, told = wang_bound([chain]), estimated_bound(Fraction(1, 3), Fraction(3, 10))
    assert all(own.at(a, b) == told.at(a, b) for a, b in ((1, 1), (4, None), (None, 5), (9, 7)))
    for pi, g in ((0, "1/2"), (1, "1/2"), ("1/2", 0), ("1/2", "11/10")):
        with pytest.raises(ModelError, match="expected a number above 0"):
            estimated_bound(Fraction(pi), Fraction(g))


def brute_scale(setting, epsilon):
    """Every quilt of every record, in floats."""
    pi, g, length = float(setting.least), float(setting.gap), setting.length

    def h(t):
        return math.log((pi + math.exp(-g * t)) / (pi - math.exp(-g * t))) if math.exp(-g * t) < pi else math.inf

    def best(i):
        sides = ([(a, 2 * h(a)) for a in range(1, i)] + [(i, 0.0)], [(b, h(b)) for b in range(1, length - i + 1)])
        right = [*sides[1], (length + 1 - i, 0.0)]
        scores = [(a + b - 1) / (epsilon - e - f) for a, e in sides[0] for b, f in right if e + f < epsilon]
        return min(scores)

    return max(best(i) for i in range(1, length + 1)) * 2 / length


@pytest.mark.parametrize("length", [1, 2, 20, 37])
@pytest.mark.parametrize("epsilon", ["0.25", "1", "6"])
def test_the_scale_is_that_of_the_worst_record(length, epsilon):
    setting = Setting(Fraction(1, 4), Fraction(1, 2), length)
    found = setting.scale(Level.of_nats(epsilon)).scale.enclosure()
    assert float(found.upper) == pytest.approx(brute_scale(setting, float(epsilon)), rel=1e-9)


def test_bands_hold_the_closed_form():
    """All of them with probability 99%, by exact gamma quantiles (seed 1)."""
    found = small()
    assert all(point.inside for point in found.points)
    for panel in found.panels:
        for line in panel.lines:
            for point in line.points:
                assert Fraction(point.expected.lower) <= 5 * Fraction(point.scale.upper)
                assert 5 * Fraction(point.scale.lower) <= Fraction(point.expected.upper)
                assert point.cut <= point.mean


def test_the_band_of_one_point_is_missed_as_often_as_stated():
    """200 bands that each miss one time in five: within five standard errors (seed 3)."""
    setting = Setting(Fraction(1, 4), Fraction(1, 2), 20)
    levels = [Level.of_nats("1")] * 200
    line = simulated_line(COIN, setting, levels, 3, WordStream(3), 0.2)
    missed = sum(not point.inside for point in line.points)
    assert abs(missed - 40) < 5 * math.sqrt(200 * 0.2 * 0.8)


def test_the_same_seed_gives_the_same_figure():
    first, again, other = small(), small(), small(2)
    assert quilt_figure.table(first) == quilt_figure.table(again) != quilt_figure.table(other)
    assert first.as_json() == again.as_json()
    assert rendered(quilt_figure.figure(first), "f.svg") == rendered(quilt_figure.figure(again), "f.svg")
    scales = [[point.scale for point in found.points] for found in (first, other)]
    assert scales[0] == scales[1]


def test_noise_falls_with_every_parameter_on_the_declared_grid():
    """What the paper observes: larger epsilon, pi, g and T need less noise on frequencies; g
    matters more than pi.
    """
    levels = [Level.of_nats(level) for level in ("0.0625", "1", "16")]
    by = {
        name: [[float(each.scale(level).scale.enclosure().upper) for level in levels] for each in lines]
        for name, lines in quilt_figure.settings().items()
    }
    assert all(row == sorted(row, reverse=True) for rows in by.values() for row in rows)
    for name, falls in (("pi", True), ("g", True), ("T", False)):
        for column in zip(*by[name]):
            assert list(column) == sorted(column, reverse=not falls)
    halved = [Setting(Fraction(1, 40), Fraction(1, 10), 10_000), Setting(Fraction(1, 20), Fraction(1, 20), 10_000)]
    least, gap = (float(each.scale(levels[1]).scale.enclosure().upper) for each in halved)
    assert by["pi"][0][1] < least < gap


def test_the_command_writes_tables_and_plots(run, tmp_path):
    asked = ("--out", "deep/er", "--repetitions", "20", "--json")
    code, out, _ = run("wang2016.figure2", *asked, "--jobs", "2")
    answer = json.loads(out)
    expect_valid(answer, "reproduce")
    assert (code, answer["seed"], answer["repetitions"], answer["inside"]) == (0, 1, 20, answer["points"])
    assert sorted(each.name for each in (tmp_path / "deep" / "er").iterdir()) == [
        f"wang2016.figure2.{kind}" for kind in ("csv", "json", "png", "svg")
    ]
    table = list(csv.DictReader(io.StringIO((tmp_path / "deep/er/wang2016.figure2.csv").read_text())))
    assert len(table) == answer["points"] == 6
    assert all(float(row["band_lower"]) <= float(row["expected"]) <= float(row["band_upper"]) for row in table)
    kept = json.loads((tmp_path / "deep/er/wang2016.figure2.json").read_text())
    assert kept == {key: value for key, value in answer.items() if key != "files"}


CHAIN = ("--alpha", "0.01", "--beta", "0.8", "--length", "10", "--private", "1")
STRATEGIES = ("quilt", "3r-relaxed", "3r-constant")


def redact(level, capfd):
    """Return what `redact` says of the chain of these figures, by strategy, and the bound."""
    chosen = [word for name in STRATEGIES for word in ("--strategy", name)]
    assert cli._run(["redact", *CHAIN, "--epsilon", level, *chosen, "--json"]) == 0
    answer = json.loads(capfd.readouterr()[0])
    return {each["name"]: each for each in answer["strategies"]}, answer["published_bound"]


def test_figure_3_of_redaction_is_its_utility_at_some_levels(run, capfd):
    code, out, _ = run("massny2025.figure3", "--json")
    answer = json.loads(out)
    expect_valid(answer, "reproduce")
    assert code == 0
    assert [point["epsilon"] for point in answer["points"]][3] == "1"
    assert answer["points"][3]["published_bound"] == "7/10"
    for point in answer["points"]:
        designs, bound = redact(point["epsilon"], capfd)
        assert point["published_bound"] == bound
        assert point["utilities"] == {name: designs[name]["utility"] for name in STRATEGIES}
        assert abs(float(point["difference"])) < 1e-7
    text = run("massny2025.figure3")[1]
    assert "\n1            0.6          0.747918075  0.789496004  0.7\n" in text
    assert "closed form and by cvxpy: utilities less than 1e-07 apart" in text


def test_figure_2_of_redaction_is_bayes_rule_and_has_the_printed_values(run, tmp_path):
    """Influences by powers of the transition matrix, and regions by their definition."""
    code, out, _ = run("massny2025.figure2", "--out", "here", "--json")
    answer = json.loads(out)
    expect_valid(answer, "reproduce")
    step = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)]]
    power, found = step, {}
    for distance in (1, 2, 3):
        for value in (0, 1):
            ratio = power[0][value] / power[1][value]
            found[distance, value] = max(ratio, 1 / ratio)
        power = [[sum(a * b for a, b in zip(row, column)) for column in zip(*step)] for row in power]
    assert code == 0
    for point in answer["points"]:
        expected = {str(v): str(found[point["distance"], v]) for v in (0, 1)}
        assert {v: each["ratio"] for v, each in point["influences"].items()} == expected
        assert point["printed"] in (None, expected)
    assert answer["points"][0]["printed"] == {"0": "3/2", "1": "2"}
    for region in answer["regions"]:
        above = {key: ratio > Fraction(region["threshold"]["ratio"]) for key, ratio in found.items()}
        many = {distance: above[distance, 0] + above[distance, 1] for distance in (1, 2, 3)}
        for name, count in (("redacted", 2), ("by_value", 1), ("released", 0)):
            assert region[name] == [distance for distance in many if many[distance] == count]
    kinds = ("csv", "png", "svg")
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        f"massny2025.figure2.{kind}" for kind in kinds
    ]
    assert "may be shown when they are 0" in (tmp_path / "here/massny2025.figure2.svg").read_text()


def test_figure_4_of_redaction_is_how_often_records_are_redacted(run, capfd, tmp_path):
    code, out, _ = run("massny2025.figure4", "--out", "here", "--json")
    answer = json.loads(out)
    expect_valid(answer, "reproduce")
    designs, _ = redact(answer["epsilon"], capfd)
    expected = [{name: designs[name]["r"][t][int(answer["value"])] for name in STRATEGIES} for t in range(10)]
    assert (code, [point["redacted"] for point in answer["points"]]) == (0, expected)
    rows = [*csv.DictReader((tmp_path / "here" / "massny2025.figure4.csv").open())]
    assert [{name: row[name] for name in STRATEGIES} for row in rows] == expected
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "massny2025.figure4.csv",
        "massny2025.figure4.png",
        "massny2025.figure4.svg",
    ]
    assert "\n4            1            0            0\n" in run("massny2025.figure4")[1]


def test_table_6_is_decided_from_ten_frameworks(run, tmp_path):
    """Each row is that of its file, and every No has two mechanisms within log(2) that leak more
    than log(4).
    """
    code, out, _ = run("bai2026.table6", "--out", "here", "--json")
    answer = json.loads(out)
    expect_valid(answer, "reproduce")
    assert code == 0
    assert answer["agree"] == 9
    differ = [row["definition"] for row in answer["rows"] if row["composes"] != row["printed"]]
    assert differ == ["noiseless"]
    for row in answer["rows"]:
        name = row["definition"].lower().replace(" ", "-")
        framework = read_framework(tmp_path / f"here/definitions/{name}.json").value
        sizes = len(framework.names), len(framework.pairs), len(framework.priors)
        assert sizes == (row["secrets"], row["pairs"], row["laws"])
        assert (row["composes"] == "Yes") == (row["joint"]["ratio"] == "4") == (row["tables"] == 1)
        if row["composes"] == "No":
            worst = worst_composition(framework, ["log(2)", "log(2)"])
            for each in worst.mechanisms:
                assert audit(framework, each, "log(2)").verdict.name == "SATISFIES"
            joint = worst.composition().joint.leakage
            assert joint.infinite or joint.ratio > 4
    text = run("bai2026.table6")[1]
    assert "Bayesian DP            4        2      5     2       log(156/37)   No    No" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wang2016.figure3"], 'NAME: unknown figure "wang2016.figure3", did you mean "wang2016.figure2"?'),
        (["--out", "here"], "NAME: expected one of"),
        (["wang2016.figure2", "--repetitions", "1"], "--repetitions: expected from 2 to 10000, found 1"),
        (["wang2016.figure2", "--seed", "-1"], "--seed"),
        (["wang2016.figure2", "--seed", "x"], "--seed"),
        (
            ["massny2025.figure3", "--jobs", "2"],
            "--jobs: leave it out: massny2025.figure3 is the work of a second for one process",
        ),
        (["--resume", "kept"], "--resume: leave it out: this is only a list"),
        (["massny2025.figure3", "--seed", "1"], "--seed: massny2025.figure3 is not simulated"),
        (["wang2016.figure2", "--repetitions", "2", "--out", "file"], "file: cannot be written"),
    ],
)
def test_misuse_is_one_line(run, tmp_path, arguments, message):
    (tmp_path / "file").write_text("")
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_figure_goes_on_where_it_stopped_and_is_the_same(run, tmp_path):
    asked = ("wang2016.figure2", "--repetitions", "4", "--json", "--jobs", "1")
    code, plain, _ = run(*asked)
    first = run(*asked, "--resume", "kept")
    again = run(*asked, "--resume", "kept")
    assert (code, first, again[:2]) == (0, (0, plain, ""), (0, plain))
    assert again[2].endswith(" answers were read from kept\n")
    with closing(Store("kept")) as store:
        assert len(store) == 3


def test_a_line_that_takes_too_long_is_said_and_nothing_is_printed(run):
    asked = ("wang2016.figure2", "--jobs", "1", "--resume", "kept", "--unit-seconds", "0.001")
    code, out, err = run(*asked)
    assert (code, out) == (3, "")
    assert re.match(r"pufferproof: \d of 3 units failed, the first: .* limit .* --resume kept", err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("massny2025.figure3", "--jobs", "2"),
        ("wang2016.figure2", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"),
        ("wang2016.figure2", "--resume", "nowhere/kept"),
        ("wang2016.figure2", "--jobs", "0"),
    ],
)
def test_options_of_sweeps_that_cannot_be_kept_are_refused(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_figure_3a_of_bai2026_is_the_curve_of_both_neighbours(run, tmp_path):
    code, out, _ = run("bai2026.figure3a", "--out", "here", "--json")
    found = json.loads(out)
    expect_valid(found, "reproduce")
    assert (code, found["verdicts"]) == (0, {"bai2026.chain-fig": "REFUTED"})
    assert [line["value"] for line in found["lines"]][:2] == ["9/20", "2/5"]
    for line in found["lines"]:
        stay = Fraction(line["value"])
        near, *rest = line["points"]
        expected = 2 * abs(math.log(stay / (1 - stay)))  # the neighbours on both sides
        assert float(near["definition"]["upper"]) == pytest.approx(expected, abs=1e-12)
        curve = [float(each["definition"]["lower"]) for each in (near, *rest)]
        assert curve == sorted(curve, reverse=True)
        for each in (near, *rest):
            assert each["definition"] == each["printed"]  # p = q
    rows = [*csv.DictReader((tmp_path / "here" / "bai2026.figure3a.csv").open())]
    assert len(rows) == 6 * 15
    assert (tmp_path / "here" / "bai2026.figure3a.svg").exists()


def test_figure_3b_of_bai2026_is_an_enclosure_beside_the_recipe(run, tmp_path):
    code, out, _ = run("bai2026.figure3b", "--out", "here", "--json")
    found = json.loads(out)
    expect_valid(found, "reproduce")
    assert (code, found["verdicts"]["bai2026.gauss-fig"]) == (0, "DEPENDS")
    lines = {(line["value"], line["records"]): line["points"] for line in found["lines"]}
    assert {n for _, n in lines} == {5, 10, 20, 50}
    five = lines["5", 5]
    assert float(five[1]["definition"]["lower"]) > 2 * float(five[1]["printed"]["upper"])
    assert float(five[2]["definition"]["upper"]) < float(five[2]["printed"]["lower"])
    secrets = {"high": (3, "49/10", 5), "low": (3, -5, "-49/10")}
    prior = {"theta": TruncatedGaussian([-5, 5], length=5)}
    framework = GaussianFramework(5, secrets, [("high", "low")], prior)
    curve = gaussian_curve(framework).points
    for point, known in zip(five, curve[1:]):  # at b = 1 the recipe stands for the definition
        value = float(point["definition"]["upper"])
        assert known.lower * (1 - 1e-9) <= value <= known.upper * (1 + 1e-9)
    for n in (5, 10, 20, 50):
        at = [float(lines[ell, n][0]["definition"]["lower"]) for ell in ("1/2", "1", "2", "3", "5")]
        assert at == sorted(at)
    drawn = (tmp_path / "here" / "bai2026.figure3b.svg").read_text()
    assert ">1e-06</text>" in drawn
    assert "mathdefault" not in drawn
    rows = [*csv.DictReader((tmp_path / "here" / "bai2026.figure3b.csv").open())]
    assert len(rows) == sum(map(len, lines.values()))
