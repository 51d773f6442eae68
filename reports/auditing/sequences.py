"""What `audit` prints of a mechanism on a sequence too long to list: the verdict, the number
behind it, and where to look.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.question import Sequences, read_sequences
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.grammar import brief
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.local import MAX_EXPANDED, LocalMechanism
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    exit_code,
    normalized_lines,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import leakage_text, never_checked_lines
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.sequences.leakage import LocalLeakage

_RUNS = 4  # of equal symbols that are shown on either side of the private record
_SHORT = 60  # characters of an output that is shown in full
_DIGITS = 15  # of a count of inequalities that is shown in full


def audit_sequences(
    long: Sequences,
    level: Level | None,
    listing: Sequence[str],
    certificate: str | None,
    as_json: bool,
) -> int:
    """Audit a mechanism on sequences that are too long to list, print what was found, and return
    the exit code.

    `listing` are options that were given and go with what can be listed. Raises `ModelError` unless
    there are none.
    """
    framework, (mechanism,) = long.framework, long.mechanisms
    refuse_listing(long, listing)
    with working("auditing"):
        found = audit(framework.value, mechanism.value, level)
        answer = found.as_json() | {"inputs": hashes(framework=framework, mechanism=mechanism)}
        answer |= priors_json(framework.value.normalized)
        if mechanism.value.normalized:
            answer["normalized"] = True
        if certificate is not None:
            data = _certified(long, level).encode()
            answer |= {"trust": ["KERNEL"], "certificate": certificate}
            write_outputs({certificate: data}, certificate, inputs=[framework.path, mechanism.path])
    divided = normalized_lines(mechanism.value.normalized, mechanism.path)
    divided += priors_lines(framework.value.normalized, framework.path, certificate)
    warn([*divided, *never_checked_lines(found)])
    print_answer(answer, [*audit_lines(found), f"trust     {', '.join(answer['trust'])}"], as_json)
    return exit_code(found.verdict)


def certified_short(
    framework: str, mechanism: str, level: Level | None, normalize: bool = False
) -> bytes | None:
    """Return a certificate of redaction on a chain that is short enough to list; None as
    `short_redaction` does.
    """
    read = short_redaction(framework, mechanism, normalize)
    return None if read is None else _certified(read, level).encode()


def short_redaction(framework: str, mechanism: str, normalize: bool = False) -> Sequences | None:
    """Read redaction on a chain that is short enough to list, whose files the kernel re-reads.

    None where it has no rule for redaction like this, so that the mechanism is certified as it is
    listed.
    """
    from pufferproof.models.files.reading import read_loaded
    from pufferproof.models.files.shapes import FrameworkFile, MarkovPrior, RecordSecret

    shape = read_loaded(framework, FrameworkFile).value
    single = (
        all(isinstance(held, RecordSecret) for held in shape.secrets.values())
        and shape.closure == "list"
    )
    if not single or not all(isinstance(prior, MarkovPrior) for prior in shape.priors.values()):
        return None
    read = read_sequences(framework, mechanism, normalize)
    return None if read is None or not _has_rule(read) else read


def _has_rule(read: Sequences) -> bool:
    framework, mechanism = read.framework.value, read.mechanisms[0].value
    chains, records = (
        list(framework.chains.values()),
        {record for record, _ in framework.places.values()},
    )
    simple = (
        mechanism.redaction is not None
        and len(chains) == len(records) == 1
        and len(mechanism.alphabet) == 2
    )
    chain = chains[0]
    return (
        simple
        and chain.rows is None
        and chain.emission is None
        and not any(0 in row for row in chain.step)
    )


def _certified(long: Sequences, level: Level | None) -> str:
    """Return the text of a certificate that the kernel accepts. Raises `CertificateError` as
    `sequence_certificate` does.
    """
    from pufferproof.verify.certificates.writing import certified_text

    return certified_text(sequence_certificate(long, level))


def sequence_certificate(long: Sequences, level: Level | None) -> dict[str, Any]:
    """Return the certificate of an audit. Raises `CertificateError` where there is no rule for
    so general an audit.
    """
    from pufferproof.verify.certificates.redaction import leakage_certificate
    from pufferproof.verify.certificates.writing import Inputs
    from pufferproof.verify.sequences.leakage import binary_chain

    if not _has_rule(long):
        raise CertificateError(
            "too long to list, the kernel has a rule only for redaction of two values, one Markov "
            "prior without zeros, and secrets of one record"
        )
    framework, mechanism = long.framework.value, long.mechanisms[0].value
    chains, records = (
        list(framework.chains.values()),
        {record for record, _ in framework.places.values()},
    )
    chain, inputs = (
        binary_chain(chains[0], mechanism.length),
        Inputs(long.framework.sha256, (long.mechanisms[0].sha256,)),
    )
    redaction = LocalRedaction(mechanism.redaction or ())
    return leakage_certificate(chain, redaction, records.pop(), level, inputs)


def refuse_listing(long: Sequences, options: Sequence[str]) -> None:
    """Raise `ModelError` where an option was given that goes with a list of databases and
    outputs.
    """
    if options:
        outputs = " x ".join(
            f"{len(each.value.outputs)}^{each.value.length}" for each in long.mechanisms
        )
        raise ModelError(
            f"goes with what can be listed, and there are {outputs} outputs: "
            f"expected at most {MAX_EXPANDED} databases times outputs",
            options[0],
        )


def audit_lines(found: Audit) -> list[str]:
    """Render an audit on a sequence for a terminal, the verdict first."""
    lines = [] if found.verdict is None else [f"{found.verdict.value} {found.level}"]
    lines.append(f"leakage   {leakage_text(found.leakage)}")
    lines.append(f'witness   prior "{found.witness.prior}", {output_text(found)}')
    return [*lines, *times_lines(found), *checked_lines(found)]


def times_lines(found: Audit) -> list[str]:
    """Say how much likelier the output of a witness is under one secret, or which record rules
    the other one out.
    """
    above, below = found.witness.pair
    largest = along(found)
    if found.leakage.infinite:
        revealing = f"record {largest.revealing} reveals it"
        return [f'          possible under "{above}", impossible under "{below}": {revealing}']
    times = brief(largest.ratio[0] or Fraction(0))
    return [f'          {times} times as likely under "{above}" as under "{below}"']


def checked_lines(found: Audit) -> list[str]:
    """Say how many inequalities were decided, as a power where that is a long number, and what
    was left out.
    """
    excluded = found.scope.excluded
    left_out = (
        f" ({excluded} prior-pair combinations left out: a secret of probability 0)"
        if excluded
        else ""
    )
    return [f"checked   {count_text(found)} inequalities, none listed{left_out}"]


def along(found: Audit) -> LocalLeakage:
    """Return what an audit of a local mechanism found on sequences that are not listed."""
    if not isinstance(found.largest, LocalLeakage):
        raise TypeError("expected an audit on sequences that are not listed")
    return found.largest


def shown_by(found: Audit) -> LocalMechanism:
    """Return the local mechanism of an audit on sequences that are not listed."""
    if not isinstance(found.mechanism, LocalMechanism):
        raise TypeError("expected an audit of a local mechanism")
    return found.mechanism


def output_text(found: Audit) -> str:
    """Show the output of a witness in full or, if that is long, as runs of equal symbols around
    the private record.
    """
    mechanism, symbols, record = shown_by(found), along(found).symbols, along(found).record
    label = mechanism.label(symbols) if len(symbols) <= _SHORT else None
    if label is not None and len(label) <= _SHORT:
        return f'output "{label}"'
    runs: list[str] = []
    start, own = 1, 0
    for symbol, group in groupby(symbols):
        end = start + sum(1 for _ in group) - 1
        own = len(runs) if start <= record <= end else own
        place = f"record {start}" if start == end else f"records {start}-{end}"
        runs.append(f'{place} "{label_text(mechanism.outputs[symbol])}"')
        start = end + 1
    first, last = max(0, own - _RUNS), min(len(runs), own + _RUNS + 1)
    return ", ".join(["..."] * (first > 0) + runs[first:last] + ["..."] * (last < len(runs)))


def count_text(found: Audit) -> str:
    """Say how many inequalities there are, as a power where that is a long number."""
    if found.scope.checked < 10**_DIGITS:
        return str(found.scope.checked)
    outputs, length = len(shown_by(found).outputs), shown_by(found).length
    return f"{found.scope.checked // outputs**length} x {outputs}^{length}"
