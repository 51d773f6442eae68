"""The bench on which the kernel, and every mutant of it, is judged: all cases of the corpus,
the limits, the command line.
"""

import contextlib
import importlib.util
import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "verify" / "kernel.py"
Outcome = tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """One run of the kernel: with patched limits, on a certificate with its files or on a
    command line.
    """

    name: str
    arguments: tuple[str, ...]
    expected: str | None  # None: accepted; else a fragment of the reason
    limits: tuple[tuple[str, int], ...] = ()
    command: bool = False


def load(source: str | None = None, path: Path = KERNEL) -> ModuleType:
    """Return a fresh kernel, or a mutant of it with this source."""
    module = ModuleType(f"{path.stem}_on_the_bench")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    code = compile(
        path.read_text(encoding="utf-8") if source is None else source, str(path), "exec"
    )
    exec(code, module.__dict__)
    return module


def outcome(kernel: ModuleType, case: Case) -> Outcome:
    """Return what the kernel does with a case, in a form that can be compared."""
    for name, value in case.limits:
        setattr(kernel, name, value)
    if case.command:
        streams = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            code = kernel.main([*case.arguments])
        return "exit", code, streams[0].getvalue(), streams[1].getvalue()
    try:
        certificate, *files = case.arguments
        found = kernel.check(certificate, files[0] if files else None, files[1:])
    except kernel.Refused as refusal:
        return (
            "refused",
            case.expected is not None and case.expected in str(refusal),
            str(refusal).count("\n"),
        )
    except kernel.NotJSON:
        return ("not JSON",)
    except OSError:
        return ("unreadable",)
    return "accepted", found.kind, found.statement, found.checked, found.inputs


@contextlib.contextmanager
def limits_restored(kernel: ModuleType, case: Case) -> Iterator[None]:
    old = [(name, getattr(kernel, name)) for name, _ in case.limits]
    try:
        yield
    finally:
        for name, value in old:
            setattr(kernel, name, value)


def corpus() -> list[Case]:
    reasons = json.loads((HERE / "reject" / "REASONS.json").read_text(encoding="utf-8"))
    cases = [
        Case(f"accept/{path.stem}", (str(path),), None)
        for path in sorted((HERE / "accept").glob("*.json"))
    ]
    cases += [
        Case(f"reject/{name}", (str(HERE / "reject" / name),), reason)
        for name, reason in reasons.items()
    ]
    for case in json.loads((HERE / "inputs" / "CASES.json").read_text(encoding="utf-8")):
        paths = [case["certificate"], *case["files"]]
        cases.append(
            Case(
                f"inputs/{paths[0]}",
                tuple(str(HERE / "inputs" / path) for path in paths),
                case["refused"],
            )
        )
    return cases


def limit(name: str, bound: int, path: str, reason: str, files: tuple[str, ...] = ()) -> list[Case]:
    """Two cases: accepted with the limit exactly reached, refused with the limit lower by one."""
    paths = tuple(str(HERE / one) for one in (path, *files))
    just = Case(f"{name}={bound} {path}", paths, None, ((name, bound),))
    return [just, Case(f"{name}={bound - 1} {path}", paths, reason, ((name, bound - 1),))]


WORK = {  # bit operations that accepted files take
    "at-most": 175_097_589,
    "at-most-attained": 198_033_662,
    "at-most-nats": 199_440_577,
    "convex-nats": 243_756_862,
    "convex-tie": 253_117_249,
    "delta-at-most": 178_197_083,
    "delta-witness-mixture": 224_925_759,
    "joint-twice": 215_560_849,
    "witness-mixture": 230_995_555,
}


