"""What `collapse --above LEVEL` says: mechanisms whose joint leakage exceeds a finite level, or
that there are none.

Holds the rules of its options, its part of the answer and its lines for a terminal; the command
itself is `command_collapse.py`, the search `counterexamples/collapse/above.py`.
"""

from typing import Any

from pufferproof.counterexamples.collapse.above import LeakageAbove
from pufferproof.counterexamples.collapse.search import Impossible, NotFound
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.reports.console.words import counted, leakage_text


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


def above_answer(
    found: LeakageAbove | Impossible | NotFound, levels: list[Level | None]
) -> dict[str, Any]:
    """Return what the answer says beyond file names; `levels` are all that were asked for."""

    if isinstance(found, LeakageAbove):
        place = {
            "prior": found.prior,
            "pair": list(found.pair),
            "outputs": list(found.outputs),
            "database": None,
        }
        fewest = found.fewest if len(set(found.budgets)) == 1 else None
        return {
            "found": True,
            "runs": found.runs,
            "joint": found.joint.as_json(),
            "witness": place,
            "fewest": fewest,
        }
    if isinstance(found, Impossible):
        irrational = any(level is not None and level.ratio is None for level in levels)
        trust = (
            ["Z3", "CVC5"]
            if found.engine == "z3"
            else ["EXACT", "INTERVAL"]
            if irrational
            else ["EXACT"]
        )
        return {"found": False, "searched": counted(found.releases or 0, "release"), "trust": trust}
    return {"searched": found.searched}


def above_lines(found: LeakageAbove | Impossible | NotFound, answer: dict[str, Any]) -> list[str]:
    """Render what was found for a terminal, without the files."""

    if isinstance(found, Impossible):
        return [
            f"above     proved impossible: {answer['searched']} within the budgets leak at most "
            f"{answer['above']}"
        ]
    if not isinstance(found, LeakageAbove):
        return [f"above     undecided: {found.searched}"]
    fewest = ", and fewer within this budget cannot" if answer["fewest"] else ""
    first, second = found.pair
    return [
        f"above     found: {counted(found.runs, 'release')} leak more than {found.level}{fewest}",
        f"joint     {leakage_text(found.joint)}",
        f'witness   outputs {", ".join(found.outputs)}, under prior "{found.prior}"',
        f'          "{first}" against "{second}"',
    ]
