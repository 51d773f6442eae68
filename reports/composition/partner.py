"""The command `partner`: the mechanism within a budget that leaks most when it is released together
with a given one.

Prints the leakage of the given mechanism alone first, then the largest joint leakage with its
witness, and writes the partner as a mechanism file. The computation is `lp/worst/partner.py`.
"""

from collections.abc import Sequence
from typing import Annotated

import typer

from pufferproof.lp.worst.partner import Partner, worst_partner
from pufferproof.models.files.writing import mechanism_file
from pufferproof.reports.auditing.words import composition_lines
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Code,
    Databases,
    FrameworkFile,
    MechanismFile,
    Normalize,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import Question, classes_lines, tell
from pufferproof.reports.console.words import leakage_text, level_nats, never_checked_lines, trust_line
from pufferproof.reports.schemas import composition as schema
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.certificates.writing import Inputs, certified_text, composition_certificate


def partner(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    code: Code,
    budget: Annotated[
        str,
        typer.Option("--budget", metavar="LEVEL", help="level that the partner keeps alone: log(N), log(N/M) or nats"),
    ],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="mechanism file to write")],
    per_record: Annotated[
        str | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="level of differential privacy per record that the partner also keeps",
        ),
    ] = None,
    certificate: CertificateOut = None,
    normalize: Normalize = False,
    databases: Databases = None,
    as_json: AsJson = False,
) -> None:
    """Find the mechanism that leaks the most together with a given one."""
    level, extra = parsed_level(budget, "--budget"), parsed_level(per_record, "--per-record-dp")

    with working("solving linear programs for the worst partner"):
        question = Question.read(framework, mechanism, normalize, databases, code.calls, classes=True)
        best = worst_partner(question.framework.value, question.mechanism.value, level, extra)
        data, digest = mechanism_file(best.channel)
        written = {out: data}
        if certificate is not None:
            space = question.framework
            stated = None if space.value.classes else space.sha256  # chains of a class are no file
            inputs = Inputs(stated, (question.mechanism.sha256, digest))
            document = composition_certificate(best.together, inputs)
            written[certificate] = certified_text(document).encode()
        write_outputs(written, out, certificate, inputs=[framework, mechanism, databases])
    fields = question.answer(best.as_json(), partner=out, certificate=certificate)
    answer = schema.Partner.model_validate(fields)
    notes = [*question.notes(certificate), *never_checked_lines(best.single.scope)]
    notes += classes_lines(question.framework.value)
    lines = partner_lines(best, mechanism, out, answer.trust)
    tell(answer, lines, notes, as_json, code=0 if best.decided else 3)


def partner_lines(best: Partner, mechanism: str, out: str, trust: Sequence[str]) -> list[str]:
    """Render the worst partner for a terminal."""
    within = f"within {level_nats(best.budget)}" + (
        f", per record {level_nats(best.per_record)}" if best.per_record else ""
    )
    lines = [f"budget    {within}", *composition_lines(best.together, [mechanism, out])]
    if not best.decided:
        lines.append("worst     undecided: at least this joint leakage, an upper bound was not found")
    elif best.joint.infinite:
        lines.append("worst     the partner and the mechanism collapse: together they leak everything")
    else:
        lines.append(f"worst     no partner within the budget leaks more than {leakage_text(best.joint)}")
    return [*lines, trust_line(trust, rests_on=bases(best.rests_on))]
