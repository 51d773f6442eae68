"""Statement objects in a document: how they are read, written, and made.

    sorts:
      ratio "R": NUMBER
      M: mechanism(D, W)

    statement PROCESSED: foundations.Laws.post_processing | D W V~
      over: ratio, M, K, Q, T
      if: NONNEGATIVE(K); KEEPS(ratio, M, Q, T)
      then: KEEPS(ratio, PROCESS(M, K), Q, T)
      drawn: framework
      edge: D = 1; W = 1; V = 1; ratio = 1/2 -- why it is always tried
      survives conclusion, {M,K} for N | "without: x": superfluous: why no instance shows it

Terms are expressions of Python, with `=` for equality. What Python takes for something else, such
as a chain of comparisons, is refused.
"""

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.claims.document.expressions.exact import EXACT, HIDDEN
from pufferproof.claims.document.expressions.reading import canonical, expression, instance, placed
from pufferproof.claims.document.lines import Line, Once, is_symbol, wrapped, wrong
from pufferproof.claims.document.parts import SortLine, Sorts, StatementPart, Text
from pufferproof.models.errors import ModelError

HEAD = re.compile(r"statement ([A-Za-z_]\w*): ([\w.]+)(?: \| (.+))?")
ONCE = ("over", "then", "drawn", "decidable", "always", "unrun")
"""Fields that a statement has at most once."""
SEVERAL = ("if", "edge", "edges")
_TEXTS = ONCE[-3:]
_MADE, _LETTER, _ERROR, _MISREAD = (f"{HIDDEN}{each}" for each in ("Proposition", "sorted", "SolverError", "misread"))
NEEDED = (
    ("pufferproof.claims.language.statements.rationals", "Fraction", EXACT),
    ("pufferproof.claims.vocabulary.proposition", "Proposition", _MADE),
    ("pufferproof.claims.vocabulary.terms", "letter", _LETTER),
    ("pufferproof.models.errors", "SolverError", _ERROR),
    ("pufferproof.claims.document.statements", "misread", _MISREAD),
)
"""What the module of a document with statements imports."""
_GUARDED = f"""try:
    {{name}} = None
except ({_ERROR}, TypeError, AttributeError) as _error:
    raise {_MISREAD}({{place!r}}, _error) from None
"""
_SORTED = re.compile(r"(\w+'?)(?: \"([^\"]+)\")?(?: as (\w+))?")
_NAMED = r"(?:\"[^\"]+\"|(?!\")(?:(?! \| |: ).)+)"
_SURVIVES = re.compile(rf"survives ({_NAMED}(?: \| {_NAMED})*): (.+)", re.DOTALL)


# --- what is read
# ----------------------------------------------------------------------------------------------


def sorts(lines: Sequence[Line], line: Line, place: str) -> Sorts:
    """Read `ratio "R", delta: NUMBER` and `u as v: weights(D)` below `sorts:`."""
    return Sorts(tuple(_sort(each, place) for each in lines), line.number)


def _sort(line: Line, place: str) -> SortLine:
    head, colon, sort = line.text.partition(": ")
    found = [_SORTED.fullmatch(each) for each in head.split(", ")]
    names = [(each[1], each[2] or each[1], each[3] or each[1]) for each in found if each]
    known = all(is_symbol(shown) and name.isidentifier() for _, shown, name in names)
    if not colon or not all(found) or not known:
        said = 'expected letters and their sort, such as M, ratio "R" as r: SORT, found'
        raise wrong(place, line.number, f'{said} "{line.text:.60}"')
    return SortLine(tuple(names), Text(sort, line.number), line.number)


