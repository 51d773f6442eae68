"""Nothing in a certificate and no comparison in the kernel can change unnoticed.

Every number, hash and label of an accepted certificate is changed: the kernel must refuse, unless
the changed statement is listed here as true. Every comparison and every `and`/`or` of the kernel is
replaced: the corpus must notice, unless the mutant is listed here as equivalent.
"""

import ast
import json
import re
import signal
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "verify" / "kernel.py"
ACCEPT = sorted((HERE / "accept").glob("*.json"))

# --- mutants of certificates ---

# A changed level or delta may leave the statement true:
# - at most: a larger level or delta (up to 1) is a weaker promise, where nothing is said to be
# attained;
#   a smaller one is true down to the value here.
LOG_3, LOG_MIXED = (
    Fraction("1.09861228866811"),
    Fraction("1.093087413"),
)  # just above log 3 and log(361/121)
SMALLEST_TRUE = {
    ("at-most-loose.json", "claim.level.log"): Fraction(3),
    ("at-most-nats-huge.json", "claim.level.nats"): LOG_3,
    ("at-most-nats-large.json", "claim.level.nats"): LOG_3,
    ("convex-nats-huge.json", "claim.level.nats"): LOG_MIXED,
    ("convex-nats-large.json", "claim.level.nats"): LOG_MIXED,
    ("joint-nats.json", "claim.level.nats"): 2 * LOG_3,
    ("delta-at-most-loose.json", "claim.level.log"): Fraction(9, 5),
    ("delta-at-most-loose.json", "claim.delta"): Fraction(1, 4),
    ("delta-at-most-one.json", "claim.delta"): Fraction(3, 4),
    ("delta-at-most-infinite-part.json", "claim.level.nats"): Fraction(0),
    ("delta-at-most-three-outputs.json", "claim.level.log"): Fraction(1),
}
# - witness: a smaller level or delta is exceeded all the more; a larger one is exceeded below the
# value here.
LEAKAGE_3 = Fraction("1.0986122886681096")  # just below log 3
EXCEEDED_BELOW = {
    ("witness.json", "claim.exceeds.log"): Fraction(3),
    ("witness-other-order.json", "claim.exceeds.log"): Fraction(3),
    ("witness-log-one.json", "claim.exceeds.log"): Fraction(3),
    ("witness-mixture.json", "claim.exceeds.log"): Fraction(361, 121),
    ("witness-mixture-zero-weight.json", "claim.exceeds.log"): Fraction(3),
    ("joint-witness.json", "claim.exceeds.log"): Fraction(9),
    ("joint-witness-order.json", "claim.exceeds.log"): Fraction(2),
    ("witness-nats.json", "claim.exceeds.nats"): LEAKAGE_3,
    ("witness-nats-zero.json", "claim.exceeds.nats"): LEAKAGE_3,
    ("delta-witness-zero.json", "claim.level.log"): Fraction(2),
    ("delta-witness-zero.json", "claim.delta"): Fraction(1, 8),
    ("delta-witness.json", "claim.delta"): Fraction(3, 8),
    ("delta-witness-mixture.json", "claim.delta"): Fraction(3, 8),
    # infinite leakage, and an output that the other secret makes impossible, exceed every level
    ("witness-infinite-above-any-level.json", "claim.exceeds.nats"): Fraction("1e9999"),
    ("delta-witness-infinite-part.json", "claim.level.nats"): Fraction("1e9999"),
}


