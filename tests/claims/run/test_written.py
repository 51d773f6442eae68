"""What is written down of every claim: its verdicts, its heading and its print."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from tests.brute import definitions as brute
from tests.claims.examination import examined

from pufferproof import Verdict, audit
from pufferproof.claims.language.printed import PAPERS, prints_of
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.argument import HOLDS, ClaimVerdict

# Every claim of the registry has the verdicts that are recorded, for reasons that hold: one test
# for all, as what a claim must obey does not depend on what it says.


ROOT = Path(__file__).resolve().parents[3]
EXPECTED = json.loads((ROOT / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
NOT_DECIDED = {"bai2026.related"}
"""Claims that are headed OPEN: no reading is false, and nothing decides one."""


def test_a_verdict_is_recorded_for_every_claim():
    assert EXPECTED.keys() == load_claims().keys()
    assert {name for name, each in EXPECTED.items() if each["verdict"] == "OPEN"} == NOT_DECIDED


@pytest.mark.claims
@pytest.mark.parametrize("name", load_claims())
def test_a_claim_has_its_verdicts_for_reasons_that_hold(name):
    check = examined(name)
    assert check.verdict.value == EXPECTED[name]["verdict"]
    found = {reading.name: reading.verdict.value for reading in check.readings}
    assert found == EXPECTED[name]["readings"]
    assert name in NOT_DECIDED or check.weakness is None, check.weakness
    for reading in check.readings:
        assert_founded(reading, [miss.name for miss in check.near_misses])
        assert_reproducible(reading)
    for miss in check.near_misses:
        assert miss.verdict not in HOLDS
        assert any(step.refuted for step in miss.steps), miss.name
    if check.verdict is ClaimVerdict.REFUTED and check.claim.repair is not None:
        assert examined(check.claim.repair).verdict in HOLDS


def assert_founded(reading, near_misses):
    """Each reading has near misses of its own; both solvers or the kernel stand behind steps."""
    if reading.only_tried or reading.linked:
        assert reading.trial is not None, reading.name  # near misses are those of its program
    elif reading.verdict in HOLDS and not reading.proved:  # whose near misses its object has
        assert any(name.startswith(f"{reading.name}: ") for name in near_misses), reading.name
    for step in reading.steps:
        if step.query is not None and step.ok:
            assert "KERNEL" in step.trust or {"Z3", "CVC5"} <= {*step.trust}, step.name


def assert_reproducible(reading):
    """An audit of the files of a counterexample finds its level violated, by the leakage that the
    definition has, which shares no code with claims.
    """
    parts = [(reading.evidence or {}).get(key) for key in ("framework", "mechanism", "epsilon")]
    if None not in parts and not any(isinstance(part, dict) for part in parts):
        found, (framework, mechanism, _) = audit(*parts), parts
        assert found.verdict is Verdict.VIOLATES, reading.name
        if framework.closure == "list":
            expected, _ = brute.leakage(framework, mechanism)
            assert found.leakage.ratio == expected


# Printed claims that are headed REFUTED have a root cause, and no boundary case stands first.
#
# The first reading of a claim is the one that its authors would sign. A claim whose first reading
# is false is counted as an error of its paper.


def printed() -> set[str]:
    folder = ROOT / "claims" / "catalogue"
    return {name for file in folder.glob("*.txt") for name in file.read_text().split()}


@pytest.mark.parametrize("paper", sorted({name.partition(".")[0] for name in printed()}))
def test_printed_claims_that_are_headed_refuted_have_a_cause_and_no_others(paper):
    prints = prints_of(paper)
    refuted = {name for name in prints if EXPECTED[name]["verdict"] == "REFUTED"}
    assert refuted == {name for name, each in prints.items() if each.cause}


@pytest.mark.parametrize("paper", sorted({name.partition(".")[0] for name in printed()}))
def test_a_cause_says_in_one_sentence_what_is_wrong(paper):
    causes = {each.cause for each in prints_of(paper).values() if each.cause}
    assert [
        each
        for each in sorted(causes)
        if not (each[0].isupper() and each.endswith(".") and 5 <= len(each.split()) <= 25)
    ] == []


BOUNDARIES = (
    "U any set",
    "U connected",
    "also an empty one",
    "each listed mechanism once",
    "every D with s1",
    "every row of X",
    "strictly",
    "lam >= 0",
)
"""Words of readings that the setting of a paper excludes, or that fail at ties alone."""


@pytest.mark.parametrize("name", sorted(printed()))
def test_no_boundary_case_stands_first(name):
    first = next(iter(EXPECTED[name]["readings"]))
    assert EXPECTED[name]["readings"][first] != "REFUTED" or not any(
        words in first for words in BOUNDARIES
    )


def test_what_the_print_defines_or_does_not_say_is_not_refuted_as_printed():
    assert EXPECTED["bai2026.groupdp"]["verdict"] == "DEFINITION"
    assert "min_b" not in load_claims()["bai2026.translate"].statement


# What is written down of the print of a paper is of its printed claims, balanced, and said of each
# claim for itself.


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


def test_a_lemma_of_a_paper_is_printed_and_a_question_of_ours_is_not():
    claims = load_claims()
    assert claims["wang2016.lemA2"].printed
    assert not claims["wang2016.x-lemA1"].printed
