"""Writing certificates: what an audit found, in the form the kernel can check alone (see
CERTIFICATES.md).

Searching is untrusted: a certificate is only written after the kernel, which shares no code with
the search, accepted it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError
from pufferproof.models.files.writing import channel_rows, indented, law_table
from pufferproof.models.framework import Framework
from pufferproof.models.listing import AllPairs
from pufferproof.models.noise.tables.partial import BoundsTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify import kernel
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.decision import Decision

FORMAT = "pufferproof-certificate/1"
WORK = 100 * kernel.MAX_WORK  # bit operations that the kernel may take for a certificate of our own
LONGEST = 4 * kernel.MAX_BYTES  # bytes of the rows of a mechanism


ONE_SIDED = "a one-sided framework has no certificate: the format always checks both orders"


@dataclass(frozen=True)
class Inputs:
    """The SHA-256 of the files an audit read, `sha256:<hex>`, None for what came from no file."""

    framework: str | None = None
    mechanisms: tuple[str | None, ...] = (None,)


def audit_certificate(audit: Audit, inputs: Inputs) -> JsonObject:
    """Return the certificate of an audit.

    With a level: that it holds, or the witness that breaks it. Without: that the leakage equals the
    value found, or the witness of infinite leakage.

    Raises `CertificateError` where the format has no rule for the statement.
    """
    if audit.delta is not None:
        delta = audit.delta
        if delta is None or audit.level is None or audit.delta_bound is None:
            raise CertificateError("no delta was asked for")
        if audit.kept is Decision.UNDECIDED:
            raise CertificateError("the verdict is undecided: there is nothing to certify")
        stated = {"level": level_json(audit.level), "delta": text_of(audit.delta_bound)}
        if audit.kept is Decision.HOLDS:
            no_delta_over_mixtures(audit.framework)
            kind, claim = "delta-at-most", stated
        else:
            place = delta.as_json()["witness"]
            kind, claim = "delta-witness", {**stated, **place}
    else:
        kind, claim = _leakage_claim(audit, {"output": audit.witness.output})
    return statement(kind, claim, audit.framework, [audit.channel], inputs)


def composition_certificate(together: Composition, inputs: Inputs) -> JsonObject:
    """Return the certificate of a joint leakage. Raises `CertificateError` as
    `audit_certificate` does.
    """
    kind, claim = _leakage_claim(together.joint, {"outputs": list(together.outputs)})
    claim = {"releases": list(together.releases), **claim}
    if len(together.releases) == 1:
        raise CertificateError("a single release has no joint leakage: expected at least two releases")
    return statement(f"joint-{kind}", claim, together.joint.framework, together.channels, inputs)


def certified_text(certificate: dict[str, object]) -> str:
    """Return the text of a certificate that the kernel has checked. Raises `CertificateError`
    unless it accepts.
    """
    text = indented(certificate) + "\n"
    try:
        kernel.check_bytes(text.encode(), WORK)
    except (kernel.Refused, kernel.NotJSON) as refusal:
        raise CertificateError(f"the kernel refused the certificate: {refusal}") from None
    return text


def _leakage_claim(audit: Audit, outputs: dict[str, object]) -> tuple[str, JsonObject]:
    place = {"prior": audit.witness.as_json()["prior"], "pair": list(audit.witness.pair), **outputs}
    if audit.kept is Decision.FAILS and audit.level is not None:
        return "leakage-witness", {**place, "exceeds": level_json(audit.level)}
    if audit.kept is Decision.HOLDS and audit.level is not None:
        return "leakage-at-most", {"level": level_json(audit.level), "attained": None}
    if audit.leakage.infinite:
        return "leakage-witness", {**place, "exceeds": "inf"}
    ratio = audit.leakage.ratio
    if ratio is None:
        raise CertificateError("the leakage is irrational: ask for a level to get a certificate")
    return "leakage-at-most", {"level": level_json(Level.log(ratio)), "attained": place}


def no_delta_over_mixtures(framework: Framework) -> None:
    """Raise `CertificateError` if mixtures of priors are asked for."""
    if framework.closure == "convex":
        raise CertificateError('the format has no rule for a delta that holds over "closure": "convex"')


def level_json(level: Level) -> dict[str, str]:
    """Return a level as certificates have it: `{"log": R}` or `{"nats": E}`."""
    return {"log": text_of(level.ratio)} if level.ratio is not None else {"nats": text_of(level.nats or Fraction(0))}


def statement(
    kind: str, claim: JsonObject, framework: Framework, mechanisms: Sequence[Channel | BoundsTable], inputs: Inputs
) -> JsonObject:
    """Return a certificate of a kind with its framework, mechanisms and input files written out.

    Raises `CertificateError` unless the framework is two-sided and the mechanisms are short enough.
    """
    if framework.one_sided:
        raise CertificateError(ONE_SIDED)
    labels = framework.databases
    return {
        "format": FORMAT,
        "kind": kind,
        "framework": {
            "databases": list(labels),
            "secrets": {name: [labels[x] for x in secret] for name, secret in framework.secrets.items()},
            "pairs": "disjoint" if isinstance(framework.pairs, AllPairs) else [list(pair) for pair in framework.pairs],
            "priors": {name: law_table(framework, name) for name in framework.priors},
            "closure": framework.closure,
        },
        "mechanisms": [
            each.as_json() if isinstance(each, BoundsTable) else {"outputs": list(each.outputs), "channel": _rows(each)}
            for each in mechanisms
        ],
        "inputs": {
            "framework": inputs.framework,
            "mechanisms": list(inputs.mechanisms),
            "normalized": [isinstance(each, Channel) and each.normalized for each in mechanisms],
        },
        "claim": claim,
    }


def _rows(channel: Channel) -> dict[str, list[str]]:
    """Return the rows of a channel as text, unless longer than the kernel reads."""
    rows, size = dict[str, list[str]](), 0
    for label, row in channel_rows(channel):
        rows[label] = row
        size += sum(map(len, row)) + 4 * len(row)
        if size > LONGEST:
            raise CertificateError(f"the mechanism is too long for a certificate: its rows have over {LONGEST} bytes")
    return rows
