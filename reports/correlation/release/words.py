"""What releases over time leak, in lines for a terminal: the odds first, nats second."""

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from pufferproof.lp.accounting.schedule import Schedule
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.text import rounded, text_of, three
from pufferproof.reports.auditing.words import shared_lines, shared_sentences
from pufferproof.reports.console.labels import in_quotes
from pufferproof.reports.console.words import counted, leakage_text, level_nats, three_nats
from pufferproof.verify.leakage.ratio import Leakage

_LONG = 10**15  # from which a ratio is written with an exponent


def release_lines(found: Schedule) -> list[str]:
    """Say what was found."""
    plan, joint = found.plan, found.joint
    above, below = map(in_quotes, found.worst)
    number = counted(len(plan.releases), "release")
    lines = []
    if joint.verdict is not None:
        lines.append(f"{joint.verdict.value} {level_nats(plan.budget)}  {number} together")
    lines += [f"doubt     {doubt}" for doubt in plan.doubts]
    lines.append(f"odds      change at most {factor_text(joint.leakage)}")
    lines.append(f"leakage   {leakage_text(joint.leakage)}  ({number})")
    lines.append(f"          most about {above} against {below}")
    for place, (group, alone) in enumerate(zip(plan.groups, found.alone), 1):
        windows = counted(len(group), "window")
        lines.append(f"alone     {leakage_text(alone)}  [[release]] {place}, {windows}")
    lines.append(f"most      release {found.release}: {release_text(plan.releases, found.release)}")
    if found.least is not None:
        factor = rounded(found.least.upper, 9, up=True)
        lines.append(f"least     all scales times {factor} keep the budget")
    if found.left is not None:
        lines.append(f"left      {leakage_text(found.left)}")
    return [*lines, *shared_lines(found.shared)]


def release_sentences(found: Schedule) -> list[str]:
    """Say the same in sentences for a page, with three digits."""
    plan = found.plan
    above, below = map(in_quotes, found.worst)
    lines = [f"All releases together tell most about {above} against {below}."]
    for place, (group, alone) in enumerate(zip(plan.groups, found.alone), 1):
        which = f" of [[release]] {place}" if len(plan.groups) > 1 else ""
        odds = "without bound" if alone.upper is None else f"{_three(alone.upper)} times"
        lines.append(
            f"One of {counted(len(group), 'release')}{which} alone changes the odds at most "
            f"{odds}: it leaks {three_nats(alone)}."
        )
    number = found.release
    what = release_text(plan.releases, number)
    lines.append(f"Alone release {number} tells most: {what}.")
    if found.least is not None:
        factor = rounded(found.least.upper, 3, up=True)
        lines.append(f"All scales times {factor} keep the budget, the least up to rounding.")
    if found.left is not None:
        lines.append(f"The budget leaves {three_nats(found.left)}.")
    return [*lines, *shared_sentences(found.shared)]


def release_notes(found: Schedule) -> list[str]:
    """Say what one should know of a plan."""
    notes = []
    if found.plan.overlapping:
        notes.append("note: some windows overlap: their records are released more than once")
    if found.plan.budget is not None and found.least is None:
        notes.append("note: no factor on the scales was found that keeps the budget")
    return notes


def factor_text(leakage: Leakage) -> str:
    """Say e^leakage: `63.7 times`."""
    if leakage.upper is None:
        return "without bound"
    return f"{_short(leakage)} times"


def _short(leakage: Leakage) -> str:
    if leakage.ratio is not None and len(text_of(leakage.ratio)) < 12:
        return text_of(leakage.ratio)
    upper = leakage.upper or Fraction(0)
    return f"{float(upper):.4g}" if upper < _LONG else f"{_decimal(upper, 4):.3e}"


def _three(ratio: Fraction) -> str:
    return three(float(ratio), up=True) if ratio < _LONG else f"{_decimal(ratio, 3):.2e}"


def _decimal(ratio: Fraction, digits: int) -> Decimal:
    """Return a ratio that may be beyond the range of floats, rounded up."""
    up = Context(prec=digits, rounding=ROUND_CEILING)
    return up.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))


def release_text(releases: list[RecordQuery], number: int) -> str:
    """Say which query of which records a release is."""
    query = releases[number - 1]
    first, last = query.segment or (1, query.records.count)
    what = query.query if query.counted is None else f"count of {in_quotes(query.counted)}"
    return f"the {what} of records {first} to {last}, {query.noise.kind} {query.noise.text}"