def numbers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all numbers of a certificate."""
    if isinstance(value, dict):
        for key, entry in value.items():
            if key not in (
                "databases",
                "secrets",
                "pairs",
                "outputs",
                "pair",
                "prior" if isinstance(entry, str) else "",
            ):
                yield from numbers(entry, (*path, key))
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from numbers(entry, (*path, i))
    elif not isinstance(value, bool) and re.fullmatch(r"-?\d[\d./eE+-]*", str(value)):
        yield path


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def replaced(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    changed = deepcopy(value)
    at(changed, path[:-1])[path[-1]] = new
    return changed


def changes(old: Any) -> list[Any]:
    value = Fraction(str(old))
    if value > 10**100:
        return ["1e9998", "1/7"]
    moved = [str(value + Fraction(1, 7)), str(value * Fraction(99, 100) - Fraction(1, 1000))]
    return [*moved, int(value) + 1] if isinstance(old, int) else moved


def still_true(where: tuple[str, str], certificate: Any, old: Fraction, new: Fraction) -> bool:
    """Say whether the lists above explain that the changed statement is true."""
    if not re.match(r"claim\.(level|delta|exceeds)", where[1]) or new < (
        1 if where[1].endswith("log") else 0
    ):
        return False
    if certificate["kind"].endswith("witness"):
        return new < EXCEEDED_BELOW.get(where, old)
    if certificate["claim"].get("attained") is not None or (where[1] == "claim.delta" and new > 1):
        return False
    return new >= SMALLEST_TRUE.get(where, old)


@pytest.mark.parametrize("path", ACCEPT, ids=lambda path: path.stem)
def test_a_changed_number_is_refused_or_the_statement_is_still_true(
    path: Path, kernel: Any, tmp_path: Path
) -> None:
    certificate, draft = json.loads(path.read_text(encoding="utf-8")), tmp_path / "mutant.json"
    found = list(numbers(certificate))
    assert found
    for place in found:
        for new in changes(at(certificate, place)):
            draft.write_text(json.dumps(replaced(certificate, place, new)), encoding="utf-8")
            try:
                kernel.check(str(draft))
            except kernel.Refused:
                continue
            where, old = ".".join(map(str, place)), at(certificate, place)
            explained = still_true(
                (path.name, where), certificate, Fraction(str(old)), Fraction(str(new))
            )
            assert explained, f"{where} changed from {old} to {new} was accepted"


WITH_FILES = [
    case
    for case in json.loads((HERE / "inputs" / "CASES.json").read_text())
    if case["refused"] is None
]


@pytest.mark.parametrize("case", WITH_FILES, ids=lambda case: case["certificate"])
def test_a_changed_hash_or_label_is_refused_when_files_are_given(
    case: Any, kernel: Any, tmp_path: Path
) -> None:
    text = (HERE / "inputs" / case["certificate"]).read_text(encoding="utf-8")
    certificate, draft = json.loads(text), tmp_path / "mutant.json"
    files = [str(HERE / "inputs" / name) for name in case["files"]]
    hashes = [certificate["inputs"]["framework"], *certificate["inputs"]["mechanisms"]]
    space, outputs = certificate["framework"], certificate["mechanisms"][0]["outputs"]
    labels = [*space["databases"], *space["secrets"], *space["priors"], *outputs]
    mutants = [text.replace(json.dumps(label), json.dumps(label + "'")) for label in labels]
    mutants += [
        text.replace(old, new)
        for old in hashes
        for new in (*hashes, "sha256:" + "0" * 64)
        if new != old
    ]
    mutants += [text.replace(f'"{old}"', "null") for old in hashes]
    for mutant in mutants:
        assert mutant != text
        draft.write_text(mutant, encoding="utf-8")
        with pytest.raises(kernel.Refused):
            kernel.check(str(draft), files[0], files[1:])


# --- mutants of the kernel ---

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

# Mutants that compute the same answers, keyed by the mutated line as it then reads, with the
# reason.
EQUIVALENT = {
    "self.value > settled": "where the two are equal, the enclosure of e^nats gives the same "
    "answer",
    "len(text) < 200": "a text of exactly 200 characters is shown in full, with or without its "
    "length",
    "cross < 0": "a cross term of 0 has the square 0, which is at most the product of two numbers "
    "that are not positive",
}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield the statement that was changed and the source of the mutant."""
    total = sum(isinstance(node, ast.Compare | ast.BoolOp) for node in ast.walk(ast.parse(source)))
    for i in range(total):
        tree = ast.parse(source)
        node = [node for node in ast.walk(tree) if isinstance(node, ast.Compare | ast.BoolOp)][i]
        if isinstance(node, ast.BoolOp):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield ast.unparse(node), ast.unparse(tree)
            continue
        for k, op in enumerate(node.ops):
            for other in NEIGHBOURS[type(op)]:
                node.ops[k] = other()
                yield ast.unparse(node), ast.unparse(tree)
            node.ops[k] = op


class TooSlow(BaseException):
    """Raised by the alarm; not an Exception, so that no mutant catches it."""


def ring(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def survives(source: str, bench: Any, expected: list[Any]) -> bool:
    """Say whether a mutant gives every expected outcome in time."""
    signal.setitimer(signal.ITIMER_REAL, 5)
    try:
        mutant = bench.load(source)
        for case, outcome in expected:
            with bench.restored(mutant, case):
                if bench.outcome(mutant, case) != outcome:
                    return False
    except (Exception, SystemExit, TooSlow):
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return True


def test_the_corpus_notices_every_mutant_of_the_kernel(bench: Any) -> None:
    module = bench.load()
    expected = []
    for case in bench.cases:
        with bench.restored(module, case):
            expected.append((case, bench.outcome(module, case)))
    expected.sort(key=lambda pair: pair[0].name.startswith("command"))
    before, survivors, total = signal.signal(signal.SIGALRM, ring), [], 0
    try:
        for line, source in mutants(KERNEL.read_text(encoding="utf-8")):
            total += 1
            if survives(source, bench, expected):
                survivors.append(line)
    finally:
        signal.signal(signal.SIGALRM, before)
    print(f"{total} mutants, {len(survivors)} equivalent")
    assert total > 150
    assert sorted(survivors) == sorted(EQUIVALENT), survivors
