"""What releases over time leak, in lines for a terminal."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from pufferproof.lp.accounting.releases.schedule import Schedule
from pufferproof.lp.accounting.releases.windows import WindowMechanism
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.text import rounded, text_of
from pufferproof.reports.auditing.words.answers import shared_lines
from pufferproof.reports.console.labels import in_quotes
from pufferproof.reports.console.words import counted, leakage_text, level_nats
from pufferproof.verify.leakage.ratio import Leakage

_LONG = 10**15  # from which a ratio is written with an exponent


def release_lines(planned: Schedule) -> list[str]:
    """Say what was found."""
    plan, joint = planned.plan, planned.joint
    above, below = map(in_quotes, planned.worst)
    number = counted(len(plan.releases), "release")
    lines = []
    if joint.verdict is not None:
        lines.append(f"{joint.verdict.value} {level_nats(plan.budget)}  {number} together")
    lines += [f"doubt     {doubt}" for doubt in plan.doubts]
    lines += [f"assumed   {each}" for each in plan.assumed]
    lines.append(f"odds      {factor_text(joint.leakage)}")
    lines.append(f"leakage   {leakage_text(joint.leakage)}  ({number})")
    lines.append(f"          most about {above} against {below}")
    for place, (group, alone) in enumerate(zip(plan.groups, planned.alone), 1):
        windows = counted(len(group), "window")
        lines.append(f"alone     {leakage_text(alone)}  [[release]] {place}, {windows}")
    if planned.source is not None:
        lines.append(f"source    {planned.source}")
    lines.append(
        f"most      release {planned.release}: {release_text(plan.releases, planned.release)}"
    )
    if planned.least is not None:
        factor = rounded(planned.least.upper, 9, up=True)
        lines.append(f"least     multiply all scales by {factor} to keep the budget")
    if planned.left is not None:
        lines.append(f"left      {leakage_text(planned.left)}")
    return [*lines, *shared_lines(planned.shared)]


def release_notes(planned: Schedule) -> list[str]:
    """Say what one should know of a plan."""
    notes = []
    if planned.plan.overlapping:
        notes.append("note: some windows overlap, so their records are released more than once")
    scaled = planned.plan.budget is not None and planned.together is None
    if scaled and planned.least is None:
        notes.append("note: no factor for the scales was found that keeps the budget")
    return notes


def factor_text(leakage: Leakage) -> str:
    """Say e^leakage: `multiplied by at most 63.7`."""
    if leakage.upper is None:
        return "change without bound"
    return f"multiplied by at most {_short(leakage)}"


def _short(leakage: Leakage) -> str:
    if leakage.ratio is not None and len(text_of(leakage.ratio)) < 12:
        return text_of(leakage.ratio)
    upper = leakage.upper or Fraction(0)
    return f"{float(upper):.4g}" if upper < _LONG else f"{_decimal(upper, 4):.3e}"


def _decimal(ratio: Fraction, digits: int) -> Decimal:
    """Return a ratio that may be beyond the range of floats, rounded up."""
    up = Context(prec=digits, rounding=ROUND_CEILING)
    return up.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))


def release_text(releases: Sequence[RecordQuery | WindowMechanism], number: int) -> str:
    """Say which query, table or program of which records a release is."""
    release = releases[number - 1]
    of_records = release.records.stretch(*release.ends)
    if isinstance(release, WindowMechanism):
        return f"{release.name} of {of_records}"
    counts = "count of " + in_quotes(release.counted) if release.counted else release.query
    return f"the {counts} of {of_records}, {noise_text(release)}"


def noise_text(query: RecordQuery) -> str:
    """Say the noise of a query: `laplace 10`."""
    return f"{query.noise.kind} {query.noise.text}"
