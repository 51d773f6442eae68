"""Certificates that are kept are checked, and proposed for their own formula only."""

import json
from pathlib import Path

import pytest
import sympy
from sympy import Eq

from pufferproof.claims.language import kept
from pufferproof.claims.language.kept import PLACE, Kept, digest, sections, to_keep, written
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof import implication
from pufferproof.verify.proof.handelman import search_inequality, with_proof
from pufferproof.verify.proof.implication import accepted_certificate, decide_implication
from pufferproof.verify.proof.smt import smtlib

x, y = sympy.symbols("x y")
CASES = [
    (x * y + 1 > x + y, (x > 1, y > 1)),  # direct
    (x**2 + y**2 >= 2 * x * y, ()),  # by a square
    (x > 0, (x * y > 0, y > 0)),  # by contradiction
    (Eq(x, 2), (Eq(x + y, 3), Eq(y, 1))),  # an equation
]


def entry(conclusion, assuming):
    """What is kept of one implication that was searched for."""
    found = search_inequality(conclusion, assuming)
    return {digest(smtlib(assuming, conclusion)): found and found["claim"]["proof"]}


def keeping(folder: Path, proofs, by=None) -> Kept:
    """A file that keeps proofs for one claim."""
    section = {"searched by": by or kept.searching(), "proofs": proofs}
    place = folder / f"{len(list(folder.iterdir()))}.json"
    place.write_text(written({"a.claim": section}), encoding="utf-8")
    return Kept("a.claim", place)


def decided(keep: Kept, conclusion, assuming):
    return decide_implication("step", "inequality", "", conclusion, assuming, 20.0, keep)


def forbidden(*_):
    raise AssertionError("searched")


@pytest.mark.parametrize(("conclusion", "assuming"), CASES)
def test_a_proof_that_is_kept_is_checked_and_not_searched_for(
    conclusion, assuming, tmp_path, monkeypatch
):
    proofs, found = entry(conclusion, assuming), search_inequality(conclusion, assuming)
    assert with_proof(conclusion, assuming, proofs[digest(smtlib(assuming, conclusion))]) == found
    monkeypatch.setattr(implication, "search_once", forbidden)
    step = decided(keeping(tmp_path, proofs), conclusion, assuming)
    assert step.ok
    assert step.certificate == found


@pytest.mark.parametrize(("conclusion", "assuming"), CASES)
def test_a_proof_that_does_not_check_is_searched_for_anew(conclusion, assuming, tmp_path):
    (key, proof), *_ = entry(conclusion, assuming).items()
    wrong = json.loads(json.dumps(proof))
    part = wrong[-1]
    if "coefficient" in part:
        part["coefficient"] = "7"
    else:
        part["multiplier"] = [["7", part["multiplier"][0][1]]]
    assert accepted_certificate(with_proof(conclusion, assuming, wrong)) is None
    step = decided(keeping(tmp_path, {key: wrong}), conclusion, assuming)
    assert step.certificate == search_inequality(conclusion, assuming)


@pytest.mark.parametrize("proof", [5, "x", [None], [{}], [{"powers": 1}], {"powers": []}], ids=repr)
def test_what_has_not_the_form_of_a_proof_is_searched_for_anew(proof, tmp_path):
    conclusion, assuming = CASES[0]
    (key, _), *_ = entry(conclusion, assuming).items()
    step = decided(keeping(tmp_path, {key: proof}), conclusion, assuming)
    assert step.certificate == search_inequality(conclusion, assuming)


def test_a_proof_of_another_formula_shows_nothing(tmp_path):
    """That x = 0 and x = 1 contradict one another does not show x = 0 of x = 1, nor does a proof of
    a weaker relation show a stronger one.
    """
    never = with_proof(sympy.false, (Eq(x, 1), Eq(x, 0)), [])
    assert never is None
    both = [
        {"coefficient": "1", "powers": [0, 0], "square": None},
        {"multiplier": [["1", [0]]], "powers": [1, 0]},
        {"multiplier": [["-1", [0]]], "powers": [0, 1]},
    ]
    for conclusion, assuming, proof in (
        (Eq(x, 0), (Eq(x, 1),), both),
        (x > 1, (x > 0,), entry(x > 0, (x > 0,)).popitem()[1]),
    ):
        assert accepted_certificate(with_proof(conclusion, assuming, proof)) is None
        step = decided(
            keeping(tmp_path, {digest(smtlib(assuming, conclusion)): proof}), conclusion, assuming
        )
        assert not step.ok
        assert step.certificate is None


def test_that_nothing_was_found_counts_for_the_same_search_only(tmp_path, monkeypatch):
    conclusion, assuming = CASES[1]
    key = digest(smtlib(assuming, conclusion))
    assert decided(keeping(tmp_path, {key: None}, "another"), conclusion, assuming).certificate
    monkeypatch.setattr(implication, "search_once", forbidden)
    step = decided(keeping(tmp_path, {key: None}), conclusion, assuming)
    assert step.ok  # by the solvers
    assert step.certificate is None


def test_what_is_not_kept_is_searched_for(tmp_path):
    for conclusion, assuming in CASES:
        step = decided(keeping(tmp_path, {}), conclusion, assuming)
        assert step.certificate == search_inequality(conclusion, assuming)


def test_the_file_is_as_record_writes_it_and_of_claims_that_exist():
    found = sections(PLACE)
    assert PLACE.read_text(encoding="utf-8") == written(found)
    assert found.keys() <= load_claims().keys()


def test_results_are_kept_by_their_queries():
    conclusion, assuming = CASES[0]
    certificate = search_inequality(conclusion, assuming)
    steps = [
        {"query": smtlib(assuming, conclusion), "refuted": False, "certificate": certificate},
        {"query": "not found", "refuted": False, "certificate": None},
        {"query": "false", "refuted": True, "certificate": None},
        {"query": None, "refuted": False, "certificate": certificate},
    ]
    result = {"id": "a.claim", "error": None, "readings": [{"steps": steps}], "near_misses": []}
    proofs = to_keep([result, {**result, "id": "b.claim", "error": "raised"}])
    assert [*proofs] == ["a.claim"]
    assert proofs["a.claim"]["searched by"] == kept.searching()
    assert proofs["a.claim"]["proofs"] == {
        digest("not found"): None,
        digest(smtlib(assuming, conclusion)): certificate["claim"]["proof"],
    }
