"""What papers print is read as it is written down, and every printed claim has a place."""

import pytest
from tests.claims.examination import prints_of, recorded

from pufferproof import ModelError
from pufferproof.claims.document.reader import read as document
from pufferproof.claims.language.printed import PAPERS, Print, printed
from pufferproof.claims.registry import load_claims

WRITTEN = sorted(path.parent.name for path in PAPERS.glob("*/notation.claims"))
DRAWN = ("table", "figure", "algorithm", "data", "experiment")
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
    (line,) = str(error.value).splitlines()
    assert said in line
    assert "lemmas.claims:" in line


@pytest.mark.parametrize("paper", WRITTEN)
def test_false_claims_alone_have_a_cause_and_what_is_no_drawing_has_a_formula(paper):
    for name, each in prints_of(paper).items():
        assert bool(each.cause) == (recorded()[name]["verdict"] == "REFUTED"), name
        about = f"{load_claims()[name].kind} {each.place}".lower()
        assert each.formula or any(word in about for word in DRAWN), name
