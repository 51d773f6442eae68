"""Mutants of the code that computes leakage, each tried on instances of the soak and by the tests
of its file: which ones does nothing notice?

    python -m tests.soak.mutants [FILE ...]

In a mutant one comparison, one and/or, one operator or one number of a function is another one.
Copies of this process run it (`judging.py`). Survivors are held against `survivors.toml`, which
says why some change nothing: those that it does not explain are printed, and explanations of none.
"""

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType

import tests.conftest  # noqa: F401 - settings of examples, before tests are loaded
from tests.kernel.mutants import NEIGHBOURS
from tests.soak import judging
from tests.soak.units import disagreement

from pufferproof import verify

ROOT = Path(next(iter(verify.__path__)))
EXPLAINED = Path(__file__).with_name("survivors.toml")
TARGETS: dict[str, tuple[str, ...]] = {  # the files, and the quantities that judge them
    "leakage/ratio": ("both_searches", "leakages", "scopes", "certified", "tables", "joint", "sums"),
    "leakage/laws": ("both_searches", "leakages", "tables", "closures"),
    "leakage/delta": ("deltas",),
    "leakage/renyi": ("moments",),
    "leakage/mixtures": ("mixed", "suprema"),
    "leakage/runs/repeated": ("runs",),
    "leakage/runs/parts": ("deltas",),
    "sequences/redaction/leakage": ("redactions",),
}
# and the tests, beside the examples of the file itself
TESTS: dict[str, tuple[str, ...]] = {
    "leakage/ratio": (
        "leakage/test_results",
        "leakage/test_ratio",
        "leakage/test_all_pairs",
        "leakage/mixtures/test_closure",
        "audit/test_composition",
    ),
    "leakage/laws": (
        "leakage/test_laws",
        "leakage/test_ratio",
        "proof/test_error_bounds",
        "leakage/mixtures/test_closure",
        "leakage/mixtures/test_along_records",
    ),
    "leakage/delta": ("leakage/test_delta", "leakage/test_curves"),
    "leakage/renyi": ("leakage/test_moments", "leakage/test_renyi"),
    "leakage/mixtures": (
        "leakage/mixtures/test_parts",
        "leakage/mixtures/test_filter",
        "leakage/mixtures/test_suprema",
    ),
    "leakage/runs/repeated": ("leakage/runs/test_counted_runs", "leakage/runs/test_repeated"),
    "leakage/runs/parts": ("leakage/runs/test_counted_runs", "leakage/runs/test_repeated", "leakage/runs/test_grid"),
    "sequences/redaction/leakage": ("sequences/redaction/test_leakage", "sequences/redaction/test_joint"),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}
INSTANCES = 100  # of each quantity


def changes(node: ast.AST) -> list[ast.AST]:
    """What an expression may read instead of what it is."""
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


def put(old: ast.AST, new: ast.AST, within: ast.AST) -> None:
    """Put an expression in the place of another, among the parts of one around it."""
    for name, value in ast.iter_fields(within):
        if value is old:
            setattr(within, name, new)
        elif isinstance(value, list) and any(each is old for each in value):
            setattr(within, name, [new if each is old else each for each in value])


@dataclass(frozen=True)
class Mutant:
    """The function that was changed, what reads otherwise there, the lines of the statement, and
    the whole file, which reads so until another mutant is asked for.
    """

    function: str
    text: str
    lines: range
    path: Path
    tree: ast.Module

    def compiled(self) -> CodeType:
        return compile(ast.fix_missing_locations(self.tree), str(self.path), "exec")


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file; of those of a function that read alike, the second is `#2`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    alike: Counter[tuple[str, str]] = Counter()
    for node in sites(tree):
        around = [node, *ancestors(node, above)]
        named = [each.name for each in around if isinstance(each, ast.FunctionDef | ast.ClassDef)]
        function, read = ".".join(named[::-1]), read_in(around)
        before = ast.unparse(read)
        for new in changes(node):
            put(node, new, above[node])
            text = f"{before} -> {ast.unparse(new if read is node else read)}"
            alike[function, text] += 1
            count = alike[function, text]
            text += f" #{count}" if count > 1 else ""
            yield Mutant(function, text, lines(around), path, tree)
            put(new, node, above[node])


def sites(tree: ast.Module) -> list[ast.AST]:
    """What is changed: within functions, and not in annotations or texts."""
    found = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                found += [each for each in ast.walk(statement) if changes(each)]
    return list(dict.fromkeys(found))


def ancestors(node: ast.AST, above: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in above:
        node = above[node]
        yield node


def read_in(around: Sequence[ast.AST]) -> ast.AST:
    """An expression itself; a number is read in the expression or the short statement around it."""
    if not isinstance(around[0], ast.Constant):
        return around[0]
    short = ast.expr | ast.Return | ast.Assign | ast.AugAssign
    return next((each for each in around[1:] if isinstance(each, short)), around[0])


def lines(around: Sequence[ast.AST]) -> range:
    """The lines of the statement, of a block those of its head."""
    statement = next(each for each in around if isinstance(each, ast.stmt))
    body = getattr(statement, "body", None)
    end = body[0].lineno if body else (statement.end_lineno or statement.lineno) + 1
    return range(statement.lineno, max(end, statement.lineno + 1))


def survivors(target: str, instances: int = INSTANCES) -> tuple[int, list[tuple[str, str]]]:
    """How many mutants a file has, and those that nothing notices: a function and a text each."""
    path = (ROOT / f"{target}.py").resolve()
    total, left = 0, []

    def work(judges: list[judging.Judge]) -> None:
        nonlocal total
        for name in TARGETS[target]:
            disagreement(name, f"{name} mutants")  # everything is loaded before it is copied
            judges += judging.of_quantity(name, instances)
        judges[:] = [judging.measured(each, path) for each in judges]
        judges.sort(key=lambda each: each.seconds)
        loaded = judging.loaded_from(path)
        same = compile(path.read_text(encoding="utf-8"), str(path), "exec")
        assert judging.put_on(loaded, same) == len(loaded), f"{path} is not what was loaded"
        for each in mutants(path):
            total += 1
            wear = partial(judging.put_on, loaded, each.compiled())
            noticed = judging.first_to_notice(judges, each.lines, wear)
            if noticed is None:
                left.append((each.function, each.text))
            else:
                judges.remove(noticed)
                judges.insert(0, noticed)

    tested = [f"tests/verify/{name}.py" for name in TESTS[target]]
    judging.with_tests([*tested, f"src/pufferproof/verify/{target}.py"], work)
    return total, left


def explained(target: str) -> dict[tuple[str, str], str]:
    """The mutants of a file that are said to change nothing, with the reason."""
    table = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get(target, {})
    return {
        (function, text): reason
        for function, reasons in table.items()
        for reason, texts in reasons.items()
        for text in texts
    }


def main(words: Sequence[str]) -> int:
    unexplained, stale = 0, 0
    for target in words or TARGETS:
        total, left = survivors(target)
        known = explained(target)
        new = [each for each in left if each not in known]
        old = [each for each in known if each not in left]
        unexplained, stale = unexplained + len(new), stale + len(old)
        print(f"{target}: {total} mutants, {len(left)} that nothing notices", flush=True)
        print(f"  {len(left) - len(new)} of them are explained", flush=True)
        for function, text in new:
            print(f"  UNEXPLAINED {function}: {text}", flush=True)
        for function, text in old:
            print(f"  NOTICED, or gone, though explained {function}: {text}", flush=True)
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
