"""What a report audits: mechanisms of examples alone, released together, and released again and
again, with evidence each.

An `AuditRun` or `ComposeRun` holds the audit, the object that the command line prints for the
same files, and the kernel's answer. A `RateRun` adds how a mechanism's leakage grows with the
number of runs: its composition rate with evidence, exact leakages of up to `CURVE_RUNS` runs, and,
where finitely many runs leak everything, how soon they do. A `WorstRun` is what any mechanism
could do: the worst two releases at the level of a framework.
"""

import json
import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pufferproof.lp.accounting.published.every import published_bounds
from pufferproof.lp.rates.nfc import Rate, composition_rate, rate_certificate
from pufferproof.lp.worst.composition import WorstComposition, worst_composition
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.question import Listed, read
from pufferproof.models.files.reading import hashes, read_loaded
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.records import Records
from pufferproof.reports.auditing.any_form import Files, audit_files
from pufferproof.reports.auditing.certificates import audit_evidence, unread_forms
from pufferproof.reports.composition.accounting import published_json
from pufferproof.reports.composition.any_form import AnyComposition, compose_files, composition_evidence, released
from pufferproof.reports.composition.plots.releases import RateCurve, rate_curve
from pufferproof.reports.composition.rates import rates_affordable
from pufferproof.reports.composition.worst import worst_certificate
from pufferproof.reports.console.telling import priors_json
from pufferproof.reports.console.words import table_csv
from pufferproof.reports.page.evidence import PageEvidence, checked, copied_inputs, evidenced, named_inputs
from pufferproof.reports.page.examples import AuditCase, ComposeCase, Example
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.leakage.ratio import Leakage, Row, leakage_table
from pufferproof.verify.leakage.runs.revealing import Observer, RevealingRow

MAX_TABLE_ROWS = 100_000  # of a CSV file in the report
SHOWN_ROWS = 200  # of a table in the page
CURVE_RUNS = 20


@dataclass(frozen=True)
class AuditRun:
    """An audit of an example, the object that `audit --json` prints, evidence, and the start of its
    table.

    `table` is the CSV file in the report, None when the table has over `MAX_TABLE_ROWS` rows, or
    outputs are not listed. `inputs` are the files it rests on, in the report.
    """

    name: str
    example: Example
    case: AuditCase
    audit: Audit
    answer: JsonObject
    evidence: PageEvidence
    table: str | None
    rows: tuple[Row, ...]
    inputs: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """Return what was audited, the answer, its table, and evidence."""
        return {
            "example": self.example.name,
            "title": self.example.title,
            "shows": self.case.shows,
            "files": {"framework": self.case.framework, "mechanism": self.case.mechanism},
            "epsilon": self.case.epsilon,
            "audit": self.answer,
            "table": self.table,
            **self.evidence.as_json(),
        }


@dataclass(frozen=True)
class RateRun:
    """A mechanism released again and again: its rate, evidence, and the leakages of some numbers of
    runs.

    `revealing` is how soon secrets are certain, where the rate is infinite and that is not too much
    to follow.
    """

    mechanism: str
    rate: Rate
    evidence: PageEvidence
    curve: RateCurve
    revealing: tuple[RevealingRow, ...]

    def as_json(self) -> JsonObject:
        """Return mechanism, rate, leakages by number of runs, what is revealed when, and
        evidence.
        """
        curve = [{"runs": k, "leakage": leakage.as_json()} for k, leakage in zip(self.curve.runs, self.curve.leakages)]
        revealing = [row.as_json() for row in self.revealing] or None
        shown = {"mechanism": self.mechanism, "rate": self.rate.as_json(), "curve": curve, "reveal": revealing}
        return shown | self.evidence.as_json()


