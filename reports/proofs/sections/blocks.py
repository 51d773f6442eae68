"""Statements of documents as pages read them, beside their source: for every instance of a family,
if hypotheses hold, then the conclusion; the letters and facts of a linked argument; what is drawn.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pufferproof.claims.document.expressions.reading import canonical
from pufferproof.claims.document.formulas import read
from pufferproof.claims.document.lines import GREEK, LETTER, look
from pufferproof.claims.document.parts import (
    Argument,
    Define,
    Family,
    Hypothesis,
    LetterLine,
    Linking,
    Program,
    Sorts,
    StatementPart,
    Text,
)
from pufferproof.claims.document.programs.blocks import HYPOTHESES
from pufferproof.models.errors import ModelError
from pufferproof.reports.proofs.pages import prose
from pufferproof.reports.proofs.papers.shown import formula_view
from pufferproof.reports.proofs.sentences import View

# Formulas of documents in LaTeX, from the tree that was parsed: what is shown is what is decided.
#
# What could be read in two ways has brackets: "and", "or", "not" or "implies" inside another one, a sum in a product,
# and a power in a power.

_SIGNS: dict[type[ast.cmpop], str] = {
    **{ast.LtE: r"\le", ast.GtE: r"\ge", ast.NotEq: r"\ne"},
    **{ast.Lt: "<", ast.Gt: ">", ast.Eq: "="},
}
_RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "<": "<", ">": ">"}
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_OF_TRUTH = (ast.And, ast.Or, ast.Not, ast.RShift)
_SUM, _NOTHING = (ast.Add, ast.Sub, ast.USub), dict[str, str]()


def parsed(text: str, letters: Mapping[str, str] = _NOTHING) -> list[str]:
    r"""Return the formulas of a text, as they were parsed, in LaTeX; `letters` are names as pages
    show them.

    >>> parsed("not (a = b) and c < 1; 2*b <= c/4")
    ['\\left(\\neg \\left(a = b\\right)\\right) \\wedge c < 1', '2 b \\le \\frac{c}{4}']

    Raises `ModelError` for what is no formula.
    """
    return [latex(each, letters) for each in read(text)]


def bounded(names: Sequence[str], domain: Sequence[tuple[str, str]]) -> str:
    r"""Return names, in LaTeX, with the relations to numbers that hold of each.

    >>> bounded(["p", "q"], [(">=", "0")]), bounded(["r"], [(">", "0"), ("<=", "1")])
    ('p, q \\ge 0', '0 < r \\le 1')
    """
    shown, bounds = ", ".join(names), list(domain)
    if len(bounds) == 2 and len(names) == 1 and bounds[0][0] in (">=", ">"):
        sign, number = bounds.pop(0)
        shown = f"{number} {_RELATIONS[sign.replace('>', '<')]} {shown}"
    return shown + "".join(f" {_RELATIONS[sign]} {number}" for sign, number in bounds)


def latex(tree: ast.expr, letters: Mapping[str, str] = _NOTHING) -> str:
    """Return a tree that `formulas.read` made in LaTeX."""
    match tree:
        case ast.BoolOp(op, values):
            sign = r" \wedge " if isinstance(op, ast.And) else r" \vee "
            return sign.join(_inside(each, letters, _OF_TRUTH) for each in values)
        case ast.UnaryOp(ast.Not(), operand):
            return rf"\neg {_bracketed(latex(operand, letters))}"
        case ast.Compare(left, ops, others):
            found = latex(left, letters)
            for sign_of, each in zip(ops, others):
                found += f" {_SIGNS[type(sign_of)]} {latex(each, letters)}"
            return found
        case ast.UnaryOp(ast.USub(), operand):
            return f"-{_inside(operand, letters, (*_SUM, ast.Pow, ast.Mult))}"
        case ast.Call(ast.Name(name), arguments):
            given = ", ".join(latex(each, letters) for each in arguments)
            if name == "abs":
                return rf"\left|{given}\right|"
            called = rf"\{name}" if name in ("exp", "log") else letter(name, letters)
            return f"{called}{_bracketed(given)}"
        case ast.BinOp(left, op, right):
            return _operation(left, op, right, letters)
        case ast.Name(name):
            return letter(name, letters)
        case ast.Constant(value):
            return str(value)
    raise ModelError(f"expected a formula, found {ast.unparse(tree)}")


def letter(name: str, letters: Mapping[str, str] = _NOTHING) -> str:
    r"""Return a letter in LaTeX: an index as one, a Greek letter as its sign, a word upright.

    >>> letter("x_1"), letter("epsilon"), letter("ratio"), letter("D", {"D": "Δ⋆"})
    ('x_{1}', '\\epsilon', '\\mathrm{ratio}', 'Δ^{⋆}')
    """
    found: tuple[str, str, str, str] = LETTER.findall(letters.get(name, name))[0]
    one, digits, marks, which = found
    indices = ", ".join(each for each in (digits, *which.split("_")) if each)
    indices = which.strip("{}") if which.startswith("{") else indices
    index = f"_{{{_upright(indices)}}}" if indices else ""
    return _upright(one) + index + marks.replace("⋆", "^{⋆}")


def _upright(text: str) -> str:
    """Write Greek words as their signs, and other words upright."""
    return _WORD.sub(lambda word: rf"\{word[0]}" if word[0] in GREEK else rf"\mathrm{{{word[0]}}}", text)


def _operation(left: ast.expr, op: ast.operator, right: ast.expr, letters: Mapping[str, str]) -> str:
    match op:
        case ast.RShift():  # "implies", as `formulas.read` has it
            both = (_inside(each, letters, _OF_TRUTH) for each in (left, right))
            return r" \implies ".join(both)
        case ast.Div():
            return rf"\frac{{{latex(left, letters)}}}{{{latex(right, letters)}}}"
        case ast.Pow():
            base = latex(left, letters)
            is_bare = isinstance(left, ast.Name | ast.Constant) and not {*"^'′"} & {*base}
            base = base if is_bare else _bracketed(base)
            return f"{base}^{{{latex(right, letters)}}}"
        case ast.Mult():
            one = _inside(left, letters, (ast.Add, ast.Sub))
            other = _inside(right, letters, (*_SUM, ast.Mult))
            apart = r"\mathrm" in one + other or re.match(r"[0-9]|\\frac", other)
            return rf"{one} \cdot {other}" if apart else f"{one} {other}"
    sign = "+" if isinstance(op, ast.Add) else "-"
    return f"{latex(left, letters)} {sign} {_inside(right, letters, _SUM)}"


def _inside(tree: ast.expr, letters: Mapping[str, str], bracketed: tuple[type, ...]) -> str:
    """Write what stands inside, in brackets if it is one of these, or begins with a minus."""
    text = latex(tree, letters)
    is_one = isinstance(tree, ast.BoolOp | ast.BinOp | ast.UnaryOp) and (
        isinstance(tree.op, bracketed) or (ast.USub in bracketed and text.startswith("-"))
    )
    return _bracketed(text) if is_one else text


def _bracketed(text: str) -> str:
    return rf"\left({text}\right)"


BLOCKS = (Argument, Define, Family, Hypothesis, Program, Sorts, StatementPart)
Block = Argument | Define | Family | Hypothesis | Program | Sorts | StatementPart
Row = tuple[str, list[View]]
_FACTS = {"along": "along {0.over}", "attained": "at {0.over}", "by": "by {0.text}"}
_MADE = {
    "sum": r"\sum_{{{over}}} {term}",
    "product": r"\prod_{{{over}}} {term}",
    "largest": r"\max_{{{over}}} {term}",
    "least": r"\min_{{{over}}} {term}",
}


def block_view(part: Block, parts: Sequence[object]) -> View:
    """Return the title of a block, what it says in words, and rows of words and formulas."""
    match part:
        case Program():
            return _view(f"Program {part.name}", "", _program(part, parts))
        case Family():
            rows = [("drawn", [_code(each.text) for each in part.drawn])] if part.drawn else []
            return _view(f"Family {part.name}", part.said, [*rows, ("gives", [_code(part.entries.text)])])
        case Hypothesis():
            return _view(f"Hypothesis {part.name}", part.words, [("is", [_cell(part.value)])])
        case Define():
            rows = [("where", [_code(each.text) for each in part.where])] if part.where else []
            value = [("is", [_cell(part.value)])]
            return _view(f"{part.name}({part.arguments})", part.said, [*rows, *value])
        case Sorts():
            sorts = [(", ".join(shown for _, shown, _ in each.names), [_code(each.sort.text)]) for each in part.entries]
            return _view("Letters of statements", "", sorts)
        case StatementPart():
            return _view(f"Statement {part.name}", "", _statement(part))
    return _view(f"Argument {part.name}", part.about, _argument(part))


def _view(title: str, said: str, rows: Iterable[Row]) -> View:
    return {"kind": "block", "title": title, "said": prose(said), "rows": list(rows)}


def _cell(value: Text, letters: Mapping[str, str] | None = None, words: str = "") -> View:
    """Return an expression as a formula where it reads as one, else as it is written; with words
    that somebody wrote for it.
    """
    text = _short(value.text)
    names = {*re.findall(r"[A-Za-z_]\w*", text)}
    # names of a program may be taken for other letters, or for known numbers
    if letters is None and (names & _KNOWN or len({*map(look, names)}) < len(names)):
        return _code(text, words)
    try:
        (shown,) = parsed(text.replace("==", "=").replace("**", "^"), letters or {})
    except (ModelError, ValueError):
        return _code(text, words)
    return _formula(shown, words)


_KNOWN = frozenset(("exp", "log", "ln", "sqrt", "pi", "oo", "I", "E"))


def _formula(latex: str, words: str = "") -> View:
    return {"words": prose(words), "formula": formula_view(latex), "code": ""}


def _code(text: str, words: str = "") -> View:
    return {"words": prose(words), "formula": None, "code": text}


def _short(text: str) -> str:
    try:
        return canonical(text)
    except ModelError:
        return text


# --- programs and objects
# ----------------------------------------------------------------------------------------------


def _program(part: Program, parts: Sequence[object]) -> Iterator[Row]:
    """Yield for what a program says that something holds."""
    said = {each.name: each.said for each in parts if isinstance(each, Family)}
    known = {each.name: each for each in parts if isinstance(each, Hypothesis)}
    family = part.family.text
    yield "for every", [_code(family, said.get(family, ""))]
    given = [_given(words, text, known) for key, words, text in part.fields if key in HYPOTHESES]
    if given:
        yield "if", [each for some in given for each in some]
    where = [_code(text.text) for key, _, text in part.fields if key == "where"]
    if where:
        yield "where", where
    for key, parameters, text in part.fields:
        if key == "holds":
            with_these = f"with {parameters}" if parameters else ""
            yield "then", [_cell(text, words=with_these)]
    misses = [_code(text.text, words) for key, words, text in part.fields if key == "not"]
    if misses:
        yield "not with", misses


def _given(words: str, text: Text, known: Mapping[str, Hypothesis]) -> list[View]:
    """Return hypotheses: one with its words, or those that are named."""
    if words:
        return [_cell(text, words=words)]
    named = [(name, known.get(name)) for name in text.text.split("; ")]
    return [_code(name) if each is None else _cell(each.value, words=each.words) for name, each in named]


def _statement(part: StatementPart) -> Iterator[Row]:
    """Yield the letters, hypotheses and conclusion of an object, as they are written."""
    for word, key in (("for every", "over"), ("if", "if"), ("then", "then")):
        texts = [_code(each.text) for each in part.texts(key)]
        if texts:
            yield word, texts


# --- linked arguments
# ----------------------------------------------------------------------------------------------


def _argument(part: Argument) -> Iterator[Row]:
    """Yield letters, hypotheses, definitions, facts and the conclusion."""
    shown = {x: f"{x}_{its}" for each in part.given for x, its in each.names if its}
    if part.indices:
        yield "for every", [_formula(letter(name), words) for name, words in part.indices]
    yield "let", [_given_letters(each, shown) for each in part.given]
    for word, kinds in (("if", ("given",)), ("where", _DEFINED)):
        found = [_line(each, shown) for each in part.lines if each.kind in kinds]
        if found:
            yield word, found
    facts = [x for x in part.lines if x.kind not in ("given", "conclude", "moving", *_DEFINED)]
    if facts:
        yield "so", [_line(each, shown) for each in facts]
    yield "then", [_line(each, shown) for each in part.lines if each.kind == "conclude"]


_DEFINED = ("let", "at", "before", "chain", *_MADE)


def _given_letters(each: LetterLine, shown: Mapping[str, str]) -> View:
    names = [letter(name, shown) for name, _ in each.names]
    return _formula(bounded(names, each.domain), each.meaning)


def _line(each: Linking, shown: Mapping[str, str]) -> View:
    """Return a line of an argument: what it says, and by what."""
    by = f" by {', '.join(each.by)}" if each.by else ""
    rule = _FACTS.get(each.kind, "").format(each)
    words = each.meaning or " ".join(filter(None, [each.name, rule])) + by
    try:
        latex = _latex(each, shown)
    except ModelError:
        latex = ""
    return _formula(latex, words) if latex else _code("", words)


def _latex(each: Linking, shown: Mapping[str, str]) -> str:
    """Return what a line says in LaTeX, "" if it has no formula of its own."""
    if each.kind in _MADE:
        (term,) = parsed(each.text, shown)
        return f"{letter(each.name, shown)} = {_MADE[each.kind].format(over=each.over, term=term)}"
    if each.kind in ("at", "before"):
        end = rf"\text{{ at }} {letter(each.over)}" if each.kind == "at" else r"\text{ before each}"
        return f"{letter(each.name, shown)} = {letter(each.text, shown)}{end}"
    if each.kind == "chain":
        (start,), (more,) = parsed(each.start, shown), parsed(each.text, shown)
        return rf"{letter(each.name, shown)} = {start} \text{{, then at each {each.over} }} {more}"
    if each.kind == "let":
        (value,) = parsed(each.text, shown)
        return f"{letter(each.name, shown)} = {value}"
    if each.kind in ("term", "again", "swap", "exponentials", "by"):
        return ""
    return parsed(each.text, shown)[0]