def statement(lines: Sequence[Line], line: Line, place: str) -> StatementPart:
    """Read a statement and its fields. Raises `ModelError` with the line of what is wrong."""
    head = HEAD.fullmatch(line.text)
    if head is None:
        said = f'expected "statement NAME: AREA.CONSTANT | SETS", found "{line.text:.60}"'
        raise wrong(place, line.number, said)
    fields: list[tuple[str, Text]] = []
    survives: list[tuple[str, Text]] = []
    once = Once(place)
    for each in lines:
        key, colon, value = each.text.partition(": ")
        if key in ONCE:
            once.add(f'field "{key}"', each.number)
        if found := _SURVIVES.fullmatch(each.text):
            survives.append((found[1], Text(found[2], each.number)))
        elif colon and key in (*ONCE, *SEVERAL):
            fields.append((key, Text(value, each.number)))
        else:
            known = ", ".join((*ONCE, *SEVERAL, "survives NAME"))
            said = f'expected one of the fields {known}, found "{each.text:.40}"'
            raise wrong(place, each.number, said)
    made = StatementPart(head[1], head[2], head[3] or "", tuple(fields), tuple(survives), line.number)
    if not made.texts("then"):
        raise wrong(place, line.number, f'expected "then: TERM" below "{line.text:.60}"')
    return made


# --- what is written
# ----------------------------------------------------------------------------------------------


def written(part: Sorts | StatementPart) -> Iterator[str]:
    """Yield the lines of a block."""
    if isinstance(part, Sorts):
        yield "sorts:"
        for line in part.entries:
            names = ", ".join(_name(*each) for each in line.names)
            yield wrapped(f"{names}: {canonical(line.sort.text)}", 2)
        return
    sets = f" | {part.sets}" if part.sets else ""
    yield wrapped(f"statement {part.name}: {part.constant}{sets}", 0)
    for key, text in part.fields:
        yield wrapped(f"{key}: {_layout(key, text.text)}", 2)
    for names, reason in part.survives:
        yield wrapped(f"survives {names}: {reason.text}", 2)


def _name(name: str, shown: str, known: str) -> str:
    quoted = f' "{shown}"' if shown != name else ""
    return f"{name}{quoted}{f' as {known}' if known != name else ''}"


def _layout(key: str, text: str) -> str:
    """Return the value of a field in the layout of documents."""
    match key:
        case "over" | "edges":
            return canonical(f"[{text}]")[1:-1]
        case "if" | "then":
            parts = [canonical(f"[{_python(each)}]")[1:-1] for each in text.split(";")]
            return "; ".join(parts).replace(" == ", " = ")
        case "drawn":
            return canonical(text)
        case "edge":
            instance, dashes, why = text.partition(" -- ")
            return f"{canonical(instance, several=True)}{dashes}{why}"
    return text


def _python(text: str) -> str:
    """Return a term as Python has it, with `==` for equality."""
    return re.sub(r"(?<= )=(?= )", "==", text)


# --- what is made
# ----------------------------------------------------------------------------------------------


def made(part: Sorts | StatementPart, place: str) -> list[ast.stmt]:
    """Return the statements of Python that a block is; an error that they meet names its line."""
    if isinstance(part, StatementPart):
        return [_guarded(part.name, _proposition(part, place), part.line, place)]
    return [
        _guarded(known, _letter(name, shown, line.sort, place), line.line, place)
        for line in part.entries
        for name, shown, known in line.names
    ]


def misread(place: str, error: Exception) -> ModelError:
    """Return what went wrong in a document as an error about the line where it did."""
    at = error.__traceback__
    return wrong(place, at.tb_lineno if at else 1, str(error))


def _guarded(name: str, value: ast.expr, line: int, place: str) -> ast.stmt:
    [tree] = placed(ast.parse(_GUARDED.format(name=name, place=place)), line, always=True).body
    for each in ast.walk(tree):
        if isinstance(each, ast.Assign):
            each.value = placed(value, line)
    return tree


def _letter(name: str, shown: str, text: Text, place: str) -> ast.expr:
    """Return a letter. A name in the brackets of its sort is that of a set."""
    sort = expression(text, place)
    if isinstance(sort, ast.Call):
        sort.args = [ast.Constant(x.id) if isinstance(x, ast.Name) else x for x in sort.args]
    called = ast.Name(_LETTER, ast.Load())
    return ast.Call(called, [ast.Constant(name), sort, ast.Constant(shown)], [])