@dataclass(frozen=True)
class ComposeRun:
    """A joint release of an example, the object that `compose --json` prints, evidence, and rates.

    `rates` has an entry for every different mechanism, none when there are too many games to solve,
    or outputs are not listed. `inputs` are the files it rests on, in the report.
    """

    name: str
    example: Example
    case: ComposeCase
    together: AnyComposition
    answer: JsonObject
    evidence: PageEvidence
    rates: tuple[RateRun, ...]
    inputs: tuple[str, ...]

    @property
    def single(self) -> tuple[Leakage, ...]:
        """The leakage of every release alone."""
        return tuple(each.leakage for each in released(self.together).single)

    def as_json(self) -> JsonObject:
        """Return what was released together, the answer, rates, and evidence."""
        return {
            "example": self.example.name,
            "title": self.example.title,
            "shows": self.case.shows,
            "files": {"framework": self.case.framework, "mechanisms": self.case.mechanisms},
            "compose": self.answer,
            "rates": [rate.as_json() for rate in self.rates],
            **self.evidence.as_json(),
        }


Known = dict[tuple[str, str, str], RateRun]  # by example, framework and mechanism


def run_audit(example: Example, number: int, out: Path) -> AuditRun:
    """Audit the case at position `number` of an example, and write its inputs, certificate and
    table below `out`.
    """
    case = example.audits[number]
    name = f"{example.name}-{number + 1}"
    level = None if case.epsilon is None else Level.parse(case.epsilon)
    files = read(example.path(case.framework), [example.path(case.mechanism)])
    audit = audit_files(files, level)
    answer = audit.as_json() | {"inputs": hashes(framework=files.framework, mechanism=files.mechanisms[0])}
    answer |= priors_json(files.framework.value.normalized)
    inputs = copied_inputs(example, case.files, out, files.framework.named)
    asked = [] if case.epsilon is None else ["--epsilon", case.epsilon]
    evidence = evidenced(
        lambda: audit_evidence(files, audit),
        f"certificates/{name}.json",
        inputs,
        ["pufferproof", "audit", *inputs, *asked],
        out,
        _unread(example, case.files),
    )
    table, rows = _written_table(audit, f"tables/{name}.csv", out) if audit.is_listed else (None, ())
    every = _every_input(inputs, files)
    return AuditRun(name, example, case, audit, _with_trust(answer, evidence), evidence, table, rows, every)


def run_compose(example: Example, number: int, out: Path, known: Known) -> ComposeRun:
    """Audit the joint release at position `number` of an example, and write its inputs and
    certificates below `out`.

    Rates that are `known` from earlier joint releases of the example are taken from there, others
    are added.
    """
    case = example.composes[number]
    name = f"{example.name}-compose-{number + 1}"
    files = read(example.path(case.framework), [example.path(file) for file in case.mechanisms])
    together = compose_files(files)
    answer = together.as_json() | {"inputs": files.inputs}
    if isinstance(together, Composition):
        answer |= {"published": published_json(published_bounds(together))}
    answer |= priors_json(files.framework.value.normalized)
    inputs = copied_inputs(example, case.files, out, files.framework.named)
    rates = _rates(example, case, files, out, known) if isinstance(files, Listed) else {}
    answer["rate"] = [rates[file].rate.as_json() for file in case.mechanisms] if rates else None
    evidence = evidenced(
        lambda: composition_evidence(files, together),
        f"certificates/{name}.json",
        inputs,
        ["pufferproof", "compose", *inputs],
        out,
        _unread(example, case.files),
    )
    answer, every = _with_trust(answer, evidence), _every_input(inputs, files)
    return ComposeRun(name, example, case, together, answer, evidence, tuple(rates.values()), every)


def _unread(example: Example, files: Sequence[str]) -> list[str]:
    framework, *mechanisms = (example.path(file) for file in files)
    return unread_forms(framework, mechanisms)


def _every_input(inputs: Sequence[str], files: Files) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*inputs, *named_inputs(inputs[0], files.framework.named)]))


