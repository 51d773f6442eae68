"""The command `optimal`: the best mechanism within a level for a given loss, and how far a given
mechanism is from it.

Writes the mechanism as a file. With `--compose` the mechanism also meets a condition under which
such mechanisms compose. The computations are `lp/best/mechanism.py` and `lp/best/composable.py`.
"""

from typing import Annotated, Any

import typer

from pufferproof.lp.best.composable import ComposableOptimal, chosen_kernels, optimal_composable
from pufferproof.lp.best.losses import Loss
from pufferproof.lp.best.mechanism import (
    Gap,
    Optimal,
    loss_text,
    optimal_mechanism,
    optimum_certificate,
)
from pufferproof.lp.conditions.couplings import Kernel, kernels_of
from pufferproof.lp.cones.columns import Columns
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.mechanisms import read_channel
from pufferproof.models.files.reading import Loaded, hashes, read_loaded
from pufferproof.models.files.shapes import KernelsFile, LossFile
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Databases,
    FrameworkFile,
    Normalize,
    TrustCode,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    normalized_lines,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import leakage_text
from pufferproof.verify.audit import audit
from pufferproof.verify.certificates.writing import certified_text

_NAMED = ("coupling", "independent", "one-hot")


def optimal(
    framework: FrameworkFile,
    epsilon: Annotated[
        str,
        typer.Option(
            "--epsilon", metavar="LEVEL", help="level the mechanism keeps: log(N), log(N/M) or nats"
        ),
    ],
    loss: Annotated[
        str,
        typer.Option(
            "--loss", metavar="FILE", help="loss file: what each output costs for every database"
        ),
    ],
    out: Annotated[
        str,
        typer.Option("--out", metavar="FILE", help="write the best mechanism as a mechanism file"),
    ],
    prior: Annotated[
        str | None,
        typer.Option(
            "--prior",
            metavar="NAME",
            help="expect the loss under this prior; the worst of all if left out",
        ),
    ] = None,
    per_record: Annotated[
        str | None,
        typer.Option(
            "--per-record-dp", metavar="LEVEL", help="it is also differentially private per record"
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="MECHANISM", help="say how far this mechanism is from the best"
        ),
    ] = None,
    compose: Annotated[
        str | None,
        typer.Option(
            "--compose",
            metavar="CONDITION",
            help="coupling, independent, one-hot, or a file of kernels: it also meets this "
            "condition, and so composes",
        ),
    ] = None,
    certificate: CertificateOut = None,
    normalize: Normalize = False,
    databases: Databases = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
) -> None:
    """Find the mechanism within a level whose expected loss is least."""
    level, extra = parsed_level(epsilon), parsed_level(per_record, "--per-record-dp")

    gap = None
    with working("looking for the best mechanism"):
        space = read_listed(framework, normalize)
        table = _read_loss(loss, space.value)
        inputs: dict[str, Loaded[Any]] = {"framework": space, "loss": table}
        if compare is not None:
            given = read_channel(compare, space.value, normalize, databases, trust_code)
            own = table.value.expected(space.value, given.value, prior)
            inputs["mechanism"] = given
        found = _solve(space.value, level, table.value, prior, extra, compose, inputs)
        if compare is not None:
            gap = Gap(own, audit(space.value, given.value, level), (found.lower, found.upper))
        read = [framework, loss, compare, databases, None if compose in _NAMED else compose]
        written = {out: mechanism_file(found.channel)[0]}
        if certificate is not None:
            written[certificate] = _certified(found)
        write_outputs(written, out, certificate, inputs=read)
    answer = found.as_json() | {
        "compare": None if gap is None else gap.as_json(),
        "mechanism": out,
        "certificate": certificate,
        "inputs": hashes(**inputs),
        **priors_json(space.value.normalized),
    }
    divided = normalized_lines(normalize and compare is not None, compare or "")
    warn([*divided, *priors_lines(space.value.normalized, framework, certificate)])
    print_answer(answer, optimal_lines(found, gap), as_json)


def optimal_lines(found: Optimal | ComposableOptimal, gap: Gap | None) -> list[str]:
    """Render the best mechanism, and what it is compared with, for a terminal."""

    lines = []
    if gap is not None:
        said = (
            "keeps"
            if gap.single.verdict is not None and gap.single.verdict.value == "SATISFIES"
            else "VIOLATES"
        )
        lines.append(f"compared  leaks {leakage_text(gap.single.leakage)} and {said} {found.level}")
        lines.append(f"          expected loss {loss_text(gap.loss, gap.loss)}")
    single = next(iter(found.framework.priors)) if len(found.framework.priors) == 1 else None
    prior = found.prior or single
    under = "under the worst of the priors" if prior is None else f'under prior "{prior}"'
    lines.append(
        f"best      expected loss {loss_text(found.lower, found.upper)} within {found.level}, "
        f"{under}"
    )
    lines.append(f"          leaks {leakage_text(audit(found.framework, found.channel).leakage)}")
    composes = found.as_json()["compose"]
    if composes is not None:
        cost = (
            "exactly linearly"
            if composes["constant"] == "1"
            else f"up to a constant, log({composes['constant']})"
        )
        lines.append(f"composes  {cost}, by the condition {composes['condition']}")
    if gap is not None:
        lines.append(f"gap       {loss_text(gap.lower, gap.upper)}")
    return [*lines, f"trust     {', '.join(found.trust)}"]


def _solve(
    framework: Framework,
    level: Level,
    loss: Loss,
    prior: str | None,
    per_record: Level | None,
    compose: str | None,
    inputs: dict[str, Loaded[Any]],
) -> Optimal | ComposableOptimal:

    if compose is None:
        return optimal_mechanism(framework, level, loss, prior, per_record)
    if compose == "one-hot":
        columns = Columns(framework)
        kernels = chosen_kernels(framework, loss, "coupling")
        close = {
            (columns.databases[x], columns.databases[y])
            for beta in kernels
            for x in beta
            for y in beta[x]
        }
        return optimal_mechanism(framework, level, loss, prior, per_record, sorted(close))
    if compose in _NAMED:
        kernels = chosen_kernels(framework, loss, compose)
    else:
        inputs["kernels"], kernels = _read_kernels(compose, framework)
    return optimal_composable(framework, level, loss, kernels, prior, per_record)


def _certified(found: Optimal | ComposableOptimal) -> bytes:

    if not isinstance(found, Optimal):
        raise CertificateError(
            "there is no rule for an optimum under geometric means: expected no --certificate"
        )
    return certified_text(optimum_certificate(found)).encode()


def _read_loss(path: str, framework: Framework) -> Loaded[Loss]:

    shape = read_loaded(path, LossFile)
    try:
        loss = Loss.of(shape.value.outputs, shape.value.loss)
        loss.rows(framework)
    except ModelError as error:
        raise error.within(path) from None
    return Loaded(loss, path, shape.sha256)


def _read_kernels(path: str, framework: Framework) -> tuple[Loaded[Any], tuple[Kernel, ...]]:

    shape = read_loaded(path, KernelsFile)
    stated: dict[tuple[str, tuple[str, str]], Any] = {}
    for each in shape.value.kernels:
        stated[each.prior, (each.pair[0], each.pair[1])] = each.beta
    try:
        return shape, kernels_of(Columns(framework), stated)
    except ModelError as error:
        raise error.within(path) from None
