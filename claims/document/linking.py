"""What a linked argument of a document is: the calls of `Linked` that its lines stand for.

Its letters are its own: they are real numbers, and mean nothing beyond it.
"""

import ast
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from pufferproof.claims.document import formulas
from pufferproof.claims.document.expressions.exact import HIDDEN
from pufferproof.claims.document.lines import NAME, Once, wrong
from pufferproof.claims.document.parts import Argument, Linking
from pufferproof.models.errors import ModelError

ARGUMENT = f"{HIDDEN}argument"
NEEDED = (("pufferproof.claims.language.arguments", "argument", ARGUMENT),)
"""What the module of a document with linked arguments imports."""
FUNCTIONS = {"abs": "Abs", "max": "Max", "min": "Min", "exp": "exp"}
"""What may stand before brackets in a formula, and what makes it (`language.arguments`)."""
_MADE: dict[type[ast.AST], str] = {
    **{ast.LtE: "Le", ast.Lt: "Lt", ast.GtE: "Ge", ast.Gt: "Gt", ast.Eq: "Eq", ast.NotEq: "Ne"},
    **{ast.And: "And", ast.Or: "Or", ast.Not: "Not", ast.RShift: "Implies"},
}
MADE = (*_MADE.values(), *FUNCTIONS.values(), "Integer", "uncancelled")
"""What a formula calls of what letters are looked up in."""
DEFINING = ("let", "at", "before", "sum", "product", "largest", "least", "chain")
"""Kinds of lines that define a letter."""
_WITHOUT_FACTS = ("at", "before", "again", "swap", "exponentials")
_LETTERS = "_"  # what the letters are looked up in


def statement(part: Argument, place: str) -> ast.stmt:
    """Return the assignment that a linked argument is. Raises `ModelError`, with file and line, at
    a letter, an index or a fact that is not known, or that has a meaning already.
    """
    return ast.parse(_Maker(part, place).source()).body[0]


