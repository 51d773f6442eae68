"""Answers stay: no fraction changes, no enclosure is wider, no verdict is lost."""

from pathlib import Path

import pytest
from tests.same.answers import answered, recorded, worse
from tests.same.kinds import KINDS, question

ROOT = Path(__file__).parents[2]


def test_contributing_counts_the_questions():
    count = sum(map(len, recorded().values()))
    assert f"asks {count:,} drawn questions" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_as_good_as_recorded(kind, tmp_path):
    said = {}
    for number, answer in recorded()[kind]:
        folder = tmp_path / str(number)
        folder.mkdir()
        said[number] = worse(answer, answered(question(kind, number), folder))
    assert said, "record answers first: python -m tests.same record"
    assert {number: lines for number, lines in said.items() if lines} == {}


@pytest.mark.parametrize(
    ("recorded", "now", "is_worse"),
    [
        ({"leakage": "3/2"}, {"leakage": "3/2"}, False),
        ({"leakage": "3/2"}, {"leakage": "5/3"}, True),
        ({"leakage": "3/2"}, {}, True),
        ({"verdict": "SATISFIES"}, {"verdict": "UNDECIDED"}, True),
        ({"verdict": "UNDECIDED"}, {"verdict": "VIOLATES"}, False),
        ({"epsilon": [1.0, 2.0]}, {"epsilon": [1.25, 1.5]}, False),
        ({"epsilon": [1.0, 2.0]}, {"epsilon": [0.75, 2.0]}, True),
        ({"epsilon": [1.0, 2.0]}, {"epsilon": [2.5, 3.0]}, True),
        ({"epsilon": [0.0, 1.0]}, {"epsilon": [0.5, 0.25]}, True),
        ({"epsilon": [1.0, 2.0]}, {"refused": "expected two releases"}, True),
        ({"refused": "expected two releases"}, {"leakage": "1"}, False),
        ({"leakage": "3/2", "by": "EXACT"}, {"leakage": "3/2", "by": "INTERVAL"}, False),
    ],
)
def test_what_is_worse(recorded, now, is_worse):
    assert bool(worse(recorded, now)) == is_worse
