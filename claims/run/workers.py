"""Examining claims in processes of their own, those that are cited first: what is known of a claim
goes along to those that cite it, so that each is examined once.
"""

import gc
import multiprocessing
import sysconfig
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from pathlib import Path

from pufferproof.claims.language.statements import USUAL, Effort
from pufferproof.claims.registry import Claim, examine, load_claims, load_extra, remember
from pufferproof.claims.run.order import Order
from pufferproof.claims.run.results import Result, as_result, described, failed
from pufferproof.models.interface.sweeps.executors import without_working_directory
from pufferproof.verify.proof.argument import Cited

_ROOT = Path(__file__).resolve().parents[2]
Known = Mapping[str, Cited]
Answer = tuple[Result, Cited | None]


def examined(
    claims: Sequence[Claim],
    known: Known,
    extra: Sequence[str],
    jobs: int,
    work: Callable[[str, Known], Answer],
) -> Iterator[Result]:
    """Yield results as workers finish; workers are fresh processes that load what they need of
    the claims.

    `known` is what is known of claims that are not examined here and may be cited.
    """
    if not claims:
        return
    order, known = Order(claims), dict(known)
    pool = _pool(min(jobs, len(claims)), extra)
    running: dict[Future[Answer], Claim] = {}
    try:
        while order or running:
            while len(running) < jobs and (claim := order.following(idle=not running)):
                cited = {each: known[each] for each in order.cites[claim.id] & known.keys()}
                running[_submitted(pool, work, claim.id, cited)] = claim
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                claim = running.pop(future)
                order.finished(claim)
                result, cited_as = _answer(claim, future)
                if cited_as is not None:
                    known[claim.id] = cited_as
                yield result
    finally:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _pool(jobs: int, extra: Sequence[str]) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    with without_working_directory():
        return ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_start, initargs=(tuple(extra),)
        )


def _submitted(
    pool: ProcessPoolExecutor, work: Callable[[str, Known], Answer], identifier: str, cited: Known
) -> Future[Answer]:
    """Submit a claim; where a worker has died, the future has that error."""
    try:
        with without_working_directory():  # a worker may start with a claim that is submitted
            return pool.submit(work, identifier, cited)
    except BrokenExecutor as error:
        future = Future[Answer]()
        future.set_exception(error)
        return future


def _answer(claim: Claim, future: Future[Answer]) -> Answer:
    error = future.exception()
    if error is not None:
        return failed(claim.id, f"{type(error).__name__}: {error}"), None
    result, cited = future.result()
    # a worker knows some families only, and not whose repair a claim is
    return result | described(claim), cited


def _start(extra: Sequence[str]) -> None:
    """Load what a worker needs; it seldom looks for garbage, of which formulas make little."""
    load_extra(extra)
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def examine_one(identifier: str, known: Known, timeout: float, effort: Effort = USUAL) -> Answer:
    """Examine a claim in this process; return its result, and what claims that cite it may know.

    A claim that raises is OPEN, and nothing is known of it: whoever cites it raises as well.
    """
    start = time.perf_counter()
    remember(known)
    try:
        check = examine(identifier, timeout, effort)
    except Exception as error:  # it is shown, the claim stays open and the run goes on
        text = f"{type(error).__name__}: {error}{_place(identifier, error)}"
        return failed(identifier, text), None
    return as_result(check, time.perf_counter() - start), check.as_cited


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