class _Maker:
    """Makes the text of the assignment, and looks up every name."""

    def __init__(self, part: Argument, place: str) -> None:
        self.part, self.place = part, place
        self.letters: dict[str, int] = {}
        self.facts: dict[str, int] = {}
        self.domains: dict[str, Sequence[tuple[str, str]]] = {}
        self.indices = {name for name, _ in part.indices}
        self.made: list[tuple[int, str, str, list[tuple[str, str]]]] = []

    def source(self) -> str:
        """Return the assignment as Python, each line where the document has it."""
        part = self.part
        given = {}
        for each in part.given:
            for name, its in each.names:
                once = Once(self.place)
                for index in its.split(","):
                    once.add(f'index "{index}" of "{name}"', each.line)
                self._letter(each.line, name, each.meaning, each.domain)
                given[name] = " ".join(self._index(each.line, x) for x in its.split(",") if its)
        lines = [(each.line, self._line(each)) for each in part.lines]
        if not part.lines or part.lines[-1].kind != "conclude":
            self._refuse(part.line, 'expected "then NAME: FORMULA by FACTS" as the last line')
        near = [
            (value.line, f"{self.of(value.line, x)}: {self._formula(value.line, value.text)}, ")
            for x, value in part.near
        ]
        about = (part.line, part.about, dict(part.indices), self.made, given, dict(part.spare))
        head = f"{part.name} = {ARGUMENT}(__file__, {', '.join(map(repr, about))}, lambda _: {{"
        return _placed([(part.line, head), *near, (0, "}, lambda _: ["), *lines, (0, "])")])

    def _line(self, each: Linking) -> str:
        """Return a line as what `argument` calls: its number, the method, and what it is given."""
        by = [self._fact(each, fact) for fact in each.by]
        if len({*by}) < len(by):
            self._refuse(each.line, f'"{each.name}" names a fact twice')
        if len(by) > (each.kind == "again") and each.kind in _WITHOUT_FACTS:
            self._refuse(each.line, f'"{each.name}" rests on no facts: leave out "by {by[-1]}"')
        given = self._definition(each) if each.kind in DEFINING else self._said(each)
        if each.kind == "again":
            by.append(self._index(each.line, each.over))
        if each.kind == "let":
            self._new_fact(each, f"let {each.name}")
        elif each.kind not in (*DEFINING, "moving"):
            self._new_fact(each, each.name)
        return f"({each.line}, {each.kind!r}, [{', '.join([*given, *map(repr, by)])}]), "

    def _definition(self, each: Linking) -> list[str]:
        """Return what defines a letter, and make it known."""
        domain = self.domains.get(each.text, ()) if each.kind == "at" else ()
        if each.kind in ("at", "before"):
            texts = [self.of(each.line, each.text)]
            texts += [repr(self._index(each.line, each.over))] if each.kind == "at" else []
        elif each.kind == "let":
            texts = [self._formula(each.line, each.text)]
        else:
            over = repr(self._index(each.line, each.over))
            texts = [over, *([self._formula(each.line, each.start)] if each.start else [])]
        if each.kind == "chain" and not each.text:
            self._refuse(each.line, 'expected "chain LETTER over INDEX: START, then NEXT"')
        self._letter(each.line, each.name, each.meaning, domain)
        if each.kind not in ("at", "before", "let"):
            texts.append(self._formula(each.line, each.text))
        return [f"{_LETTERS}[{each.name!r}]", *texts]

    def _said(self, each: Linking) -> list[str]:
        """Return what a fact, or a line on letters that move, gives to its method."""
        name, line = repr(each.name), each.line
        once = Once(self.place)
        for x, _ in each.put:
            once.add(f'"{x}"', line)
        match each.kind:
            case "moving":
                moving = (self.of(line, x) for x in (each.name, each.over))
                return [*moving, f"{{{', '.join(self._images(line, x, t) for x, t in each.put)}}}"]
            case "term":
                return [name, self.of(line, each.over)]
            case "swap" | "exponentials":
                return [name, self.of(line, each.text), self.of(line, each.over)]
            case "by":
                if each.text == self.part.name:
                    self._refuse(line, f'"{each.name}" uses the argument itself')
                put = (f"{x!r}: {self._formula(line, text)}" for x, text in each.put)
                return [name, each.text, f"{{{', '.join(put)}}}"]
            case "again":
                return [name]
            case "along":
                over = repr(self._index(line, each.over))
            case "attained":
                over = self.of(line, each.over)
            case _:
                return [name, self._formula(line, each.text, truth=True)]
        return [name, over, self._formula(line, each.text, truth=True)]

    def _images(self, line: int, name: str, text: str) -> str:
        """Return what a letter that moves is at three moments."""
        return f"{self.of(line, name)}: ({', '.join(self.of(line, x) for x in text.split(', '))})"

    # --- names

    def _letter(self, line: int, name: str, meaning: str, domain: Sequence[tuple[str, str]]) -> None:
        if not re.fullmatch(NAME, name):
            self._refuse(line, f'expected the name of a letter, found "{name:.60}"')
        if not meaning:
            said = f'expected what "{name}" stands for: write " -- " and its meaning at the end'
            self._refuse(line, said)
        if name in self.letters:
            self._refuse(line, f'"{name}" has a meaning already, of line {self.letters[name]}')
        if name in FUNCTIONS:
            self._refuse(line, f'"{name}" is a function: take another letter')
        self.letters[name], self.domains[name] = line, domain
        self.made.append((line, name, meaning, [*domain]))

    def of(self, line: int, name: str) -> str:
        """Return how a letter is looked up."""
        if name not in self.letters:
            near = _meant(name, self.letters)
            said = f'"{name}" is no letter above{near}: write "given {name}: ..", or define it first'
            self._refuse(line, said)
        return f"{_LETTERS}[{name!r}]"

    def _index(self, line: int, name: str) -> str:
        if name not in self.indices:
            said = f'"{name}" is no index: write "index {name}: what it runs through"'
            self._refuse(line, said)
        return name

    def _new_fact(self, each: Linking, name: str) -> None:
        if name in self.facts:
            said = f'"{name}" is said already, on line {self.facts[name]}: take another name'
            self._refuse(each.line, said)
        self.facts[name] = each.line

    def _fact(self, each: Linking, name: str) -> str:
        if name not in self.facts:
            near = _meant(name, self.facts)
            self._refuse(each.line, f'"{each.name}" uses "{name}", which no line above says{near}')
        return name

    def _formula(self, line: int, text: str, truth: bool = False) -> str:
        """Return a formula as an expression of Python: one that is true or false, or a number."""
        try:
            trees = formulas.read(text)
        except ModelError as error:
            self._refuse(line, str(error))
        if len(trees) > 1:
            self._refuse(line, f'expected one formula, found {len(trees)} in "{text}"')
        if formulas.is_truth(trees[0]) != truth:
            wanted = ("a number or a letter", "a formula, such as x <= y")[truth]
            self._refuse(line, f'expected {wanted}, found "{text}"')
        made: ast.expr = _Formula(self, line).visit(trees[0])
        quotients = (x for x in ast.walk(made) if isinstance(x, ast.BinOp))
        divisors = [each.right for each in quotients if isinstance(each.op, ast.Div)]
        return ast.unparse(self._kept(line, made, divisors) if divisors else made)

    def _kept(self, line: int, made: ast.expr, divisors: Sequence[ast.expr]) -> ast.expr:
        place = [ast.Constant(self.place), ast.Constant(line)]
        return _call("uncancelled", [*place, made, *divisors])

    def function(self, line: int, name: str, count: int) -> str:
        """Return what makes a function of a formula."""
        if name not in FUNCTIONS or (name in ("abs", "exp") and count != 1):
            known = "abs(x), exp(x), max(x, ..), min(x, ..)"
            self._refuse(line, f'expected one of {known}, found "{name}" of {count}')
        return FUNCTIONS[name]

    def _refuse(self, line: int, said: str) -> NoReturn:
        raise wrong(self.place, line, said)


