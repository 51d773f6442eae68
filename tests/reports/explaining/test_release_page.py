"""The page of a plan: its words, dates and chart, and what it says of the model."""

import json
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.models.files.shapes.plans import WordsShape
from pufferproof.models.numbers.text import at_most
from pufferproof.reports.correlation.release.command import budget_factor, digits_apart, odds_sentence
from pufferproof.reports.correlation.release.words import Words
from pufferproof.reports.explaining.evidence import MOST_BARS, Chart
from pufferproof.reports.explaining.proved import headlines
from pufferproof.verify.leakage.ratio import Leakage

RECORDS = pp.Records(336, ("0", "1"), people=40)
CHAIN = pp.MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
WEEK = {"begins": "2026-06-29", "step": "30 minutes", "person": "home", "record": "half-hour"}
PLAN = """format = "pufferproof-release/1"
framework = "f.json"
budget = "1"
[words]
title = "Weekly counts"
author = "Ada"
record = ["visit", "visits of a day"]
release = "day"
values = { "1" = "<at home>" }
[[release]]
query = "sum"
noise = { laplace = { scale = "1" } }
records = { every = 5, times = 4 }
"""
STEP = [["0.9", "0.1"], ["0.2", "0.8"]]
FILE = {
    "format": "pufferproof-framework/1",
    "records": {"count": 20, "alphabet": ["0", "1"]},
    "secrets": {v: {"record": 9, "value": v} for v in "01"},
    "pairs": "disjoint",
    "priors": {"t": {"markov": {"initial": "stationary", "transition": [["0.9", "0.1"], ["0.2", "0.8"]]}}},
}


def words(records: list[int], **shape: Any) -> Words:
    secrets = {f"x{t}={v}": (t, v) for t in records for v in "01"}
    framework = pp.Framework.of_records(RECORDS, secrets, "disjoint", {"t": CHAIN})
    return Words(WordsShape(**shape), framework)


def test_records_have_names_and_times() -> None:
    named = words([49], **WEEK)
    assert named.record(49) == "half-hour 49 (30 June 2026, 00:00)"
    assert named.stretch(1, 336) == "half-hours 1 to 336 (29 June to 5 July 2026)"
    assert named.stretch(49, 96) == "half-hours 49 to 96 (30 June 2026)"
    assert named.stretch(2, 3) == "half-hours 2 to 3 (29 June 2026, 00:30 to 01:30)"
    assert named.protected == "half-hour 49 (30 June 2026, 00:00) of one home"
    assert words([1, 2]).protected == "any of records 1 to 2 of one person"
    assert words([1, 3]).protected == "any of 2 records from 1 to 3 of one person"
    assert words(list(range(1, 337))).protected == "any record of one person"


def test_days_have_no_clock() -> None:
    named = words([1], begins="2025-12-31", step="day", record="day")
    assert named.record(2) == "day 2 (1 January 2026)"
    assert named.stretch(1, 3) == "days 1 to 3 (31 December 2025 to 2 January 2026)"


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ({"begins": "2026-01-01"}, "go together"),
        ({"begins": "Monday", "step": "day"}, "expected begins such as"),
        ({"begins": "2026-01-01", "step": "month"}, "expected step such as"),
        ({"begins": "2026-01-01", "step": "0 minutes"}, "step above 0"),
        ({"begins": "2026-01-01T00:00+02:00", "step": "day"}, "without a time zone"),
        ({"record": ["one"]}, "at least 2"),
        ({"record": "  "}, "spaces alone"),
        ({"title": "a\nb"}, "U\\+000A"),
        ({"author": "a\u202eb"}, "U\\+202E"),
        ({"values": {"1": "\x07"}}, "U\\+0007"),
    ],
)
def test_words_that_cannot_be_used_are_refused(shape: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        WordsShape(**shape)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ({"values": {"0": "1", "1": "0"}}, "another value"),
        ({"values": {"1": "0"}}, "another value"),
        ({"values": {"0": "same", "1": "same"}}, "both called"),
        ({"values": {"7": "seven"}}, 'is no value of the records, expected "0", "1"'),
        ({"begins": "2026-01-01", "step": "999999 weeks"}, "calendar ends"),
    ],
)
def test_words_are_about_the_records(shape: Any, text: str) -> None:
    WordsShape(values={"0": "away", "1": "1"}).expect_about(("0", "1"), 20)
    with pytest.raises(pp.ModelError, match=text):
        WordsShape(**shape).expect_about(("0", "1"), 20)


