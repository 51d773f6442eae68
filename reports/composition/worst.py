"""The command `worst`: the most that any mechanisms within given budgets can leak when they are
released together.

Prints the exact worst case or a certified interval, where it is reached, and whether more releases
would leak everything; writes the mechanisms that reach it and a certificate of their joint leakage.
The computation is `lp/worst/composition.py`.
"""

import os
from typing import Annotated

import typer

from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.worst.certificates import upper_certificate
from pufferproof.lp.worst.composition import WorstComposition, worst_composition
from pufferproof.models.files.frameworks import read_bounded
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import outward
from pufferproof.reports.composition.plots.budgets import worst_plot
from pufferproof.reports.console.drawing import plot_file
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    FrameworkFile,
    NormalizePriors,
    PlotOut,
    parsed_level,
    seconds_from,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import classes_lines, priors_json, priors_lines, tell
from pufferproof.reports.console.words import counted, leakage_text, level_nats, never_checked_lines, trust_line
from pufferproof.reports.schemas.composition import Worst
from pufferproof.verify.audit import audit
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text, composition_certificate
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.ratio import Leakage

_METHODS = {
    "closed form": "by a closed form",
    "linear program": "by linear programs",
    "supports": "by the databases that outputs rule out",
    "extreme rays": "by all extreme rays",
    "bounds": "by bounds that meet",
    "members": "by mechanisms that keep the budgets for all chains of the classes",
}


_STOPPED = {
    "work": "the search stopped after its allowance of work, which is the same on every machine; "
    "--seconds S searches for S seconds instead",
    "rays": "the search stopped because there are too many extreme rays to list",
    "seconds": "the search stopped after the seconds you gave; a larger --seconds may narrow the bounds",
    None: "the search tried all that it can, and the bounds do not meet",
}


