"""Printed claims that are headed REFUTED have a root cause, and no boundary case stands first.

The first reading of a claim is the one that its authors would sign. A claim whose first reading is
false is counted as an error of its paper.
"""

import json
from pathlib import Path

import pytest

from pufferproof.claims.language.printed import prints_of
from pufferproof.claims.registry import load_claims

ROOT = Path(__file__).resolve().parents[3]
EXPECTED = json.loads((ROOT / "claims" / "EXPECTED.json").read_text())


def printed() -> set[str]:
    folder = ROOT / "claims" / "catalogue"
    return {name for file in folder.glob("*.txt") for name in file.read_text().split()}


@pytest.mark.parametrize("paper", sorted({name.partition(".")[0] for name in printed()}))
def test_printed_claims_that_are_headed_refuted_have_a_cause_and_no_others(paper):
    prints = prints_of(paper)
    refuted = {name for name in prints if EXPECTED[name]["verdict"] == "REFUTED"}
    assert refuted == {name for name, each in prints.items() if each.cause}


@pytest.mark.parametrize("paper", sorted({name.partition(".")[0] for name in printed()}))
def test_a_cause_says_in_one_sentence_what_is_wrong(paper):
    causes = {each.cause for each in prints_of(paper).values() if each.cause}
    assert [
        each
        for each in sorted(causes)
        if not (each[0].isupper() and each.endswith(".") and 5 <= len(each.split()) <= 25)
    ] == []


BOUNDARIES = (
    "U any set",
    "U connected",
    "also an empty one",
    "each listed mechanism once",
    "every D with s1",
    "every row of X",
    "strictly",
    "lam >= 0",
)
"""Words of readings that the setting of a paper excludes, or that fail at ties alone."""


@pytest.mark.parametrize("name", sorted(printed()))
def test_no_boundary_case_stands_first(name):
    first = next(iter(EXPECTED[name]["readings"]))
    assert EXPECTED[name]["readings"][first] != "REFUTED" or not any(
        words in first for words in BOUNDARIES
    )


def test_what_the_print_defines_or_does_not_say_is_not_refuted_as_printed():
    assert EXPECTED["bai2026.groupdp"]["verdict"] == "DEFINITION"
    assert "min_b" not in load_claims()["bai2026.translate"].statement
