"""What releases over time leak, in lines for a terminal."""

from collections.abc import Iterable, Sequence

from pufferproof.lp.accounting.releases.plan import WindowMechanism
from pufferproof.lp.accounting.releases.schedule import Schedule
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_least, at_most, brief, fraction_of, in_quotes
from pufferproof.reports.auditing.words.answers import shared_lines
from pufferproof.reports.console.people import contrary_text, people_lines
from pufferproof.reports.console.words import counted, leakage_text, left_text, level_nats
from pufferproof.reports.correlation.release.words import LONG, Words
from pufferproof.verify.decision import Verdict
from pufferproof.verify.leakage.ratio import Leakage

_DIGITS = 4  # of a factor


def release_lines(planned: Schedule) -> list[str]:
    """Say what was found."""
    plan, joint = planned.plan, planned.joint
    number = counted(len(plan.releases), "release")
    many = Words(plan.words, plan.framework).many("person")
    lines = verdict_lines(joint.verdict, plan.budget, number)
    if planned.contrary and planned.who is not None:
        lines = [contrary_text(planned.who, many)]
    lines += [f"doubt     {doubt}" for doubt in plan.doubts]
    lines += [f"assumed   {each}" for each in plan.believed]
    lines += people_lines(planned.who, many, planned.accepted)
    lines.append(f"odds      {factor_text(joint.leakage)}")
    lines += leakage_lines(leakage_text(joint.leakage), number, planned.worst)
    lines += alone_lines(plan.groups, map(leakage_text, planned.alone))
    if planned.source is not None:
        lines.append(f"source    {planned.source}")
    lines.append(f"most      release {planned.release}: {release_text(plan.releases, planned.release)}")
    over = planned.who is not None and bool(planned.who.over)
    lines += least_lines(planned.least, joint.verdict, of_model=over)
    if planned.left is not None:
        lines.append(f"left      {left_text(planned.left)}")
    return [*lines, *shared_lines(planned.shared)]


def release_notes(planned: Schedule) -> list[str]:
    """Say what one should know of a plan."""
    broken = planned.plan.budget is not None and planned.verdict is not Verdict.SATISFIES
    scaled = broken and planned.together is None
    return notes_of(planned.plan.overlapping, scaled and planned.least is None)


def verdict_lines(verdict: Verdict | None, budget: Level | None, number: str) -> list[str]:
    """Say the verdict on a budget, if there is one; `number` says how many releases there are."""
    if verdict is None:
        return []
    together = "" if number.startswith("1 ") else " together"
    return [f"{verdict.value} {level_nats(budget)}  {number}{together}"]


def leakage_lines(leakage: str, number: str, pair: Sequence[str]) -> list[str]:
    """Say what releases leak together, and about which secrets most."""
    above, below = map(in_quotes, pair)
    return [f"leakage   {leakage}  ({number})", f"          most about {above} against {below}"]


def alone_lines(groups: Sequence[Sequence[object]], leakages: Iterable[str]) -> list[str]:
    """Say what one release of each kind leaks alone."""
    return [
        f"alone     {leakage}  [[release]] {place}, {counted(len(group), 'window')}"
        for place, (group, leakage) in enumerate(zip(groups, leakages), 1)
    ]


def least_lines(least: Enclosure | None, verdict: Verdict | None, of_model: bool = False) -> list[str]:
    """Say the least factor on all scales that keeps a budget, if it is known; `of_model`: some
    group needs more.
    """
    if least is None:
        return []
    factor = at_most(least.upper, 9)
    under = " under the model" if of_model else ""
    if verdict is Verdict.SATISFIES:
        return [f"least     all scales multiplied by {factor} would still keep the budget{under}"]
    return [f"least     multiply all scales by {factor} to keep the budget{under}"]


def notes_of(overlapping: bool, no_factor: bool) -> list[str]:
    """Say what one should know of releases: that windows overlap, that no noise was enough."""
    notes = []
    if overlapping:
        notes.append("note: some windows overlap, so their records are released more than once")
    if no_factor:
        notes.append("note: no factor on the scales was found that keeps the budget")
    return notes


def factor_text(leakage: Leakage) -> str:
    """Say e^leakage.

    >>> from fractions import Fraction
    >>> factor_text(Leakage.of(Fraction(702, 31))), factor_text(Leakage.of(Fraction(4)))
    ('multiplied by at most 22.65', 'multiplied by at most 4')
    >>> factor_text(Leakage.of(None)), factor_text(Leakage(Fraction(9, 7), None))
    ('multiplied without bound', 'multiplied by at least 1.285 at some output')
    """
    if leakage.lower is None:
        return "multiplied without bound"
    if leakage.upper is None:
        return f"multiplied by at least {at_least(leakage.lower, _DIGITS)} at some output"
    return f"multiplied by at most {at_most(leakage.upper, _DIGITS)}"


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
    text = query.noise.text
    return f"{query.noise.kind} {text if len(text) <= LONG else brief(fraction_of(text))}"
