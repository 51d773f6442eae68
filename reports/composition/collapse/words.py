"""What `collapse` says on a terminal: mechanisms that together leak everything, or more than a
level, or that there are none.
"""

from pufferproof.counterexamples.collapse.above import LeakageAbove
from pufferproof.counterexamples.collapse.search import Collapse, Impossible, NotFound
from pufferproof.models.numbers.text import brief
from pufferproof.reports.console.words import counted, leakage_text, level_nats, trust_line
from pufferproof.reports.schemas import composition as schema

Outcome = Collapse | LeakageAbove | Impossible | NotFound

_SHOWN = 8  # inequalities of a proof that there is no collapse


def collapse_lines(outcome: Outcome, answer: schema.Collapse) -> list[str]:
    """Render what was found for a terminal."""
    if isinstance(outcome, Collapse):
        lines = _found_lines(outcome, answer)
    elif answer.above is not None:
        lines = _above_lines(outcome, answer)
    elif isinstance(outcome, Impossible):
        lines = _impossible_lines(outcome, answer)
    else:
        lines = [f"collapse  undecided: {answer.searched}"]
    trust = trust_line(answer.trust, rests_on=answer.rests_on)
    return [*lines, *([trust] if answer.trust else [])]


def _found_lines(outcome: Collapse, answer: schema.Collapse) -> list[str]:
    few = outcome.fewest and len(set(outcome.budgets)) == 1 and outcome.given is None
    fewest = ", and fewer within this budget cannot" if few else ""
    above, below = outcome.pair
    smallest = [f"smallest  proved: {', '.join(answer.smallest)}"] if answer.smallest else []
    return [
        f"collapse  found: {outcome.runs} releases leak everything{fewest}",
        *_file_lines(outcome, answer),
        *smallest,
        f'witness   outputs {", ".join(outcome.outputs)}, under prior "{outcome.prior}"',
        f'          possible for database "{outcome.database}", so under "{above}", and for no '
        f'database of "{below}"',
        f"proof     {answer.certificate}",
    ]


def _above_lines(
    outcome: LeakageAbove | Impossible | NotFound, answer: schema.Collapse
) -> list[str]:
    """Say what was found where joint leakage is to exceed a level."""
    if isinstance(outcome, Impossible):
        none = f"{answer.searched} within the budgets leak at most {level_nats(answer.above)}"
        return [f"above     proved impossible: {none}"]
    if isinstance(outcome, NotFound):
        return [f"above     undecided: {outcome.searched}"]
    fewest = ", and fewer within this budget cannot" if answer.fewest else ""
    many, (above, below) = counted(outcome.runs, "release"), outcome.pair
    return [
        f"above     found: {many} leak more than {level_nats(outcome.level)}{fewest}",
        *_file_lines(outcome, answer),
        f"joint     {leakage_text(outcome.joint)}",
        f'witness   outputs {", ".join(outcome.outputs)}, under prior "{outcome.prior}"',
        f'          "{above}" against "{below}"',
        f"proof     {answer.certificate}",
    ]


def _file_lines(outcome: Collapse | LeakageAbove, answer: schema.Collapse) -> list[str]:
    return [
        f"          {path}  keeps {level_nats(level)}"
        f"{' (same as the previous one)' if earlier == channel else ''}"
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
        "          for every output u of a mechanism within the budgets, u(x) being its "
        "probability for database x:"
    )
    for x, kappa in outcome.bounds[:_SHOWN]:
        right = " + ".join(f"u({y})" if k == 1 else f"{brief(k)} u({y})" for y, k in kappa.items())
        lines.append(f"          u({x}) <= {right or 0}")
    more = len(outcome.bounds) - _SHOWN
    return [*lines, f"          and {more} more"] if more > 0 else lines
