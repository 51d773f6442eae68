"""Formulas for a page: MathML of known elements only, with the assumptions of an implication listed
one by one.

sympy prints names and `<` without escaping them. Here everything but a tag of a known element is
text; what then is not well-formed is not shown as MathML at all, and the caller falls back to the
plain text of the formula.
"""

import re
from dataclasses import dataclass
from html import escape, unescape
from xml.etree import ElementTree

from markupsafe import Markup

from pufferproof.reports.console.labels import visible

MAX_CHARACTERS = 40_000
_TIMES = "\u2062"  # an invisible product sign
_NARROW = 20  # letters that a phone has room for
_ELEMENTS = frozenset(
    (
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mfrac",
        "msqrt",
        "mroot",
        "msup",
        "msub",
        "msubsup",
        "mover",
        "munder",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
    )
)
_TOKENS = frozenset(("mi", "mn", "mo", "mtext"))
_TAG = re.compile(r"<(/?)([a-z]+)(?:\s+[a-z]+=\"[^\"<>&]*\")*\s*(/?)>")
_FORGED = re.compile(r"<[/A-Za-z!?]|&[#A-Za-z]")  # a name with markup in it
# what sympy typesets as something else: P(x) as p(x), the name x__2 as a power of x
_UNFAITHFUL = re.compile(
    r"\b(?!(?:Implies|Eq|Ne|Max|Min|Abs|Sum|Equivalent|Matrix|Not|And|Or)\()[A-Z]\w*\(|\w__\w|\w\^|\bProduct\(|\bPiecewise\("
)


@dataclass(frozen=True)
class Formula:
    """A formula as MathML in rows: `("If", assumptions)`, `("then", what holds)`; one row without a
    word if no implication.

    What stands in one row is meant together. Rows follow the formula's own nesting: A => (B => C)
    is If A, and if B, then C.
    """

    rows: tuple[tuple[str, tuple[Markup, ...]], ...]

    @property
    def is_wide(self) -> bool:
        """Whether a part may be wider than a phone, and is moved to be read."""
        return any(len(part.striptags()) > _NARROW for _, parts in self.rows for part in parts)


def formula_markup(mathml: str | None, text: str) -> Formula | None:
    """Return a formula as safe MathML, or None if it must be shown as text: no MathML, malformed,
    too long, or forged names.

    >>> formula_markup("<mrow><mi>x</mi><mo><</mo><mn>1</mn></mrow>", "x < 1").rows[0][1]
    (Markup('<math><mi>x</mi><mo>&lt;</mo><mn>1</mn></math>'),)
    >>> formula_markup("<mi><script>alert(1)</script></mi>", "<script>alert(1)</script>") is None
    True
    """
    if not mathml or len(mathml) > MAX_CHARACTERS or visible(text) != text:
        return None
    if _FORGED.search(text) or _UNFAITHFUL.search(text):
        return None
    try:
        root = ElementTree.fromstring(f"<math>{_escaped(mathml.replace('&ExponentialE;', 'e'))}</math>")
    except ElementTree.ParseError:
        return None
    if any((child.text or "").strip() for child in root.iter() if child.tag not in _TOKENS):
        return None
    body = list(root)
    if len(body) != 1:
        return Formula((("", (_math(body),)),))
    return Formula(tuple((word, tuple(_math([part]) for part in parts)) for word, parts in _rows(body[0])))


def _escaped(mathml: str) -> str:
    """Escape all but tags of known elements, without their attributes."""
    pieces, last = [], 0
    for match in _TAG.finditer(mathml):
        if match[2] in _ELEMENTS:
            pieces.append(escape(unescape(mathml[last : match.start()])))
            # a binomial
            bare = ' linethickness="0"' * (match[2] == "mfrac" and 'linethickness="0"' in match[0])
            pieces.append(f"<{match[1]}{match[2]}{bare}{match[3]}>")
            last = match.end()
    pieces.append(escape(unescape(mathml[last:])))
    return "".join(pieces)


def _rows(formula: ElementTree.Element) -> list[tuple[str, list[ElementTree.Element]]]:
    """Split an implication into premises and conclusion, and conjunctions into parts."""
    rows, rest = list[tuple[str, list[ElementTree.Element]]](), formula
    while len(sides := _operands(rest, "⇒")) == 2:
        rows.append(("and if" if rows else "If", _operands(sides[0], "∧")))
        rest = sides[1]
    parts = _operands(rest, "∧")
    one, several = ("then", "then all of") if rows else ("", "All of")
    word = several if len(parts) > 1 else one
    return [*rows, (word, parts)]


def _operands(element: ElementTree.Element, sign: str) -> list[ElementTree.Element]:
    """Return A, B, C of `A ∧ B ∧ C`, which may stand in parentheses; anything else is one part."""
    parts = list(element)
    if element.tag == "mrow" and len(parts) == 3 and (parts[0].text, parts[2].text) == ("(", ")"):
        inner = _operands(parts[1], sign)
        return inner if len(inner) > 1 else [element]
    joined = element.tag == "mrow" and len(parts) > 2 and len(parts) % 2
    return parts[::2] if joined and all(part.tag == "mo" and part.text == sign for part in parts[1::2]) else [element]


def _math(elements: list[ElementTree.Element]) -> Markup:
    whole = ElementTree.Element("math")
    whole.extend(elements)
    return Markup(_serialised(whole))


def _serialised(element: ElementTree.Element) -> str:
    """Write an element that was checked, from its name, its text and its children alone."""
    text = (element.text or "").strip()
    inner = escape("\u2212" if element.tag == "mo" and text == "-" else text)
    before, children = None, list(element)
    for child, after in zip(children, [*children[1:], None]):
        written = _factor_sign(after) if child.text == _TIMES else _serialised(child)
        grouped = before is not None and before.tag == "mo" and before.text in ("-", _TIMES) and _is_sum(child)
        if grouped:  # sympy prints -(a + b) as -a + b
            written = f"<mrow><mo>(</mo>{written}<mo>)</mo></mrow>"
        elif _is_redundant(child, element):
            written = written.removeprefix("<mrow>").removesuffix("</mrow>")
        inner += written
        before = child
    bare = ' linethickness="0"' if element.get("linethickness") else ""
    return f"<{element.tag}{bare}>{inner}</{element.tag}>"


def _factor_sign(factor: ElementTree.Element | None) -> str:
    """Return what stands before a factor: nothing, as the style keeps factors apart, but before
    one that begins with a digit, which would continue a number.
    """
    while factor is not None and len(factor):
        factor = factor[0]
    return "<mo>·</mo>" if factor is not None and factor.tag == "mn" else ""


def _is_redundant(element: ElementTree.Element, parent: ElementTree.Element) -> bool:
    """Whether a row shows the same without its tags: it is all there is, or part of a row, and
    neither begins nor ends with an operator, whose form or height would be another.
    """
    if element.tag != "mrow" or not len(element):
        return False
    if parent.tag == "math":
        return len(parent) == 1
    return parent.tag == "mrow" and "mo" not in (_edge(element, 0), _edge(element, -1))


def _edge(element: ElementTree.Element, side: int) -> str:
    """Return what a row begins with (0) or ends with (-1)."""
    while element.tag == "mrow" and len(element):
        element = element[side]
    return element.tag


def _is_sum(element: ElementTree.Element) -> bool:
    if element.tag != "mrow":
        return False
    parts = list(element)
    return _is_sum(parts[0]) if len(parts) == 1 else any(part.tag == "mo" and part.text in ("+", "-") for part in parts)
