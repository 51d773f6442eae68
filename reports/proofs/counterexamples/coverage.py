"""Which refuted readings Coq can refute again, what the theorem of each states, and why others have
none.

A table of reasons, `claims/catalogue/refutations.toml`, says why a reading has no theorem of its
own that states what is false, or which theorem of `formal/sanity` stands for it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pufferproof.claims.run import Result
from pufferproof.models.files.reading import document_of
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.proofs.counterexamples.again import STATED, STATES, formula_of, state_of, theorems

REASONS = Path(__file__).resolve().parents[3] / "claims" / "catalogue" / "refutations.toml"


@dataclass(frozen=True)
class Refuted:
    """A refuted reading: what the file for Coq of its counterexample states, the theorem of
    `formal/sanity` that stands for it, and why no file states what is false.
    """

    claim: str
    reading: str
    state: str
    says: str
    theorem: str
    reason: str


def coverage(results: Sequence[Result]) -> list[Refuted]:
    """Return what there is of every refuted reading."""
    refuted = [
        (result["id"], reading)
        for result in results
        for reading in result["readings"]
        if reading["verdict"] == "REFUTED"
    ]
    return [_covered(claim, reading) for claim, reading in refuted]


def _covered(claim: str, reading: Result) -> Refuted:
    proved = theorems(reading["counterexample"] or {}, formula_of(reading), "counterexample")
    state = state_of(proved)
    says = next((each.says for each in proved if each.state == state), "")
    theorem = sanity().get((claim, reading["name"]), "")
    reason = "" if state in STATED else reasons().get(claim, "")
    return Refuted(claim, reading["name"], state, says, theorem, reason)


@cache
def _table() -> JsonObject:
    table: JsonObject = document_of(REASONS, REASONS.read_bytes())
    return table


def reasons() -> dict[str, str]:
    """Return why no file for Coq states what is false, by claim."""
    return {claim: str(why) for claim, why in _table()["reasons"].items()}


def sanity() -> dict[tuple[str, str], str]:
    """Return the theorems of `formal/sanity` that stand for a refutation, by claim and reading."""
    table: Mapping[str, Mapping[str, str]] = _table()["sanity"]
    return {(claim, name): reading for claim, readings in table.items() for name, reading in readings.items()}


def counted(refuted: Sequence[Refuted]) -> list[tuple[int, str]]:
    """Return how many refuted readings are in which state, in words."""
    counts = Counter(each.state for each in refuted)
    rows = [(counts[state], f"refuted; Coq can prove {STATES[state]}") for state in STATES]
    standing = sum(bool(each.theorem) for each in refuted)
    return [*rows, (standing, "refuted, and a theorem of formal/sanity stands for that")]


def states(results: Sequence[Result]) -> dict[str, dict[str, str]]:
    """Return what is recorded: the state of every refuted reading, by claim."""
    states_of: dict[str, dict[str, str]] = {}
    for each in coverage(results):
        states_of.setdefault(each.claim, {})[each.reading] = each.state
    return states_of
