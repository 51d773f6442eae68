"""Plain data that says something else than it proves: the second reader refuses it by itself."""

from typing import Any

import pytest
from tests.claims.judging import rejects

from pufferproof.claims.language.linked.second import read_again
from pufferproof.claims.language.linked.trees import UnlinkedError, tree

Plain = dict[str, Any]
INDICES = {"x": "the values", "z": "the others"}
STEP = {"name": "c", "rule": "step"}


def _argument(
    letters: dict[str, str],
    facts: list[Plain],
    definitions: list[Plain] | None = None,
    indices: dict[str, str] = INDICES,
) -> Plain:
    """An argument of letters with their indices, whose last fact is the conclusion."""
    return {
        "about": "forged",
        "indices": indices,
        "letters": {
            name: {"meaning": "a number", "indices": its.split(), "domain": []} for name, its in letters.items()
        },
        "definitions": definitions or [],
        "facts": facts,
        "then": facts[-1]["formula"],
    }


@pytest.mark.parametrize("formula", ["Eq(p**(1/3), p**-3)", "p**(q - 2) <= p**-2", "True <= 1"])
def test_a_power_has_an_integer_and_no_name_is_a_number(formula):
    data = _argument({"p": "", "q": "", "True": ""}, [{**STEP, "formula": formula}])
    rejects(data)


@pytest.mark.parametrize("text", ["Eq(p, q, p)", "Ne(p, q, p)", "Implies(p <= 0, p <= 1, p <= 2)"])
def test_an_equation_has_two_sides(text):
    with pytest.raises(UnlinkedError, match="cannot be read"):
        tree(text)


def _exponential(**more: str) -> Plain:
    """Exp of a sum is the product of exp of its terms; `more` is said of the product."""
    product = {"letter": "Q", "kind": "product", "over": "x", "start": "1", "following": "Q*e"}
    made = [
        {**product, "letter": "T", "kind": "sum", "start": "0", "following": "T + t", "term": "t"},
        {"letter": "P", "kind": "let", "is": "exp(T)"},
        {"letter": "e", "kind": "let", "is": "exp(t)"},
        {**product, "term": "e", **more},
    ]
    fact = {"name": "c", "rule": "exponentials", "formula": "Eq(P, Q)"}
    return _argument({"t": "x"}, [fact], made)


def test_a_letter_is_defined_once_and_in_one_way():
    assert read_again(_exponential()) > 0
    rejects(_exponential(**{"is": "exp(T)"}), "Q is no product")


def _copied(of: str) -> Plain:
    """f does not depend on x, so its copy at y is K, if y is a second value of x."""
    copy = {"letter": "fy", "kind": "at", "of": "f", "at": "y"}
    facts = [
        {"name": "g", "rule": "given", "formula": "Eq(f, K)"},
        {"name": "a", "rule": "again", "formula": "Eq(fy, K)", "uses": ["g"], "over": "y"},
        {**STEP, "formula": "fy <= K", "uses": ["a"]},
    ]
    lemma = _argument({"f": "x z", "K": "z"}, facts, [copy], {**INDICES, "y": "x"})
    said = {"name": "l", "letters": {}, "given": ["Eq(f, K)"], "then": "fy <= K", "source": lemma}
    put_in = {
        **{"name": "c", "rule": "lemma", "formula": "fy <= K", "uses": ["g"], "lemma": said},
        "put": {"f": "f", "K": "K", "fy": "fy"},
    }
    return _argument({"f": "x z", "K": "z"}, [facts[0], put_in], [copy], {**INDICES, "y": of})


def test_a_second_value_in_a_lemma_is_one_of_the_same_index():
    assert read_again(_copied("x")) > 0
    rejects(_copied("z"), "is at another index")