class _Formula(ast.NodeTransformer):
    """Makes the tree of a formula one of Python: `a <= b` is `_.Le(_['a'], _['b'])`."""

    def __init__(self, maker: _Maker, line: int) -> None:
        self.maker, self.line = maker, line

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Look up a letter."""
        return ast.parse(self.maker.of(self.line, node.id), mode="eval").body

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Make a number exact."""
        return _call("Integer", [node])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Apply a function."""
        name = ast.unparse(node.func)
        made = self.maker.function(self.line, name, len(node.args))
        return _call(made, [self.visit(each) for each in node.args])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Compare neighbours of a chain; equations stay as they are."""
        sides = [self.visit(each) for each in (node.left, *node.comparators)]
        made = [_call(_MADE[type(sign)], [one, other]) for sign, one, other in zip(node.ops, sides, sides[1:])]
        return made[0] if len(made) == 1 else _call("And", made)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Join formulas."""
        return _call(_MADE[type(node.op)], [self.visit(each) for each in node.values])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Negate a formula, or take a minus."""
        self.generic_visit(node)
        return _call("Not", [node.operand]) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Say that a formula implies another, or calculate."""
        self.generic_visit(node)
        return _call("Implies", [node.left, node.right]) if isinstance(node.op, ast.RShift) else node


def _placed(pieces: Sequence[tuple[int, str]]) -> str:
    """Return pieces of Python, each on its line if it is not behind it."""
    text, now = "", 1
    for line, piece in pieces:
        text += "\n" * max(0, line - now) + piece
        now = max(now, line)
    return text


def _call(name: str, given: Sequence[ast.expr]) -> ast.expr:
    made = ast.Attribute(ast.Name(_LETTERS, ast.Load()), name, ast.Load())
    return ast.Call(made, [*given], [])


def _meant(name: str, known: Sequence[str] | dict[str, int]) -> str:
    """Return which known name was probably meant."""
    near = get_close_matches(name, [*known], 1)
    return f' (did you mean "{near[0]}"?)' if near else ""
