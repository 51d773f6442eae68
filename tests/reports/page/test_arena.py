"""`arena`: what it counts, what it decides exactly, what it leaves out, and what it writes."""

import csv
import html
import json
import os
import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.scale import Scale
from pufferproof.reports.cli import main
from pufferproof.reports.correlation.arena import cases, contest, summary
from pufferproof.reports.correlation.arena.command import _sent
from pufferproof.reports.correlation.calibrate import comparison, points
from pufferproof.reports.correlation.calibrate.answer import Calibration

WEAK = [["3/5", "2/5"], ["2/5", "3/5"]]


def document(count=3, transition=WEAK, **more):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": ["0", "1"]},
        "secrets": {f"x2={v}": {"record": 2, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": transition}}},
    } | more


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "weak.json").write_text(json.dumps(document()))
    table = {"table": {"000": "1/2", "111": "1/2"}}
    equal = document(priors={"theta": table})
    (tmp_path / "set" / "equal.json").write_text(json.dumps(equal))
    return tmp_path / "set"


@pytest.fixture
def run(capsys):
    def called(*words):
        with pytest.raises(SystemExit) as ended:
            main(["arena", *words])
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return called


@pytest.fixture
def answer(run):
    def called(*words, code=0):
        ended, out, err = run(*words, "--jobs", "1", "--json")
        assert ended == code, err
        found = json.loads(out)
        expect_valid(found, "arena")
        return found

    return called


def test_a_small_folder(folder, answer):
    found = answer("set")
    assert found["frameworks"] == 2
    assert (found["broken"], found["breaks"], found["table"]) == ([], [], None)
    methods = {each["name"]: each for each in found["methods"]}
    assert len(methods) == 14
    assert all(each["breaks"] == 0 for each in methods.values())
    assert methods["wasserstein"]["keeps"] == 2
    assert (methods["gk16"]["keeps"], methods["gk16"]["none"]) == (1, 1)
    assert methods["gk16"]["scale_over_least"]["median"] > 1


def test_three_equal_records_need_three_times_the_noise(folder):
    (row,) = contest.rows_of([contest.asked(folder, "equal.json", "sum", "1")])
    assert row["least"]["upper"].startswith("3.0000000")
    known = {each["name"]: each for each in row["methods"]}
    assert known["wasserstein"]["keeps"] is True  # at equality: e^(3 / 3) is e
    assert known["kantorovich"]["scale"] == known["wasserstein"]["scale"]
    # 0 and 3 with equal chances: the best mechanism is randomized response, wrong 1 in 1 + e
    assert float(row["floor"]["upper"]) == pytest.approx(3 / (1 + 2.718281828459045))


def test_a_plan_asks_for_its_mean(folder):
    (row,) = contest.rows_of([contest.asked(folder, "weak.json", "sum", "1")])
    known = {each["name"]: each for each in row["methods"]}
    assert known["plan-mean"]["over_least"] < known["wasserstein"]["over_least"]
    assert known["plan-mean"]["keeps"] is True


def test_a_broken_framework_is_named_and_the_others_run(folder, answer, run):
    (folder / "broken.json").write_text('{"format": "pufferproof-framework/1"')
    found = answer("set", code=2)
    assert found["frameworks"] == 3
    assert [each["framework"] for each in found["broken"]] == ["broken.json"]
    assert {each["name"]: each["keeps"] for each in found["methods"]}["wasserstein"] == 2
    code, out, err = run("set", "--jobs", "1")
    assert code == 2
    assert "broken    broken.json" in out
    assert "note: broken.json: set/broken.json: " in err


def test_a_missing_framework_of_the_list_is_broken(folder, answer):
    (folder / "frameworks.toml").write_text(
        '[[case]]\nframework = "no.json"\n[[case]]\nframework = "weak.json"\n'
    )
    found = answer("set", code=2)
    assert [each["framework"] for each in found["broken"]] == ["no.json"]
    assert found["frameworks"] == 2


@pytest.mark.parametrize("name", ["../weak.json", "link.json", "/dev/zero", "pipe.json"])
@pytest.mark.parametrize("key", ["framework", "query"])
def test_files_outside_of_the_folder_are_not_read(folder, name, key, answer):
    (folder.parent / "weak.json").write_text((folder / "weak.json").read_text())
    (folder / "link.json").symlink_to("../weak.json")
    os.mkfifo(folder / "pipe.json")
    other = 'framework = "weak.json"\n' if key == "query" else ""
    (folder / "frameworks.toml").write_text(f'[[case]]\n{other}{key} = "{name}"\n')
    (broken,) = answer("set", code=2)["broken"]
    assert "regular file" in broken["error"] or "inside the folder" in broken["error"]


def test_a_list_has_queries_and_levels(folder, answer):
    text = '[[case]]\nframework = "weak.json"\nquery = "histogram"\nepsilon = "log(2)"\n'
    (folder / "frameworks.toml").write_text(text)
    found = answer("set", "--out", "found")
    assert found["frameworks"] == 1
    rows = list(csv.DictReader((folder.parent / "found" / "arena.csv").open()))
    assert {(row["query"], row["epsilon"]) for row in rows} == {("histogram", "log(2)")}
    known = {row["method"]: row for row in rows}
    assert known["best mechanism of any kind"]["reason"].startswith("the query is a vector")


