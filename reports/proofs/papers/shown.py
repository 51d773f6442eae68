"""A formula in LaTeX as templates show it: typeset in rows, or as lines of text, with what differs
from another formula marked.
"""

from functools import partial

from markupsafe import Markup

from pufferproof.reports.proofs.papers.latex import Marks, differing, lines_markup, rows_of
from pufferproof.reports.proofs.papers.lines import formula_lines
from pufferproof.reports.proofs.sentences import View


def formula_view(latex: str, other: str = "", *, is_repair: bool = False) -> View | None:
    """Return what templates show of a formula, or None without one; formulas are typeset when they
    are asked for.

    Args:
        other: the repair of a printed formula, or what is printed if this is the repair.
    """
    if not latex:
        return None

    def marks() -> Marks | None:
        if not other:
            return None
        return differing(other, latex)[1] if is_repair else differing(latex, other)[0]

    def typeset(part: str, number: int) -> Markup | None:
        found = marks()
        return lines_markup(part, frozenset() if found is None else found[number])

    rows, number = list[tuple[str, list[View]]](), 0
    for word, parts in rows_of(latex):
        row = list[View]()
        for part in parts:
            row.append({"latex": part, "math": partial(typeset, part, number)})
            number += 1
        rows.append((word, row))
    return {
        "latex": latex,
        "math": partial(lines_markup, latex),
        "rows": rows,
        "lines": lambda: formula_lines(latex, marks()),
        "is_marked": lambda: any(marks() or ()),
    }
