"""Counterexamples of a document, `false: ..`: what `by:` and `so:` read of the values in `at:`.

`by:` knows the entries of `at:` by their names, also where a letter has that name: there it has
that value. One that reads nothing of them says nothing of the instance, and is refused.
"""

import ast
import re
from collections.abc import Collection, Sequence

from pufferproof.claims.document import formulas
from pufferproof.claims.document.expressions.exact import BUILTINS, HIDDEN
from pufferproof.claims.document.expressions.reading import arguments_of, entries, parsed
from pufferproof.claims.document.lines import wrong
from pufferproof.claims.document.parts import Step, Text
from pufferproof.claims.document.programs.names import free
from pufferproof.claims.document.programs.running import Blocks
from pufferproof.models.errors import ModelError
from pufferproof.verify.certificates.calculation import name_of

AT = f"{HIDDEN}at"
"""The entries of `at:`, evaluated once, in the module of a document."""


def violated(step: Step, blocks: Blocks, letters: Collection[str], more: Collection[str]) -> ast.expr:
    """Return `by:` as a function of the entries of `at:` that it reads, which has their values.
    `more` are names that every step knows. Raises `ModelError` for what can be misread.
    """
    at, by = entries(step.given["at"].text), step.given["by"]
    tree, names, other = parsed(by.text), free("", (), by), blocks.known - {*letters}
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    numbers = {x.id for x in ast.walk(tree) if isinstance(x, ast.Name) and id(x) not in called}
    for name, value in at:
        if name in numbers & other and name != value:
            said = f'"{name}" has a meaning already, which is not its value in "at:"'
            raise wrong(blocks.place, by.line, f"{said}: take another name")
    read = [name for name, _ in at if name in names - other]
    blocks.expect_known(names, {*more, *read}, by.line)
    blocks.expect_seen([name for name, _ in at], by.line, by.text)
    values = {ast.dump(parsed(value)) for _, value in at if not value.isdigit()}
    says = names & {*more, *read, *blocks.known} - BUILTINS
    if not (says or values & {*map(ast.dump, ast.walk(tree))} or _reads(step, at)):
        said = '"by:" and "so:" read nothing of "at:", so that they are true of all values'
        raise wrong(blocks.place, by.line, f'{said}: name an entry of "at:"')
    given = arguments_of(read)
    given.defaults = [ast.Subscript(ast.Name(AT, ast.Load()), ast.Constant(name), ast.Load()) for name in read]
    return ast.Lambda(given, blocks.expression(by.text, by.line))


def _reads(step: Step, at: Sequence[tuple[str, str]]) -> bool:
    """Whether `so:` names an entry of `at:`, or may."""
    if "so" not in step.given:
        return False
    words = re.findall(r"\w+", step.given["so"].text)
    return any(not name or name_of(name) in words for name, _ in at)


def expect_formula(so: Text, place: str) -> None:
    """Raise `ModelError` for a formula that is none, or can be read in two ways."""
    try:
        formulas.read(so.text)
    except ModelError as error:
        raise wrong(place, so.line, str(error)) from None
