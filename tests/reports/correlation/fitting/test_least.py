"""`data --epsilon`: the least noise for a count of a day, a week and the framework."""

import json
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random

import pytest
from tests.reports.console.schemas import expect_valid

import pufferproof as pp


@pytest.fixture
def hours(tmp_path):
    """Return a file with two values in every eighth hour of 100 days."""
    random, value, lines = Random(5), 0, ["time,home"]
    for step in range(300):
        value ^= random.random() < 0.3
        at = datetime(2026, 1, 1) + step * timedelta(hours=8)
        lines.append(f"{at:%Y-%m-%d %H:%M},{('no', 'yes')[value]}")
    path = tmp_path / "hours.csv"
    path.write_text("\n".join(lines), "utf-8")
    return str(path)


def test_the_least_noise_keeps_the_level_and_less_does_not(run, hours):
    asked = ("data", hours, "--column", "home", "--length", "5", "--private", "2")
    code, text, _ = run(*asked, "--epsilon", "1", "--json")
    assert code == 0
    answer = json.loads(text)
    expect_valid(answer, "fit")
    rows = {row["window"]: row for row in answer["least"]}
    sizes = {name: (row["records"], row["private"]) for name, row in rows.items()}
    assert sizes == {"day": (3, 3), "week": (21, 21), "framework": (5, 1)}
    for name, private in (("day", None), ("framework", 2)):
        found = pp.fit(hours, "home", time="time", length=rows[name]["records"], private=private)
        verdicts = []
        for end, factor in (("upper", 1), ("lower", Fraction(999, 1000))):
            scale = factor * Fraction(rows[name]["scale"][end])
            noise = pp.Noise.laplace(scale)
            query = pp.RecordQuery("count", noise, found.records, None, "yes")
            verdicts.append(pp.audit(found.framework, query, "1").verdict.name)
        assert verdicts == ["SATISFIES", "VIOLATES"]


def test_what_takes_long_is_said_and_level_0_is_refused(run, hours):
    asked = ("data", hours, "--column", "home", "--epsilon")
    code, text, _ = run(*asked, "1", "--length", "300")
    assert code == 0
    (line,) = (line for line in text.splitlines() if "framework (300 records, all" in line)
    assert line.endswith("by Markov quilts (the least takes longer than seconds)")
    _, text_json, _ = run(*asked, "1", "--length", "300", "--json")
    row = json.loads(text_json)["least"][-1]
    assert (row["scale"], row["reason"]) == (None, "the least takes longer than seconds")
    found = pp.fit(hours, "home", time="time", length=300)
    noise = pp.Noise.laplace(Fraction(row["enough"]["upper"]))
    query = pp.RecordQuery("count", noise, found.records, None, "yes")
    assert pp.audit(found.framework, query, "1").verdict.name == "SATISFIES"
    assert "day (3 records, all private): scale " in text
    code, _, said = run(*asked, "0")
    assert (code, "no noise keeps level 0" in said) == (2, True)
    box = (*asked, "1", "--length", "5", "--confidence", "90%", "--json")
    rows = {row["window"]: row for row in json.loads(run(*box)[1])["least"]}
    assert rows["framework"]["scale"] is not None
    assert rows["first week"]["scale"] is not None
    rows = {row["window"]: row for row in json.loads(run(*box, "--length", "40")[1])["least"]}
    assert (rows["framework"]["scale"], rows["framework"]["enough"]["upper"]) == (None, "40")
    found = pp.fit(hours, "home", time="time", length=5, confidence="90%")
    query = pp.RecordQuery("count", pp.Noise.laplace(5), found.records, None, "yes")
    assert pp.audit(found.framework, query, "1").verdict.name == "SATISFIES"


def test_what_follows_is_about_what_is_released(run, hours, tmp_path):
    out = str(tmp_path / "out.json")
    asked = ("data", hours, "--column", "home", "--length", "5", "--private", "2", "--out", out)
    _, text, _ = run(*asked, "--epsilon", "1")
    (line,) = (line for line in text.splitlines() if line.startswith("next"))
    assert "--query count=yes --epsilon 1 --compare" in line
    code, text, _ = run(*line.split()[2:], "--json")
    assert code == 0
    (tmp_path / "count.json").write_text('{"query": {"count": "yes"}}', "utf-8")
    file = ("--query", str(tmp_path / "count.json"))
    _, other, _ = run("calibrate", out, *file, "--epsilon", "1", "--compare", "--json")
    assert json.loads(text)["comparison"] == json.loads(other)["comparison"]


def test_a_day_that_begins_as_counted_is_the_first(run, hours):
    asked = ("data", hours, "--column", "home", "--length", "3", "--epsilon", "1", "--json")
    _, text, _ = run(*asked, "--initial", "counted")
    rows = {row["window"]: row["scale"] for row in json.loads(text)["least"]}
    assert list(rows) == ["first day", "first week", "framework"]
    assert rows["first day"] == rows["framework"]
    expect_valid(json.loads(text), "fit")


def test_a_first_value_that_is_certain_needs_no_noise_that_is_known(run, tmp_path):
    path = tmp_path / "dead.csv"
    path.write_text("state\n" + "alive\n" * 9 + "dead\n" * 3, "utf-8")
    asked = ("--absorbing", "dead", "--length", "2", "--private", "1", "--epsilon", "1")
    code, text, _ = run("data", str(path), *asked)
    assert code == 0
    assert "framework (2 records, 1 private): not computed: nothing to check" in text


def test_a_week_of_minutes_is_too_long_and_the_rest_is_not(run, tmp_path):
    random, value, lines = Random(7), 0, ["time,home"]
    for step in range(100):
        value ^= random.random() < 0.3
        lines.append(f"{datetime(2026, 1, 1) + step * timedelta(minutes=1):%d.%m.%Y %H:%M},{value}")
    path = tmp_path / "minutes.csv"
    path.write_text("\n".join(lines), "utf-8")
    asked = ("--column", "home", "--length", "3", "--private", "2", "--epsilon", "1")
    code, text, _ = run("data", str(path), *asked)
    assert code == 0
    assert "week (10080 records, all private): not computed: the least takes longer" in text
    assert "framework (3 records, 1 private): scale " in text


def test_longer_histograms_of_three_values_are_bounded(run, tmp_path):
    random, value, lines = Random(7), 0, ["kind"]
    for _ in range(300):
        value = (value + random.choice((0, 0, 1, 2))) % 3
        lines.append("abc"[value])
    path = tmp_path / "kinds.csv"
    path.write_text("\n".join(lines), "utf-8")
    asked = ("data", str(path), "--length", "30", "--private", "15", "--epsilon", "1")
    code, text, _ = run(*asked)
    assert code == 0
    assert "framework (30 records, 1 private): scale " in text
    (row,) = json.loads(run(*asked, "--json")[1])["least"]
    found = pp.fit(str(path), length=30, private=15)
    verdicts = []
    for end in ("upper", "lower"):
        noise = pp.Noise.laplace(Fraction(row["scale"][end]))
        verdicts.append(pp.audit(found.framework, pp.RecordQuery("histogram", noise, found.records), "1"))
    assert [each.verdict.name for each in verdicts] == ["SATISFIES", "VIOLATES"]


def test_a_chain_that_looks_back_two_steps_has_a_least_scale(run, tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("state\n1\n0\n1\n0\n0\n1\n0\n0\n1\n", "utf-8")
    code, text, _ = run("data", str(path), "--column", "state", "--order", "2", "--epsilon", "1")
    assert code == 0
    assert "framework (9 records, all private): scale 0.5395981349" in text
