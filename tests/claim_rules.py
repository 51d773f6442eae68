"""What every claim of a paper must obey, whatever it says: used by the tests of claims."""

from pufferproof import Verdict, audit
from pufferproof.claims.registry import Check, examine
from pufferproof.verify.proof import ClaimVerdict

POSITIVE = (ClaimVerdict.PROVED, ClaimVerdict.CHECKED)


def verdicts(check: Check) -> str:
    """The verdict of each reading, in the order of the claim."""
    return " ".join(reading.verdict.value for reading in check.readings)


def assert_sound(check: Check) -> None:
    """Near misses belong to readings and are found false; both solvers or a kernel stand behind inequalities."""
    assert check.weakness is None, check.weakness
    names = [miss.name for miss in check.near_misses]
    for reading in check.readings:
        if reading.verdict in POSITIVE:
            assert any(name.startswith(f"{reading.name}: ") for name in names), reading.name
        for step in reading.steps:
            if step.query is not None and step.ok:
                assert "KERNEL" in step.trust or {"Z3", "CVC5"} <= {*step.trust}, step.name
    for miss in check.near_misses:
        assert any(step.refuted for step in miss.steps if step.kind != "cite"), miss.name
        assert all(step.ok for step in miss.steps if step.kind == "cite"), miss.name


def assert_repaired(check: Check) -> None:
    """A claim with a refuted reading names a repair that is proved."""
    if ClaimVerdict.REFUTED in {reading.verdict for reading in check.readings}:
        assert check.claim.repair is not None
        assert examine(check.claim.repair).verdict is ClaimVerdict.PROVED


def assert_reproducible(check: Check) -> None:
    """An audit of the files of a counterexample finds its level violated."""
    for reading in check.readings:
        if reading.evidence is not None and "epsilon" in reading.evidence:
            found = audit(*(reading.evidence[key] for key in ("framework", "mechanism", "epsilon")))
            assert found.verdict is Verdict.VIOLATES, reading.name


def evidence(check: Check, reading: int = 0):
    """The counterexample of a reading."""
    found = check.readings[reading].evidence
    assert found is not None
    return found
