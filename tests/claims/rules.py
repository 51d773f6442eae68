"""What every claim of a paper must obey, whatever it says: used by the tests of claims."""

from tests.claims.examination import examined

from pufferproof import Verdict, audit
from pufferproof.claims.registry import Check, load_claims
from pufferproof.verify.proof.argument import HOLDS, ClaimVerdict

POSITIVE = HOLDS


def assert_sound(check: Check) -> None:
    """Near misses belong to readings and are found false; both solvers or a kernel stand behind
    inequalities.
    """
    assert check.weakness is None, check.weakness
    names = [miss.name for miss in check.near_misses]
    for reading in check.readings:
        if reading.only_tried or reading.linked:
            assert reading.trial is not None, reading.name  # near misses are those of its program
        elif reading.verdict in POSITIVE and not reading.proved:  # whose near misses its object has
            assert any(name.startswith(f"{reading.name}: ") for name in names), reading.name
        for step in reading.steps:
            if step.query is not None and step.ok:
                assert "KERNEL" in step.trust or {"Z3", "CVC5"} <= {*step.trust}, step.name
    for miss in check.near_misses:
        assert any(step.refuted for step in miss.steps if step.kind != "cite"), miss.name
        assert all(step.ok for step in miss.steps if step.kind == "cite"), miss.name


def assert_repaired(check: Check) -> None:
    """A claim with a refuted reading names a repair that holds."""
    if ClaimVerdict.REFUTED in {reading.verdict for reading in check.readings}:
        assert check.claim.repair is not None
        assert examined(check.claim.repair).verdict in HOLDS


def assert_reproducible(check: Check) -> None:
    """An audit of the files of a counterexample finds its level violated."""
    for reading in check.readings:
        parts = [(reading.evidence or {}).get(key) for key in ("framework", "mechanism", "epsilon")]
        if None not in parts and not any(isinstance(part, dict) for part in parts):
            assert audit(*parts).verdict is Verdict.VIOLATES, reading.name


def evidence(check: Check, reading: int = 0):
    """The counterexample of a reading."""
    found = check.readings[reading].evidence
    assert found is not None
    return found


def examined_in(*modules: str) -> dict[str, Check]:
    """Every claim of some modules, examined, by its id without the family."""
    homes = {f"pufferproof.claims.{module}" for module in modules}
    ours = [name for name, claim in load_claims().items() if claim.function.__module__ in homes]
    return {name.partition(".")[2]: examined(name) for name in ours}


def evidence_of(check: Check, name: str):
    """The counterexample of the first reading whose name begins so."""
    return next(reading.evidence for reading in check.readings if reading.name.startswith(name))
