"""Proofs beside code: the claims that an algorithm says it rests on exist, and are derived."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORD = json.loads((ROOT / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
FLOORS = ("models", "verify", "lp", "counterexamples")
SETTLED = {"PROVED", "DERIVED", "CHECKED"}


def ids(path):
    head = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    line = re.search(r"^Derived: ((?:.|\n)*?)\.$", head, re.MULTILINE)
    return line[1].replace("\n", " ").split(", ") if line else []


RESTING = {
    str(path.relative_to(ROOT)): named
    for floor in FLOORS
    for path in sorted((ROOT / floor).rglob("*.py"))
    if (named := [each.strip() for each in ids(path)])
}


@pytest.mark.parametrize("path", RESTING)
def test_an_algorithm_rests_on_claims_that_are_derived(path):
    verdicts = {each: RECORD.get(each, {}).get("verdict") for each in RESTING[path]}
    assert verdicts == {each: verdict for each, verdict in verdicts.items() if verdict in SETTLED}


def test_every_line_is_read():
    lines = [
        str(path.relative_to(ROOT))
        for floor in FLOORS
        for path in sorted((ROOT / floor).rglob("*.py"))
        if re.search(r"^Derived: ", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert lines == list(RESTING)


def test_the_rooms_of_optimisation_name_their_claims():
    for room in ("cones", "worst", "rates", "conditions", "redaction/regions", "redaction/local"):
        assert any(path.startswith(f"lp/{room}/") for path in RESTING), room
