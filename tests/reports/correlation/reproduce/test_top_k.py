"""The experiment on top-K queries: levels per record that keep the level, the command and its
files, and the printed tables beside.
"""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.examples.reproduce import command
from pufferproof.examples.reproduce.populations.fitting import fitted_chain
from pufferproof.examples.reproduce.populations.people import Population
from pufferproof.examples.reproduce.top_k import experiment, sources, words
from pufferproof.examples.reproduce.top_k.budgets import WorstLeakage, budgets
from pufferproof.examples.reproduce.top_k.experiment import GRID, Part, run_experiment
from pufferproof.examples.reproduce.top_k.mechanisms import MECHANISMS
from pufferproof.examples.reproduce.top_k.printed import printed_tables
from pufferproof.examples.reproduce.top_k.rounded import RoundedCurve
from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.reports import cli

LENGTH = 12  # records a person has at most
GUIDE = Path(__file__).parents[4] / "docs" / "guides" / "correlation" / "top-k.md"


def small(name="foursquare"):
    counts = np.array([[40, 25, 9, 3, 2, 1], [1, 30, 31, 2, 8, 8]])
    steps = np.arange(36).reshape(6, 6) + 40 * np.eye(6, dtype=np.int64)
    labels = tuple("abcdef")
    return Population(name, "drawn", labels, ("p", "q"), counts, steps, steps.sum(axis=1), LENGTH)


LEVELS = []


def levels(chain, length, grid):
    """The levels of a chain, computed once and then known to all tests."""
    for asked, known in LEVELS:
        if asked == (chain, length, grid):
            return known
    known = budgets(chain, length, grid)
    LEVELS.append(((chain, length, grid), known))
    return known


@pytest.fixture(autouse=True)
def known_levels(monkeypatch):
    monkeypatch.setattr(experiment, "budgets", levels)


@pytest.fixture
def run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "populations", lambda folder, seed: [small(), small("weather")])

    def called(*arguments):
        jobs = [] if "--jobs" in arguments else ["--jobs", "1"]
        return run("reproduce", "bai2026.topk", *arguments, *jobs)

    return called


def test_every_level_per_record_keeps_the_level():
    chain = fitted_chain(small().steps.tolist())
    curve, bound = RoundedCurve(chain, LENGTH), WorstLeakage(chain, LENGTH)
    for found in levels(chain, LENGTH, GRID):
        nats = float(Fraction(found.epsilon))
        for way in ("published", "quilt"):
            block = found.blocks[way]
            assert block.influence >= curve.value(block.hidden) * (1 - 1e-9)
            assert block.hidden * block.level + block.influence <= nats
            assert bound.nats(block.level)[0] <= nats * (1 + 1e-6)
        assert bound.nats(found.levels["exact"])[0] <= nats
        assert LENGTH * found.levels["group"] <= nats
        assert found.levels["exact"] < found.reached <= nats
        group, quilt, published, exact = (found.levels[way] for way in ("group", "quilt", "published", "exact"))
        assert group <= quilt * (1 + 1e-9) <= published * (1 + 2e-9) <= exact * (1 + 3e-9)


@pytest.mark.parametrize("epsilon", ["1/2", "3"])
def test_the_largest_level_keeps_epsilon_and_hardly_more_would(epsilon):
    rows = [["1/2", "1/3", "1/6"], ["1/4", "1/2", "1/4"], ["0", "2/5", "3/5"]]
    worst = WorstLeakage(MarkovChain("stationary", rows), 50)
    nats, level = float(Fraction(epsilon)), worst.level(Fraction(epsilon))
    assert worst.nats(level)[0] <= nats < worst.nats(level * 1.0001)[0]
    assert nats * (1 - 1e-5) < worst.reached(level) <= nats


def test_the_guides_chain_needs_a_quarter_of_the_noise():
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    assert 1 / WorstLeakage(chain, 100).level(Fraction(1)) == pytest.approx(8.64044, 1e-4)
    with pytest.raises(ModelError, match='initial: expected "stationary"'):
        WorstLeakage(MarkovChain(["1", "0"], chain.transition), 3)


def test_the_scales_are_those_of_the_forms():
    scales = {each.name: each.scale(0.5, 3, 78) for each in MECHANISMS}
    assert scales["ours-exp"] == scales["group-exp"] == scales["exact-exp"] == 12
    assert scales["mqm"] == scales["group-lap"] == 156
    assert scales["mqm-vector"] == scales["exact-vector"] == 4


def test_more_budget_and_less_noise_give_better_rankings():
    """Hit rates at the ends of the grid, and of the vector form against the split (25 runs)."""
    found = run_experiment([small()], 1, 25)
    for panel in found.parts[0].panels:
        hits = {line.mechanism.name: [point.quality.hits for point in line.points] for line in panel.lines}
        for name in ("mqm-vector", "exact-exp", "exact-vector"):
            assert hits[name][-1] > hits[name][0]
        assert hits["mqm-vector"][-1] > hits["mqm"][-1]


def test_the_printed_tables_stand_beside():
    tables = printed_tables()
    assert len(tables) == 3 * 4 * 6
    found = tables["capture24", 3, "Ours-Exp", "5"]
    assert (found.right, found.hits, found.gain, found.error) == ((0.939, 0.886, 0.697), 0.912, 0.989, 10.0)
    assert tables["foursquare", 5, "Group DP-Lap", "0.5"].error == 120705


