"""What is written down of every claim: its verdicts, and what its paper prints."""

from itertools import chain

import pytest
from tests.brute import definitions as brute
from tests.claims.examination import examined, prints_of, recorded

from pufferproof import Verdict, audit
from pufferproof.claims.language.printed import catalogue
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.argument import HOLDS, ClaimVerdict

NOT_DECIDED = {"bai2026.related"}
"""Claims that are headed OPEN: no reading is false, and nothing decides one."""


def test_a_verdict_is_recorded_for_every_claim():
    assert recorded().keys() == load_claims().keys()
    assert {name for name, each in recorded().items() if each["verdict"] == "OPEN"} == NOT_DECIDED


@pytest.mark.claims
@pytest.mark.parametrize("name", recorded())
def test_a_claim_has_its_verdicts_for_reasons_that_hold(name):
    check = examined(name)
    assert check.verdict.value == recorded()[name]["verdict"]
    found = {reading.name: reading.verdict.value for reading in check.readings}
    assert found == recorded()[name]["by_name"]
    assert name in NOT_DECIDED or check.weakness is None, check.weakness
    for reading in check.readings:
        assert_founded(reading, [miss.name for miss in check.near_misses])
        assert_reproducible(reading)
        assert_whole(reading, check.claim.formula_of(reading.name))
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


def assert_whole(reading, formula):
    """A reading that is one formula is proved by an engine as a whole."""
    if formula is not None:
        assert reading.verdict is ClaimVerdict.PROVED
        (step,) = reading.steps
        assert step.formula == formula
        assert step.certificate is not None or step.trust in (("EXACT",), ("INTERVAL",))


def assert_reproducible(reading):
    """An audit of a counterexample finds its level violated, by the leakage of the definition."""
    parts = [(reading.evidence or {}).get(key) for key in ("framework", "mechanism", "epsilon")]
    if None not in parts and not any(isinstance(part, dict) for part in parts):
        found, (framework, mechanism, _) = audit(*parts), parts
        assert found.verdict is Verdict.VIOLATES, reading.name
        if framework.closure == "list":
            expected, _ = brute.leakage(framework, mechanism)
            assert found.leakage.ratio == expected


CATALOGUE = catalogue()
BOUNDARIES = (
    *("U any set", "U connected", "also an empty one", "each listed mechanism once"),
    *("every D with s1", "every row of X", "strictly", "lam >= 0"),
)
"""Words of readings that the setting of a paper excludes, or that fail at ties alone."""


def test_no_boundary_case_stands_first():
    first = (next(iter(recorded()[name]["by_name"].items())) for name in chain(*CATALOGUE.values()))
    false = [reading for reading, verdict in first if verdict == "REFUTED"]
    assert [each for each in false if any(words in each for words in BOUNDARIES)] == []


@pytest.mark.parametrize("paper", CATALOGUE)
def test_every_claim_of_the_catalogue_has_a_print_and_a_formula_of_its_repair(paper):
    prints, claims = prints_of(paper), load_claims()
    assert set(prints) == set(CATALOGUE[paper])
    repaired = {name for name, each in prints.items() if each.repaired}
    assert repaired == {name for name in prints if claims[name].repair}


def test_a_lemma_of_a_paper_is_printed_and_a_question_of_ours_is_not():
    claims = load_claims()
    assert claims["wang2016.lemA2"].printed
    assert not claims["wang2016.x-lemA1"].printed
