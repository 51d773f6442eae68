"""Answers stay: no fraction changes, no enclosure is wider, no verdict is lost."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from tests.same.answers import answered, worse
from tests.same.questions import KINDS, question

RECORDED = Path(__file__).with_name("recorded.jsonl")


def recorded():
    """Lines of a kind, a number and an answer, by kind."""
    found = defaultdict(list)
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        kind, number, answer = json.loads(line)
        found[kind].append((number, answer))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_as_good_as_recorded(kind, tmp_path):
    said = {
        number: worse(answer, answered(question(kind, number), tmp_path))
        for number, answer in recorded()[kind]
    }
    assert {number: lines for number, lines in said.items() if lines} == {}