def test_a_query_stands_beside_its_framework(folder):
    (folder / "weak.query.json").write_text('{"query": {"000": "1"}}')
    found = {each.framework: each.query for each in cases.cases_of(folder)}
    assert found == {"equal.json": "sum", "weak.json": "weak.query.json"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda place: None, "nowhere: expected a folder with frameworks or frameworks.toml"),
        (
            lambda place: place.mkdir(),
            "nowhere: expected frameworks (.json, .toml) or frameworks.toml",
        ),
    ],
)
def test_no_frameworks(tmp_path, monkeypatch, run, make, message):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "nowhere")
    code, out, err = run("nowhere")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_an_empty_list(folder, run):
    (folder / "frameworks.toml").write_text("case = []\n")
    code, out, err = run("set")
    assert (code, out) == (2, "")
    assert err.startswith("pufferproof: set/frameworks.toml: case: ")


def test_what_is_done_is_not_done_again(folder, run, monkeypatch):
    words = ("set", "--jobs", "1", "--resume", "kept.db", "--json")
    first = run(*words)
    monkeypatch.setattr(contest, "compared", lambda task: pytest.fail("computed again"))
    code, out, err = run(*words)
    assert (code, out) == (first[0], first[1])
    assert "kept.db" in err


def test_a_worker_elsewhere_is_asked_about_the_same_files(folder, tmp_path, monkeypatch):
    """It finds them from any folder, and says so where they are others."""
    questions = _sent([contest.asked(Path("set"), "weak.json", "sum", "1")])
    here = contest.rows_of(questions)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert contest.rows_of(questions) == here
    (folder / "weak.json").write_text(json.dumps(document(count=5)))
    with pytest.raises(ModelError, match=r"weak.json: expected the files that the question is"):
        contest.rows_of(questions)


def test_a_changed_framework_is_another_question(folder):
    before = contest.asked(folder, "weak.json", "sum", "1")
    (folder / "weak.json").write_text(json.dumps(document(4)))
    from pufferproof.models.files import inputs

    inputs.forget()
    assert contest.asked(folder, "weak.json", "sum", "1") != before


def test_a_method_that_breaks_its_level_has_a_page(folder, answer, monkeypatch):
    def half(task):
        return Calibration(Scale(Fraction(1), Fraction(1), "1"), ["nothing"])

    ways = [*comparison.ways(), comparison.Way("too-little", None, half)]
    monkeypatch.setattr(comparison, "ways", lambda: ways)
    found = answer("set", "--out", "found")
    known = {each["name"]: each for each in found["methods"]}
    assert known["too-little"]["breaks"] == 2
    pages = [each["page"] for each in found["breaks"]]
    assert pages == ["found/break-equal-too-little.html", "found/break-weak-too-little.html"]
    text = (folder.parent / pages[1]).read_text(encoding="utf-8")
    assert "VIOLATES 1 nat" in text
    assert "adds Laplace noise of scale 1" in text
    mechanism = json.loads(
        (folder.parent / "found/break-weak-too-little-mechanism.json").read_text()
    )
    assert mechanism["noise"] == {"laplace": {"scale": "1"}}
    index = (folder.parent / "found" / "index.html").read_text(encoding="utf-8")
    assert 'href="break-weak-too-little.html"' in index


def normal(*rows, record=1):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": len(rows)},
        "secrets": {"low": {"record": record, "at": "0"}, "high": {"record": record, "at": "2"}},
        "pairs": [["low", "high"]],
        "priors": {"theta": {"gaussian": {"covariance": [list(row) for row in rows]}}},
    }


def test_normal_records_take_part(folder, answer):
    pair = normal(["1", "1/2"], ["1/2", "1"])
    (folder / "pair.json").write_text(json.dumps(pair))
    uneven = normal(["1", "1"], ["1", "4"])
    (folder / "uneven.json").write_text(json.dumps(uneven))
    found = answer("set", "--out", "found")
    known = {each["name"]: each for each in found["methods"]}
    assert (known["bdp-gaussian"]["keeps"], known["bdp-gaussian"]["none"]) == (1, 3)
    assert known["bdp-gaussian"]["scale_over_least"] == {"median": 1, "max": 1}  # as m = 2
    assert (known["wasserstein"]["keeps"], known["kantorovich"]["none"]) == (4, 2)
    assert found["breaks"] == []
    rows = list(csv.DictReader((folder.parent / "found" / "arena.csv").open()))
    said = {(row["framework"], row["method"]): row for row in rows}
    assert Fraction(said["uneven.json", summary.LEAST]["scale"]) == 4


def test_a_method_for_normal_records_that_breaks_its_level_has_a_page(folder, answer, monkeypatch):
    (folder / "uneven.json").write_text(json.dumps(normal(["1", "1"], ["1", "4"])))
    printed = Calibration(Scale(Fraction(3), Fraction(3), "3"), ["correlations alone"])
    monkeypatch.setattr(points.PointTask, "bayesian", lambda task, level: printed)
    (broken,) = answer("set", "--out", "found")["breaks"]
    assert broken["page"] == "found/break-uneven-bdp-gaussian.html"
    text = (folder.parent / broken["page"]).read_text(encoding="utf-8")
    assert "VIOLATES" in text
    assert "leakage ≈ 1.333333 nats" in text
    monkeypatch.chdir(folder.parent / "found")
    command = html.unescape(re.search("pufferproof (audit .*)</pre>", text)[1])
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command))
    assert ended.value.code == 1


def test_the_shipped_set_is_fixed():
    found = cases.cases_of(cases.shipped())
    assert len(found) == len({each.framework for each in found}) == 56
    assert all((cases.shipped() / each.framework).is_file() for each in found)
