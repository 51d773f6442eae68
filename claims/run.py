"""Running claims: in processes of their own, with a cache by content, so that an edit re-proves
only what it changed.

What the cache holds is checked again as far as certificates and counterexamples go (`replay.py`),
and marked as cached.

A result is plain JSON data (verdict, readings, steps with their formulas as text and MathML,
counterexamples with files), so that a report needs neither the claims nor their engines.
"""

import gc
import multiprocessing
import os
import sysconfig
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from pufferproof.claims.cache import Cache
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.language.statements import USUAL, Effort, Trial
from pufferproof.claims.language.theorems import coq_version, theorems_of
from pufferproof.claims.registry import Check, Claim, examine, load_claims, load_extra
from pufferproof.claims.replay import Formula, checked_again
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.proof.argument import ClaimVerdict, Step

Result = dict[str, Any]
KEPT = ("name", "scope", "steps", "obstacle", "carried", "trial")
_ROOT = Path(__file__).resolve().parent.parent


def run_claims(
    claims: Sequence[Claim],
    *,
    extra: Sequence[str] = (),
    jobs: int | None = None,
    timeout: float,
    use_cache: bool = True,
    effort: Effort = USUAL,
    done: Callable[[Result], None] = lambda result: None,
    warn: Callable[[str], None] = lambda line: None,
) -> list[Result]:
    """Examine claims, several at a time, and return their results in the order given.

    `done` is called with every result as it comes; what was done when a KeyboardInterrupt arrives
    has been passed to it. A claim whose process dies or raises is OPEN, with the error shown.
    `warn` is called, at most once, if results could not be kept for the next run. What is cached
    is of the usual effort on statements; another one examines claims anew.
    """
    results: dict[str, Result] = {}
    stored = Cache(load_claims(), timeout) if use_cache and effort == USUAL else None
    for claim in claims:
        result = None if stored is None else _recalled(stored, claim, timeout)
        if result is not None:
            results[claim.id] = result
            done(result)
    pending = {claim.id: claim for claim in claims if claim.id not in results}
    work = partial(_examine, timeout=timeout, effort=effort)
    for result in _examined(list(pending.values()), extra, jobs or os.cpu_count() or 1, work):
        results[result["id"]] = result
        if stored is not None:
            _keep(stored, pending[result["id"]], result)
        done(result)
    if stored is not None and stored.warning is not None:
        warn(stored.warning)
    return [results[claim.id] for claim in claims]


def _examined(
    claims: Sequence[Claim], extra: Sequence[str], jobs: int, work: Callable[[str], Result]
) -> Iterator[Result]:
    """Yield results as workers finish; workers are fresh processes that load what they need of
    the claims.
    """
    if not claims:
        return
    context = multiprocessing.get_context("spawn")
    with _without_working_directory():
        pool = ProcessPoolExecutor(
            min(jobs, len(claims)),
            mp_context=context,
            initializer=_start,
            initargs=(tuple(extra),),
        )
    try:
        with _without_working_directory():  # workers start with the first claim that is submitted
            running: dict[Future[Result], Claim] = {
                pool.submit(work, claim.id): claim for claim in claims
            }
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                claim = running.pop(future)
                error = future.exception()
                found = (
                    future.result()
                    if error is None
                    else _failed(claim.id, f"{type(error).__name__}: {error}")
                )
                yield found | _described(
                    claim
                )  # a worker knows some families only, and not whose repair a claim is
    finally:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


@contextmanager
def _without_working_directory() -> Iterator[None]:
    """Let the interpreters that the body starts not look for modules in the working directory,
    where anybody's file may lie.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _start(extra: Sequence[str]) -> None:
    """Load what a worker needs; it seldom looks for garbage, of which formulas make little."""
    load_extra(extra)
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _examine(identifier: str, timeout: float, effort: Effort = USUAL) -> Result:
    start = time.perf_counter()
    try:
        check = examine(identifier, timeout, effort)
    except (
        Exception
    ) as error:  # a claim's own mistake must not end the run: it is shown, and the claim stays open
        return _failed(identifier, f"{type(error).__name__}: {error}{_place(identifier, error)}")
    return as_result(check, time.perf_counter() - start)


def _place(identifier: str, error: Exception) -> str:
    """Say where an error was raised: in the claim's own file, and where that called something,
    there too.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = load_claims()[identifier].function.__code__.co_filename
    inside = [frame for frame in frames if frame.filename == own]
    places = dict.fromkeys(
        f"{_shown(frame.filename)}:{frame.lineno}" for frame in [*inside[-1:], *frames[-1:]]
    )
    return f" (at {', raised at '.join(places)})" if places else ""


