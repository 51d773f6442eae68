"""The command `collapse`: mechanisms that each keep their budget and together reveal a secret, as
files with a certificate.

Writes one mechanism file per release and the certificate of infinite joint leakage into a folder,
or says that a collapse is proved impossible, or that nothing was decided. The search is
`counterexamples/collapse/search.py`. With `--above LEVEL` the same for joint leakage that exceeds a
level (`collapse_above.py`).
"""

import os
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from pufferproof.counterexamples.collapse.above import LeakageAbove, search_leakage_above
from pufferproof.counterexamples.collapse.search import (
    Collapse,
    Impossible,
    NotFound,
    search_collapse,
)
from pufferproof.counterexamples.shrink import shrink_collapse
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.inputs import digest
from pufferproof.models.files.mechanisms import read_channel
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.grammar import brief, text_of
from pufferproof.models.numbers.level import Level
from pufferproof.reports.composition.above import above_answer, above_lines, require_releases
from pufferproof.reports.console.options import (
    AsJson,
    Databases,
    FrameworkFile,
    Normalize,
    TrustCode,
    parsed_level,
    seconds_from,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.staging import MANIFEST, manifest, own_files
from pufferproof.reports.console.telling import (
    normalized_lines,
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import counted, leakage_text
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.leakage.ratio import Leakage, scope

_CERTIFICATE, _FORMAT = "certificate.json", "pufferproof-collapse/1"
_SHOWN = 8
_SECONDS = 120.0


def collapse(
    framework: FrameworkFile,
    out: Annotated[
        str,
        typer.Option(
            "--out", metavar="DIR", help="write m1.json, m2.json, .. and certificate.json here"
        ),
    ],
    partner: Annotated[
        str | None,
        typer.Option("--with", metavar="MECHANISM", help="look for a partner of this mechanism"),
    ] = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            metavar="LEVEL",
            help="one per release; a single one (default 0): the fewest releases",
        ),
    ] = None,
    above: Annotated[
        str | None,
        typer.Option(
            "--above", metavar="LEVEL", help="not to leak everything, but more than this level"
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", metavar="lp|rays|z3", help="how to search")
    ] = "lp",
    runs_limit: Annotated[
        int | None,
        typer.Option("--runs-limit", metavar="K", help="with a single budget: at most K releases"),
    ] = None,
    per_record: Annotated[
        str | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="mechanisms are also differentially private per record",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="S", callback=seconds_from(0.001), help="when to stop"),
    ] = _SECONDS,
    shrink: Annotated[
        bool,
        typer.Option(
            "--shrink", help="then look for the smallest such mechanisms, for --seconds more"
        ),
    ] = False,
    normalize: Normalize = False,
    databases: Databases = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
) -> None:
    """Build mechanisms that each keep a budget alone and together leak everything, or prove
    that there are none.
    """
    levels = [parsed_level(text, "--budget") for text in budget or ["log(1)"]]
    record, least_leakage = (
        parsed_level(per_record, "--per-record-dp"),
        parsed_level(above, "--above"),
    )
    if engine not in ("lp", "rays", "z3"):
        raise ModelError(f'expected "lp", "rays" or "z3", found "{engine}"', "--engine")
    least = 1 + (partner is not None)
    if runs_limit is not None and (runs_limit < least or len(levels) > 1):
        expected = f"at least {least}" if len(levels) == 1 else "a single --budget"
        raise ModelError(f"expected {expected}, found {runs_limit}", "--runs-limit")
    if least_leakage is not None:
        require_releases(levels if budget else None, runs_limit, partner, shrink)

    with working("looking for a collapse"):
        space = read_listed(framework, normalize)
        given = (
            None
            if partner is None
            else read_channel(partner, space.value, normalize, databases, trust_code)
        )
        channel = None if given is None else given.value
        way = cast(Literal["lp", "rays", "z3"], engine)  # refused above if it is none
        found: Collapse | LeakageAbove | Impossible | NotFound
        if least_leakage is None:
            found = search_collapse(space.value, levels, channel, way, runs_limit, seconds, record)
        else:
            found = search_leakage_above(
                space.value, levels, least_leakage, seconds, way, runs_limit, record
            )
        smallest: tuple[str, ...] | None = None
        if shrink and isinstance(found, Collapse):
            shrunk = shrink_collapse(found, seconds)
            found, smallest = shrunk.collapse, shrunk.proved
        answer = _answer(found, space, given) | {
            "smallest": None if smallest is None else list(smallest)
        }
        answer |= priors_json(space.value.normalized)
        answer["above"] = None if least_leakage is None else str(least_leakage)
        if least_leakage is not None and not isinstance(found, Collapse):
            answer |= above_answer(found, [*levels, least_leakage, record])
        if isinstance(found, Collapse | LeakageAbove):
            answer |= _written(found, space, given, out, [framework, partner, databases])
    first: list[str] = []
    if given is not None and partner is not None:
        alone = audit(space.value, given.value)
        answer["given"] = alone.leakage.as_json()
        first = [f"given     {leakage_text(alone.leakage)} alone  {partner}"]
        warn([*normalized_lines(normalize, partner), *_violations(alone, partner, levels)])
    warn(
        [
            *priors_lines(space.value.normalized, framework, answer["certificate"]),
            *_never_checked(space.value),
        ]
    )
    print_answer(answer, [*first, *collapse_lines(found, answer)], as_json)
    raise typer.Exit({True: 1, False: 0, None: 3}[answer["found"]])


