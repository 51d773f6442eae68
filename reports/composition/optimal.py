"""The command `optimal`: the best mechanism within a level for a given loss, and how far a given
mechanism is from it.

Writes the mechanism as a file. With `--compose` the mechanism also meets a condition under which
such mechanisms compose. The computations are `lp/best/mechanism.py` and `lp/best/composable.py`.
"""

from typing import Annotated, Any

import typer

from pufferproof.lp.best.composable import ComposableOptimal, chosen_kernels, optimal_composable
from pufferproof.lp.best.mechanism import Gap, Loss, Optimal, loss_text, optimal_mechanism, optimum_certificate
from pufferproof.lp.conditions import kernels_of
from pufferproof.lp.cones.columns import Columns
from pufferproof.models.errors import CertificateError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.reading import Loaded, hashes, in_file, read_loaded
from pufferproof.models.files.shapes import KernelsFile, LossFile
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Code,
    Databases,
    FrameworkFile,
    Normalize,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import (
    normalized_lines,
    priors_json,
    priors_lines,
    read_channel,
    tell,
    with_programs,
)
from pufferproof.reports.console.words import leakage_text, level_nats, trust_line
from pufferproof.reports.schemas import composition as schema
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates.writing import certified_text
from pufferproof.verify.decision import Decision, united

_NAMED = ("coupling", "independent", "one-hot")


def optimal(
    framework: FrameworkFile,
    code: Code,
    epsilon: Annotated[
        str, typer.Option("--epsilon", metavar="LEVEL", help="level that the mechanism keeps: log(N), log(N/M) or nats")
    ],
    loss: Annotated[
        str, typer.Option("--loss", metavar="FILE", help="loss file: the cost of each output for every database")
    ],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="mechanism file to write")],
    prior: Annotated[
        str | None,
        typer.Option("--prior", metavar="NAME", help="prior for the expected loss [default: the worst prior]"),
    ] = None,
    per_record: Annotated[
        str | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="level of differential privacy per record that the mechanism also keeps",
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="MECHANISM", help="mechanism to compare with the optimum: a file or module:function"
        ),
    ] = None,
    compose: Annotated[
        str | None,
        typer.Option(
            "--compose",
            metavar="CONDITION",
            help="condition that the mechanism also meets, so that it composes: coupling, "
            "independent, one-hot, or a file of kernels",
        ),
    ] = None,
    certificate: CertificateOut = None,
    normalize: Normalize = False,
    databases: Databases = None,
    as_json: AsJson = False,
) -> None:
    """Find the mechanism of least expected loss that keeps a level."""
    level, extra = parsed_level(epsilon), parsed_level(per_record, "--per-record-dp")

    with working("solving a linear program for the best mechanism"):
        space = read_listed(framework, normalize)
        shape = read_loaded(loss, LossFile)
        with in_file(loss):
            table = Loaded(Loss.of(shape.value.outputs, shape.value.loss), loss, shape.sha256)
            table.value.rows(space.value)
        given = None
        if compare is not None:
            given = read_channel(compare, space.value, normalize, databases, code.calls)
            table.value.expected(space.value, given.value, prior)  # outputs that have no loss are refused first
        best, kernels = _best(space.value, level, table.value, prior, extra, compose)
        gap = None
        if given is not None:
            own = table.value.expected(space.value, given.value, best.prior)
            gap = Gap(own, audit(space.value, given.value, best.level), (best.lower, best.upper))
        written = {out: mechanism_file(best.channel)[0]}
        if certificate is not None:
            if not isinstance(best, Optimal):
                raise CertificateError(
                    "the kernel has no rule for an optimum under geometric means: leave out --certificate"
                )
            written[certificate] = certified_text(optimum_certificate(best)).encode()
        inputs = [framework, loss, compare, databases, None if compose in _NAMED else compose]
        write_outputs(written, out, certificate, inputs=inputs)
    alone, normalized = audit(best.framework, best.channel), space.value.normalized
    files: dict[str, Loaded[Any] | None] = {"framework": space, "loss": table, "mechanism": given, "kernels": kernels}
    fields = {
        **best.as_json(),
        "compare": gap and gap.as_json(),
        "mechanism": out,
        "certificate": certificate,
        "rests_on": united(best.rests_on, alone.rests_on, () if gap is None else gap.single.rests_on),
        "inputs": hashes(**{name: file for name, file in files.items() if file is not None}),
        **priors_json(normalized),
    }
    answer = schema.Optimal.model_validate(with_programs(fields, given))
    notes = normalized_lines(normalize and compare is not None, compare or "")
    notes += priors_lines(normalized, framework, certificate)
    trust = trust_line(answer.trust, rests_on=answer.rests_on)
    tell(answer, [*optimal_lines(best, gap, alone), trust], notes, as_json)


def _best(
    framework: Framework, level: Level, loss: Loss, prior: str | None, per_record: Level | None, compose: str | None
) -> tuple[Optimal | ComposableOptimal, Loaded[KernelsFile] | None]:
    """Return the best mechanism, and the file of kernels if the condition was one."""
    if compose is None:
        return optimal_mechanism(framework, level, loss, prior, per_record), None
    if compose == "one-hot":
        columns, kernels = Columns(framework), chosen_kernels(framework, loss, "coupling")
        # the pairs of databases that a coupling compares
        close = {(columns.databases[x], columns.databases[y]) for beta in kernels for x in beta for y in beta[x]}
        return optimal_mechanism(framework, level, loss, prior, per_record, sorted(close)), None
    if compose in _NAMED:
        kernels = chosen_kernels(framework, loss, compose)
        return optimal_composable(framework, level, loss, kernels, prior, per_record), None
    read = read_loaded(compose, KernelsFile)
    stated = {(kernel.prior, (kernel.pair[0], kernel.pair[1])): kernel.beta for kernel in read.value.kernels}
    with in_file(compose):
        kernels = kernels_of(Columns(framework), stated)
    return optimal_composable(framework, level, loss, kernels, prior, per_record), read


def optimal_lines(best: Optimal | ComposableOptimal, gap: Gap | None, alone: Audit) -> list[str]:
    """Render the best mechanism, its audit alone, and what it is compared with, for a terminal."""
    lines, level = [], level_nats(best.level)
    if gap is not None:
        said = "keeps" if gap.single.kept is Decision.HOLDS else "VIOLATES"
        lines.append(f"compared  leaks {leakage_text(gap.single.leakage)} and {said} {level}")
        lines.append(f"          expected loss {loss_text(gap.loss, gap.loss)}")
    single = next(iter(best.framework.priors)) if len(best.framework.priors) == 1 else None
    prior = best.prior or single
    under = "under the worst of the priors" if prior is None else f'under prior "{prior}"'
    lines.append(f"best      expected loss {loss_text(best.lower, best.upper)} within {level}, {under}")
    lines.append(f"          leaks {leakage_text(alone.leakage)}")
    composes = best.as_json()["compose"]
    if composes is not None:
        cost = "exactly linearly" if composes["constant"] == "1" else f"up to a constant, log({composes['constant']})"
        lines.append(f"composes  {cost}, by the condition {composes['condition']}")
    if gap is not None:
        lines.append(f"gap       {loss_text(gap.lower, gap.upper)}")
    return lines
