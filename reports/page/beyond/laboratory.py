"""What any mechanism could do: for every framework of an example, the worst two releases at its
level, and how many collapse.

The level is the first one that an audit of the framework asks for, or else the largest leakage
found there. Small frameworks only, and with a small part of the usual work, which is counted and
not timed: what was not decided is left out, with the reason. The computation is
`lp/worst/composition.py`; the evidence is the certificate that `pufferproof worst --certificate`
writes, asked about to the kernel as a separate process.
"""

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pufferproof.lp.worst.composition import WorstComposition, worst_composition
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.records import Records
from pufferproof.reports.auditing.evidence import unread_forms
from pufferproof.reports.composition.worst import worst_certificate
from pufferproof.reports.page.evidence import PageEvidence, checked, copied_inputs
from pufferproof.reports.page.examples import Example
from pufferproof.reports.page.runs import AuditRun, ComposeRun
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.leakage.ratio import Leakage

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