def collapse_lines(
    found: Collapse | LeakageAbove | Impossible | NotFound, answer: dict[str, Any]
) -> list[str]:
    """Render what was found for a terminal."""

    if isinstance(found, LeakageAbove):
        first, *rest = above_lines(found, answer)
        return [
            first,
            *_file_lines(found, answer),
            *rest,
            f"proof     {answer['certificate']}",
            *_trust(answer),
        ]
    if answer["above"] is not None and not isinstance(found, Collapse):
        return [*above_lines(found, answer), *_trust(answer)]
    if isinstance(found, Impossible):
        have = "has" if found.releases == 1 else "have"
        lines = [
            f"collapse  proved impossible: {answer['searched']} within the budgets {have} finite "
            f"joint leakage"
        ]
        return [*lines, *_bound_lines(found), *_trust(answer)]
    if not isinstance(found, Collapse):
        return [f"collapse  undecided: {found.searched}", *_trust(answer)]
    few = found.fewest and len(set(found.budgets)) == 1 and found.given is None
    fewest = ", and fewer within this budget cannot" if few else ""
    above, below = found.pair
    return [
        f"collapse  found: {found.runs} releases leak everything{fewest}",
        *_file_lines(found, answer),
        *([f"smallest  proved: {', '.join(answer['smallest'])}"] if answer["smallest"] else []),
        f'witness   outputs {", ".join(found.outputs)}, under prior "{found.prior}"',
        f'          possible for database "{found.database}", so under "{above}", and for no '
        f'database of "{below}"',
        f"proof     {answer['certificate']}",
        *_trust(answer),
    ]


def _file_lines(found: Collapse | LeakageAbove, answer: dict[str, Any]) -> list[str]:
    return [
        f"          {path}  keeps {level}{' (as the one before)' if earlier == channel else ''}"
        for path, level, channel, earlier in zip(
            answer["mechanisms"], found.budgets, found.mechanisms, (None, *found.mechanisms)
        )
    ]


def _bound_lines(found: Impossible) -> list[str]:
    """Say which inequalities the budget implies for every column u."""

    lines = [
        "          for every output u of a mechanism within the budgets, u(x) being its "
        "probability for database x:"
    ]
    for x, kappa in found.bounds[:_SHOWN]:
        right = " + ".join(f"u({y})" if k == 1 else f"{brief(k)} u({y})" for y, k in kappa.items())
        lines.append(f"          u({x}) <= {right or 0}")
    if len(found.bounds) > _SHOWN:
        lines.append(f"          and {len(found.bounds) - _SHOWN} more")
    return lines if found.bounds else []