def _rates(example: Example, case: ComposeCase, files: Listed, out: Path, known: Known) -> dict[str, RateRun]:
    """Return the rates of the different mechanisms by file, or none if games are many."""
    if files.framework.value.classes or not rates_affordable(files.framework.value):
        return {}
    rates = {}
    for file, mechanism in zip(case.mechanisms, files.mechanisms):
        key = example.name, case.framework, file
        if key not in known:
            number = 1 + sum(name == example.name for name, _, _ in known)
            inputs = copied_inputs(example, (case.framework, file), out, files.framework.named)
            alone = Listed(files.framework, (mechanism,))
            unread = _unread(example, (case.framework, file))
            known[key] = _rate(f"{example.name}-rate-{number}", file, alone, inputs, out, unread)
        rates[file] = known[key]
    return rates


def _rate(name: str, file: str, files: Listed, inputs: Sequence[str], out: Path, unread: Sequence[str]) -> RateRun:
    space, (mechanism,) = files.framework, files.mechanisms
    rate = composition_rate(space.value, mechanism.value)
    path = f"certificates/{name}.json"
    command = ["pufferproof", "compose", *inputs, "--rate-certificate", os.path.basename(path)]
    sources = Inputs(space.sha256, (mechanism.sha256,))
    evidence = evidenced(lambda: rate_certificate(rate, sources), path, inputs, command, out, unread)
    revealing = _revealing(space.value, mechanism.value) if rate.infinite else ()
    return RateRun(file, rate, evidence, rate_curve(space.value, rate, CURVE_RUNS), revealing)


def _revealing(framework: Framework, mechanism: Channel) -> tuple[RevealingRow, ...]:
    try:
        return tuple(Observer(framework, mechanism).rows(CURVE_RUNS))
    except ModelError:  # too much to follow: the report then shows leakages only
        return ()


def _with_trust(answer: JsonObject, evidence: PageEvidence) -> dict[str, object]:
    """Return an answer with what it rests on: the kernel, or claims with their verdicts."""
    if evidence.accepted:
        return answer | {"trust": ["KERNEL"], "rests_on": [], "certificate": evidence.certificate}
    return answer | {"rests_on": [basis.as_json() for basis in bases(answer["rests_on"])]}


def _written_table(audit: Audit, path: str, out: Path) -> tuple[str | None, tuple[Row, ...]]:
    rows = leakage_table(audit.framework, audit.channel)
    if audit.scope.checked > MAX_TABLE_ROWS:
        return None, tuple(islice(rows, SHOWN_ROWS))
    every = tuple(rows)
    write_atomically(out / path, table_csv(every))
    return path, every[:SHOWN_ROWS]


# What any mechanism could do: for every framework of an example, the worst two releases at its level, and how many
# collapse.
#
# The level is the first one that an audit of the framework asks for, or else the largest leakage found there. Small
# frameworks only, and with a small part of the usual work, which is counted and not timed: what was not decided is
# left out, with the reason. The computation is `lp/worst/composition.py`; the evidence is the certificate that
# `pufferproof worst --certificate` writes, asked about to the kernel as a separate process.

MAX_DATABASES = 64
SHARE = 0.05
"""Of the work of `pufferproof worst`: about 3 seconds."""
_UNDECIDED = (
    "it was not decided with the work that a report allows, which is counted and not timed: "
    "`pufferproof worst` allows 20 times as much"
)


@dataclass(frozen=True)
class WorstRun:
    """The worst two releases within a level, for a framework of an example; or why they were left
    out.

    `certifies` says what the certificate proves: the worst case, or the joint leakage of mechanisms
    that reach it.
    """

    name: str
    example: Example
    framework: str
    level: Level | None
    worst: WorstComposition | None
    left_out: str
    certifies: str = ""
    evidence: PageEvidence | None = None

    def as_json(self) -> JsonObject:
        """Return where it stands, the object `worst --json` prints in short, and evidence; or
        the reason it is left out.
        """
        worst = None if self.worst is None else self.worst.as_json()
        if (
            worst is not None
            and self.certifies == "worst case"
            and self.evidence is not None
            and self.evidence.accepted
        ):
            worst |= {"trust": ["KERNEL"], "rests_on": []}
        shown: JsonObject = {"example": self.example.name, "framework": self.framework}
        shown |= {"level": None if self.level is None else str(self.level), "worst": worst}
        shown |= {"left_out": self.left_out or None, "certifies": self.certifies or None}
        return shown | ({} if self.evidence is None else self.evidence.as_json())


