"""Mutants of the code that computes leakage, each tried on instances of the soak, then by the tests
of its file: which ones does nothing notice?

    python -m tests.soak.mutants [FILE ...]

In a mutant one comparison, one and/or, one operator or one number of a function is another one.
The functions of a copy of this process run it; a copy that fails, disagrees or does not end has
noticed. Survivors are printed; README.md explains those that are known.
"""

import ast
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from pathlib import Path
from types import CodeType, FunctionType

import pytest
import tests.conftest  # noqa: F401 - settings of examples, before tests are loaded
from tests.kernel.mutants import NEIGHBOURS
from tests.soak.units import disagreement

from pufferproof import verify

ROOT = Path(next(iter(verify.__path__)))
TARGETS: dict[str, tuple[str, ...]] = {  # the files, and the quantities that judge them
    "leakage/few": ("both_searches", "leakages"),
    "leakage/ratio": ("both_searches", "leakages", "scopes", "certified"),
    "leakage/delta": ("deltas",),
    "leakage/table": ("tables",),
    "leakage/renyi": ("moments",),
    "leakage/mixtures": ("mixed",),
    "leakage/repeated": ("runs", "deltas"),
    "redaction/leakage": ("redactions",),
}
# what judges those that no instance tells: the tests of the file, and its examples
TESTS: dict[str, tuple[str, ...]] = {
    "leakage/few": ("leakage/test_ratio",),
    "leakage/ratio": ("leakage/test_ratio", "leakage/test_closure"),
    "leakage/delta": ("leakage/test_delta",),
    "leakage/table": ("leakage/test_ratio",),
    "leakage/renyi": ("leakage/test_moments", "leakage/test_renyi"),
    "leakage/mixtures": ("leakage/test_mixture_parts", "leakage/test_mixture_filter"),
    "leakage/repeated": ("leakage/test_counted_runs", "leakage/test_repeated"),
    "redaction/leakage": ("redaction/test_leakage", "redaction/test_joint"),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}
INSTANCES = 100  # of each quantity
SECONDS = 20.0  # of work for a mutant
LONGER = 120.0  # for its tests


def sites(tree: ast.Module) -> list[ast.expr]:
    """What is changed: within functions, and not in annotations or texts."""
    found = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                found += [each for each in ast.walk(statement) if changes(each)]
    return list(dict.fromkeys(found))


def changes(node: ast.AST) -> list[ast.AST]:
    """What an expression may read in place of what it is."""
    found = []
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            for other in NEIGHBOURS[type(op)]:
                new = deepcopy(node)
                new.ops[k] = other()
                found.append(new)
    elif isinstance(node, ast.BoolOp):
        new = deepcopy(node)
        new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        found.append(new)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        new = deepcopy(node)
        new.op = OPERATORS[type(node.op)]()
        found.append(new)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        found.append(deepcopy(node.operand))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        found.append(ast.copy_location(ast.Constant(node.value + 1), node))
    return found


class Put(ast.NodeTransformer):
    """Puts one expression in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutants(path: Path) -> Iterator[tuple[str, CodeType]]:
    """Yield how an expression reads, with its line, and the code with it changed."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    for node in sites(tree):
        for new in changes(node):
            changed = Put(node, new).visit(tree)
            code = compile(ast.fix_missing_locations(changed), str(path), "exec")
            tree = Put(new, node).visit(changed)
            yield f"{node.lineno}: {ast.unparse(node)} -> {ast.unparse(new)}", code


def inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from inner(each)


def put_on(path: Path, code: CodeType) -> int:
    """Give the functions of a file that are loaded the code of a mutant; how many there are."""
    new = {(each.co_qualname, each.co_firstlineno): each for each in inner(code)}
    count = 0
    gc.unfreeze()  # what is frozen is listed nowhere
    loaded = (each for each in gc.get_objects() if type(each) is FunctionType)
    for each in (each for each in loaded if each.__code__.co_filename.endswith(path.name)):
        if Path(each.__code__.co_filename).resolve() == path:
            key = each.__code__.co_qualname, each.__code__.co_firstlineno
            if key in new and each.__code__.co_freevars == new[key].co_freevars:
                each.__code__ = new[key]
                count += 1
    return count


def ends_well(path: Path, code: CodeType, seconds: float, work: Callable[[], bool]) -> bool:
    """Whether a copy of this process, in which a mutant takes the place of a file, says so."""
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # which ends it
        well = False
        try:
            assert put_on(path, code)
            well = work()
        finally:
            os._exit(0 if well else 1)
    return os.waitpid(child, 0)[1] == 0


def noticed(path: Path, code: CodeType, quantities: Sequence[str], instances: int) -> bool:
    """Whether a copy of this process that runs a mutant disagrees, fails or does not end."""
    return not ends_well(
        path,
        code,
        SECONDS,
        lambda: (
            not any(
                disagreement(name, f"{name} mutants {number}")
                for number in range(instances)
                for name in quantities
            )
        ),
    )


def fails(path: Path, code: CodeType, files: Sequence[str]) -> bool:
    """Whether tests fail in a copy of this process that runs a mutant."""
    return not ends_well(path, code, LONGER, lambda: tested(files) == 0)


def tested(files: Sequence[str]) -> int:
    """Run the tests of some files in this process, silently, up to the first that fails."""
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return int(pytest.main([*options, *files]))


def survivors(target: str, instances: int = INSTANCES) -> tuple[int, list[str]]:
    """How many mutants a file has, and those that nothing notices."""
    path = (ROOT / f"{target}.py").resolve()
    for name in TARGETS[target]:  # everything is loaded before it is copied
        for number in range(5):
            disagreement(name, f"{name} mutants {number}")
    same = compile(path.read_text(), str(path), "exec")
    assert not noticed(path, same, TARGETS[target], 3)
    total, left = 0, []
    files = [
        *(f"tests/verify/{name}.py" for name in TESTS[target]),
        f"src/pufferproof/verify/{target}.py",
    ]
    assert not fails(path, same, files)
    for text, code in mutants(path):
        total += 1
        if noticed(path, code, TARGETS[target], instances) or fails(path, code, files):
            continue
        left.append(text)
    return total, left


def main(words: Sequence[str]) -> int:
    for target in words or TARGETS:
        total, left = survivors(target)
        print(f"{target}: {total} mutants, {len(left)} that nothing notices", flush=True)
        for text in left:
            print(f"  {text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
