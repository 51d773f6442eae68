"""Every claim of the registry has the verdicts that are recorded, for reasons that hold: one test
for all, as what a claim must obey does not depend on what it says.
"""

import json
from pathlib import Path

import pytest
from tests.claims.examination import examined
from tests.claims.rules import POSITIVE, assert_reproducible, assert_sound

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run.order import citations
from pufferproof.verify.proof.argument import ClaimVerdict

EXPECTED = json.loads(
    (Path(__file__).resolve().parents[3] / "claims" / "EXPECTED.json").read_text(encoding="utf-8")
)
NOT_DECIDED = {"bai2026.related", "streaming_cw.thm4"}
"""Claims with a reading that nothing decides."""


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
    cited = {step.formula for each in check.readings for step in each.steps if step.kind == "cite"}
    assert cited <= citations(check.claim), "what it cites is examined again, not before it"
    if name in NOT_DECIDED:
        return
    assert_sound(check)
    if name != "general.zero-leakage-posterior":  # the level is kept, and the posterior moves
        assert_reproducible(check)
    assert all(miss.verdict not in POSITIVE for miss in check.near_misses)
    if check.verdict is ClaimVerdict.REFUTED and check.claim.repair is not None:
        assert examined(check.claim.repair).verdict in POSITIVE
