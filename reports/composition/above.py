"""What `collapse --above LEVEL` says: mechanisms whose joint leakage exceeds a finite level, or
that there are none.

Holds the rules of its options and its lines for a terminal; the command
itself is `collapse.py`, the search `counterexamples/collapse/above.py`.
"""

from pufferproof.counterexamples.collapse.above import LeakageAbove
from pufferproof.counterexamples.collapse.search import Impossible, NotFound
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.reports.console.words import counted, leakage_text
from pufferproof.reports.schemas.composition import Collapse


def require_releases(
    budgets: list[Level] | None, runs_limit: int | None, partner: str | None, shrink: bool
) -> None:
    """Raise `ModelError` unless the options say what is released, and how often, when a level
    is to be exceeded.
    """
    if partner is not None:
        raise ModelError(
            "expected no --above, or no --with: `pufferproof partner` finds the worst partner",
            "--with",
        )
    if shrink:
        raise ModelError("expected no --above: only collapses are shrunk", "--shrink")
    given = len(budgets or [])
    if given == 0 or (given == 1 and runs_limit is None):
        raise ModelError(
            f"expected at least two with --above, or one and --runs-limit, found {given}",
            "--budget",
        )
    if runs_limit is not None and runs_limit < 2:
        raise ModelError(f"expected at least 2 with --above, found {runs_limit}", "--runs-limit")


def above_lines(outcome: LeakageAbove | Impossible | NotFound, answer: Collapse) -> list[str]:
    """Render what was found for a terminal, without the files."""
    if isinstance(outcome, Impossible):
        return [
            f"above     proved impossible: {answer.searched} within the budgets leak at most "
            f"{answer.above}"
        ]
    if not isinstance(outcome, LeakageAbove):
        return [f"above     undecided: {outcome.searched}"]
    fewest = ", and fewer within this budget cannot" if answer.fewest else ""
    first, second = outcome.pair
    return [
        f"above     found: {counted(outcome.runs, 'release')} leak more than "
        f"{outcome.level}{fewest}",
        f"joint     {leakage_text(outcome.joint)}",
        f'witness   outputs {", ".join(outcome.outputs)}, under prior "{outcome.prior}"',
        f'          "{first}" against "{second}"',
    ]
