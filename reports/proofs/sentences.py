"""The verdict of a claim in one sentence, with what it rests on; and which words near a verdict are
those of the claim file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape, unescape
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from pufferproof.claims.language.wording import quoted
from pufferproof.reports.console.labels import visible

# Formulas for a page: MathML of known elements only, with the assumptions of an implication listed one by one.
#
# sympy prints names and `<` without escaping them. Here everything but a tag of a known element is text; what then is
# not well-formed is not shown as MathML at all, and the caller falls back to the plain text of the formula.

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


Result = Mapping[str, Any]
View = dict[str, Any]
"""What a page shows, by the names that its template uses."""
WHOLE = ("PROVED", "DERIVED")
"""Verdicts on words that are made from what was decided."""
REFUTED_BY = {
    "program": "by its program",
    "object": "by its object",
    "formula": "by its formula",
    "audit": "by an audit",
    "author": "by the author's expression",
}
"""What says that a statement is false, in the words of a badge."""
IN_QUOTES = "Words in quotation marks are those of the claim file, which nothing checks."


def verdict_sentence(result: Result) -> str:
    """Say what a verdict means for this claim.

    >>> verdict_sentence({"verdict": "DEFINITION", "readings": [], "theorems": [], "error": None})
    'A definition: there is nothing to decide.'
    """
    sentences, theorems = [_said(result)], result["theorems"]
    if theorems:
        counted = "a theorem" if len(theorems) == 1 else f"{len(theorems)} theorems"
        sentences.append(f"Coq checked {counted} beside it.")
    return " ".join(filter(None, sentences))


def refuted_words(result: Result) -> str:
    """Say what refutes a claim or a reading, and of an audit which level it is about; "" if nothing
    does.

    >>> step = {"ok": True, "audited": "VIOLATES log(2), leakage log(3)"}
    >>> refuted_words({"refuted_by": "audit", "steps": [step]})
    'by an audit: VIOLATES log(2), leakage log(3)'
    """
    if result["refuted_by"] is None:
        return ""
    readings = result.get("readings")
    steps = (readings[0] if readings else result).get("steps", [])
    audited = (step["audited"] for step in steps if step["ok"] and step.get("audited"))
    return ": ".join([REFUTED_BY[result["refuted_by"]], *list(audited)[:1]])


def scope_of(result: Result) -> str:
    """Say of what a verdict speaks: of the words of PROVED and DERIVED, of the family of CHECKED,
    else as the file says.
    """
    scope = str(result["scope"])
    return scope if result["verdict"] in (*WHOLE, "CHECKED") else quoted(scope)


def words_of_file(result: Result) -> list[str]:
    """Name the parts of a claim or reading that are words of the claim file, which nothing checks.

    >>> words_of_file({"name": "as stated", "verdict": "TRIED", "statement": None, "scope": ""})
    ['name', 'scope']
    """
    free = ["where", "kind", "name", "assumes", "why", "paraphrase", "unsaid"]
    free += [] if result["verdict"] in (*WHOLE, "CHECKED") else ["scope"]
    readings = result.get("readings")
    free += ["statement"] if readings is not None and not is_made(result) else []
    return [each for each in free if result.get(each) is not None]


def is_made(result: Result) -> bool:
    """Whether the statement of a claim is made from what its first reading decides."""
    readings = result["readings"]
    return bool(readings) and readings[0]["statement"] is not None


def _said(result: Result) -> str:
    verdict = result["verdict"]
    if result["error"]:
        return "Open: examining it ended with an error."
    if verdict == "REFUTED":
        return _REFUTED_BY[result["refuted_by"]]
    if verdict == "DEPENDS":
        undecided = sum(reading["verdict"] == "OPEN" for reading in result["readings"])
        if undecided:
            are = "is open" if undecided == 1 else "are open"
            return f"The first reading holds, some others are false, and {undecided} {are}."
        return "The first reading holds; every reading is settled, and some others are false."
    if verdict == "DEFINITION":
        return "A definition: there is nothing to decide."
    if verdict == "OPEN":
        return _open([reading["verdict"] for reading in result["readings"]])
    if verdict == "PROVED" and all(reading.get("said") for reading in result["readings"]):
        return f"{_BY_COQ}{_tried(result['readings'])}"
    return f"{_HOLDS[verdict]}{_tried(result['readings'])}"


_AS_STATED = "False as stated, at one exact instance that was evaluated from the definitions."
_REFUTED_BY = {
    "object": _AS_STATED,
    "formula": _AS_STATED,
    "program": "False at one exact instance by its program. Nothing checks that the words of the "
    "statement say what the program does.",
    "audit": "False by an audit: the mechanism of one exact instance breaks the promise at its "
    "level. Nothing checks that the words of the statement make this promise.",
    "author": "False by the author's expression, which was evaluated exactly at one instance. "
    "Nothing compares this expression with the words of the statement.",
}


def _open(verdicts: list[str]) -> str:
    """Say what is open: all of a claim, or readings beside a first one that holds.

    >>> _open(["TRIED", "OPEN", "OPEN"])
    'The first reading holds (TRIED). Undecided in 2 other readings.'
    """
    others = verdicts[1:].count("OPEN")
    if not others or verdicts[0] not in _HOLDS:
        return "Open: nothing here decides it."
    counted = "another reading" if others == 1 else f"{others} other readings"
    return f"The first reading holds ({verdicts[0]}). Undecided in {counted}."


_BY_COQ = (
    "Proved: Coq proved exactly the proposition that is made from the same object as the words, "
    "the formula and the program."
)
_HOLDS = {
    "PROVED": "Proved: the statement is one formula, and the whole of it was settled: by exact "
    "or interval arithmetic, or by a certificate that the kernel accepted.",
    "DERIVED": "Derived: engines discharged every fact of a linked argument, from which the "
    "words are made, and a second reader checked its links.",
    "CHECKED": "Checked: true of every member of a finite family, each evaluated exactly; nothing is said beyond it.",
    "TRIED": "Tried: the statement runs as a program, and nothing checks that its words say the "
    "same; the argument is prose.",
}


def _tried(readings: list[Result]) -> str:
    """Say on how many instances the statement held, and for how many readings it does not run."""
    holding = [reading for reading in readings if reading["verdict"] in _HOLDS]
    trials = [each["trial"] for each in holding if each["trial"]]
    met = [trial["met"] for trial in trials]
    if not met:
        return " The statement was not tried on instances."
    here = "" if len(holding) == 1 else f", for {len(met)} of {len(holding)} readings that hold"
    hard = [each["trial"]["hard_met"] for each in holding if each["trial"] and not each["linked"]]
    # linked ones are not drawn apart
    and_hard = f" and {min(hard):,} hard ones" if hard and min(hard) else ""
    return (
        f" The statement held at each of {min(met):,} instances{and_hard} on which it was "
        f"tried{here}, and slightly stronger ones failed there."
    )