def frameworks_of(example: Example) -> list[str]:
    """Return the framework files of an example, in the order in which they are named."""
    named = [case.framework for case in example.audits] + [case.framework for case in example.composes]
    return list(dict.fromkeys(named))


def run_worst(
    example: Example, number: int, audits: Iterable[AuditRun], composes: Iterable[ComposeRun], out: Path
) -> WorstRun:
    """Compute the worst two releases for the framework at position `number` of an example, and
    write evidence below `out`.
    """
    file = frameworks_of(example)[number]
    name = f"{example.name}-worst-{number + 1}"
    level = _level(
        [run for run in audits if run.example is example and run.case.framework == file],
        [run for run in composes if run.example is example and run.case.framework == file],
    )
    shape = read_loaded(example.path(file), FrameworkFile).value
    if shape.records is not None and not Records(shape.records.count, tuple(shape.records.alphabet)).enumerable:
        return WorstRun(name, example, file, level, None, "its databases are too many to list")
    space = read_listed(example.path(file))
    reason = _left_out(space.value, level)
    if reason or level is None:
        return WorstRun(name, example, file, level, None, reason)
    try:
        worst = worst_composition(space.value, [level, level], share=SHARE)
    except ModelError as error:
        return WorstRun(name, example, file, level, None, f"it cannot be computed: {error}")
    if not worst.decided:
        return WorstRun(name, example, file, level, None, _UNDECIDED)
    inputs, unread = (copied_inputs(example, [file], out, space.named), unread_forms(example.path(file), []))
    certifies, evidence = _evidence(name, worst, inputs, space.sha256, out, unread)
    return WorstRun(name, example, file, level, worst, "", certifies, evidence)


def _level(audits: Sequence[AuditRun], composes: Sequence[ComposeRun]) -> Level | None:
    """Return the first level asked for, or the largest rational leakage, or None."""
    asked = [run.audit.level for run in audits if run.audit.level is not None]
    if asked:
        return asked[0]
    leakages: list[Leakage] = [run.audit.leakage for run in audits]
    leakages += [single for run in composes for single in run.single]
    ratios = [leakage.ratio for leakage in leakages if leakage.ratio is not None]
    return Level.log(max(ratios)) if ratios else None


def _left_out(framework: Framework, level: Level | None) -> str:
    """Say why nothing is computed for a framework, in which case the text is not empty."""
    if framework.closure == "convex":
        return (
            "the framework allows all mixtures of its priors, and the worst mechanisms are "
            "computed for listed priors only"
        )
    if len(framework.databases) > MAX_DATABASES:
        return (
            f"it has {len(framework.databases)} databases, and a report computes worst cases for "
            f"at most {MAX_DATABASES}"
        )
    return (
        "no level is asked for, and no finite leakage was found that is the logarithm of a rational"
        if level is None
        else ""
    )


def _evidence(
    name: str, worst: WorstComposition, inputs: Sequence[str], sha256: str, out: Path, unread: Sequence[str]
) -> tuple[str, PageEvidence]:
    """Write the mechanisms that reach the worst case, and the certificate; say what it
    certifies, and what the kernel says.
    """
    files = [mechanism_file(channel) for channel in worst.mechanisms]
    paths = [f"inputs/{name}/m{k}.json" for k in range(1, len(files) + 1)]
    (out / "inputs" / name).mkdir()
    for path, (data, _) in zip(paths, files):
        (out / path).write_bytes(data)
    hashes = Inputs(sha256, tuple(digest for _, digest in files))
    document, certifies = worst_certificate(worst, hashes, share=SHARE)
    path = f"certificates/{name}.json"
    write_atomically(out / path, document.decode())
    budgets = [word for level in worst.budgets for word in ("--budget", str(level))]
    command = shlex.join(["pufferproof", "worst", inputs[0], *budgets])
    spoken_of = [*inputs, *(paths if json.loads(document)["mechanisms"] else [])]
    return certifies, checked(path, spoken_of, out, [command], unread)
