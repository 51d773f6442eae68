"""What the report's page says of many releases: rates, curves, what is revealed when, and what any
mechanism could do.

Every number comes from the runs; nothing is decided here.
"""

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from pathlib import Path

from pufferproof.lp.rates.nfc import Rate
from pufferproof.lp.worst.composition import WorstComposition, worst_composition
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.files.writing import mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, capital, full_stop
from pufferproof.models.priors.records import Records
from pufferproof.reports.auditing.certificates import unread_forms
from pufferproof.reports.composition.any_form import released
from pufferproof.reports.composition.plots.releases import composition_plot, rate_plot, revealing_plot
from pufferproof.reports.composition.rates import rate_phrase
from pufferproof.reports.composition.worst import runs_text, worst_certificate
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import chance_text, leakage_text, times_text, trust_text
from pufferproof.reports.explaining.picture import Picture
from pufferproof.reports.page.evidence import PageEvidence, checked, copied_inputs
from pufferproof.reports.page.examples import Example
from pufferproof.reports.page.runs import CURVE_RUNS, AuditRun, ComposeRun, RateRun
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.leakage.runs.revealing import RevealingRow

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


_NAMED = 6  # secrets in a description of a plot
_LIKELY = Fraction(99, 100)


def rate_rows(run: ComposeRun) -> list[dict[str, str]]:
    """Return a row per release: its mechanism, its leakage alone, and its composition rate."""
    rates = {rate.mechanism: _rate_text(rate.rate) for rate in run.rates}
    return [
        {"mechanism": name, "leakage": leakage_text(single), "rate": rates.get(name, "not computed")}
        for name, single in zip(run.case.mechanisms, run.single)
    ]


def _rate_text(rate: Rate) -> str:
    return "infinite: finitely many runs leak everything" if rate.infinite else rate_phrase(rate)


def rates_pictures(run: ComposeRun) -> list[Picture]:
    """Return the curves of many runs: leakage against the rate, and how soon secrets are
    certain where the rate is infinite.
    """
    slow = [rate for rate in run.rates if not rate.revealing]
    fast = [rate for rate in run.rates if rate.revealing]
    return [*([_curves(slow)] if slow else []), *map(_certainty, fast)]


def revealed_sentences(run: ComposeRun) -> list[str]:
    """Say for every mechanism that reveals secrets how soon the first of them is certain."""
    said = []
    for rate in run.rates:
        rows = [row for row in rate.revealing if row.goal == "secret"]
        if rows:
            soonest = min(rows, key=lambda row: (row.law.never, row.law.expected or 0))
            again = f"Suppose that {rate.mechanism} is released again and again"
            said.append(f"{again}, with fresh randomness. {capital(full_stop(_revealed(soonest)))}")
    return said


def worst_section(runs: Sequence[WorstRun]) -> dict[str, object] | None:
    """Return what the page shows of the worst cases of an example, None when there is nothing
    to show.
    """
    if not runs:
        return None
    rows = [_worst_row(run, run.worst) for run in runs if run.worst is not None]
    left_out = [f"{run.framework} is left out because {run.left_out}." for run in runs if run.worst is None]
    return {"anchor": f"{runs[0].example.name}-any", "rows": rows, "left_out": left_out}


def _worst_row(run: WorstRun, worst: WorstComposition) -> dict[str, object]:
    # say whether the worst case is certainly at most the sum of rational budgets
    ratios = [level.ratio for level in worst.budgets if level.ratio is not None]
    adds = len(ratios) == len(worst.budgets) and worst.upper is not None and worst.upper <= prod(ratios)
    finite = "ADDS UP" if adds else "EXCEEDS"
    word = "REVEALS ALL" if worst.lower is None else finite
    return {
        "framework": run.framework,
        "level": str(run.level),
        "joint": leakage_text(worst.joint),
        "word": word,
        "kind": {"REVEALS ALL": "bad", "ADDS UP": "good"}.get(word, "open"),
        "runs": runs_text(worst),
        "certifies": run.certifies,
        "trust": trust_text(worst.trust, bases(worst.rests_on)),
        "evidence": run.evidence,
    }


def _curves(rates: Sequence[RateRun]) -> Picture:
    captions = []
    for each in rates:
        last, rate = leakage_text(each.curve.leakages[-1]), _rate_text(each.rate)
        captions.append(f"{each.mechanism}: {each.curve.runs[-1]} runs leak {last}; rate {rate}")
    curves = [(each.mechanism, each.curve) for each in rates]
    ends = [(mechanism, curve.runs[-1]) for mechanism, curve in curves]
    short = ", ".join(f"{mechanism} up to {end}" for mechanism, end in ends if end < CURVE_RUNS)
    said = "; ".join([*captions, *([f"{short} runs"] if short else [])])
    plot, asked = rate_plot(curves), max(curve.asked for _, curve in curves)
    counted = max(end for _, end in ends) == asked
    long = "" if counted else f"; leakages of up to {asked} runs take too long to compute"
    below = f"Leakage in nats (up) by number of runs (across){long}."
    return Picture(plot, f"{plot.finding} {said}.", below)


def _certainty(each: RateRun) -> Picture:
    rows = [row for row in each.revealing if row.goal == "secret"]
    said = f"{each.mechanism}: {'; '.join(_revealed(row) for row in rows[:_NAMED])}"
    plot = revealing_plot(rows)
    few = plot.panels[0].x.label.removeprefix("runs")
    below = f"Probability that the secret is certain (up) by number of runs (across){few}."
    return Picture(plot, f"{plot.finding} {said}.", below)


def _revealed(row: RevealingRow) -> str:
    """Say how soon a secret is certain: on average, and almost surely; or how often it never is."""
    given = f'if "{label_text(row.given)}" holds under the prior "{label_text(row.prior)}"'
    likely = next((k for k, value in enumerate(row.law.curve) if value >= _LIKELY), None)
    soon = "" if likely is None else f", and after {likely} runs with probability at least {float(_LIKELY):.0%}"
    if row.law.expected is None:
        return (
            f"{given}, the secret becomes certain with probability "
            f"{chance_text(1 - row.law.never)} and otherwise never{soon}"
        )
    runs = times_text(row.law.expected)
    return f"{given}, the secret is certain after {runs} runs on average{soon}"


def composition_pictures(run: ComposeRun) -> list[Picture]:
    """Return the leakage of a joint release beside those of its parts."""
    together, names = released(run.together), run.case.mechanisms
    alone = ", ".join(f"{name} {leakage_text(each)}" for name, each in zip(names, run.single))
    plot = composition_plot(together, [label_text(name, 24) for name in names])
    dashed = " The dashed line marks the sum of the separate leakages."
    below = "Leakage in nats." + dashed * (len(plot.panels[0].parts) > 1)
    joint = leakage_text(together.joint.leakage)
    return [Picture(plot, f"{plot.finding} Alone: {alone}; together: {joint}.", below)]
