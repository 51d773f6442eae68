"""Theorems of Coq beside claims: read only if whole, and of claims that exist."""

import json
import tomllib

import pytest

from pufferproof.claims import registry
from pufferproof.claims.language import theorems
from pufferproof.claims.language.theorems import CLAIMS, FORMAL, theorems_of
from pufferproof.claims.registry import examine, load_claims
from pufferproof.claims.run import as_result
from pufferproof.models.errors import ModelError
from pufferproof.verify.certificates.formal.record import read
from pufferproof.verify.proof.argument import ClaimVerdict

TABLE = tomllib.loads((FORMAL / CLAIMS).read_text())
BESIDE = {f"{room}.{name}": of for room, names in TABLE.items() for name, of in names.items()}


def test_every_theorem_is_in_the_table_and_every_claim_of_it_exists_and_is_not_proved():
    theory = {each.name for each in read(FORMAL).theorems if each.file.startswith("theory/")}
    assert {f"Pufferproof.{name}" for name in BESIDE} == theory
    claims = {claim for each in BESIDE.values() for claim in each}
    assert claims <= load_claims().keys()
    verdicts = json.loads((FORMAL.parent / "claims" / "EXPECTED.json").read_text())
    assert [claim for claim in sorted(claims) if verdicts[claim]["verdict"] == "PROVED"] == []


def test_a_theorem_comes_with_its_statement_axioms_and_what_differs(folder):
    found, *_ = theorems_of("general.group-privacy-paths", folder)
    assert found.statement.startswith("forall (")
    assert found.axioms
    assert found.differs
    assert theorems_of("no.such", folder) == ()
    assert theorems.coq_version(folder).startswith("8.")


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


NONE = "Farkas.farkas farkas sanity.TextbookUsed.farkas_used textbook.Farkas.without_signs"


@pytest.mark.parametrize("name", [*NONE.split(), "textbook.Farkas.duality", ""])
def test_a_theorem_that_coq_did_not_check_is_refused(name):
    with pytest.raises(ModelError, match=f'expected a theorem of CHECKED.json, found "{name}"'):
        theorems.theorem_named(name)