def limits(folder: Path) -> list[Case]:
    def written(
        name: str, framework: dict[str, Any], rows: dict[str, list[str]], level: str = "9"
    ) -> str:
        base = json.loads((HERE / "accept" / "at-most.json").read_text(encoding="utf-8"))
        base["framework"] |= framework
        base["mechanisms"] = [{"outputs": ["u", "v"], "channel": rows}]
        base["claim"]["level"] = {"log": level}
        (folder / name).write_text(json.dumps(base), encoding="utf-8")
        return str(folder / name)

    half = ["1/2", "1/2"]
    two = {"databases": ["a", "b"], "priors": {"theta": {"a": "1/2", "b": "1/2"}}}
    four = {"secrets": {"1": ["a"], "2": ["b"], "3": ["a"], "4": ["b"]}, "pairs": "disjoint"}
    many = written("pairs.json", {**two, **four}, {"a": half, "b": half})
    accept, inputs = "accept/", "inputs/"
    chain = (inputs + "chain.json", inputs + "chain-mechanism.json")
    return [
        *limit(
            "MAX_BYTES",
            (HERE / "accept" / "at-most.json").stat().st_size,
            accept + "at-most.json",
            "bytes",
        ),
        *limit("MAX_DIGITS", 7, accept + "convex-tie.json", "expected a number"),
        *limit("MAX_SIZE", 3, accept + "at-most.json", "different databases"),
        *limit("MAX_SIZE", 6, many, "pairs: over"),
        *limit("MAX_ALPHABET", 2, inputs + "chain-json.certificate.json", "stationary", chain),
        *limit("MAX_RELEASES", 3, accept + "joint-thrice.json", "expected 2 to"),
        *(
            case
            for name in WORK
            for case in limit("MAX_WORK", WORK[name], f"{accept}{name}.json", "too large")
        ),
        Case(
            "undecided",
            (str(HERE / accept / "at-most-nats-thirty-digits.json"),),
            "undecided",
            (("MAX_PRECISION", 6),),
        ),
        Case(
            "decided",
            (str(HERE / accept / "at-most-nats-thirty-digits.json"),),
            None,
            (("MAX_PRECISION", 7),),
        ),
        *records(folder),
    ]


def records(folder: Path) -> list[Case]:
    """Cases about the number of databases that a file's records expand to; hashes as in the
    certificate.
    """
    import hashlib

    def case(name: str, count: int, alphabet: list[str], size: int, reason: str) -> Case:
        top = json.loads((HERE / "inputs" / "words.json").read_text(encoding="utf-8"))
        top["records"] = {"count": count, "alphabet": alphabet}
        text = json.dumps(top)
        base = json.loads(
            (HERE / "inputs" / "words-json-normalized.certificate.json").read_text(encoding="utf-8")
        )
        base["inputs"]["framework"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
        (folder / f"{name}.certificate.json").write_text(json.dumps(base), encoding="utf-8")
        paths = (
            f"{folder}/{name}.certificate.json",
            f"{folder}/{name}.json",
            str(HERE / "inputs" / "words.csv"),
        )
        return Case(name, paths, reason, (("MAX_SIZE", size),))

    word = ["no", "yes"]
    return [
        case("records 8 of 8", 3, word, 8, "rows"),
        case("records 8 of 7", 3, word, 7, "records: expected"),
        case("records without end", 999_999_999, word, 1_000_000, "records: expected"),
        case("records of one value", 9, ["no"], 9, "expected one of"),
        case("too many records of one value", 9, ["no"], 8, "records: expected"),
    ]


def commands(folder: Path) -> list[Case]:
    good, bad = (
        str(HERE / "accept" / "at-most.json"),
        str(HERE / "reject" / "A2-above-the-level.json"),
    )
    chain = [
        str(HERE / "inputs" / name)
        for name in ("chain-json.certificate.json", "chain.json", "chain-mechanism.json")
    ]
    (folder / "text.json").write_text("hello", encoding="utf-8")
    (folder / "latin.json").write_bytes(b'{"a": "\xe9"}')
    (folder / "deep.json").write_text("[" * 200_000, encoding="utf-8")
    (folder / "table.csv").write_text("database,u\na,1\n", encoding="utf-8")
    lines: list[list[str]] = [
        [],
        ["--json"],
        ["--help", good],
        ["-q"],
        [good],
        ["--json", good],
        [good, "--json"],
        [bad],
        ["--json", bad],
    ]
    lines += [
        [str(folder / name)]
        for name in ("text.json", "latin.json", "deep.json", "none.json", "table.csv")
    ]
    lines += [
        ["--json", str(folder / "text.json")],
        [str(folder)],
        chain,
        ["--json", *chain],
        chain[:2],
        [*chain, chain[2]],
    ]
    lines += [
        [*chain[:2], str(folder / "none.json")],
        [*chain[:2], "package.module:function"],
        [*chain[:2], "none.npy"],
    ]
    return [Case(f"command {i}", tuple(line), None, command=True) for i, line in enumerate(lines)]


@dataclass(frozen=True)
class Bench:
    load: Callable[..., ModuleType]
    outcome: Callable[[ModuleType, Case], Outcome]
    restored: Callable[[ModuleType, Case], contextlib.AbstractContextManager[None]]
    cases: list[Case]


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("kernel")
    return Bench(load, outcome, limits_restored, [*corpus(), *limits(folder), *commands(folder)])


@pytest.fixture(scope="session")
def kernel() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kernel_under_test", KERNEL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module