def _proposition(part: StatementPart, place: str) -> ast.expr:
    """Return the object of a statement."""
    over = [term for text in part.texts("over") for term in _listed(text, place)]
    letters = Once(place)
    for each in over:
        letters.add(f'"{ast.unparse(each)}"', each.lineno)
    [conclusion] = part.texts("then")
    given = [term for text in part.texts("if") for term in _terms(text, place)]
    then = _terms(conclusion, place)
    if len(then) != 1 or isinstance(then[0], ast.Starred):
        raise wrong(place, conclusion.line, "expected one term as the conclusion")
    family = [expression(text, place) for text in part.texts("drawn")] or [ast.Constant(None)]
    names: list[ast.expr] = [ast.Constant(part.constant), ast.Constant(part.sets)]
    lists: list[ast.expr] = [ast.List(over, ast.Load()), ast.List(given, ast.Load())]
    more = {key: ast.Constant(text.text) for key, text in part.fields if key in _TEXTS}
    named = {"edges": _edges(part, place), "survivors": _survivors(part, place), **more}
    return ast.Call(
        ast.Name(_MADE, ast.Load()),
        [*names, *lists, *then, *family],
        [ast.keyword(name, value) for name, value in named.items()],
    )


def _edges(part: StatementPart, place: str) -> ast.expr:
    found: list[ast.expr] = []
    for key, text in part.fields:
        if key == "edge":
            given = Text(text.text.partition(" -- ")[0], text.line)
            found.append(instance(given, place, lambda *each: expression(Text(*each), place)))
        elif key == "edges":
            found += _listed(text, place)
    return ast.List(found, ast.Load())


def _survivors(part: StatementPart, place: str) -> ast.expr:
    """Return the reasons by the names of near misses: `a {b,c}` are the two names a b and a c."""
    reasons, once = dict[str, str](), Once(place)
    for names, reason in part.survives:
        for name in re.findall(rf"({_NAMED})(?: \| |$)", names):
            pieces = re.split(r"\{([^{}]*)\}", name.strip('"'))
            choices = [x.split(",") if k % 2 else [x] for k, x in enumerate(pieces)]
            for each in map("".join, itertools.product(*choices)):
                once.add(f'"survives {each}"', reason.line)
                reasons[each] = reason.text
    return ast.Dict([*map(ast.Constant, reasons)], [*map(ast.Constant, reasons.values())])


def _listed(text: Text, place: str) -> list[ast.expr]:
    """Return what stands between commas."""
    found = expression(Text(f"[{text.text}]", text.line), place)
    if not isinstance(found, ast.List):
        raise wrong(place, text.line, f'expected what stands between commas, found "{text.text:.60}"')
    return found.elts


def _terms(text: Text, place: str) -> list[ast.expr]:
    """Return some terms. Raises `ModelError` for what says two things, or is no term."""
    found: list[ast.expr] = []
    for each in text.text.split(";"):
        term = _listed(Text(_python(each), text.line), place)
        if len(term) != 1:
            raise wrong(place, text.line, f'expected one term, found "{each.strip():.60}"')
        found += [_Equal(text, place).visit(each) for each in term]
    return found


class _Equal(ast.NodeTransformer):
    """Makes terms of equalities, and refuses what Python takes for something else than a term."""

    def __init__(self, text: Text, place: str) -> None:
        self.text, self.place = text, place

    def visit(self, node: ast.AST) -> Any:
        """Refuse a connective of Python."""
        if isinstance(node, ast.BoolOp | ast.IfExp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            self._refuse(node, "is of Python: write an entry of the vocabulary, such as BOTH(..)")
        return super().visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Refuse chains and comparisons that are no terms."""
        if len(node.ops) > 1:
            self._refuse(node, "is a chain: write one term for each comparison")
        if not isinstance(node.ops[0], ast.Eq | ast.Lt | ast.LtE):
            self._refuse(node, "is no term: compare by <, <= or =")
        self.generic_visit(node)
        if isinstance(node.ops[0], ast.Eq):
            equals = ast.Attribute(node.left, "equals", ast.Load())
            return placed(ast.Call(equals, node.comparators, []), self.text.line)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Refuse a text."""
        if isinstance(node.value, str):
            self._refuse(node, "is a text: a term has none")
        return node

    def _refuse(self, node: ast.AST, said: str) -> None:
        shown = ast.unparse(node).replace(" == ", " = ")
        raise wrong(self.place, self.text.line, f'"{shown:.60}" {said}')