def _shown(file: str) -> str:
    """Return the name of a source file: within this package, within a package that is
    installed, or as it was given.
    """
    for home in (_ROOT, *map(Path, (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")))):
        if Path(file).resolve().is_relative_to(home):
            return str(Path(file).resolve().relative_to(home))
    return file


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
        "letters": _letters(check.letters),
        "verdict": verdict.value,
        "trust": list(dict.fromkeys(item for argument in speaking for item in argument.trust)),
        "scope": scope,
        "checked": sum(argument.checked for argument in speaking),
        "seconds": seconds,
        "cached": False,
        "error": None,
        "weakness": check.weakness,
        "carried": [{"claim": each.claim, "text": each.text} for each in check.carried],
        "readings": [_reading(check, argument) for argument in check.readings],
        "near_misses": [_reading(check, argument) for argument in check.near_misses],
        "theorems": _theorems(claim),
        "counterexample": None if literal is None else _evidence(literal.evidence),
    }


def _theorems(claim: Claim) -> list[Result]:
    """What Coq checked beside the claim; nothing where that cannot be believed, which leaves the
    claim open.
    """
    try:
        return [{**asdict(each), "coq": coq_version()} for each in theorems_of(claim.id)]
    except ModelError:
        return []


def _described(claim: Claim) -> Result:
    return {
        "id": claim.id,
        "paper": claim.paper,
        "where": claim.where,
        "statement": claim.statement,
        "kind": claim.kind,
        "assumes": list(claim.assumes),
        "repair": claim.repair,
        "printed": claim.printed,
        "notation": claim.notation,
    }


def _letters(letters: Mapping[str, Letter]) -> Result:
    return {
        name: {"meaning": each.meaning, "domain": each.domain_text}
        for name, each in letters.items()
    }


def _failed(identifier: str, error: str) -> Result:
    empty: Result = {
        "trust": [],
        "scope": "",
        "checked": 0,
        "seconds": 0.0,
        "cached": False,
        "readings": [],
        "near_misses": [],
        "theorems": [],
        "weakness": None,
        "carried": [],
    }
    claim = load_claims()[identifier]
    return {
        **_described(claim),
        "letters": _letters(claim.letters),
        "verdict": "OPEN",
        **empty,
        "counterexample": None,
        "error": error,
    }


def _reading(check: Check, argument: Proof) -> Result:
    return {
        "name": argument.name,
        "verdict": argument.verdict.value,
        "trust": list(argument.trust),
        "scope": argument.scope,
        "checked": argument.checked,
        "obstacle": argument.obstacle,
        "carried": [{"claim": each.claim, "text": each.text} for each in argument.carried],
        "steps": [_step(step) for step in argument.steps],
        "trial": None if argument.trial is None else _trial(argument.trial),
        "unsaid": check.unsaid(argument),
        "counterexample": _evidence(argument.evidence),
    }


def _trial(trial: Trial) -> Result:
    return vars(trial) | {
        "failed": _evidence(trial.failed),
        "missed": {words: _evidence(each) for words, each in trial.missed.items()},
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
        "refuted": step.refuted,
    }


def _plain(formula: Any) -> str:
    if isinstance(formula, str | Formula):
        return formula if isinstance(formula, str) else formula.text
    import sympy

    return str(sympy.sstr(formula))


def _mathml(formula: Any) -> str | None:
    """Return presentation MathML of a sympy formula, None for text."""
    if isinstance(formula, str | Formula):
        return None if isinstance(formula, str) else formula.mathml
    from sympy.printing.mathml import mathml

    return str(mathml(formula, printer="presentation")).replace("<mo><</mo>", "<mo>&lt;</mo>")


def _evidence(values: Mapping[str, Any] | None) -> Result | None:
    """Return a counterexample as plain data: frameworks and mechanisms as documents, numbers as
    exact text.
    """
    return None if values is None else {str(key): _value(value) for key, value in values.items()}


def _value(value: Any) -> Any:
    if isinstance(value, Framework):
        document = framework_document(value)
        if value.one_sided:  # no file can say so: shown, but not offered as a file to audit
            return {
                "one_sided": True,
                **{key: each for key, each in document.items() if key != "format"},
            }
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
    return ",".join(map(str, key)) or "()" if isinstance(key, tuple) else str(key)


# --- what is kept


def _recalled(stored: Cache, claim: Claim, timeout: float) -> Result | None:
    """Return a stored result whose certificates and counterexamples were checked again; None if
    there is none.
    """
    entry = stored.read(claim)
    if entry is None:
        return None
    try:
        return as_result(checked_again(claim, entry, timeout), float(entry["seconds"])) | {
            "cached": True
        }
    except (
        Exception
    ):  # whatever does not come out as it was stored is examined again, where errors are shown
        return None


def _keep(stored: Cache, claim: Claim, result: Result) -> None:
    """Store what engines said, unless it depends on more than its inputs: an error, or an
    engine that ran out of time.
    """
    steps = [
        step
        for reading in [*result["readings"], *result["near_misses"]]
        for step in reading["steps"]
    ]
    if result["error"] is None and not any("timeout" in step["detail"] for step in steps):
        arguments = {
            key: [{part: each[part] for part in KEPT} for each in result[key]]
            for key in ("readings", "near_misses")
        }
        cites = {step["formula"]["text"] for step in steps if step["kind"] == "cite"}
        stored.write(claim, arguments | {"seconds": result["seconds"]}, cites)
