"""What Coq proves again of a counterexample, as files in the archive of its paper.

A framework and a mechanism are a certificate for the kernel, and a theorem about the promise: that
the level is exceeded, or else what the mechanism leaks. A formula about the evidence is computed
again from its numbers.

Audits and what exports them are imported where a mechanism is audited, which is seldom.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.claims.language.refuting import delta_in, level_in
from pufferproof.claims.run import Result
from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, PufferproofError
from pufferproof.models.files.reading import document_of
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.tables import Table
from pufferproof.reports.console.lazy import stands
from pufferproof.verify.certificates.calculation import calculated, named
from pufferproof.verify.decision import Decision
from pufferproof.verify.kernel import Refused

if TYPE_CHECKING:
    from pufferproof.verify.audit import Audit

_MOST = 400  # databases, outputs, pairs or priors of a mechanism that is audited here


@dataclass(frozen=True)
class Again:
    """A theorem that Coq is to prove again: the state it puts a reading in, what it says in words,
    the file for Coq, and the certificate it was made from, if any.
    """

    state: str
    says: str
    name: str
    text: str
    certificate: str | None = None

    @property
    def files(self) -> list[tuple[str, str]]:
        """The files in the archive, by name."""
        own = [(f"{self.name}.v", self.text)]
        return own if self.certificate is None else [(f"{self.name}.json", self.certificate), *own]


PROMISE, CALCULATION, LEAKAGE, NOTHING = "promise", "calculation", "leakage", "nothing"
STATES = {
    PROMISE: "the mechanism breaks the promise at its level, in the words of Pufferfish.v",
    CALCULATION: "a formula about the numbers of the counterexample, which its author gives",
    LEAKAGE: "no more than what the mechanism of the counterexample leaks",
    NOTHING: "nothing, for the reason given",
}
"""What the file for Coq of a refuted reading states."""
STATED = (PROMISE, CALCULATION)
"""Where that is what is false."""


def theorems(evidence: JsonObject, formula: str, name: str) -> list[Again]:
    """Return what Coq can prove again of a counterexample; `name` is that of its files.

    A formula that a counterexample of its steps has is about the numbers of its evidence.
    """
    proved = [*_of_mechanism(json.dumps(evidence), name)]
    if formula:
        text = calculated(formula, named(evidence), f"{name}.v")
        proved.append(Again(CALCULATION, f"that {formula}", f"{name}.calculation", text))
    return proved


@lru_cache(maxsize=512)
def _of_mechanism(evidence: str, name: str) -> list[Again]:
    """Return a mechanism's certificate and its file for Coq, or nothing without a rule."""
    audit_again = audited(json.loads(evidence))
    if audit_again is None or not stands("pufferproof.verify.certificates.export"):
        return []
    from pufferproof.verify.certificates.export.writing import exported
    from pufferproof.verify.certificates.writing import Inputs, audit_certificate

    try:
        certificate = audit_certificate(audit_again, Inputs())
        text = json.dumps(certificate, indent=1) + "\n"
        proof = exported(text.encode(), f"{name}.json")
    except (CertificateError, Refused):
        return []
    broken = audit_again.level is not None and audit_again.kept is Decision.FAILS
    unbounded = audit_again.leakage.infinite and json.loads(evidence).get("ratio") == "inf"
    state = PROMISE if broken or unbounded else LEAKAGE
    claim = certificate["claim"]
    level = claim.get("exceeds", claim.get("level"))
    words = "everything" if level == "inf" else "".join(f"{k}({v})" for k, v in level.items())
    if "delta" in claim:
        said = f"that the mechanism breaks the promise at {words} up to {claim['delta']}"
    elif "exceeds" in claim:
        said = f"that the mechanism leaks {'' if level == 'inf' else 'more than '}{words}"
    else:
        said = f"that the mechanism leaks {'at most ' if claim['attained'] is None else ''}{words}"
    return [Again(state, said, name, proof, text)]