def _trust(answer: dict[str, Any]) -> list[str]:
    return [f"trust     {', '.join(answer['trust'])}"] if answer["trust"] else []


def _answer(
    found: Collapse | LeakageAbove | Impossible | NotFound,
    space: Loaded[Framework],
    given: Loaded[Channel] | None,
) -> dict[str, Any]:

    answer: dict[str, Any] = {
        "found": None,
        "runs": None,
        "joint": None,
        "mechanisms": [],
        "certificate": None,
    }
    answer |= {
        "witness": None,
        "fewest": None,
        "searched": None,
        "bounds": [],
        "given": None,
        "trust": [],
    }
    answer["inputs"] = hashes(framework=space, mechanism=given)
    if isinstance(found, Impossible):
        scope = (
            "any number of releases"
            if found.releases is None
            else counted(found.releases, "release")
        )
        bounds = [
            {"column": x, "at_most": {y: text_of(k) for y, k in kappa.items()}}
            for x, kappa in found.bounds
        ]
        trust = ["Z3", "CVC5"] if found.engine == "z3" else ["EXACT"]
        return answer | {"found": False, "searched": scope, "bounds": bounds, "trust": trust}
    if isinstance(found, NotFound):
        return answer | {"searched": found.searched}
    if not isinstance(found, Collapse):
        return answer
    witness = {
        "prior": found.prior,
        "pair": list(found.pair),
        "outputs": list(found.outputs),
        "database": found.database,
    }
    joint = Leakage.of(None).as_json()
    return answer | {
        "found": True,
        "runs": found.runs,
        "joint": joint,
        "witness": witness,
        "fewest": found.fewest,
    }


def _written(
    found: Collapse | LeakageAbove,
    space: Loaded[Framework],
    given: Loaded[Channel] | None,
    out: str,
    inputs: list[str | None],
) -> dict[str, Any]:
    """Write the mechanisms and the certificate the kernel has accepted, replacing nothing but
    an earlier collapse.
    """

    files = [mechanism_file(mechanism) for mechanism in found.mechanisms]
    mechanisms = [*([] if given is None else [given.sha256]), *(sha256 for _, sha256 in files)]
    document = certified_text(found.certificate(Inputs(space.sha256, tuple(mechanisms))))
    paths = [os.path.join(out, f"m{i + 1}.json") for i in range(len(files))]
    certificate = os.path.join(out, _CERTIFICATE)
    contents = {path: data for path, (data, _) in zip(paths, files)} | {
        certificate: document.encode()
    }
    hashes = {os.path.basename(path): digest(data) for path, data in contents.items()}
    contents[os.path.join(out, MANIFEST)] = manifest(_FORMAT, hashes)
    stale = _refuse_foreign(Path(out), [os.path.basename(path) for path in contents])
    write_outputs(contents, *contents, inputs=inputs, folder=out)
    for path in stale:
        path.unlink(missing_ok=True)
    return {"mechanisms": paths, "certificate": certificate, "trust": ["KERNEL"]}


def _refuse_foreign(folder: Path, names: list[str]) -> list[Path]:
    """Refuse to replace what an earlier `collapse` did not write, or what was changed since; return
    what would be left over.

    What it wrote, and with which content, is in its `files.json`.
    """
    own = own_files(folder, _FORMAT)
    for name in names:
        if os.path.lexists(folder / name) and name not in own:
            raise ModelError(
                "exists and was not written by an earlier collapse, expected another --out",
                str(folder / name),
            )
    return sorted(folder / name for name in own - {*names})


def _violations(alone: Audit, path: str, levels: list[Level]) -> list[str]:
    """Say that the given mechanism breaks a budget by itself, which is no matter of composition."""
    ratio = alone.leakage.ratio
    broken = [level for level in dict.fromkeys(levels) if ratio is None or level.compare(ratio) > 0]
    return [f"warning: {path} alone leaks more than the budget {level}" for level in broken]


def _never_checked(framework: Framework) -> list[str]:

    return [
        f'warning: pair "{left}", "{right}" was never checked: under every prior one of them has '
        f"probability 0"
        for left, right in scope(framework, 1).never_checked
    ]
