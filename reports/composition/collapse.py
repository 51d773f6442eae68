"""The command `collapse`: mechanisms that each keep their budget and together reveal a secret, as
files with a certificate.

Writes one mechanism file per release and the certificate of infinite joint leakage into a folder,
or says that a collapse is proved impossible, or that nothing was decided. The search is
`counterexamples/collapse/search.py`. With `--above LEVEL` the same for joint leakage that exceeds a
level (`counterexamples/collapse/above.py`).
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from pufferproof.counterexamples.collapse.above import LeakageAbove, search_leakage_above
from pufferproof.counterexamples.collapse.search import Collapse, Impossible, NotFound, search_collapse
from pufferproof.counterexamples.shrink import shrink_collapse
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_bounded
from pufferproof.models.files.programs import Calls, expect_used
from pufferproof.models.files.reading import Loaded, digest, hashes
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.models.priors.records import preview
from pufferproof.reports.console.options import (
    AsJson,
    Databases,
    FrameworkFile,
    Normalize,
    RecordsForm,
    Seconds,
    TrustCode,
    calls_of,
    parsed_level,
)
from pufferproof.reports.console.outputs import replacing, write_outputs
from pufferproof.reports.console.staging import MANIFEST, manifest, own_files
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import (
    classes_lines,
    normalized_lines,
    priors_json,
    priors_lines,
    read_channel,
    tell,
    with_programs,
)
from pufferproof.reports.console.words import counted, leakage_text, level_nats, never_checked_lines, trust_line
from pufferproof.reports.schemas import composition as schema
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.leakage.ratio import Leakage, scope

# Words --------------------------------------------------------------------------------------------
#
# What `collapse` says on a terminal: mechanisms that together leak everything, or more than a
# level, or that there are none.

Outcome = Collapse | LeakageAbove | Impossible | NotFound

_SHOWN = 8  # inequalities of a proof that there is no collapse


def collapse_lines(outcome: Outcome, answer: schema.Collapse) -> list[str]:
    """Render what was found for a terminal."""
    if isinstance(outcome, Collapse):
        few = outcome.fewest and len(set(outcome.budgets)) == 1 and outcome.given is None
        fewest = ", and fewer within this budget cannot" if few else ""
        above, below = outcome.pair
        smallest = [f"smallest  proved: {', '.join(answer.smallest)}"] if answer.smallest else []
        lines = [
            f"collapse  found: {outcome.runs} releases leak everything{fewest}",
            *_file_lines(outcome, answer),
            *smallest,
            f'witness   outputs {", ".join(outcome.outputs)}, under prior "{outcome.prior}"',
            f'          possible for database "{outcome.database}", so under "{above}", '
            f'and for no database of "{below}"',
            f"proof     {answer.certificate}",
        ]
    elif answer.above is not None:
        if isinstance(outcome, Impossible):
            none = f"{answer.searched} within the budgets leak at most {level_nats(answer.above)}"
            lines = [f"above     proved impossible: {none}"]
        elif isinstance(outcome, NotFound):
            lines = [f"above     undecided: {outcome.searched}"]
        else:
            fewest = ", and fewer within this budget cannot" if answer.fewest else ""
            many, (above, below) = counted(outcome.runs, "release"), outcome.pair
            lines = [
                f"above     found: {many} leak more than {level_nats(outcome.level)}{fewest}",
                *_file_lines(outcome, answer),
                f"joint     {leakage_text(outcome.joint)}",
                f'witness   outputs {", ".join(outcome.outputs)}, under prior "{outcome.prior}"',
                f'          "{above}" against "{below}"',
                f"proof     {answer.certificate}",
            ]
    elif isinstance(outcome, Impossible):
        lines = _impossible_lines(outcome, answer)
    else:
        lines = [f"collapse  undecided: {answer.searched}"]
    trust = trust_line(answer.trust, rests_on=answer.rests_on)
    return [*lines, *([trust] if answer.trust else [])]


def _file_lines(outcome: Collapse | LeakageAbove, answer: schema.Collapse) -> list[str]:
    return [
        f"          {path}  keeps {level_nats(level)}{' (same as the previous one)' if earlier == channel else ''}"
        for path, level, channel, earlier in zip(
            answer.mechanisms, outcome.budgets, outcome.mechanisms, (None, *outcome.mechanisms)
        )
    ]


def _impossible_lines(outcome: Impossible, answer: schema.Collapse) -> list[str]:
    """Say that there is no collapse, and which inequalities the budget implies for all u."""
    have = "has" if outcome.releases == 1 else "have"
    none = f"{answer.searched} within the budgets {have} finite joint leakage"
    lines = [f"collapse  proved impossible: {none}"]
    if not outcome.bounds:
        return lines
    lines.append(
        "          for every output u of a mechanism within the budgets, u(x) being its probability for database x:"
    )
    for x, kappa in outcome.bounds[:_SHOWN]:
        right = " + ".join(f"u({y})" if k == 1 else f"{brief(k)} u({y})" for y, k in kappa.items())
        lines.append(f"          u({x}) <= {right or 0}")
    more = len(outcome.bounds) - _SHOWN
    return [*lines, f"          and {more} more"] if more > 0 else lines


# Command ------------------------------------------------------------------------------------------

_CERTIFICATE, _FORMAT = "certificate.json", "pufferproof-collapse/1"


def collapse(
    framework: FrameworkFile,
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="folder for m1.json, m2.json, .. and certificate.json")
    ],
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="MECHANISM",
            help="mechanism that is one of the releases (a file or module:function), or "
            "NAME=VALUE for an argument of the function",
        ),
    ] = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            "--budget",
            metavar="LEVEL",
            help="budget of each release; given once, it is the budget of as few releases as possible [default: 0]",
        ),
    ] = None,
    above: Annotated[
        str | None,
        typer.Option(
            "--above", metavar="LEVEL", help="level that the joint leakage must exceed, instead of revealing everything"
        ),
    ] = None,
    engine: Annotated[str, typer.Option("--engine", metavar="lp|rays|z3", help="search method")] = "lp",
    runs_limit: Annotated[
        int | None, typer.Option("--runs-limit", metavar="K", help="largest number of releases; needs a single budget")
    ] = None,
    per_record: Annotated[
        str | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="level of differential privacy per record that the mechanisms also keep",
        ),
    ] = None,
    seconds: Seconds = None,
    shrink: Annotated[bool, typer.Option("--shrink", help="then simplify the mechanisms, with as much again")] = False,
    normalize: Normalize = False,
    databases: Databases = None,
    trust_code: TrustCode = False,
    records: RecordsForm = "text",
    as_json: AsJson = False,
) -> None:
    """Find mechanisms that keep a budget alone and reveal everything together, or prove that none
    exist.
    """
    levels = [parsed_level(text, "--budget") for text in budget or ["log(1)"]]
    record = parsed_level(per_record, "--per-record-dp")
    more_than = parsed_level(above, "--above")
    partner, calls = _partner(given or [], trust_code, records)
    _require_search(engine, len(levels), runs_limit, 1 + (partner is not None))
    if more_than is not None:
        _require_releases(levels if budget else None, runs_limit, partner, shrink)
    with working("looking for a collapse", seconds):
        space = read_bounded(framework, normalize)
        known_one = None
        if partner is not None:
            known_one = read_channel(partner, space.value.of_laws(), normalize, databases, calls)
        way = cast(Literal["lp", "rays", "z3"], engine)
        question = _CollapseQuestion(space, known_one, levels, more_than, record, way, runs_limit, seconds)
        outcome, smallest = question.decide(shrink)
        paths: list[str] = []
        certificate = None
        if isinstance(outcome, Collapse | LeakageAbove):
            paths, certificate = _write(outcome, question, out, [framework, partner, databases])
    listed = space.value.of_laws()
    alone = None if known_one is None else audit(listed, known_one.value)
    answer = question.answer(outcome, smallest, alone, paths, certificate)
    notes, first = [], []
    if alone is not None:
        first = [f"given     {leakage_text(alone.leakage)} alone  {partner}"]
        notes = normalized_lines(normalize, partner or "")
        # it breaks a budget by itself, which is no matter of composition
        ratio = alone.leakage.ratio
        broken = [level for level in dict.fromkeys(levels) if ratio is None or level.compare(ratio) > 0]
        notes += [f"warning: {partner} alone leaks more than the budget {level_nats(level)}" for level in broken]
    notes += priors_lines(space.value.normalized, framework, answer.certificate)
    notes += never_checked_lines(scope(listed, 1)) + classes_lines(space.value)
    code = {True: 1, False: 0, None: 3}[answer.found]
    tell(answer, [*first, *collapse_lines(outcome, answer)], notes, as_json, code=code)


def _partner(given: list[str], trusted: bool, records: str) -> tuple[str | None, Calls]:
    """Return the mechanism that one of the releases is, and how it is called if it is code: of
    `--with`, NAME=VALUE is an argument of it.
    """
    own = [text for text in given if text.partition("=")[0].isidentifier() and "=" in text]
    mechanisms = [text for text in given if text not in own]
    calls = calls_of(trusted, records, own)
    if len(mechanisms) > 1:
        raise ModelError(f"expected one mechanism, found {preview(mechanisms)}", "--with")
    expect_used(calls, mechanisms)
    return (mechanisms[0] if mechanisms else None), calls


def _require_search(engine: str, budgets: int, runs_limit: int | None, least: int) -> None:
    """Raise `ModelError` unless there is such an engine, and a limit goes with one budget."""
    if engine not in ("lp", "rays", "z3"):
        raise ModelError(f'expected "lp", "rays" or "z3", found "{engine}"', "--engine")
    if runs_limit is not None and (runs_limit < least or budgets > 1):
        expected = f"at least {least}" if budgets == 1 else "a single --budget"
        raise ModelError(f"expected {expected}, found {runs_limit}", "--runs-limit")


def _require_releases(budgets: list[Level] | None, runs_limit: int | None, partner: str | None, shrink: bool) -> None:
    """Raise `ModelError` unless options say what is released, and how often."""
    if partner is not None:
        raise ModelError("leave out --above or --with: `pufferproof partner` finds the worst partner", "--with")
    if shrink:
        raise ModelError("leave out --above: only collapses are shrunk", "--shrink")
    given = len(budgets or [])
    if given == 0 or (given == 1 and runs_limit is None):
        raise ModelError(f"expected at least two with --above, or one and --runs-limit, found {given}", "--budget")
    if runs_limit is not None and runs_limit < 2:
        raise ModelError(f"expected at least 2 with --above, found {runs_limit}", "--runs-limit")


@dataclass(frozen=True)
class _CollapseQuestion:
    """Which releases are looked for: within budgets, and leaking everything, or above a level."""

    space: Loaded[Framework]
    given: Loaded[Channel] | None
    budgets: list[Level]
    above: Level | None
    per_record: Level | None
    engine: Literal["lp", "rays", "z3"]
    runs_limit: int | None
    seconds: float | None

    def decide(self, shrink: bool) -> tuple[Outcome, tuple[str, ...] | None]:
        """Search; return the outcome, shrunk if asked for, and in what it is proved smallest."""
        space, engine, seconds = self.space.value, self.engine, self.seconds
        if shrink and space.classes:
            raise ModelError("needs single laws, found classes of chains", "--shrink")
        limit, record = self.runs_limit, self.per_record
        if self.above is not None:
            return search_leakage_above(space, self.budgets, self.above, seconds, engine, limit, record), None
        given = None if self.given is None else self.given.value
        outcome = search_collapse(space, self.budgets, given, engine, limit, seconds, record)
        if not shrink or not isinstance(outcome, Collapse):
            return outcome, None
        shrunk = shrink_collapse(outcome, seconds)
        return shrunk.collapse, shrunk.proved

    @property
    def proof(self) -> list[str]:
        """What a proof that there is nothing to find rests on."""
        if self.engine == "z3":
            return ["Z3", "CVC5"]
        levels = [*self.budgets, self.above, self.per_record]
        irrational = any(level is not None and level.ratio is None for level in levels)
        return ["EXACT", "INTERVAL"] if irrational and self.above is not None else ["EXACT"]

    def answer(
        self,
        outcome: Outcome,
        smallest: Sequence[str] | None,
        alone: Audit | None,
        mechanisms: list[str],
        certificate: str | None,
    ) -> schema.Collapse:
        """Return what is printed with `--json`: of an outcome, of the given mechanism `alone`, and
        of the files that were written.
        """
        fields: JsonObject = {
            **dict.fromkeys(("found", "runs", "joint", "witness", "fewest", "searched")),
            "bounds": [],
            "trust": [],
            "rests_on": [],
            "mechanisms": mechanisms,
            "certificate": certificate,
            "smallest": smallest and list(smallest),
            "above": self.above and str(self.above),
            "given": alone and alone.leakage.as_json(),
            "inputs": hashes(framework=self.space, mechanism=self.given),
            **priors_json(self.space.value.normalized),
        }
        if isinstance(outcome, NotFound):
            fields["searched"] = outcome.searched
        elif isinstance(outcome, Impossible):
            many = outcome.releases
            fields |= {
                "found": False,
                "searched": "any number of releases" if many is None else counted(many, "release"),
                "bounds": [
                    {"column": x, "at_most": {y: text_of(k) for y, k in kappa.items()}} for x, kappa in outcome.bounds
                ],
                "trust": self.proof,
                "rests_on": outcome.rests_on,
            }
        else:
            fields |= {
                "found": True,
                "runs": outcome.runs,
                "joint": (Leakage.of(None) if isinstance(outcome, Collapse) else outcome.joint).as_json(),
                "witness": {
                    "prior": outcome.prior,
                    "pair": list(outcome.pair),
                    "outputs": list(outcome.outputs),
                    "database": outcome.database if isinstance(outcome, Collapse) else None,
                },
                "fewest": outcome.fewest if isinstance(outcome, Collapse) or len(set(outcome.budgets)) == 1 else None,
                "trust": ["KERNEL", *(self.proof if outcome.rests_on else [])],
                "rests_on": outcome.rests_on,
            }
        return schema.Collapse.model_validate(with_programs(fields, self.given))


def _write(
    outcome: Collapse | LeakageAbove, question: _CollapseQuestion, out: str, inputs: list[str | None]
) -> tuple[list[str], str]:
    """Write the mechanisms and the certificate the kernel has accepted, in the place of an earlier
    collapse; over other files with `--replace` alone. Return their paths.
    """
    files = [mechanism_file(mechanism) for mechanism in outcome.mechanisms]
    given = [] if question.given is None else [question.given.sha256]
    mechanisms = (*given, *(sha256 for _, sha256 in files))
    classes = question.space.value.classes
    stated = None if classes else question.space.sha256  # chains of a class are no file
    document = certified_text(outcome.certificate(Inputs(stated, mechanisms)))
    paths = [os.path.join(out, f"m{i + 1}.json") for i in range(len(files))]
    certificate = os.path.join(out, _CERTIFICATE)
    contents = {path: data for path, (data, _) in zip(paths, files)} | {certificate: document.encode()}
    hashes = {os.path.basename(path): digest(data) for path, data in contents.items()}
    contents[os.path.join(out, MANIFEST)] = manifest(_FORMAT, hashes)
    stale = _refuse_foreign(Path(out), [os.path.basename(path) for path in contents])
    write_outputs(contents, *contents, inputs=inputs, folder=out, anew=True)
    for path in stale:
        path.unlink(missing_ok=True)
    return paths, certificate


def _refuse_foreign(folder: Path, names: list[str]) -> list[Path]:
    """Refuse to replace what an earlier `collapse` did not write, or what was changed since; return
    what would be left over.

    What it wrote, and with which content, is in its `files.json`.
    """
    own = own_files(folder, _FORMAT)
    for name in names:
        if os.path.lexists(folder / name) and name not in own and not replacing():
            raise ModelError("exists and was not written by collapse; --replace overwrites it", str(folder / name))
    return sorted(folder / name for name in own - {*names})
