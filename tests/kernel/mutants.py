"""The mutants of the kernel: in each, one comparison or one and/or is another one. A case of the
bench must notice it.

A mutant does what the kernel does until it comes to the expression that was changed: it is run on
the cases alone with which the kernel comes there.
"""

import ast
import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from tests.kernel.bench import FILES, Case, Code, Loaded, Outcome, compiled, outcome, source, statement

Place = tuple[str, int]  # a file, and which of its expressions that mutants change
NEIGHBOURS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}


def changeable(tree: ast.Module) -> list[ast.Compare | ast.BoolOp]:
    """Return the expressions that mutants change, always in the same order."""
    return [each for each in ast.walk(tree) if isinstance(each, ast.Compare | ast.BoolOp)]


def mutants(file: str) -> Iterator[tuple[Place, str, Code]]:
    """Yield the place of the expression that was changed, how it then reads, and the mutant: only
    the statement of the file with that expression is compiled again.
    """
    tree, whole = ast.parse(source(file)), compiled(file)
    around = {node: k for k, each in enumerate(tree.body) for node in ast.walk(each)}
    for number, node in enumerate(changeable(tree)):
        k = around[node]
        for _ in changed(node):
            code = (*whole[:k], statement(file, tree.body[k]), *whole[k + 1 :])
            yield (file, number), ast.unparse(node), code


def changed(node: ast.Compare | ast.BoolOp) -> Iterator[None]:
    """Change an expression in one way after the other, and back at the end."""
    if isinstance(node, ast.BoolOp):
        one = node.op
        node.op = ast.Or() if isinstance(one, ast.And) else ast.And()
        yield
        node.op = one
        return
    for k, op in enumerate(node.ops):
        for other in NEIGHBOURS[type(op)]:
            node.ops[k] = other()
            yield
        node.ops[k] = op


# --- where a case comes ---


class Watched(ast.NodeTransformer):
    """Writes (came((file, number)), e)[1] for every expression e that mutants change."""

    def __init__(self, file: str) -> None:
        self.tree = ast.parse(source(file))
        self.places = {node: (file, k) for k, node in enumerate(changeable(self.tree))}
        self.generic_visit(self.tree)
        ast.fix_missing_locations(self.tree)
        self.code = tuple(statement(file, each) for each in self.tree.body)

    def visit(self, node: ast.AST) -> Any:
        inner = self.generic_visit(node)
        if not isinstance(node, ast.Compare | ast.BoolOp):
            return inner
        name = ast.Tuple([ast.Constant(part) for part in self.places[node]], ast.Load())
        came = ast.Call(ast.Name("came", ast.Load()), [name], [])
        return ast.Subscript(ast.Tuple([came, inner], ast.Load()), ast.Constant(1), ast.Load())


@dataclass(frozen=True, eq=False)
class Judge:
    """A case, what the kernel does with it, how many seconds of work a mutant has for it, and the
    places that the kernel comes to.
    """

    case: Case
    expected: Outcome
    seconds: float
    places: frozenset[Place]


def judges_of(cases: list[Case]) -> list[Judge]:
    """A mutant has a fifth of a second, and ten times what the kernel takes."""
    came: set[Place] = set()
    kernel = Loaded({file: Watched(file).code for file in FILES}, came=came.add)
    loading = frozenset(came)
    judges = []
    for case in cases:
        came.clear()
        start = time.process_time()
        expected = outcome(kernel, case)
        seconds = 0.2 + 10 * (time.process_time() - start)
        judges.append(Judge(case, expected, seconds, loading | came))
    return judges


# --- whether a mutant is noticed ---


class TooSlow(BaseException):
    """Raised by the alarm; not an Exception, so that no mutant catches it."""


def ring(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextlib.contextmanager
def alarm() -> Iterator[Callable[[float], None]]:
    """Ring after so many seconds of work, counted again from each call of what is given, never
    after 0; that other programs keep the machine busy does not count.
    """
    before = signal.signal(signal.SIGPROF, ring)

    def within(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)

    try:
        yield within
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def first_to_notice(
    mutant: tuple[str, Code], judges: list[Judge], within: Callable[[float], None], base: Loaded
) -> Judge | None:
    """The first case with which a mutant does not do what is expected, in time; None if there is
    none.
    """
    each = judges[0]
    try:
        within(5)
        kernel = Loaded(dict([mutant]), base)
        for each in judges:
            within(each.seconds)
            if outcome(kernel, each.case) != each.expected:
                return each
    except (Exception, SystemExit, TooSlow):
        return each
    finally:
        within(0)
    return None


def survivors(file: str, judges: list[Judge]) -> tuple[int, list[str]]:
    """Return how many mutants of a file there are, and those that no case notices.

    Quick cases come first, and before them the one that noticed the mutant before, which it often
    notices too.
    """
    judges, unnoticed, total = sorted(judges, key=lambda each: each.seconds), [], 0
    base = Loaded()
    with alarm() as within, contextlib.redirect_stderr(None):
        for place, line, code in mutants(file):
            total += 1
            there = [each for each in judges if place in each.places]
            noticed = first_to_notice((file, code), there, within, base) if there else None
            if noticed is None:
                unnoticed.append(line)
            else:
                judges.remove(noticed)
                judges.insert(0, noticed)
    return total, unnoticed
