"""The headlines of the papers and the claims of production code, counted by verdict: both sets are
computed, the repair counts where the print is false, and PROVED means every reading that holds.
"""

import json
from pathlib import Path

import pytest

from pufferproof.claims.registry import load_claims
from pufferproof.reports.proofs.papers.grades import (
    HEADLINE_KINDS,
    IN_PART,
    PRODUCTION,
    counted_lines,
    files_by_claim,
    headlines,
    is_headline,
    of_code,
    rests_on,
    standing,
)

ROOT = Path(__file__).parents[3]
RECORD = json.loads((ROOT / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
PAPERS = ("song2017", "wang2016", "streaming_cw", "massny2025", "bai2026")


def recorded(verdict, *readings):
    return {"verdict": verdict, "readings": readings}


def test_headlines_are_printed_theorems_of_every_paper_and_no_steps_or_repairs():
    claims = load_claims()
    rows = headlines(RECORD)
    assert {row["id"].partition(".")[0] for row in rows} == set(PAPERS)
    assert [row["id"] for row in rows] == [each.id for each in claims.values() if is_headline(each)]
    assert all(claims[row["id"]].kind in HEADLINE_KINDS for row in rows)
    assert not any(row["id"].endswith("-repaired") or ".x-" in row["id"] for row in rows)
    assert {"song2017.thm-III1", "bai2026.nfc", "massny2025.cor2"} <= {row["id"] for row in rows}
    assert "wang2016.A2-eq7" not in {row["id"] for row in rows}  # a step of a proof


def test_what_is_false_as_printed_counts_as_repaired():
    record = {
        "song2017.thm-III1": recorded("REFUTED", "REFUTED", "PROVED"),
        "song2017.thm-III1-repaired": recorded("TRIED", "TRIED"),
        "bai2026.gauss-L": recorded("REFUTED", "REFUTED"),
    }
    rows = {row["id"]: row for row in headlines(record)}
    assert set(rows) == {"song2017.thm-III1", "bai2026.gauss-L"}
    repaired = {"form": "song2017.thm-III1-repaired", "repaired": True, "standing": "TRIED"}
    assert rows["song2017.thm-III1"] == {"id": "song2017.thm-III1"} | repaired
    assert rows["bai2026.gauss-L"]["standing"] == "REFUTED"


@pytest.mark.parametrize(
    ("own", "repair", "form"),
    [
        ("TRIED", "PROVED", "bai2026.nfc-repaired"),
        ("PROVED", "TRIED", "bai2026.nfc"),
        ("TRIED", "TRIED", "bai2026.nfc"),
        ("TRIED", "OPEN", "bai2026.nfc"),
    ],
)
def test_what_holds_in_some_readings_counts_as_its_better_form(own, repair, form):
    record = {"bai2026.nfc": recorded("DEPENDS", own, "REFUTED"), "bai2026.nfc-repaired": recorded(repair, repair)}
    assert [row["form"] for row in headlines(record)] == [form]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (recorded("PROVED", "PROVED", "PROVED"), "PROVED"),
        (recorded("DEPENDS", "PROVED", "REFUTED"), "PROVED"),
        (recorded("PROVED", "PROVED", "TRIED"), IN_PART),
        (recorded("TRIED", "TRIED", "PROVED"), IN_PART),
        (recorded("DEPENDS", "DERIVED", "TRIED", "OPEN"), "TRIED"),
        (recorded("OPEN", "OPEN", "PROVED"), "OPEN"),
        (recorded("REFUTED", "REFUTED", "PROVED"), "REFUTED"),
    ],
)
def test_a_claim_stands_as_the_weakest_of_its_readings_that_hold(found, expected):
    assert standing("a.b", {"a.b": found}) == expected


def test_files_are_counted_once_a_claim_over_the_floors_of_production_code():
    counted = files_by_claim()
    sources = [path.read_text(encoding="utf-8") for floor in PRODUCTION for path in (ROOT / floor).rglob("*.py")]
    naming = sum("worst.vertices" in rests_on(text) for text in sources)
    assert len(counted["worst.vertices"]) == naming
    assert all((ROOT / file).is_file() for file in counted["worst.vertices"])
    assert {row["id"] for row in of_code(RECORD)} == set(counted)
    uses = [row["files"] for row in of_code(RECORD)]
    assert uses == sorted(uses, reverse=True)
    assert sum(uses) == sum(len(rests_on(text)) for text in sources)


def test_every_row_is_in_the_lines_under_its_verdict():
    text = " ".join(counted_lines(RECORD))
    assert f"as repaired: {len(headlines(RECORD))}" in text
    assert all(f"{row['id']}:{row['files']}" in text for row in of_code(RECORD))
    assert all(row["form"] in text for row in headlines(RECORD))


def test_prove_prints_both_counts_with_trust_only(run, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    code, out, _ = run("prove", "lemma.mediant", "--trust", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["headlines"] == []
    assert [row["id"] for row in answer["named_by_code"]] == ["lemma.mediant"]
    assert answer["named_by_code"][0]["files"] == len(files_by_claim()["lemma.mediant"])
    code, out, _ = run("prove", "lemma.mediant", "--json")
    assert code == 0
    assert "headlines" not in json.loads(out)
