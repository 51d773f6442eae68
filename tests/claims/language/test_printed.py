"""What papers print is read as it is written down, and every printed claim has a place."""

import pytest
from tests.claims.examination import prints_of

from pufferproof import ModelError
from pufferproof.claims.document.reader import read as document
from pufferproof.claims.language.printed import PAPERS, Print, checked, printed
from pufferproof.claims.registry import load_claims
from pufferproof.reports.proofs.papers.latex import lines_markup
from pufferproof.reports.proofs.record import recorded

WRITTEN = sorted(path.parent.name for path in PAPERS.glob("*/notation.claims"))
GOOD = r"""print: Section 2, Lemma 1
formula: a \\le
    b
ours: it says which a
"""


def read(text):
    head = "# Lemmas\n\n## paper.lemma1 | Lemma 1\n\nA sentence.\n\n"
    (claim,) = document(head + text, "lemmas.claims").claims
    return printed(claim.id, claim.prints, f"lemmas.claims:{claim.line}")


def test_a_claim_has_place_formula_and_what_our_words_do():
    assert read(GOOD) == Print("Section 2, Lemma 1", "it says which a", r"a \\le b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print: here\nformula: x\n", 'expected "ours: .."'),
        ("ours: all\nformula: x\n", 'expected "print: .."'),
        ("print: here\nours: all\n", "expected either formula or shows"),
        ("plase: here\n", 'found "plase: here"'),
        (f"{GOOD}breaks: step\n", "expected breaks and because together"),
        (f"{GOOD}because: so\n", "expected breaks and because together"),
        (f"{GOOD}breaks: all\nbecause: so\n", "found 'all'"),
        (f"{GOOD}breaks: step\nbecause: so\n", "expected a cause beside breaks"),
        (f"{GOOD}instead: so\n", "expected a cause beside instead"),
        (f"{GOOD}ours: more\n", 'expected field "ours" once, found it on lines'),
    ],
)
def test_what_is_wrong_is_one_line_that_names_the_document(text, said):
    with pytest.raises(ModelError) as error:
        read(text)
    assert said in str(error.value)
    assert "lemmas.claims:" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("prints", "kinds", "refuted", "said"),
    [
        ({}, {"p.a": "lemma"}, [], 'expected a table of "p.a", found none'),
        ({"p.a": Print("1", "x", "y")}, {}, [], '"p.a" is no printed claim'),
        ({"p.a": Print("1", "x", shows="y")}, {"p.a": "lemma"}, [], "expected a formula"),
        ({"p.a": Print("1", "x", "y")}, {"p.a": "lemma"}, ["p.a"], "expected a cause"),
        ({"p.a": Print("1", "x", "y", cause="c")}, {"p.a": "lemma"}, [], "expected no cause"),
    ],
)
def test_tables_and_printed_claims_are_the_same(prints, kinds, refuted, said):
    with pytest.raises(ModelError, match=said):
        checked(prints, kinds, refuted, "a document")


def test_an_algorithm_needs_no_formula():
    drawn = {"p.a": Print("Algorithm 1", "x", shows="a loop")}
    checked(drawn, {"p.a": "definition"}, [], "a document")


@pytest.mark.parametrize("paper", WRITTEN)
def test_every_printed_claim_of_a_paper_has_its_print(paper):
    known = recorded()
    kinds = {each.id: each.kind for each in load_claims().values() if each.paper == paper}
    printed = {name: kinds[name] for name in kinds if load_claims()[name].printed}
    refuted = [name for name in printed if known[name]["verdict"] == "REFUTED"]
    checked(prints_of(paper), printed, refuted, paper)


@pytest.mark.parametrize("paper", WRITTEN)
def test_every_formula_can_be_typeset(paper):
    formulas = [
        formula
        for each in prints_of(paper).values()
        for formula in (each.formula, each.repaired)
        if formula
    ]
    assert [each for each in formulas if lines_markup(each) is None] == []
