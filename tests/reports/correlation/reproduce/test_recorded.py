"""Scales on recorded data: on days of weather that come with the examples, on a small recording in
files of the right names, and on the packages' files where a package has these.
"""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.examples.reproduce.recorded import sources, tables
from pufferproof.models.errors import ModelError
from pufferproof.reports import cli

ROOT = Path(__file__).parents[4]
SEASON = "@problemName {name}\n@classLabel true {kinds}\n@data\n{rows}\n"


@pytest.fixture
def folder(tmp_path):
    """Recordings of 24 hours and of four kinds of motion, drawn once."""
    random = np.random.default_rng(5)
    for part in ("TRAIN", "TEST"):
        days = [np.sin(np.arange(24) / 4) + random.normal(0, 0.4, 24) for _ in range(30)]
        rows = [",".join(f"{x:.4f}" for x in day) + ":1" for day in days]
        text = SEASON.format(name="ItalyPowerDemand", kinds="1 2", rows="\n".join(rows))
        (tmp_path / f"ItalyPowerDemand_{part}.ts").write_text(text)
        axes = random.normal(0, 1, (8, 6, 50)).cumsum(axis=2)
        kinds = ["Standing", "Walking"] * 4
        rows = [
            ":".join(",".join(f"{x:.4f}" for x in axis) for axis in six) + f":{kind}" for six, kind in zip(axes, kinds)
        ]
        text = SEASON.format(name="BasicMotions", kinds="Standing Walking", rows="\n".join(rows))
        (tmp_path / f"BasicMotions_{part}.ts").write_text(text)
    return tmp_path


def code_of(*arguments):
    """The exit code of the command."""
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return ended.value.code


def scale_of(table, rule, epsilon):
    row = next(row for row in table["rows"] if row["rule"] == rule)
    point = next(point for point in row["points"] if point["epsilon"] == epsilon)
    return float(point["scale"]["upper"])