def test_files_json_and_the_schema_agree(run, tmp_path):
    code, out, err = run("--repetitions", "3", "--out", "deep/er", "--json", "--jobs", "2")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    expect_valid(answer, "reproduce")
    names = ["csv", "json", "png", "svg"]
    assert answer["files"] == [f"deep/er/bai2026.topk.{each}" for each in names]
    stored = json.loads((tmp_path / "deep/er/bai2026.topk.json").read_text())
    assert stored == {key: value for key, value in answer.items() if key != "files"}
    table = list(csv.DictReader(io.StringIO((tmp_path / "deep/er/bai2026.topk.csv").read_text())))
    assert len(table) == 2 * 2 * len(MECHANISMS) * len(GRID)
    first = table[0]
    point = answer["parts"][0]["panels"][0]["lines"][0]["points"][0]
    assert (first["mechanism"], float(first["scale"])) == ("ours-exp", point["scale"])
    assert float(first["hit_rate"]) == point["hit_rate"]
    assert (float(first["printed_acc1"]), first["printed_acc4"]) == (0.7901, "")
    assert point["printed"]["hit_rate"] == 0.787
    assert answer["parts"][1]["panels"][0]["lines"][0]["points"][0]["printed"] is None
    assert "$" not in (tmp_path / "deep/er/bai2026.topk.svg").read_text().partition("<defs")[2]


def test_the_terminal_has_levels_and_hit_rates(run):
    code, out, _ = run("--repetitions", "2", "--seed", "4")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "bai2026.topk: seed 4, 2 repetitions a point"
    assert lines[2] == "foursquare    2 queries over 6 labels, at most 12 records a person"
    printed = [line for line in lines if line.endswith("printed")]
    assert printed[0].split() == ["0.787", "0.893", "0.944", "0.963", "0.972", "0.978", "printed"]
    again = run("--repetitions", "2", "--seed", "4")[1]
    assert out == again != run("--repetitions", "2", "--seed", "5")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--repetitions", "1"], "--repetitions: expected from 2 to 10000, found 1"),
        (["--seed", "-1"], "--seed"),
        (["--repetitions", "2", "--out", "file"], "file: cannot be written"),
    ],
)
def test_bad_input_is_one_line(run, tmp_path, arguments, message):
    (tmp_path / "file").write_text("")
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_only_this_experiment_reads_data(run, tmp_path, capfd):
    assert cli._run(["reproduce", "massny2025.figure3", "--data", "x"]) == 2
    assert "song2017.activity read data: leave out this option" in capfd.readouterr()[1]


def test_a_folder_of_other_files_says_what_is_expected(tmp_path, capfd):
    (tmp_path / "readme.txt").write_text("")
    for folder, found in (("", "found readme.txt"), ("no", "found nothing (No such file")):
        code = cli._run(["reproduce", "bai2026.topk", "--data", str(tmp_path / folder)])
        err = capfd.readouterr()[1]
        assert code == 2
        assert found in err
        assert "dataset_TIST2015_Checkins.txt" in err
        assert "annotation-label-dictionary.csv" in err


def test_files_that_somebody_has_take_the_place_of_what_is_drawn(tmp_path):
    (tmp_path / "dataset_TIST2015_POIs.txt").write_text("a\t1\t2\tBar\tJP\nb\t1\t2\tHotel\tJP\n", encoding="utf-8")
    times = ["Apr 03 18:00:06 +0000 2012", "Apr 04 18:00:06 +0000 2012", "May 20 1:0:0 +0000 2013"]
    (tmp_path / "dataset_TIST2015_Checkins.txt").write_text(
        "".join(f"1\t{v}\tTue {t}\t0\n" for v, t in zip("aba", times)), encoding="utf-8"
    )
    check_ins, activities, weather = sources.populations(str(tmp_path), 1)
    assert [each.source for each in (check_ins, activities, weather)] == ["files", "drawn", "shipped"]
    assert (check_ins.counts.sum(), weather.length, len(weather.queries)) == (1, 31, 12)


@pytest.fixture(scope="module")
def weather():
    """The last population; the others, which take a second to draw, are not drawn."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("drawn_check_ins", "drawn_activities"):
            patch.setattr(sources, name, lambda seed: None)
        return sources.populations(None, 1)[2]


@pytest.mark.parametrize("grid", [pytest.param(GRID, marks=pytest.mark.pages), GRID[-1:]], ids=["all", "last"])
def test_the_guide_shows_the_levels_of_the_weather(weather, grid):
    found = budgets(fitted_chain(weather.steps.tolist()), weather.length, grid)
    part = Part(weather, tuple(found), ())
    shown = GUIDE.read_text(encoding="utf-8")
    if grid == GRID:
        assert "\n".join(words._levels(part)) in shown
    ends = {cells(line, len(GRID)) for line in shown.splitlines()}
    assert {cells(line, len(grid)) for line in words._levels(part)} <= ends


def cells(line, count):
    """The name of a row and its last cell, of so many."""
    return (line.split() or [""])[0], *line.split()[count : count + 1]


def test_the_weather_is_what_the_package_has(weather):
    assert weather.labels == ("drizzle", "fog", "rain", "snow", "sun")
    assert weather.counts.sum() == 365
    assert weather.steps.sum() == 366 + 365 + 365 - 1
    assert weather.usual.sum() == 1096
