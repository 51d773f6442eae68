"""What is written down of the print of a paper is of its printed claims, balanced, and said of each
claim for itself.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from pufferproof.claims.language.printed import PAPERS, prints_of
from pufferproof.claims.registry import load_claims

CATALOGUE = PAPERS.parent / "catalogue"
WRITTEN = sorted(path.parent.name for path in PAPERS.glob("*/print.toml"))


def catalogue(paper: str) -> list[str]:
    return Path(CATALOGUE, f"{paper}.txt").read_text().split()


def deepest(latex: str) -> list[int]:
    """The depth of braces after each sign; escaped braces are signs of the formula."""
    depth, depths = 0, [0]
    for sign in latex.replace(r"\\", "").replace(r"\{", "").replace(r"\}", ""):
        depth += (sign == "{") - (sign == "}")
        depths.append(depth)
    return depths


def test_the_papers_whose_print_is_written_down_are_known():
    papers = {"bai2026", "massny2025", "song2017", "streaming_cw", "wang2016"}
    assert papers <= set(WRITTEN)


@pytest.mark.parametrize("paper", WRITTEN)
def test_every_claim_of_the_catalogue_has_a_place_a_formula_and_what_our_words_do(paper):
    prints = prints_of(paper)
    assert set(prints) == set(catalogue(paper))
    for name, each in prints.items():
        assert load_claims()[name].printed
        assert each.place, name
        assert each.ours, name
        assert bool(each.formula) != bool(each.shows), name


@pytest.mark.parametrize("paper", WRITTEN)
def test_a_formula_of_a_repair_stands_with_claims_that_have_one(paper):
    repaired = {name for name, each in prints_of(paper).items() if each.repaired}
    assert repaired == {name for name in prints_of(paper) if load_claims()[name].repair}


@pytest.mark.parametrize("paper", WRITTEN)
def test_braces_balance_and_no_macro_is_defined(paper):
    for name, each in prints_of(paper).items():
        for latex in (each.formula, each.repaired):
            depths = deepest(latex)
            assert min(depths) == depths[-1] == 0, name
            assert len(re.findall(r"\\left(?![a-z])", latex)) == len(
                re.findall(r"\\right(?![a-z])", latex)
            ), name
            assert not re.search(r"\\(?:new|re)?(?:newcommand|def)(?![a-z])", latex), name


@pytest.mark.parametrize("paper", WRITTEN)
def test_what_our_words_do_is_said_of_each_claim_for_itself(paper):
    said = Counter(each.ours for each in prints_of(paper).values())
    assert [text for text, times in said.items() if times > 2] == []


def test_a_claim_that_repairs_a_question_of_ours_may_be_printed():
    claims = load_claims()
    assert claims["wang2016.x-lemA2-irreversible"].repair == "wang2016.lemA2"
    assert claims["wang2016.lemA2"].printed
    assert not claims["wang2016.x-lemA1"].printed