@pytest.mark.parametrize("ratio", ["2.000001", "1.9999999", "400.001", "2.71828182846"])
def test_digits_tell_a_leakage_from_its_budget(ratio: str) -> None:
    leakage = Leakage.of(Fraction(ratio))
    for budget in map(pp.Level, ("log(2)", "1", "log(400)")):
        digits = digits_apart(leakage, budget)
        factors = at_most(Fraction(ratio), digits), budget_factor(budget, digits)
        assert factors[0] != factors[1]
        assert Fraction(factors[0]) >= Fraction(ratio)
    assert digits_apart(Leakage.of(Fraction(2)), pp.Level("log(2)")) == 3  # equal


def test_a_page_of_infinite_leakage_says_so_first() -> None:
    say = partial(odds_sentence, words([49]), 2)
    proved = Leakage(Fraction("2.7183"), None)
    shown, _ = headlines(proved, Leakage(None, None), "The leakage is infinite.", say)
    assert shown == [
        "Both releases together multiply the odds about record 49 of one person without bound; "
        "a certificate proves a factor of more than 2.71."
    ]
    assert Chart.of("title", [float("inf")], 1.0, None, "week").bars[0].mark == "∞"


def test_factors_are_rounded_away_from_what_is_claimed() -> None:
    named = words([49], release="week")
    said = odds_sentence(named, 52, Leakage(Fraction(4), Fraction("4.3001")))
    assert said == (
        "The releases of all 52 weeks together multiply the odds about record 49 of one person by at most 4.31."
    )
    assert odds_sentence(named, 1, Leakage(None, None)).endswith(" person without bound.")


def test_a_chart_of_many_releases_shows_the_largest_of_several() -> None:
    nats = [0.1] * 1000
    nats[700] = 2.0
    chart = Chart.of("title", nats, 2.5, 1.0, "week")
    assert len(chart.bars) <= MOST_BARS
    assert [bar.over for bar in chart.bars].count(True) == 1
    assert chart.below == ("1", "500", "1000")
    assert max(bar.height for bar in (*chart.bars, chart.together)) <= 100
    heights = [line.height for line in chart.lines]
    assert heights == sorted(heights)
    assert heights[0] == 0


def test_a_release_without_bound_fills_the_chart() -> None:
    chart = Chart.of("title", [float("inf"), 0.0], float("inf"), None, "release")
    assert (chart.bars[0].height, chart.budget) == (100, None)


def test_the_page_speaks_in_the_words_of_the_plan(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    Path("f.json").write_text(json.dumps(FILE))
    Path("plan.toml").write_text(PLAN)
    code, _, err = run("release", "plan.toml", "--out", "d")
    assert code == 1, err
    page = Path("d/index.html").read_text(encoding="utf-8")
    assert page.index('class="badge bad">✗ VIOLATES') < page.index("The releases of all 4 days")
    for text in ("Weekly counts", "<dd>Ada</dd>", "2 January 1970, with pufferproof", "Day 2 alone"):
        assert text in page
    assert "the number of visits of a day with value &#34;&lt;at home&gt;&#34;" in page
    assert "<at home>" not in page
    order = ["Is the model right?", "What is proved", "What is assumed", "What is not proved"]
    assert [page.index(f"<h2>{each}") for each in order] == sorted(page.index(f"<h2>{each}") for each in order)
    assert "Multiply every noise scale by" in page
    first = Path("d/index.html").read_bytes()
    assert run("release", "plan.toml", "--out", "d", "--replace")[0] == 1
    assert Path("d/index.html").read_bytes() == first
