"""Theorems of Coq beside claims: read only if whole, and of claims that exist."""

import json
import re
import shutil
import tomllib

import pytest

from pufferproof.claims import registry
from pufferproof.claims.language.theorems import (
    CLAIMS,
    FORMAL,
    coq_version,
    theorem_named,
    theorems_of,
)
from pufferproof.claims.registry import examine, load_claims
from pufferproof.claims.run import as_result
from pufferproof.models.errors import ModelError
from pufferproof.verify.certificates.formal.record import read
from pufferproof.verify.proof.argument import ClaimVerdict


@pytest.fixture
def folder(tmp_path):
    """A copy of the theorems, to be changed."""
    copy = tmp_path / "formal"
    shutil.copytree(FORMAL, copy, ignore=shutil.ignore_patterns(".build"))
    return copy


def test_every_theorem_is_in_the_table_and_every_claim_of_it_exists():
    table = tomllib.loads((FORMAL / CLAIMS).read_text())
    named = {f"Pufferproof.{room}.{name}" for room, names in table.items() for name in names}
    theory = {each.name for each in read(FORMAL).theorems if each.file.startswith("theory/")}
    assert named == theory
    claims = {claim for names in table.values() for each in names.values() for claim in each}
    assert claims <= load_claims().keys()


PLACE = re.compile(
    r"(Theorem|Lemma|Proposition|Corollary|Section) ([IVX.]*\d[\d.]*)", re.IGNORECASE
)


def stands_beside(theorem, claim):
    """Whether the words above a theorem name the claim, or its paper and its place there."""
    says, where = theorem.says.casefold(), PLACE.search(claim.where)
    paper, place = claim.id.partition(".")[0], where and where[0].casefold()
    return claim.id.casefold() in says or bool(place and paper in says and place in says)


def test_a_theorem_stands_beside_the_claims_that_it_names():
    table = tomllib.loads((FORMAL / CLAIMS).read_text())
    checked, known = {each.name: each for each in read(FORMAL).theorems}, load_claims()
    wrong = [
        (name, claim)
        for room, names in table.items()
        for name, claims in names.items()
        for claim in claims
        if not stands_beside(checked[f"Pufferproof.{room}.{name}"], known[claim])
    ]
    assert wrong == []
    am_gm = checked["Pufferproof.composition.Means.am_gm"]
    assert not stands_beside(am_gm, known["wang2016.thm-4.4"])


def test_none_stands_beside_what_is_proved():
    table = tomllib.loads((FORMAL / CLAIMS).read_text())
    beside = {claim for names in table.values() for each in names.values() for claim in each}
    verdicts = json.loads((FORMAL.parent / "claims" / "EXPECTED.json").read_text())
    assert [claim for claim in sorted(beside) if verdicts[claim]["verdict"] == "PROVED"] == []


def test_a_theorem_comes_with_its_statement_axioms_and_what_differs(folder):
    found, *_ = theorems_of("general.group-privacy-paths", folder)
    assert found.statement.startswith("forall (")
    assert found.axioms
    assert found.differs
    assert theorems_of("no.such", folder) == ()
    assert coq_version(folder).startswith("8.")


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("CHECKED.json", ("ratio M pairs", "ratio M couples"), "was edited"),
        ("theory/foundations/Laws.v", ("Theorem", "  Theorem"), "Laws.v changed since"),
        (CLAIMS, ("post_processing", "pre_processing"), "foundations.Laws.pre_processing"),
        (CLAIMS, ("[", "[["), "expected a table"),
    ],
)
def test_what_was_edited_is_not_believed(folder, file, change, message):
    path = folder / file
    path.write_text(path.read_text().replace(*change, 1))
    with pytest.raises(ModelError, match=message):
        theorems_of("general.post-processing", folder)


def test_a_claim_is_open_where_its_theorems_cannot_be_believed(folder, monkeypatch):
    (folder / "CHECKED.json").write_text("{}")
    monkeypatch.setattr(registry, "theorems_of", lambda claim: theorems_of(claim, folder))
    check = examine("lemma.bernoulli")
    assert check.verdict is ClaimVerdict.OPEN
    assert "cannot be believed" in check.weakness
    assert as_result(check, 0.0)["theorems"] == []


@pytest.mark.parametrize(
    "name",
    [
        "textbook.Farkas.duality",
        "Farkas.farkas",
        "farkas",
        "",
        "sanity.TextbookUsed.farkas_used",
        "textbook.Farkas.without_signs",
    ],
)
def test_a_theorem_that_coq_did_not_check_is_refused(name):
    with pytest.raises(ModelError, match=f'expected a theorem of CHECKED.json, found "{name}"'):
        theorem_named(name)