def quilt_scale(transition, epsilon, records, lipschitz):
    """The Markov quilt mechanism for the record in the middle, by trying all quilts in floats."""
    step = np.array(transition, dtype=float)
    values, vectors = np.linalg.eig(step.T)
    law = np.real(vectors[:, np.argmax(np.real(values))])
    law = law / law.sum()
    back = (step * law[:, None]).T / law[:, None]
    middle, best = records // 2, lipschitz * records / epsilon
    after, before = [np.eye(len(step))], [np.eye(len(step))]
    for _ in range(records):
        after.append(after[-1] @ step)
        before.append(before[-1] @ back)

    def influence(power):
        """The largest log of P(X_j = x | X_i = v) / P(X_j = x | X_i = w), by ordered pair v, w."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.log(power[:, None, :] / power[None, :, :])
        return np.nanmax(ratios, axis=2)

    left = {a: influence(before[a]) for a in range(1, middle)}
    right = {b: influence(after[b]) for b in range(1, records - middle + 1)}
    for a, one in left.items():
        for b, other in right.items():
            e = (one + other).max()
            if e < epsilon:
                best = min(best, lipschitz * (a + b - 1) / (epsilon - e))
    for a, one in left.items():
        if one.max() < epsilon:
            best = min(best, lipschitz * (records - middle + a) / (epsilon - one.max()))
    for b, one in right.items():
        if one.max() < epsilon:
            best = min(best, lipschitz * (middle + b - 1) / (epsilon - one.max()))
    return best


def count_leakage(transition, records, middle, scale):
    """What Laplace noise on the histogram of two values leaks: of the number n of ones, noise on
    both cells, at ends of the outputs, E[r^n | one] / E[r^n | other].
    """
    step = np.array(transition, dtype=float)
    law = np.array([step[1, 0], step[0, 1]]) / (step[0, 1] + step[1, 0])
    found = 0.0
    for factor in (exp(2 / scale), exp(-2 / scale)):
        tilt = np.array([1.0, factor])
        before, logs = law * tilt, 0.0
        for _ in range(middle - 1):
            before = (before @ step) * tilt
            logs += log(before.sum())
            before = before / before.sum()
        rest = np.ones(2)
        for _ in range(records - middle):
            rest = step @ (tilt * rest)
            rest = rest / rest.max()
        given = np.log(before * rest / law)
        found = max(found, abs(given[0] - given[1]))
    return found


def test_quilts_are_those_of_a_search_of_all_quilts_in_floats(folder):
    table = tables.table_of(replace(tables.asked_of(tables.ELECTRICITY, str(folder))[0], length=60))
    transition = [[Fraction(p) for p in row] for row in table["transition"]]
    for epsilon in tables.LEVELS:
        found = scale_of(table, "Markov quilts, exact influence", epsilon)
        assert found == pytest.approx(quilt_scale(transition, float(epsilon), 60, 2), rel=1e-9)


def test_the_exact_worst_case_keeps_the_level_and_no_smaller_noise_does():
    """Of dry and wet days the histogram itself attains the worst case."""
    table = tables.table_of(tables.asked_of(tables.WEATHER, None)[0])
    transition = [[Fraction(p) for p in row] for row in table["transition"]]
    for epsilon in tables.LEVELS:
        scale = scale_of(table, tables.EXACT, epsilon)
        leaked = count_leakage(transition, table["records"], table["private"], scale)
        assert leaked == pytest.approx(float(epsilon), rel=1e-8)
        assert leaked <= float(epsilon) * (1 + 1e-9)


def test_noise_for_one_record_leaks_more_than_its_level():
    table = tables.table_of(tables.asked_of(tables.WEATHER, None)[0])
    transition = [[Fraction(p) for p in row] for row in table["transition"]]
    for point in table["rows"][-1]["points"]:
        epsilon, leaked = float(point["epsilon"]), float(point["leakage"]["epsilon"]["upper"])
        by_hand = count_leakage(transition, table["records"], table["private"], 2 / epsilon)
        assert leaked == pytest.approx(by_hand, rel=1e-8)
        assert leaked > epsilon


def test_classes_are_about_as_large_as_one_another(folder):
    recordings = sources.electricity(str(folder))
    labels = [x for row in sources.labels_of(recordings[0], sources.limits_of(recordings, 4)) for x in row]
    assert sorted({x: labels.count(x) for x in labels}) == ["01", "02", "03", "04"]
    assert max(abs(labels.count(x) - 360) for x in set(labels)) <= 5


def test_motion_is_the_squared_length_of_the_acceleration(folder):
    found = sources.motion(str(folder))
    assert [each.kind for each in found] == ["Standing", "Walking"]
    line = (folder / "BasicMotions_TRAIN.ts").read_text().splitlines()[3]
    axes = [[Fraction(x) for x in part.split(",")] for part in line.split(":")[:3]]
    assert found[0].sequences[0][7] == sum(axis[7] ** 2 for axis in axes)


@pytest.mark.parametrize("name", ["song2017.weather", "song2017.activity"])
def test_the_command_writes_tables_and_a_plot(name, folder, monkeypatch, capfd):
    monkeypatch.setattr(tables, "LEVELS", ("1",))
    data = [] if name == tables.WEATHER else ["--data", str(folder)]
    assert code_of("reproduce", name, *data, "--out", str(folder / "found"), "--json") == 0
    answer = json.loads(capfd.readouterr().out)
    expect_valid(answer, "reproduce")
    assert len(answer["files"]) == 4
    with open(folder / "found" / f"{name}.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 * len(answer["tables"])
    for table in answer["tables"]:
        group = scale_of(table, "group privacy", "1")
        assert group == 2 * table["records"]
        assert all(
            float(row["points"][0]["scale"]["upper"]) <= group for row in table["rows"][:5] if row["points"][0]["scale"]
        )


def test_files_that_are_not_there_are_named_with_what_to_do(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(sources, "PACKAGES", ())
    assert code_of("reproduce", "song2017.electricity") == 2
    said = capfd.readouterr().err
    assert "ItalyPowerDemand_TRAIN.ts and ItalyPowerDemand_TEST.ts" in said
    assert "pufferproof[recorded]" in said
    assert "--data DIR" in said
    assert code_of("reproduce", "song2017.activity", "--data", str(tmp_path)) == 2
    assert "expected BasicMotions_TRAIN.ts and BasicMotions_TEST.ts" in capfd.readouterr().err
    assert code_of("reproduce", "song2017.weather", "--data", str(tmp_path)) == 2
    assert "read data: leave out this option" in capfd.readouterr().err


def test_a_broken_file_is_refused_with_its_row(folder):
    path = folder / "ItalyPowerDemand_TEST.ts"
    path.write_text(path.read_text().replace("0.", "x.", 1))
    with pytest.raises(ModelError, match=r"ItalyPowerDemand_TEST.ts: line 4, reading"):
        sources.electricity(str(folder))


def test_italian_hours_need_the_scales_that_are_printed():
    for page, scales in (("README.md", ("12.98", "47.13")), ("docs/guides/data.md", ("12.98",))):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert all(scale in text for scale in scales)
    try:
        asked = tables.asked_of(tables.ELECTRICITY, None)[0]
    except ModelError:
        pytest.skip("neither aeon nor sktime is installed")
    table = tables.table_of(asked)
    expected = {
        tables.EXACT: "12.98",
        "Markov quilts, exact influence": "47.13",
        "Markov quilts, bound of wang2016": "76.01",
        "Markov quilts, bound of song2017": "87.86",
        "group privacy": "17520.00",
    }
    assert {rule: f"{scale_of(table, rule, '1'):.2f}" for rule in expected} == expected
