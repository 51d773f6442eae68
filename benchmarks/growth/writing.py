"""What was measured, in words: the table of README.md and the practical limits of each page."""

import re
from pathlib import Path

from benchmarks.growth.measuring import Curve
from benchmarks.growth.subjects import ROOT, SUBJECTS, Subject
from benchmarks.table import README, between, table

COLUMNS = ["command", "asked", "grows in", "largest timed", "time", "memory", "exponent"]
COLUMNS += ["within 10 s", "within 60 s"]
MARK = "practical limits"
LIMITS = re.compile(f"<!-- {MARK} -->.*<!-- end of {MARK} -->", re.DOTALL)


def pages(curves: dict[str, Curve]) -> dict[Path, str]:
    """Return the text of every page that says something of the curves, by its path."""
    texts = {README: between(README.read_text(encoding="utf-8"), "growth", _rows(curves))}
    for page in dict.fromkeys(subject.page for subject in SUBJECTS):
        text = (ROOT / page).read_text(encoding="utf-8")
        texts[ROOT / page] = between(text, MARK, _limits(page, curves))
    return texts


def _rows(curves: dict[str, Curve]) -> str:
    rows = []
    for subject in SUBJECTS:
        curve = curves[subject.name]
        size, seconds, peak = curve.points[-1]
        cells = [f"`{subject.command}`", subject.what, subject.grows, f"{size:,}"]
        cells += [f"{seconds:.2f} s", f"{peak:.0f} MB", exponent(curve)]
        cells += [_within(subject, curve, most) for most in (10, 60)]
        rows.append(f"| {' | '.join(cells)} |")
    return table(COLUMNS, rows)


def exponent(curve: Curve) -> str:
    return f"{round(curve.exponent, 1) + 0:.1f}"  # no -0.0


def _within(subject: Subject, curve: Curve, seconds: int) -> str:
    """Say which size is the largest within some seconds, and whether larger ones are taken."""
    if (size := curve.within(seconds)) is not None:
        return f"{size:,}"
    size = curve.points[-1].size
    if curve.end == "refused":
        return f"{size:,}; {size * subject.factor:,} is refused"
    return f"at least {size:,}"


def _limits(page: str, curves: dict[str, Curve]) -> str:
    up = "../" * page.count("/")
    lines = [
        "Practical limit: 10 seconds of one processor are enough for these sizes, by the "
        f"[growth of cost with size]({up}benchmarks/README.md#growth-with-size).\n"
    ]
    for subject in SUBJECTS:
        if subject.page == page:
            curve = curves[subject.name]
            lines.append(
                f"- `{subject.command}`, {subject.what}, by {subject.grows}: "
                f"{_within(subject, curve, 10)}. The cost grows like that number to the power "
                f"{exponent(curve)}."
            )
    return "\n".join(lines)
