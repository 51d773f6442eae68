"""The Python module that a document is: its letters, its fences, and a function for each claim.

Texts stand as they are written. Expressions are compiled where they stand, so that an error names
the file and the line of the document.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pufferproof
from pufferproof.claims.document import formulas, linking, statements
from pufferproof.claims.document.expressions.exact import (
    BUILTINS,
    CHANGING,
    CHECKED,
    EXACT,
    EXACT_MODULES,
    HIDDEN,
    JOINED,
    KEPT,
    OVER,
    RAISED,
    Checked,
    Fence,
    exact_names,
    keeping,
)
from pufferproof.claims.document.expressions.plain import (
    ATTRIBUTE,
    DRAWS,
    MODULES,
    Plain,
    expect_plain,
    expect_plain_module,
    needs_trust,
)
from pufferproof.claims.document.expressions.reading import (
    arguments_of,
    assigned,
    entries,
    expression,
    instance,
    parsed,
)
from pufferproof.claims.document.expressions.reading import placed as _at
from pufferproof.claims.document.lines import SUFFIX, SYMBOLS, Once, is_symbol, look, wrong
from pufferproof.claims.document.parts import (
    Argument,
    Block,
    ClaimPart,
    Code,
    Document,
    Let,
    LetterLine,
    Letters,
    Part,
    Reading,
    Sorts,
    StatementPart,
    Step,
    Table,
    Text,
    Use,
)
from pufferproof.claims.document.programs.names import OUTSIDE, expect_library, free, functions_of, meanings
from pufferproof.claims.document.programs.refuting import AT, expect_formula, violated
from pufferproof.claims.document.programs.running import CACHE, STATEMENT, blocks_of
from pufferproof.claims.document.reader import read
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import MAX_BYTES, bytes_of

_HOME = Path(pufferproof.__path__[-1])
_CLAIM, _CHECK, _LETTER, _BOUND, _FORMULA, _PROVED, _EDIT = (
    f"{HIDDEN}{each}" for each in ("claim", "Check", "letter", "Bound", "formula", "proved", "Edit")
)
_ARGUMENTS = ("check", "proof")
"""What the functions of claims and of their readings are called with."""
_NEEDED = (
    ("fractions", "Fraction", EXACT),
    ("pufferproof.claims.document.expressions.exact", "over", OVER),
    ("pufferproof.claims.document.expressions.exact", "raised", RAISED),
    ("pufferproof.claims.document.expressions.exact", "checked", CHECKED),
    ("pufferproof.claims.document.expressions.exact", "kept", KEPT),
    ("pufferproof.claims.document.expressions.exact", "joined", JOINED),
    ("pufferproof.claims.registry", "claim", _CLAIM),
    ("pufferproof.claims.registry", "Check", _CHECK),
    ("pufferproof.claims.language", "letter", _LETTER),
    ("pufferproof.claims.language", "proved", _PROVED),
    ("pufferproof.claims.language", "Edit", _EDIT),
    ("pufferproof.claims.language.letters", "Bound", _BOUND),
    ("pufferproof.claims.language.formulas", "formula", _FORMULA),
)
_RUNNING = (
    ("functools", "cache", CACHE),
    ("pufferproof.claims.language.statements", "Statement", STATEMENT),
    ("pufferproof.claims.language.statements", "Fraction", EXACT),
)
"""What documents with programs need: their quotients are the fast ones."""
_VOCABULARY = ("pufferproof.claims.language.instances.", "pufferproof.claims.language.linked.lemmas")
"""Modules of this package that programs of documents are written with."""
_UNREAD = (("pufferproof.claims.language.attributes", "attribute", ATTRIBUTE),)
"""What documents need that nobody has read."""
_CALLED = {
    "check": ("open", "reading"),
    "proof": ("counterexample", "definition", "exhaust"),
    "draws": DRAWS,
    "_": linking.MADE,
}
"""What is made of a document calls, by what it is called of."""


def module_of(text: str, place: str, trusted: bool = True) -> ast.Module:
    """Return the module that a document is. Raises `ModelError`, with file and line, where it is no
    document, has an expression that does not parse, a name that is not known, or one that means two
    things; and, unless it is `trusted`, where it has more than what may run unread
    (`expressions/plain.py`).
    """
    document = read(text, place)
    if not trusted:
        _expect_no_code(document, place)
    made, once = _Maker(document, place, trusted), Once(place)
    for claim in document.claims:
        once.add(f'claim "{claim.id}"', claim.line)
    said = f"{document.title}\n\n{document.prose}".strip()
    body: list[ast.stmt] = [ast.Expr(ast.Constant(said))]
    stated = any(isinstance(each, Sorts | StatementPart) for each in document.parts)
    runs = any(isinstance(each, Block) for each in document.parts)
    linked = any(isinstance(each, Argument) for each in document.parts)
    kinds = (runs, _RUNNING), (stated, statements.NEEDED), (linked, linking.NEEDED)
    more = [each for needed, names in kinds if needed for each in names]
    more += [] if trusted else _UNREAD
    for needed, name, given in (*_NEEDED, *more):
        body.append(ast.ImportFrom(needed, [ast.alias(name, given)], 0))
    for each in body:
        _at(each, 1)
    for part in document.parts:
        body += made.part(part)
    module = ast.fix_missing_locations(ast.Module(body, []))
    _expect_known(document, module, place)
    _expect_one_meaning(document, place)
    if not trusted:
        expect_plain_module(module, place, _CALLED)
    return module


@cache
def full_name(place: str) -> str:
    """Return the module that a document means by a place: of claims by the name of the paper or
    family, of this package by its floor, else the one of that name.

    >>> full_name("song2017.setting"), full_name("models.framework"), full_name("math")
    ('pufferproof.claims.papers.song2017.setting', 'pufferproof.models.framework', 'math')
    """
    first = place.partition(".")[0]
    for shelf in ("claims/papers", "claims/ours", "claims", "."):
        beside = _HOME / shelf / first
        if beside.is_dir() or any(beside.with_suffix(each).exists() for each in (".py", SUFFIX)):
            prefix = "" if shelf == "." else f"{shelf.replace('/', '.')}."
            return f"pufferproof.{prefix}{place}"
    return place


class _Maker:
    """Makes the statements of the parts of a document. `apart` says what names mean that are no
    plain letters of a formula, and what to do.
    """

    def __init__(self, document: Document, place: str, trusted: bool) -> None:
        self.place, self.trusted = place, trusted
        self.letters = [x for each in document.parts if isinstance(each, Letters) for x, _ in meanings(each)]
        self.exact = exact_names([*DRAWS, *_exact(document)])
        self.blocks = blocks_of(document.parts, place, self.compiled)
        self.apart = dict(_apart(document))
        lets = [each for each in document.parts if isinstance(each, Let)]
        self.lets = {name: each.line for each in lets for name in each.names.split(", ")}
        shown = [*_shown(document)]
        self.shown = {name: each for name, each, _ in shown}
        self.lines = {name: line for name, _, line in shown}

    def part(self, part: Part) -> list[ast.stmt]:
        """Return the statements that a part is."""
        match part:
            case Use():
                if not self.trusted:
                    _expect_plain_use(part, full_name(part.place), self.place)
                expect_library(part, full_name(part.place), self.place)
                return [_at(_import(part), part.line)]
            case Letters():
                self._expect_told_apart([], part.line)
                return [_at(self._letter(each, pair), each.line) for each in part.entries for pair in each.names]
            case Table():
                self._expect_told_apart([], part.line)
                texts = [_told(part.name, *each) for each in part.entries]
                table = _table([name for name, _ in part.entries], texts)
                return [_at(assigned(part.name.upper(), table), part.line)]
            case Let():
                value = self.expression(part.value.text, part.line)
                target = _target(part.names)
                return [_at(ast.Assign([target], keeping(target, value)), part.line)]
            case Code():
                return self._code(part)
            case Sorts() | StatementPart():
                return statements.made(part, self.place)
            case Argument():
                given = [name for each in part.given for name, _ in each.names]
                made = [each.name for each in part.lines if each.kind in linking.DEFINING]
                self._expect_told_apart([*given, *made], part.line)
                return [_at(linking.statement(part, self.place), part.line)]
            case ClaimPart():
                return [self._claim(part)]
            case _:
                return [_at(each, part.line) for each in self.blocks.statements(part)]

    def expression(self, text: str, line: int) -> ast.expr:
        """Return the tree of an expression all of whose names are known, and none means two things;
        an error names the line.
        """
        made = self.compiled(text, line)
        self.blocks.expect_known(free("", (), Text(text, line)), _ARGUMENTS, line)
        self.blocks.expect_seen((), line, text)
        return made

    def compiled(self, text: str, line: int) -> ast.expr:
        """Return the tree of an expression; an error names the line."""
        made = expression(Text(text, line), self.place, Checked(self.exact))
        if self.trusted:
            return made
        expect_plain(parsed(text), self.place, line)
        looked_up: ast.expr = Plain().visit(made)
        return _at(looked_up, line)

    def _code(self, part: Code) -> list[ast.stmt]:
        try:
            tree = ast.parse("\n" * (part.line - 1) + part.source, self.place)
        except SyntaxError as error:
            raise wrong(self.place, error.lineno or part.line, f"{error.msg}") from None
        except (RecursionError, MemoryError):
            raise wrong(self.place, part.line, "this fence has too deep brackets") from None
        self._expect_unchanged(tree)
        made: ast.Module = Fence(self.exact, self.place).visit(tree)
        return made.body

    def _expect_unchanged(self, tree: ast.Module) -> None:
        """Raise `ModelError` at what a fence changes of what a `let` says."""
        for node in ast.walk(tree):
            match node:
                case ast.Call(ast.Attribute(ast.Name(name), method)) if method in CHANGING:
                    pass
                case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()):
                    pass
                case ast.AugAssign(ast.Name(name)):
                    pass
                case _:
                    continue
            if name in self.lets:
                said = f'"{name}" is said on line {self.lets[name]}, and a fence does not change it'
                raise wrong(self.place, node.lineno, said)

    def _letter(self, each: LetterLine, pair: tuple[str, str]) -> ast.stmt:
        name, displayed = pair
        bounds: list[ast.expr] = [
            _call(_BOUND, [ast.Constant(relation), _call(EXACT, [ast.Constant(number)])])
            for relation, number in each.domain
        ]
        real = [ast.keyword("real", ast.Constant(True))] if each.real else []
        arguments = [ast.Constant(displayed), ast.Constant(each.meaning), *bounds]
        return assigned(name, _call(_LETTER, arguments, real))

    # --- claims

    def _claim(self, part: ClaimPart) -> ast.stmt:
        body: list[ast.stmt] = [ast.Expr(ast.Constant(part.why))] if part.why else []
        for each in part.readings:
            body += self._body(each)
        made = ast.FunctionDef(
            name=f"{HIDDEN}examine_" + re.sub(r"\W", "_", part.id.partition(".")[2] or part.id),
            args=arguments_of(["check"]),
            body=body or [ast.Pass()],
            decorator_list=[_call(_CLAIM, [ast.Constant(part.id)], self._arguments(part))],
            returns=ast.Constant(None),
        )
        made.args.args[0].annotation = ast.Name(_CHECK, ast.Load())
        return _at(made, part.line)

    def _arguments(self, part: ClaimPart) -> list[ast.keyword]:
        """Return what the claim is registered with."""
        given = [ast.keyword("where", ast.Constant(part.where))]
        if part.kind != "theorem":
            given.append(ast.keyword("kind", ast.Constant(part.kind)))
        given += self._statement(part)
        if part.assumes:
            texts: list[ast.expr] = [ast.Constant(each) for each in part.assumes]
            given.append(ast.keyword("assumes", ast.List(texts, ast.Load())))
        if part.prints:
            given.append(ast.keyword("prints", _texts(part.prints)))
        if part.repair:
            given.append(ast.keyword("repair", ast.Constant(part.repair)))
        says = [(each.name, each.says) for each in part.readings if each.says is not None]
        if says:
            values = [self.expression(text.text, text.line) for _, text in says]
            given.append(ast.keyword("says", _table([name for name, _ in says], values)))
        if part.unsaid:
            given.append(ast.keyword("unsaid", _texts(self._unsaid(part))))
        return given

    def _unsaid(self, part: ClaimPart) -> dict[str, str]:
        """Return the reasons why readings have no statement that runs, by the names of these."""
        known = ["", *(each.name for each in part.readings)]
        for name, reason in part.unsaid:
            if name not in known:
                said = f'expected the name of a reading of "{part.id}", found "{name:.60}"'
                raise wrong(self.place, reason.line, said)
        return {name: reason.text for name, reason in part.unsaid}

    def _statement(self, part: ClaimPart) -> list[ast.keyword]:
        if part.then is None:
            if part.given is not None:
                raise wrong(self.place, part.given.line, 'expected "then:" beside "if:"')
            text = part.statement
            return [ast.keyword("statement", ast.Constant(text))] if text else []
        if part.statement:
            said = "the formula is the statement, from which words are made: leave the sentence out"
            raise wrong(self.place, part.line, said)
        arguments: list[ast.expr] = [ast.Constant(self._formulas(part.then, several=False))]
        if part.given is not None:
            arguments.append(ast.Constant(self._formulas(part.given)))
        return [ast.keyword("statement", _at(_call(_FORMULA, arguments), part.then.line))]

    def _formulas(self, text: Text, several: bool = True) -> str:
        try:
            trees = formulas.relations(text.text, several)
        except ModelError as error:
            raise wrong(self.place, text.line, str(error)) from None
        nodes = (node for each in trees for node in ast.walk(each))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        for name in sorted(names & self.apart.keys()):
            raise wrong(self.place, text.line, f'"{name}" {self.apart[name]}')
        self._expect_told_apart(names, text.line)
        return ", ".join(formulas.write(each, power="**") for each in trees)

    def _expect_told_apart(self, names: Iterable[str], line: int) -> None:
        """Raise `ModelError` unless pages show these letters of formulas, and those with a name for
        pages, as letters that no reader takes for others.
        """
        looks: dict[str, str] = {}
        plain = {look(each): each for each in (*names, *self.shown)}
        for name in sorted({*names, *self.shown}):
            shown = self.shown.get(name, name)
            if name in names and (re.search("^_|__", name) or not (shown == name or is_symbol(shown))):
                said = f"expected a letter that pages show as one, such as {SYMBOLS}, found"
                raise wrong(self.place, line, f'{said} "{name}", shown as "{shown}"')
            other = looks.setdefault(look(shown), name)
            if shown != name and other == name:
                other = plain.get(look(shown), name)
            if other != name:
                line = max(self.lines.get(name, line), self.lines.get(other, line))
                said = f'pages show "{other}" and "{name}" alike: show them differently'
                raise wrong(self.place, line, said)

    def _body(self, each: Reading) -> list[ast.stmt]:
        name, scope = ast.Constant(each.name), ast.Constant(each.scope)
        if each.through is not None or each.near:
            through, misses = self._through(each)
            names = [name for name, _ in each.near]
            near = [ast.keyword(None, _table(names, misses))] if names else []
            call = _call(_PROVED, [ast.Name("check", ast.Load()), name, scope, through], near)
            return [_at(ast.Expr(call), each.line)]
        if not each.steps and each.says is not None:
            opened = [name, *([scope] if each.scope else [])]
            return [_at(ast.Expr(_method("check", "open", opened)), each.line)]
        reading = _method("check", "reading", [name, scope])
        item = ast.withitem(reading, ast.Name("proof", ast.Store()))
        steps: list[ast.stmt] = [ast.Expr(self._step(step)) for step in each.steps]
        return [_at(ast.With([item], steps or [ast.Pass()]), each.line)]

    def _through(self, each: Reading) -> tuple[ast.expr, list[ast.expr]]:
        """Return the function that goes through a family, and its near misses: of a family that
        the reading has itself, other properties.
        """
        misses = [self.expression(text.text, text.line) for _, text in each.near]
        if each.through is not None and each.steps:
            said = "steps are not taken beside through: leave one of them out"
            raise wrong(self.place, each.line, said)
        if each.through is not None:
            return self.expression(each.through.text, each.through.line), misses
        if [step.kind for step in each.steps] != ["every"]:
            said = 'expected one "every: ..", or "through: ..", beside "near NAME:"'
            raise wrong(self.place, each.line, said)
        (step,) = each.steps
        found = ast.Lambda(arguments_of(["proof"]), self._step(step))
        at = ast.Constant(step.name)
        return found, [_call(_EDIT, [at], [ast.keyword("holds", miss)]) for miss in misses]

    def _step(self, step: Step) -> ast.expr:
        if step.kind == "call":
            called = self.expression(step.given["call"].text, step.line)
            if isinstance(called, ast.Call) and ast.unparse(called.func) == CHECKED:
                [called] = called.args
            if not isinstance(called, ast.Call):
                raise wrong(self.place, step.line, 'expected "call: FUNCTION(..)"')
            called.args.insert(0, ast.Name("proof", ast.Load()))
            return _at(called, step.line)
        texts: list[ast.expr] = [ast.Constant(step.name), ast.Constant(step.sentence)]
        so: list[ast.expr] = [ast.Constant(step.given["so"].text)] if "so" in step.given else []
        if step.kind == "definition":
            if so and "is" in step.given:
                raise wrong(self.place, step.given["is"].line, 'expected "so:" or "is:", not both')
            so = [self._given(step, "is")] if "is" in step.given else so
            return _at(_method("proof", "definition", [*texts, *so]), step.line)
        if step.kind == "every":
            texts += [self._given(step, "of"), self._given(step, "holds")]
            return _at(_method("proof", "exhaust", [*texts, *so]), step.line)
        evidence = self._evidence(step)
        self._text(step, "by")
        if "so" in step.given:
            expect_formula(step.given["so"], self.place)
        texts += [evidence, violated(step, self.blocks, self.letters, _ARGUMENTS)]
        return _at(_method("proof", "counterexample", [*texts, *so]), step.line)

    def _text(self, step: Step, key: str) -> Text:
        if key not in step.given:
            raise wrong(self.place, step.line, f'expected "{key}:" below "{step.kind}:"')
        return step.given[key]

    def _given(self, step: Step, key: str) -> ast.expr:
        text = self._text(step, key)
        return self.expression(text.text, text.line)

    def _evidence(self, step: Step) -> ast.expr:
        text = self._text(step, "at")
        for name, value in entries(text.text):
            if name in self.lets and name != value:
                said = f'"{name}" has a meaning already, of line {self.lets[name]}: take another'
                raise wrong(self.place, text.line, f"{said} name, or write {name} = {name}")
        made = instance(text, self.place, self.expression)
        return _at(ast.NamedExpr(ast.Name(AT, ast.Store()), made), text.line)


def _told(table: str, name: str, text: str) -> ast.expr:
    """Return the entry of a table: of authors, a list."""
    if (table, name) != ("paper", "authors"):
        return ast.Constant(text)
    return ast.List([ast.Constant(each) for each in text.split(" and ")], ast.Load())


def _import(part: Use) -> ast.stmt:
    module = full_name(part.place)
    if not part.names:
        return ast.Import([ast.alias(module)])
    names = [ast.alias(name, None if name == given else given) for name, given in part.names]
    return ast.ImportFrom(module, names, 0)


def _target(names: str) -> ast.expr:
    several: list[ast.expr] = [ast.Name(each, ast.Store()) for each in names.split(", ")]
    return several[0] if len(several) == 1 else ast.Tuple(several, ast.Store())


def _call(name: str, given: Sequence[ast.expr], named: Sequence[ast.keyword] = ()) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [*given], [*named])


def _table(names: Sequence[str], values: Sequence[ast.expr]) -> ast.Dict:
    return ast.Dict([ast.Constant(name) for name in names], [*values])


def _texts(given: Mapping[str, str]) -> ast.Dict:
    return _table([*given], [ast.Constant(text) for text in given.values()])


def _method(name: str, method: str, given: Sequence[ast.expr]) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(name, ast.Load()), method, ast.Load()), [*given], [])


# --- names
# ----------------------------------------------------------------------------------------------


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a tree gives a meaning to, wherever it does."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                yield name
            case ast.FunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.alias(name, other):
                yield other or name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)):
                yield name


def _expect_known(document: Document, module: ast.Module, place: str) -> None:
    """Raise `ModelError` at a name that means nothing anywhere in the document, and at one of
    Python that reads or changes other things and does not stand in a fence.
    """
    bound, fences = {*_bound(module)}, _of_fences(document)
    known = {*bound, *BUILTINS, "__file__", "__name__", "__doc__"}
    for node in (each for each in ast.walk(module) if isinstance(each, ast.Name)):
        if node.id not in known:
            said = f'the name "{node.id}" has no meaning here: declare or use it'
            raise wrong(place, node.lineno, said)
        if node.id in OUTSIDE - bound and node.lineno not in fences:
            said = f'"{node.id}" reads or changes more than what it is given: leave it out'
            raise wrong(place, node.lineno, said)


def _expect_no_code(document: Document, place: str) -> None:
    """Raise `ModelError` at the first part that is Python, or calls what is: a fence, a statement
    object, a step that a function takes, a lemma that is an attribute of something.
    """
    for part in document.parts:
        match part:
            case Code():
                raise needs_trust(place, part.line, "a fence")
            case Sorts() | StatementPart():
                raise needs_trust(place, part.line, "a statement object")
            case Argument():
                for each in part.lines:
                    if each.kind == "by" and not each.text.isidentifier():
                        raise needs_trust(place, each.line, each.text)
            case ClaimPart():
                for reading in part.readings:
                    if reading.through is not None:
                        raise needs_trust(place, reading.through.line, "through:")
                    if called := [step.line for step in reading.steps if step.kind == "call"]:
                        raise needs_trust(place, called[0], "call:")


def _expect_plain_use(part: Use, module: str, place: str) -> None:
    """Raise `ModelError` unless a document uses names that are safe whatever is made of them: some
    of Python's and this package's, and those that documents of this package say.
    """
    at = _HOME.joinpath(*module.split(".")[1:])
    known: set[str] = {*MODULES.get(module, ())}
    if module.startswith("pufferproof.claims.") and at.with_suffix(SUFFIX).is_file():
        text = bytes_of(at.with_suffix(SUFFIX), MAX_BYTES).decode("utf-8")
        for each in read(text, place).parts:
            if isinstance(each, Code):
                known |= {*functions_of(each)}
            elif not isinstance(each, Use):
                known |= {name for name, _ in meanings(each)}
    elif module.startswith(_VOCABULARY) and at.with_suffix(".py").is_file():
        tree = ast.parse(bytes_of(at.with_suffix(".py"), MAX_BYTES))
        for node in tree.body:
            given = node.targets if isinstance(node, ast.Assign) else []
            known |= {x.id for each in given for x in ast.walk(each) if isinstance(x, ast.Name)}
            known |= {node.name} if isinstance(node, ast.FunctionDef) else set()
    wrong = [name for name, _ in part.names if name not in known or name.startswith("_")]
    if wrong or not part.names:
        raise needs_trust(place, part.line, f"use {part.place}: {wrong[0] if wrong else 'all'}")


def _expect_one_meaning(document: Document, place: str) -> None:
    """Raise `ModelError` at a name that two lines of the document declare, or that Python has."""
    declared: dict[str, int] = {}
    for name, line in (pair for part in document.parts for pair in meanings(part)):
        if name in declared:
            raise wrong(place, line, f'"{name}" has a meaning already, of line {declared[name]}')
        if name in BUILTINS:
            raise wrong(place, line, f'"{name}" has a meaning in Python: take another name')
        if name in _ARGUMENTS or name.startswith(HIDDEN):
            raise wrong(place, line, f'"{name}" has a meaning in every document: take another name')
        declared[name] = line


_IS_LETTER = "is a letter here: declare it in letters:"
_CONSTANTS = {
    **dict.fromkeys(("e", "E"), f"{_IS_LETTER}, or write exp(1)"),
    **dict.fromkeys(("pi", "oo", "I"), _IS_LETTER),
}
"""Names that people may take for numbers."""


def _entries(part: Letters | Table) -> Iterator[str]:
    """Yield the letters of which a part says what they are."""
    if isinstance(part, Letters):
        yield from (name for each in part.entries for name, _ in each.names)
    elif part.name == "notation":
        yield from (name for names, _ in part.entries for name in names.split(", "))


def _apart(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the names that a formula of a claim cannot have as letters: those of other things, and
    letters with a domain, which would be no part of the statement.
    """
    kinds = (x for x in document.parts if isinstance(x, Letters | Table))
    declared = {name for x in kinds for name in _entries(x)}
    yield from ((name, said) for name, said in _CONSTANTS.items() if name not in declared)
    for part in document.parts:
        if not isinstance(part, Letters):
            for name, line in meanings(part):
                known = f"has a meaning already, of line {line}: letters of a formula are its own"
                yield name, f"{known}, take another one"
            continue
        for each in part.entries:
            for name, _ in each.names:
                domain = "; ".join(f"{name} {relation} {number}" for relation, number in each.domain)
                said = f"has a domain, which is no part of a formula: write {domain} under if, and"
                if domain:
                    yield name, f"{said} leave it out of letters"


def _exact(document: Document) -> Iterator[str]:
    """Yield the functions of a document that make no float: those of its own, which are exact, and
    those of other documents and of some modules of Python.
    """
    for part in document.parts:
        yield from functions_of(part)
        if isinstance(part, Use):
            place = full_name(part.place)
            at = _HOME.joinpath(*place.split(".")[1:]).with_suffix(SUFFIX)
            if at.exists() or place.partition(".")[0] in EXACT_MODULES:
                yield from (name for _, name in part.names)


def _of_fences(document: Document) -> set[int]:
    """Return the lines within fences."""
    fences = [each for each in document.parts if isinstance(each, Code)]
    return {x.line + more for x in fences for more in range(x.source.count("\n") + 1)}


def _shown(document: Document) -> Iterator[tuple[str, str, int]]:
    """Yield letters with what pages show for them, and the line that says it."""
    for part in document.parts:
        if isinstance(part, Letters):
            yield from ((*pair, each.line) for each in part.entries for pair in each.names)
        elif isinstance(part, Table) and part.name == "symbols":
            yield from ((*pair, part.line) for pair in part.entries)
