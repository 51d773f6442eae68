"""Formulas as papers print them: from LaTeX to MathML of known elements only.

What does not convert as a whole is not shown as MathML at all: pages then have its LaTeX.
"""

import re
from functools import cache
from html import escape
from xml.etree import ElementTree

from markupsafe import Markup

from pufferproof.models.errors import extras
from pufferproof.reports.proofs.papers.grades import split

_SPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset(
    (
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mover"),
        *("msub", "msup", "msubsup", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle"),
    )
)
_ATTRIBUTES = frozenset(
    (
        *("stretchy", "fence", "form", "accent", "width", "movablelimits", "linethickness"),
        *("mathvariant", "columnalign", "displaystyle", "minsize", "maxsize"),
    )
)
_SPACES = re.compile(r"\\q?quad(?![A-Za-z])|\\left|\\right|\\begin\{|\\end\{|\\[{}]|[{}]")
_PLAIN = re.compile(r"[a-z0-9. -]*")
_ARROWS = ("⟹", "⟺")
_WRITTEN = {r"\implies": r"\Longrightarrow", r"\iff": r"\Longleftrightarrow"}
_LOGIC = re.compile(r"\\(?:implies|iff)(?![A-Za-z])")


def rows_of(latex: str) -> list[tuple[str, list[str]]]:
    """Return a formula as rows with a word each: what it assumes, and what then holds; parts that
    are set apart in print stand apart.

    >>> rows_of(r"a > 0, b > 0 \\implies a b > 0 \\quad c")
    [('If', ['a > 0', 'b > 0']), ('then', ['a b > 0', 'c'])]
    """
    if "\\implies" not in latex:
        return [("", _apart(latex))]
    hypotheses, conclusion = split(latex)
    return [("If", hypotheses), ("then", _apart(conclusion))]


def _apart(latex: str) -> list[str]:
    """Split a formula where the print leaves space between parts, outside of every bracket."""
    parts, depth, last = [], 0, 0
    for match in _SPACES.finditer(latex):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0 and match[0].startswith("\\q"):
            parts.append(latex[last : match.start()])
            last = match.end()
    return [each for part in [*parts, latex[last:]] if (each := part.strip())]


@cache
def latex_markup(latex: str) -> Markup | None:
    """Return a formula as safe MathML, or None if it does not convert.

    >>> print(latex_markup(r"x \\le y^2"))
    <math><mrow><mi>x</mi><mo>≤</mo><msup><mi>y</mi><mn>2</mn></msup></mrow></math>
    >>> latex_markup(r"\\unknown{x}") is None
    True
    """
    with extras:
        from latex2mathml.converter import convert

    latex = _LOGIC.sub(lambda match: _WRITTEN[match[0]], latex)
    try:
        root = ElementTree.fromstring(convert(latex))
        return Markup(_written(root))
    except Exception:  # whatever the converter raises for what is no formula
        return None


def _written(element: ElementTree.Element) -> str:
    """Write an element from its name, its text, its children and what is known of it alone.

    Raises `ValueError` for an unknown element, or a command that was not converted.
    """
    tag, text = element.tag.removeprefix(_SPACE), (element.text or "").strip("\n")
    if tag not in _ELEMENTS or "\\" in text or "$" in text:
        raise ValueError(f"expected a formula, found {tag} {text}")
    tag = "mo" if text in _ARROWS else tag
    inner = escape(text) + "".join(map(_written, element))
    given = {} if tag == "math" else element.attrib
    kept = [f' {key}="{each}"' for key, each in given.items() if _known(key, each)]
    return f"<{tag}{''.join(kept)}>{inner}</{tag}>"


def _known(name: str, value: str) -> bool:
    return name in _ATTRIBUTES and _PLAIN.fullmatch(value) is not None