def audited(evidence: JsonObject, up_to_delta: bool = True) -> "Audit | None":
    """Audit the framework and mechanism of evidence, up to delta if it has one and that is asked
    for, or None if there are none, or too much.
    """
    space, mechanism = evidence.get("framework"), evidence.get("mechanism")
    if not isinstance(space, Mapping) or not isinstance(mechanism, Mapping):
        return None
    from pufferproof.verify.audit import audit

    try:
        listed = (mechanism["outputs"], space["databases"], space["pairs"], space["priors"])
        if "format" not in space or max(map(len, listed)) > _MOST:
            return None
        priors = {name: Table(prior["table"]) for name, prior in space["priors"].items()}
        pairs = [(left, right) for left, right in space["pairs"]]
        framework = Framework(space["databases"], space["secrets"], pairs, priors, space["closure"])
        channel = Channel.of(mechanism["channel"], mechanism["outputs"])
        level, delta = level_in(evidence), delta_in(evidence) if up_to_delta else Fraction(0)
        return audit(framework, channel, level, delta if delta and level is not None else None)
    except (PufferproofError, KeyError, TypeError, AttributeError, ValueError):
        return None  # documents of another shape are downloads


def formula_of(reading: JsonObject) -> str:
    """Return the formula about the counterexample of a reading, "" without one."""
    steps = [step for step in reading["steps"] if step["kind"] == "counterexample" and step["ok"]]
    return str(steps[0]["formula"]["text"]) if steps else ""


# Which refuted readings Coq can refute again, what the theorem of each states, and why others have none.
#
# A table of reasons, `claims/catalogue/refutations.toml`, says why a reading has no theorem of its own that states
# what is false, or which theorem of `formal/sanity` stands for it.

REASONS = Path(__file__).resolve().parents[3] / "claims" / "catalogue" / "refutations.toml"


@dataclass(frozen=True)
class Refuted:
    """A refuted reading: what the file for Coq of its counterexample states, the theorem of
    `formal/sanity` that stands for it, and why no file states what is false.
    """

    claim: str
    reading: str
    state: str
    says: str
    theorem: str
    reason: str


def coverage(results: Sequence[Result]) -> list[Refuted]:
    """Return what there is of every refuted reading."""
    refuted = [
        (result["id"], reading)
        for result in results
        for reading in result["readings"]
        if reading["verdict"] == "REFUTED"
    ]
    covered = []
    for claim, reading in refuted:
        proved = theorems(reading["counterexample"] or {}, formula_of(reading), "counterexample")
        known = {each.state for each in proved}
        state = next((state for state in STATES if state in known), NOTHING)
        says = next((each.says for each in proved if each.state == state), "")
        theorem = sanity().get((claim, reading["name"]), "")
        reason = "" if state in STATED else reasons().get(claim, "")
        covered.append(Refuted(claim, reading["name"], state, says, theorem, reason))
    return covered


@cache
def _table() -> JsonObject:
    table: JsonObject = document_of(REASONS, REASONS.read_bytes())
    return table


def reasons() -> dict[str, str]:
    """Return why no file for Coq states what is false, by claim."""
    return {claim: str(why) for claim, why in _table()["reasons"].items()}


def sanity() -> dict[tuple[str, str], str]:
    """Return the theorems of `formal/sanity` that stand for a refutation, by claim and reading."""
    table: Mapping[str, Mapping[str, str]] = _table()["sanity"]
    return {(claim, name): reading for claim, readings in table.items() for name, reading in readings.items()}


def counted(refuted: Sequence[Refuted]) -> list[tuple[int, str]]:
    """Return how many refuted readings are in which state, in words."""
    counts = Counter(each.state for each in refuted)
    rows = [(counts[state], f"refuted; Coq can prove {STATES[state]}") for state in STATES]
    standing = sum(bool(each.theorem) for each in refuted)
    return [*rows, (standing, "refuted, and a theorem of formal/sanity stands for that")]


def states(results: Sequence[Result]) -> dict[str, dict[str, str]]:
    """Return what is recorded: the state of every refuted reading, by claim."""
    states_of: dict[str, dict[str, str]] = {}
    for each in coverage(results):
        states_of.setdefault(each.claim, {})[each.reading] = each.state
    return states_of
