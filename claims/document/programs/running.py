"""Compile blocks of programs: the same functions, lambdas and calls of `Statement` that one would
write in Python, with parameters made from the names that an expression uses.

A name that means nothing in the document is an entry of the instance. Where the family stands in
the document its entries are known, and other names are refused.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from pufferproof.claims.document.expressions.exact import HIDDEN, entries_of, expect_fixed, keeping
from pufferproof.claims.document.expressions.plain import DRAWS
from pufferproof.claims.document.expressions.reading import arguments_of, assigned, entries, expect_once, parsed, placed
from pufferproof.claims.document.lines import Once, wrong
from pufferproof.claims.document.parts import Block, Define, Family, Hypothesis, Part, Program, Text
from pufferproof.claims.document.programs.blocks import HYPOTHESES, assignments, parameters
from pufferproof.claims.document.programs.names import (
    Entries,
    families,
    free,
    global_names,
    inner_names,
    known_names,
    names_of,
    targets,
)
from pufferproof.claims.document.programs.restated import restates
from pufferproof.models.errors import ModelError

STATEMENT, CACHE = f"{HIDDEN}Statement", f"{HIDDEN}cache"
"""What a program calls in the module of a document."""
OTHER = ("edges", "broken", "degenerate", "computed", "always")
INSTANCE = "instance"
"""The dictionary of all entries, in expressions of a program."""


@dataclass
class Blocks:
    """Compiles blocks. `known` names have a meaning in the document; `expression` makes a tree."""

    place: str
    known: set[str]
    expression: Callable[[str, int], ast.expr]
    families: dict[str, Entries]
    hypotheses: dict[str, Hypothesis]

    def statements(self, part: Block) -> list[ast.stmt]:
        """Return the statements that a block is."""
        try:
            match part:
                case Define():
                    return [self._define(part)]
                case Hypothesis():
                    pair = [ast.Constant(part.words), self.predicate(part.value, Entries())]
                    return [assigned(part.name, ast.Tuple(pair, ast.Load()))]
                case Family():
                    return [self._family(part)]
                case Program():
                    return _Program(self, part).statements()
        except ModelError as error:
            if str(error).startswith(self.place):
                raise
            raise wrong(self.place, part.line, str(error)) from None

    def _define(self, part: Define) -> ast.stmt:
        arguments = self.parameters(part.arguments, part.line)
        local = self.expect_new(names_of(arguments), part.where, part.line)
        expect_fixed(arguments)
        self.expect_known(free(part.arguments, part.where, part.value), (), part.line)
        self.expect_seen(local, part.line, *_values(part.where), part.value.text)
        cached: list[ast.expr] = [ast.Name(CACHE, ast.Load())] if part.cached else []
        said: list[ast.stmt] = [ast.Expr(ast.Constant(part.said))] if part.said else []
        body = [*said, *self.body(part.where, part.value)]
        return ast.FunctionDef(part.name, arguments, body, cached)

    def parameters(self, text: str, line: int) -> ast.arguments:
        """Return the parameters of a function, whose values are exact."""
        made = parameters(text)
        whole = f"lambda {text}: 0"

        def exact(value: ast.expr) -> ast.expr:
            return self.expression(ast.get_source_segment(whole, value) or "", line)

        made.defaults = [exact(each) for each in made.defaults]
        made.kw_defaults = [each and exact(each) for each in made.kw_defaults]
        return made

    def body(self, where: Sequence[Text], value: Text) -> list[ast.stmt]:
        """Return the body of a function that names values, and returns one."""
        last = ast.Return(self.expression(value.text, value.line))
        return [*(each for text in where for each in self._assigned(text)), last]

    def _assigned(self, text: Text) -> Iterator[ast.stmt]:
        for target, value in assignments(text.text):
            made = self.expression(value, text.line)
            yield ast.Assign([target], placed(keeping(target, made), text.line))

    def _family(self, part: Family) -> ast.stmt:
        local = self.expect_new((), part.drawn, part.line)
        pairs = entries(part.entries.text, bare=True)
        expect_once(pairs, part.entries.line, self.place)
        self._expect_given(part)
        keys: list[ast.expr | None] = []
        values: list[ast.expr] = []
        for name, value in pairs:
            for each in [name] if value else name.split(", "):
                keys.append(ast.Constant(each) if each else None)
                values.append(self.expression(value or each, part.entries.line))
        texts = [value for _, value in pairs if value]
        self.expect_seen(local, part.line, *_values(part.drawn), *texts)
        whole = values[0] if keys == [None] else entries_of(keys, values)
        drawn = [each for text in part.drawn for each in self._assigned(text)]
        body: list[ast.stmt] = [ast.Expr(ast.Constant(part.said)), *drawn]
        made = ast.FunctionDef(part.name, arguments_of(["draws"]), [*body, ast.Return(whole)], [])
        short = {*DRAWS} - self.known - {*local}
        for node in ast.walk(made):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and isinstance(called, ast.Name) and called.id in short:
                node.func = ast.Attribute(ast.Name("draws", ast.Load()), called.id, ast.Load())
        source = ast.unparse(placed(made, part.line))
        self.expect_known(global_names(source), (), part.line)
        return made

    def _expect_given(self, part: Family) -> None:
        """Raise `ModelError` at what is drawn and used by no entry, and at an entry that `**` with
        entries of another family replaces.
        """
        drawn = [(name, used, text.line) for text in part.drawn for name, used in targets(text)]
        used, once = set[str]().union(*(each for _, each, _ in drawn)), Once(self.place)
        for names, value in entries(part.entries.text, bare=True):
            used |= free("", (), Text(value or names, part.entries.line))
            of = self.families.get(value.removesuffix("(draws)"), Entries())
            for name in sorted(of.names) if not names else ():
                once.add(f'"{name}"', part.entries.line)
            once.lines |= dict.fromkeys((f'"{x}"' for x in names.split(", ")), part.entries.line)
        for name, _, line in drawn:
            if name not in used:
                said = f'"{name}" is drawn here, and "give:" on line {part.entries.line} does not'
                raise wrong(self.place, line, f"{said} use it: give it, or leave it out")

    def expect_new(self, names: Sequence[str], where: Sequence[Text], line: int) -> list[str]:
        """Return names, and those that assignments give a meaning to. Raises `ModelError` at one
        that has a meaning already, unless its new value is made of the one before: `k = max(k, 1)`.
        """
        once = Once(self.place)
        given = [(x, line, set[str]()) for x in names]
        given += [(x, text.line, used) for text in where for x, used in targets(text)]
        for name, at, used in given:
            if name in self.known:
                said = f'"{name}" has a meaning already in this document: take another name'
                raise wrong(self.place, at, said)
            if name not in used:
                once.add(f'"{name}"', at)
        return [name for name, _, _ in given]

    def expect_seen(self, names: Collection[str], line: int, *texts: str) -> None:
        """Raise `ModelError` at a name that expressions use for something of their own, where it is
        one of these names or has a meaning in the document.
        """
        for name in sorted(inner_names(*texts) & {*names, *self.known} - {"_"}):
            said = f'"{name}" has a meaning already: take another name within the expression'
            raise wrong(self.place, line, said)

    def expect_known(self, names: Collection[str], more: Collection[str], line: int) -> None:
        """Raise `ModelError` at a name without a meaning."""
        for name in sorted({*names} - {*more} - self.known):
            said = f'the name "{name}" has no meaning here: declare or use it'
            raise wrong(self.place, line, said)

    def used(self, names: Collection[str], of: Entries, line: int) -> list[str]:
        """Return the entries among names; of a family that is known nothing else is one."""
        for name in sorted({*names} & of.names & self.known):
            said = f'"{name}" is an entry of the family, and has another meaning here'
            raise wrong(self.place, line, f"{said}: take another name")
        found = sorted({*names} - self.known - {INSTANCE})
        for name in [*{*found} - of.names] if of.complete else ():
            said = f'"{name}" has no meaning here, and is no entry of the family, which gives'
            raise wrong(self.place, line, f"{said} {', '.join(sorted(of.names))}")
        return found

    def predicate(self, value: Text, of: Entries, tree: ast.expr | None = None) -> ast.expr:
        """Return a function of the entries of an instance."""
        names = free("", (), value)
        used = self.used(names, of, value.line)
        self.expect_seen({*of.names, *used}, value.line, value.text)
        tree = self.expression(value.text, value.line) if tree is None else tree
        if INSTANCE in names:
            made = ast.Lambda(arguments_of([], INSTANCE), _Entries({*used}).visit(tree))
        else:
            made = ast.Lambda(arguments_of(used, "_"), tree)
        return placed(made, value.line)


class _Program:
    """Compiles a program: a call of `Statement`, behind the function of its conclusion."""

    def __init__(self, blocks: Blocks, part: Program) -> None:
        its = blocks.expect_new(names_of(parameters(part.arguments)), (), part.line)
        expect_fixed(parameters(part.arguments))
        self.blocks, self.part = replace(blocks, known=blocks.known | {*its}), part
        self.once, self.hypotheses = Once(blocks.place), list[Text]()
        self.of = blocks.families.get(part.family.text, Entries())
        self.flags = self.asked = set[str]()
        self.before: list[ast.stmt] = []

    def statements(self) -> list[ast.stmt]:
        """Return what the program is in Python."""
        part, fields = self.part, self.part.fields
        holds = next(each for each in fields if each[0] == "holds")
        family = self.blocks.expression(part.family.text, part.family.line)
        made = [ast.keyword("family", family)]
        given = [(x[0], self._given(*x)) for x in fields if x[0] in HYPOTHESES]
        pairs = [pair for _, each in given for pair in each]
        if pairs:
            made.append(ast.keyword("given", ast.Dict([x for x, _ in pairs], [y for _, y in pairs])))
        made.append(ast.keyword("holds", self._holds(holds[1], holds[2])))
        near = [(words, self._near(words, text)) for key, words, text in fields if key == "not"]
        if near:
            keys: list[ast.expr | None] = [ast.Constant(words) for words, _ in near]
            made.append(ast.keyword("too_strong", ast.Dict(keys, [each for _, each in near])))
        needs = [x for key, each in given if key == "needs" for x, _ in each]
        if needs:
            made.append(ast.keyword("too_weak", ast.List(needs, ast.Load())))
        made += [ast.keyword(key, self._other(key, text)) for key, _, text in fields if key in OTHER]
        call = ast.Call(ast.Name(STATEMENT, ast.Load()), [], made)
        if not part.arguments:
            return [*self.before, assigned(part.name, call)]
        body = [*self.before, ast.Return(call)]
        arguments = self.blocks.parameters(part.arguments, part.line)
        return [ast.FunctionDef(part.name, arguments, body, [])]

    def _given(self, key: str, words: str, text: Text) -> list[tuple[ast.expr, ast.expr]]:
        """Return hypotheses: their words and their predicates."""
        if words:
            self.once.add(f'hypothesis "{words}"', text.line)
            self.hypotheses.append(text)
            return [(ast.Constant(words), self.blocks.predicate(text, self.of))]
        found = []
        for name in text.text.split("; "):
            if name not in self.blocks.known:
                raise wrong(self.blocks.place, text.line, f'expected a hypothesis, found "{name}"')
            known = self.blocks.hypotheses.get(name)
            self.once.add(f'hypothesis "{known.words if known else name}"', text.line)
            if known is not None:
                self.hypotheses.append(known.value)
                self.blocks.used(free("", (), known.value), self.of, text.line)
                self.blocks.expect_seen(self.of.names, text.line, known.value.text)
            words_of, predicate = (self.blocks.expression(f"{name}[{place}]", text.line) for place in (0, 1))
            found.append((words_of, predicate))
        return found

    def _holds(self, head: str, value: Text) -> ast.expr:
        """Return the conclusion, as a function of what it uses and of parameters of its own."""
        where = [text for key, _, text in self.part.fields if key == "where"]
        arguments = self.blocks.parameters(head, value.line)
        expect_fixed(arguments)
        self.flags = {*names_of(arguments)}
        local = self.blocks.expect_new(names_of(arguments), where, value.line)
        for name in local:
            if name in self.of.names:
                said = f'"{name}" is an entry of the family: take another name'
                raise wrong(self.blocks.place, value.line, said)
        self._expect_new_conclusion(arguments, where, value)
        self.asked = names = free(head, where, value)
        used = self.blocks.used(names, self.of, value.line)
        seen = {*self.of.names, *used, *local}
        self.blocks.expect_seen(seen, value.line, *_values(where), value.text)
        body = self.blocks.body(where, value)
        if INSTANCE in names:
            arguments.kwarg = ast.arg(INSTANCE)
            body = [_Entries({*used}).visit(each) for each in body]
        else:
            arguments.args[:0] = [ast.arg(each) for each in used]
            arguments.kwarg = ast.arg("_")
        last = body[-1]
        if len(body) == 1 and isinstance(last, ast.Return) and last.value is not None:
            return placed(ast.Lambda(arguments, last.value), value.line)
        name = f"{HIDDEN}holds_{self.part.name}"
        self.before.append(ast.FunctionDef(name, arguments, body, []))
        return ast.Name(name, ast.Load())

    def _expect_new_conclusion(self, arguments: ast.arguments, where: Sequence[Text], value: Text) -> None:
        """Raise `ModelError` if the conclusion says what hypotheses say."""
        pairs = zip(reversed(arguments.args), reversed(arguments.defaults))
        values: dict[str, ast.expr] = {each.arg: default for each, default in pairs}
        for target, text in (pair for each in where for pair in assignments(each.text)):
            values |= {target.id: parsed(text)} if isinstance(target, ast.Name) else {}
        given = [parsed(each.text) for each in self.hypotheses]
        if restates(parsed(value.text), values, given):
            lines = ", ".join(str(each.line) for each in self.hypotheses)
            said = f"the conclusion says what hypotheses say (line {lines}): nothing is left to show"
            raise wrong(self.blocks.place, value.line, said)

    def _near(self, words: str, text: Text) -> ast.expr:
        """Return arguments with which the conclusion is asked, as a function of entries if they use
        any.
        """
        pairs, blocks = entries(text.text), self.blocks
        self.once.add(f'near miss "{words}"', text.line)
        expect_once(pairs, text.line, blocks.place)
        for name, _ in pairs:
            free_to = INSTANCE in self.asked and not self.of.complete
            if name not in self.flags | self.of.names | self.asked and not free_to:
                said = "expected a parameter of the conclusion or an entry of the family, found"
                raise wrong(blocks.place, text.line, f'{said} "{name}"')
        blocks.expect_seen(self.of.names, text.line, *(value for _, value in pairs))
        keys: list[ast.expr | None] = [ast.Constant(name) if name else None for name, _ in pairs]
        table = ast.Dict(keys, [blocks.expression(value, text.line) for _, value in pairs])
        whole = Text(f"({', '.join(value for _, value in pairs)},)", text.line)
        if free("", (), whole) <= blocks.known:
            return table
        return blocks.predicate(whole, self.of, table)

    def _other(self, key: str, text: Text) -> ast.expr:
        if key == "degenerate":
            return self.blocks.predicate(text, self.of)
        if key == "always":
            return ast.Constant(text.text)
        if key == "computed":
            names = text.text.split(", ")
            expect_once([(each, "") for each in names], text.line, self.blocks.place)
            return ast.List([ast.Constant(each) for each in names], ast.Load())
        self.blocks.expect_known(free("", (), text), (), text.line)
        self.blocks.expect_seen(self.of.names, text.line, text.text)
        return self.blocks.expression(text.text, text.line)


class _Entries(ast.NodeTransformer):
    """Takes entries from the instance."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace the name of an entry."""
        if node.id not in self.names:
            return node
        place = ast.copy_location(ast.Constant(node.id), node)
        instance = ast.copy_location(ast.Name(INSTANCE, ast.Load()), node)
        return ast.copy_location(ast.Subscript(instance, place, ast.Load()), node)


def _values(where: Sequence[Text]) -> Iterator[str]:
    """Yield the expressions of assignments."""
    yield from (value for text in where for _, value in assignments(text.text))


def blocks_of(parts: Sequence[Part], place: str, expression: Callable[[str, int], ast.expr]) -> Blocks:
    """Return what compiles the blocks of a document."""
    hypotheses = {each.name: each for each in parts if isinstance(each, Hypothesis)}
    return Blocks(place, known_names(parts), expression, families(parts, place), hypotheses)
