"""What judges mutants: instances of the soak, and tests, each run in a copy of this process.

A judge is asked of those mutants alone whose statement it comes to, quick ones first, and first of
all the one that noticed the mutant before. It has five times the seconds of work that it takes when
watched, and two more: what fails, disagrees or does not end has noticed.
"""

import gc
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from tests.soak.units import disagreement

TOGETHER = 25  # instances of a quantity in one judge


@dataclass(frozen=True, eq=False)
class Judge:
    """What is asked, whether nothing is wrong, how long it takes, and the lines of the file that
    it comes to.
    """

    name: str
    well: Callable[[], bool]
    seconds: float = 1.0
    lines: frozenset[int] = frozenset()


def of_quantity(name: str, instances: int) -> Iterator[Judge]:
    """Judges that compare instances of a quantity of the soak."""
    for first in range(0, instances, TOGETHER):
        numbers = range(first, min(first + TOGETHER, instances))

        def well(numbers: range = numbers) -> bool:
            return not any(disagreement(name, f"{name} mutants {each}") for each in numbers)

        yield Judge(f"{name} {first}", well)


class Tests:
    """A plugin of pytest which hands what was collected to `work` instead of running it."""

    def __init__(self, work: Callable[[list[Judge]], None]) -> None:
        self.work = work
        self.error: Exception | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        assert session.items
        assert not session.testsfailed
        judges = [Judge(each.nodeid, lambda each=each: passes(each)) for each in session.items]
        try:
            self.work(judges)
        except Exception as error:  # which pytest would only print
            self.error = error
        return True


def passes(item: pytest.Item) -> bool:
    """Whether a test does not fail, with fixtures of its own."""
    return not any(each.failed for each in runtestprotocol(item, log=False))


def with_tests(files: Sequence[str], work: Callable[[list[Judge]], None]) -> None:
    """Collect tests and hand them to `work`."""
    options = ["-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        tests = Tests(work)
        code = pytest.main([*options, *files], plugins=[tests])
    if tests.error:
        raise tests.error
    assert code == 0, f"pytest ends with {code} for {files}"


def measured(judge: Judge, path: Path) -> Judge:
    """The judge with its time and the lines of a file that it comes to, of a run in a copy."""
    said = told(lambda tell: tell(pickle.dumps(run_through(judge, str(path)))))
    well, seconds, lines = pickle.loads(said)
    assert well, f"{judge.name} finds something wrong with the code as it is"
    return Judge(judge.name, judge.well, seconds, frozenset(lines))


def run_through(judge: Judge, path: str) -> tuple[bool, float, set[int]]:
    """Run a judge, watched, which takes up to three times as long."""
    lines: set[int] = set()
    real: dict[str, bool] = {}

    def watch(frame: FrameType, event: str, argument: object) -> Any:
        name = frame.f_code.co_filename
        if name not in real:
            real[name] = os.path.realpath(name) == path
        if not real[name]:
            return None
        lines.add(frame.f_lineno)
        return watch

    before = time.process_time()
    sys.settrace(watch)
    try:
        well = judge.well()
    finally:
        sys.settrace(None)
    return well, time.process_time() - before, lines


def told(work: Callable[[Callable[[bytes], object]], object]) -> bytes:
    """What a copy of this process tells before it ends, in whatever way."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            work(lambda said: os.write(writing, said))
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def first_to_notice(judges: Sequence[Judge], lines: Collection[int], put: Callable[[], object]) -> Judge | None:
    """The first judge that notices what is put on, None if none does."""
    there = [each for each in judges if not each.lines.isdisjoint(lines)]

    def ask(tell: Callable[[bytes], object]) -> None:
        put()
        for each in there:
            signal.setitimer(signal.ITIMER_PROF, 2 + 5 * each.seconds)  # which ends the copy
            if not each.well():
                return
            tell(b".")

    count = len(told(ask)) if there else 0
    return there[count] if count < len(there) else None


def loaded_from(path: Path) -> list[FunctionType]:
    """The functions of a file that are loaded."""
    gc.unfreeze()  # what is frozen is listed nowhere
    found = [
        each
        for each in gc.get_objects()
        if type(each) is FunctionType
        and each.__code__.co_filename.endswith(path.name)
        and Path(each.__code__.co_filename).resolve() == path
    ]
    gc.freeze()  # no search for garbage in a copy goes through it
    return found


def put_on(functions: Sequence[FunctionType], code: CodeType) -> int:
    """Give functions the code of a mutant of their file; to how many."""
    new = {(each.co_qualname, each.co_firstlineno): each for each in inner(code)}
    count = 0
    for each in functions:
        key = each.__code__.co_qualname, each.__code__.co_firstlineno
        if key in new and each.__code__.co_freevars == new[key].co_freevars:
            each.__code__ = new[key]
            count += 1
    assert count
    return count


def inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from inner(each)
