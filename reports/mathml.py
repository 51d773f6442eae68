"""Formulas for a page: MathML of known elements only, with the assumptions of an implication listed one by one.

sympy prints names and `<` without escaping them. Here everything but a tag of a known element is text; what then is not
well-formed is not shown as MathML at all, and the caller falls back to the plain text of the formula.
"""

import re
from dataclasses import dataclass
from html import escape, unescape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from pufferproof.reports.text import visible

if TYPE_CHECKING:
    from markupsafe import Markup

MAX_CHARACTERS = 40_000
_ELEMENTS = frozenset(
    ("mrow", "mi", "mn", "mo", "mtext", "mfrac", "msqrt", "mroot", "msup", "msub", "msubsup", "mover", "munder", "munderover",
     "mtable", "mtr", "mtd")
)  # fmt: skip
_TOKENS = frozenset(("mi", "mn", "mo", "mtext"))
_TAG = re.compile(r"<(/?)([a-z]+)(?:\s+[a-z]+=\"[^\"<>&]*\")*\s*(/?)>")
_FORGED = re.compile(r"<\s*/?\s*[A-Za-z!?]|&[#A-Za-z]")  # a name with markup in it
_UNFAITHFUL = re.compile(  # what sympy typesets as something else: P(x) as p(x), the name x__2 as a power of x
    r"\b(?!(?:Implies|Eq|Ne|Max|Min|Abs|Sum|Equivalent|Matrix|Not|And|Or)\()[A-Z]\w*\(|\w__\w|\w\^|\bProduct\(|\bPiecewise\("
)


@dataclass(frozen=True)
class Formula:
    """A formula as MathML: what is assumed, one relation each, and what then holds."""

    assumptions: tuple["Markup", ...]
    conclusion: "Markup"


def formula_markup(mathml: str | None, text: str) -> Formula | None:
    """Return a formula as safe MathML, None where it must be shown as text: no MathML, malformed, too long, or forged names.

    >>> formula_markup("<mrow><mi>x</mi><mo><</mo><mn>1</mn></mrow>", "x < 1").conclusion
    Markup('<math><mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow></math>')
    >>> formula_markup("<mi><script>alert(1)</script></mi>", "<script>alert(1)</script>") is None
    True
    """
    if not mathml or len(mathml) > MAX_CHARACTERS or visible(text) != text:
        return None
    if _FORGED.search(text) or _UNFAITHFUL.search(text):
        return None
    try:
        root = ElementTree.fromstring(f"<math>{_escaped(mathml)}</math>")
    except ElementTree.ParseError:
        return None
    if any((child.text or "").strip() for child in root.iter() if child.tag not in _TOKENS):
        return None
    body = list(root)
    parts = list(body[0]) if len(body) == 1 and body[0].tag == "mrow" else []
    if len(parts) == 3 and parts[1].tag == "mo" and parts[1].text == "⇒":
        return Formula(tuple(_math([each]) for each in _conjuncts(parts[0])), _math([parts[2]]))
    return Formula((), _math(body))


def _escaped(mathml: str) -> str:
    """Escape everything that is not a tag of a known element; attributes are dropped, but for a fraction without a bar."""
    pieces, last = [], 0
    for match in _TAG.finditer(mathml):
        if match[2] in _ELEMENTS:
            pieces.append(escape(unescape(mathml[last : match.start()])))
            bare = ' linethickness="0"' * (match[2] == "mfrac" and 'linethickness="0"' in match[0])  # a binomial
            pieces.append(f"<{match[1]}{match[2]}{bare}{match[3]}>")
            last = match.end()
    pieces.append(escape(unescape(mathml[last:])))
    return "".join(pieces)


def _conjuncts(element: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the parts of `(A ∧ B ∧ C)`; anything else is one part."""
    parts = list(element)
    if element.tag == "mrow" and len(parts) == 3 and (parts[0].text, parts[2].text) == ("(", ")"):
        inner = list(parts[1])
        if len(inner) > 1 and len(inner) % 2 and all(sign.tag == "mo" and sign.text == "∧" for sign in inner[1::2]):
            return inner[::2]
    return [element]


def _math(elements: list[ElementTree.Element]) -> "Markup":
    from markupsafe import Markup

    return Markup("<math>" + "".join(_serialised(each) for each in elements) + "</math>")


def _serialised(element: ElementTree.Element) -> str:
    """Write an element that was checked, from its name, its text and its children alone."""
    inner = escape((element.text or "").strip())
    before = None
    for child in element:
        written = _serialised(child)
        grouped = before is not None and before.tag == "mo" and before.text in ("-", "\u2062") and _is_sum(child)
        inner += (
            f"<mrow><mo>(</mo>{written}<mo>)</mo></mrow>" if grouped else written
        )  # sympy prints -(a + b) as -a + b
        before = child
    bare = ' linethickness="0"' if element.get("linethickness") else ""
    return f"<{element.tag}{bare}>{inner}</{element.tag}>"


def _is_sum(element: ElementTree.Element) -> bool:
    if element.tag != "mrow":
        return False
    parts = list(element)
    return _is_sum(parts[0]) if len(parts) == 1 else any(each.tag == "mo" and each.text in ("+", "-") for each in parts)