def worst(
    framework: FrameworkFile,
    budget: Annotated[
        list[str],
        typer.Option(
            "--budget",
            metavar="LEVEL",
            help="budget of one release: log(N), log(N/M) or nats; repeat the option for more releases",
        ),
    ],
    per_record: Annotated[
        str | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="level of differential privacy per record that every release also keeps",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="S",
            callback=seconds_from(0.001),
            help="time limit in seconds, after which proved bounds are reported [default: "
            "about a minute of counted work]",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="folder for worst-case mechanisms m1.json, m2.json, ..")
    ] = None,
    certificate: CertificateOut = None,
    plot: PlotOut = None,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Compute the largest joint leakage of any mechanisms within budgets."""
    levels = [parsed_level(text, "--budget") for text in budget]
    side = parsed_level(per_record, "--per-record-dp")

    with working("looking for the worst case", seconds):
        space = read_bounded(framework, normalize)
        case = worst_composition(space.value, levels, side, seconds=seconds)
        answer, written = _answer(case, space, out, certificate, seconds)
        named = [*(answer.mechanisms or []), certificate, plot]
        written |= plot_file(plot, lambda: worst_plot(case))
        write_outputs(written, *named, inputs=[framework], folder=out)
    notes = priors_lines(space.value.normalized, framework, certificate)
    notes += never_checked_lines(case.scope)
    notes += classes_lines(space.value)
    if space.value.classes and case.upper is None and case.lower is not None:
        notes.append(
            "note: an upper bound is known for one release, and for several with --per-record-dp; "
            "otherwise the mechanisms that keep a budget for a whole class form no cone"
        )
    elif not case.decided:
        notes.append(f"note: {_STOPPED[case.stopped]}")
    lines = [*worst_lines(case), trust_line(answer.trust, rests_on=answer.rests_on)]
    lines += [f"written   {path}" for path in answer.mechanisms or []]
    if answer.certificate is not None:
        lines.append(f"written   {answer.certificate}  certifies the {answer.certifies}")
    tell(answer, lines, notes, as_json, code=0 if case.decided else 3)


def _answer(
    case: WorstComposition, space: Loaded[Framework], out: str | None, certificate: str | None, seconds: float | None
) -> tuple[Worst, dict[str, bytes]]:
    """Return the answer and the files that were asked for."""
    files = [mechanism_file(channel) for channel in case.mechanisms]
    fields, certifies = case.as_json(), None
    paths = None if out is None else [os.path.join(out, f"m{k + 1}.json") for k in range(len(files))]
    written = dict(zip(paths or [], (data for data, _ in files)))
    if certificate is not None:
        stated = None if space.value.classes else space.sha256  # chains of a class are no file
        inputs = Inputs(stated, tuple(digest for _, digest in files))
        written[certificate], certifies = worst_certificate(case, inputs, seconds)
        fields["trust"] = ["KERNEL", *(fields["trust"] if certifies != "worst case" else [])]
    fields |= {"mechanisms": paths, "certificate": certificate, "certifies": certifies}
    fields |= {"inputs": hashes(framework=space), **priors_json(space.value.normalized)}
    return Worst.model_validate(fields), written


def worst_lines(case: WorstComposition) -> list[str]:
    """Render a worst case for a terminal."""
    side = case.per_record
    extra = "" if side is None else f", differentially private at {level_nats(side)} per record"
    lines = [f"budgets   {', '.join(map(level_nats, case.budgets))}{extra}"]
    if case.decided:
        how = f"{counted(len(case.budgets), 'release')}; {_METHODS[case.method]}"
        lines.append(f"worst     {leakage_text(case.joint)}  ({how})")
    else:
        low, high = outward(Leakage.of(case.lower).enclosure().lower, Leakage.of(case.upper).enclosure().upper)
        if case.lower is None or case.upper is None:
            interval = f"at least {low} nats, no upper bound was proved"
        else:
            interval = f"between {low} and {high} nats (the ratios differ by {float(case.upper / case.lower - 1):.2%})"
        lines.append(f"worst     undecided, {interval}")
    lines += [
        f"alone     {leakage_text(single)} at most, although the budget is {level_nats(level)}"
        for level, single in dict(zip(case.budgets, case.single)).items()
        if not (level.ratio is None or single.ratio == level.ratio)
    ]
    lines += [
        f'witness   outputs {", ".join(["w"] * len(case.budgets))}, under prior "{case.prior}"',
        f'          "{case.pair[0]}" against "{case.pair[1]}"',
    ]
    return [*lines, f"runs      {runs_text(case)}"]


def runs_text(case: WorstComposition) -> str:
    largest = level_nats(max(case.budgets, key=lambda level: level.bounds()[1]))
    if case.collapse_number is not None:
        return f"{case.collapse_number} releases within {largest} can leak everything, fewer cannot"
    if case.finite_for_all_runs is Decision.HOLDS:
        return f"finite for any number of releases within {largest}"
    if case.finite_for_all_runs is Decision.FAILS:
        return f"enough releases within {largest} leak everything; how many it takes was not decided"
    return f"whether more releases within {largest} can leak everything was not decided"


def worst_certificate(
    case: WorstComposition, inputs: Inputs, seconds: float | None = None, share: float = 1.0
) -> tuple[bytes, str]:
    """Return a certificate that the kernel accepts, and what it certifies.

    For two releases within rational budgets the worst case itself, or an upper bound of it.
    Otherwise, or where none was found at the limit, the joint leakage of the mechanisms, which the
    worst case is at least.
    """
    ratios = [level.ratio for level in case.budgets if level.ratio is not None]
    side = None if case.per_record is None else case.per_record.ratio
    if (
        case.upper is not None
        and case.method != "members"  # the bound is of the class, the files of some chains
        and len(ratios) == len(case.budgets) == 2
        and (side is None) == (case.per_record is None)
    ):
        files = Inputs(inputs.framework, ())
        document = upper_certificate(Columns(case.framework), ratios, side, case.upper, seconds, files, share)
        if document is not None:
            certifies = "worst case" if document["claim"]["attained"] else "upper bound"
            return certified_text(document).encode(), certifies
    if len(case.mechanisms) == 1:
        document = audit_certificate(audit(case.framework, case.mechanisms[0]), inputs)
    else:
        document = composition_certificate(case.composition(), inputs)
    return certified_text(document).encode(), "joint leakage of the mechanisms"
