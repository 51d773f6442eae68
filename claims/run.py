"""Running claims: in processes of their own, with a cache by content, so that an edit re-proves only what it changed.

A result is plain JSON data (verdict, readings, steps with their formulas as text and MathML, counterexamples with files), so
that a report needs neither the claims nor their engines.
"""

import ast
import hashlib
import json
import multiprocessing
import os
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from fractions import Fraction
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pufferproof.claims.registry import Check, Claim, examine, load_claims
from pufferproof.models.channel import Channel
from pufferproof.models.files import framework_document, mechanism_document, write_atomically
from pufferproof.models.framework import Framework
from pufferproof.models.numbers import text_of
from pufferproof.verify.proof import Argument, ClaimVerdict, Step

Result = dict[str, Any]
_ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = ("z3-solver", "cvc5", "sympy", "python-flint", "scipy")


def run_claims(
    claims: Sequence[Claim],
    *,
    extra: Sequence[str] = (),
    jobs: int | None = None,
    timeout: float,
    use_cache: bool = True,
    done: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Examine claims, several at a time, and return their results in the order given.

    `done` is called with every result as it comes; what was done when a KeyboardInterrupt arrives has been passed to it. A
    claim whose process dies or raises is OPEN, with the error shown.
    """
    results: dict[str, Result] = {}
    pending: list[Claim] = []
    for claim in claims:
        stored = _stored(claim, timeout) if use_cache else None
        if stored is None:
            pending.append(claim)
        else:
            results[claim.id] = stored
            done(stored)
    for result in _examined(pending, extra, jobs or os.cpu_count() or 1, timeout):
        results[result["id"]] = result
        if use_cache and _lasting(result):
            _store(next(claim for claim in pending if claim.id == result["id"]), timeout, result)
        done(result)
    return [results[claim.id] for claim in claims]


def _examined(claims: Sequence[Claim], extra: Sequence[str], jobs: int, timeout: float) -> Iterator[Result]:
    """Yield results as workers finish; workers are fresh processes that load the claims themselves."""
    if not claims:
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(claims)), mp_context=context, initializer=load_claims, initargs=(tuple(extra),)
    )
    try:
        running: dict[Future[Result], Claim] = {pool.submit(_examine, claim.id, timeout): claim for claim in claims}
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                claim = running.pop(future)
                error = future.exception()
                yield future.result() if error is None else _failed(claim.id, f"{type(error).__name__}: {error}")
    finally:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _examine(identifier: str, timeout: float) -> Result:
    start = time.perf_counter()
    try:
        check = examine(identifier, timeout)
    except Exception as error:  # a claim's own mistake must not end the run: it is shown, and the claim stays open
        return _failed(identifier, f"{type(error).__name__}: {error}")
    return as_result(check, time.perf_counter() - start)


def as_result(check: Check, seconds: float) -> Result:
    """Return the plain data of an examined claim."""
    claim, verdict = check.claim, check.verdict
    literal = check.readings[0] if check.readings else None
    speaking = (
        check.readings[:1] if verdict is ClaimVerdict.REFUTED else check.readings
    )  # whose readings the headline is
    scope = "; ".join(dict.fromkeys(argument.scope for argument in speaking if argument.scope))
    return {
        **_described(claim),
        "verdict": verdict.value,
        "trust": list(dict.fromkeys(item for argument in speaking for item in argument.trust)),
        "scope": scope,
        "checked": sum(argument.checked for argument in speaking),
        "seconds": seconds,
        "error": None,
        "weakness": check.weakness,
        "readings": [_reading(argument) for argument in check.readings],
        "near_misses": [_reading(argument) for argument in check.near_misses],
        "counterexample": None if literal is None else _evidence(literal.evidence),
    }


def _described(claim: Claim) -> Result:
    return {
        "id": claim.id,
        "paper": claim.paper,
        "where": claim.where,
        "statement": claim.statement,
        "kind": claim.kind,
        "assumes": list(claim.assumes),
        "repair": claim.repair,
    }


def _failed(identifier: str, error: str) -> Result:
    empty: Result = {
        "trust": [],
        "scope": "",
        "checked": 0,
        "seconds": 0.0,
        "readings": [],
        "near_misses": [],
        "weakness": None,
    }
    return {**_described(load_claims()[identifier]), "verdict": "OPEN", **empty, "counterexample": None, "error": error}


def _reading(argument: Argument) -> Result:
    return {
        "name": argument.name,
        "verdict": argument.verdict.value,
        "trust": list(argument.trust),
        "scope": argument.scope,
        "checked": argument.checked,
        "steps": [_step(step) for step in argument.steps],
        "counterexample": _evidence(argument.evidence),
    }


def _step(step: Step) -> Result:
    return {
        "name": step.name,
        "kind": step.kind,
        "sentence": step.sentence,
        "formula": {"text": _plain(step.formula), "mathml": _mathml(step.formula)},
        "ok": step.ok,
        "trust": list(step.trust),
        "seconds": step.seconds,
        "detail": step.detail,
        "checked": step.checked,
        "query": step.query,
        "evidence": _evidence(step.evidence),
        "certificate": step.certificate,
    }


def _plain(formula: Any) -> str:
    if isinstance(formula, str):
        return formula
    import sympy

    return str(sympy.sstr(formula))


def _mathml(formula: Any) -> str | None:
    """Return presentation MathML of a sympy formula, None for text."""
    if isinstance(formula, str):
        return None
    from sympy.printing.mathml import mathml

    return str(mathml(formula, printer="presentation")).replace("<mo><</mo>", "<mo>&lt;</mo>")


def _evidence(values: Mapping[str, Any] | None) -> Result | None:
    """Return a counterexample as plain data: frameworks and mechanisms as documents, numbers as exact text."""
    return None if values is None else {str(key): _value(value) for key, value in values.items()}


def _value(value: Any) -> Any:
    if isinstance(value, Framework):
        document = framework_document(value)
        if value.one_sided:  # no file can say so: shown, but not offered as a file to audit
            return {"one_sided": True, **{key: each for key, each in document.items() if key != "format"}}
        return document
    if isinstance(value, Channel):
        return mechanism_document(value)
    if isinstance(value, Fraction):
        return text_of(value)
    if isinstance(value, Mapping):
        return {_key(key): _value(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_value(each) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return value if value is None or isinstance(value, bool | int) else str(value)


def _key(key: Any) -> str:
    return ",".join(map(str, key)) if isinstance(key, tuple) else str(key)


# --- the cache -------------------------------------------------------------------------------------------------------------


def _lasting(result: Result) -> bool:
    """Say whether a result depends on nothing but its inputs: no error, and no engine that ran out of time."""
    steps = [step for reading in [*result["readings"], *result["near_misses"]] for step in reading["steps"]]
    return result["error"] is None and not any("timeout" in step["detail"] for step in steps)


def _stored(claim: Claim, timeout: float) -> Result | None:
    """Return the stored result, unless a claim that it cites has changed since."""
    try:
        stored = json.loads(_cache_path(claim, timeout).read_text(encoding="utf-8"))
        cites, result = dict(stored["cites"]), dict(stored["result"])
    except (OSError, ValueError, KeyError):
        return None
    known = load_claims()
    fresh = all(name in known and fingerprint(known[name], timeout) == mark for name, mark in cites.items())
    return result if fresh else None


def _store(claim: Claim, timeout: float, result: Result) -> None:
    path = _cache_path(claim, timeout)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = load_claims()
    names = {
        step["formula"]["text"] for reading in result["readings"] for step in reading["steps"] if step["kind"] == "cite"
    }
    cites = {name: fingerprint(known[name], timeout) for name in sorted(names) if name in known}
    write_atomically(path, json.dumps({"cites": cites, "result": result}))


def _cache_path(claim: Claim, timeout: float) -> Path:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pufferproof" / "claims"
    return home / f"{fingerprint(claim, timeout)}.json"


def fingerprint(claim: Claim, timeout: float) -> str:
    """Return the hash of all that a result depends on: id, sources it can reach, engine versions, time limit."""
    digest = hashlib.sha256(f"{claim.id} {timeout} {_versions()}".encode())
    file = str(Path(claim.function.__code__.co_filename).resolve())
    sources = set(_reachable(file))
    if not Path(file).is_relative_to(_ROOT):  # claims from outside may import anything beside them
        sources |= _loaded_from_outside()
    for source in sorted(sources):
        state = os.stat(source)
        digest.update(_content(source, state.st_mtime_ns, state.st_size))
    return digest.hexdigest()


@cache
def _versions() -> str:
    """Return the versions of the packages that decide."""
    return " ".join(f"{package} {version(package)}" for package in _PACKAGES)


@cache
def _content(source: str, modified: int, size: int) -> bytes:
    """Return the hash of a file, read once for as long as it stays what it was."""
    return hashlib.sha256(Path(source).read_bytes()).digest()


def _loaded_from_outside() -> set[str]:
    """Return the source files of loaded modules that belong to no installed package, nor to this one."""
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    named = [str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())]
    files = {str(Path(name).resolve()) for name in named if name}
    homes = [Path(place).resolve() for place in places if place] + [_ROOT]
    return {
        file for file in files if file.endswith(".py") and not any(Path(file).is_relative_to(home) for home in homes)
    }


@cache
def _reachable(file: str) -> frozenset[str]:
    """Return a source file and every source file of this package that it imports, directly or not."""
    found, pending = set[str](), [file]
    while pending:
        source = pending.pop()
        if source not in found:
            found.add(source)
            pending += _imports(source)
    return frozenset(found)


@cache
def _imports(file: str) -> tuple[str, ...]:
    names, files, known = set[str](), list[str](), load_claims()
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in known:
            files.append(str(Path(known[node.value].function.__code__.co_filename).resolve()))  # a claim that is cited
    for name in names:
        package, _, rest = name.partition(".")
        base = _ROOT.joinpath(*rest.split("."))
        if package == "pufferproof" and rest:
            files += [str(path) for path in (base.with_suffix(".py"), base / "__init__.py") if path.exists()]
    return tuple(files)
