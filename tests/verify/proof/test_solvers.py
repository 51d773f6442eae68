"""Solvers in forks: one query never disturbs another, whatever becomes of it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pufferproof.verify.proof import smt
from pufferproof.verify.proof.smt import decided
from pufferproof.verify.proof.solvers import ANSWERS, SolverProcess

FOR_EVER = "any(iter(int, 1))"


@pytest.fixture
def echo():
    """A "solver" that evaluates its query as Python and prints the value."""
    return SolverProcess("import os, signal, time", "print(eval(text))")


def test_answers_come_back_whole(echo):
    assert echo.ask("1 + 1", 10) == "2\n"
    assert echo.ask("'ä' * 200000", 10) == "ä" * 200_000 + "\n"


def test_a_fork_answers_so_many_queries_and_another_goes_on(echo):
    forks = [echo.ask("os.getpid()", 10) for _ in range(2 * ANSWERS + 1)]
    assert [forks.count(each) for each in dict.fromkeys(forks)] == [ANSWERS, ANSWERS, 1]


SMALL = "(set-logic QF_NRA)(declare-fun x () Real)(assert (> (* x {}) {}))(check-sat)"


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_nothing_is_carried_from_one_query_to_the_next(solver):
    """A letter is declared anew, an assertion is forgotten, and models do not depend on what was
    asked before.
    """
    texts = ("x", 1), ("x x", 2), ("x x", "(* x x x)"), ("(- 2)", 1)
    queries = [SMALL.format(*parts) for parts in texts]
    queries += ["(set-logic QF_NRA)(declare-fun x () Int)(assert (= (* x x) 9))(check-sat)"]
    alone = [decided(solver, each, 10) for each in queries for _ in (drop(solver),)]
    assert [decided(solver, each, 10) for each in queries] == alone
    assert [decided(solver, each, 10) for each in queries[::-1]] == alone[::-1]


def drop(solver):
    """Begin a new process with the next query."""
    smt._PROCESSES[solver]._stop()


def test_a_query_that_runs_out_of_time_is_stopped_and_the_next_is_answered(echo):
    assert echo.ask(FOR_EVER, 0.1) is None
    assert echo.ask("2", 10) == "2\n"


def test_a_busy_machine_stops_no_query(echo):
    """What counts is time of the processor: not that a query waits, or that it is stopped while
    others run.
    """
    assert echo.ask("[time.sleep(0.3), 'waited'][1]", 0.2) == "waited\n"
    goes_on = 'os.system(f"(sleep 0.3; kill -CONT {os.getpid()}) &")'
    stopped = f"[{goes_on}, os.kill(os.getpid(), signal.SIGSTOP), 'went on'][2]"
    assert echo.ask(stopped, 0.2) == "went on\n"
    assert echo.ask(FOR_EVER, 0.1) is None


def test_each_query_has_a_limit_of_its_own(echo):
    """What those before it took of the same fork is not counted."""
    busy = "[sum(range(10**6)), os.getpid()][1]"
    assert len({echo.ask(busy, 1) for _ in range(5)}) == 1


def test_a_query_that_waits_for_ever_is_stopped_by_the_clock(echo):
    assert echo.ask("time.sleep(60)", 10, 0.1) is None
    assert echo.ask("2", 10) == "2\n"


@pytest.mark.parametrize("crash", ["1 / 0", "os.kill(os.getpid(), signal.SIGKILL)", "os._exit(3)"])
def test_a_crash_says_nothing_and_the_next_query_is_answered(echo, crash):
    assert echo.ask(crash, 10) == ""
    assert echo.ask("2", 10) == "2\n"


def test_a_prepared_process_that_is_gone_is_no_answer_and_comes_back(echo):
    assert echo.ask("os.kill(os.getppid(), signal.SIGKILL)", 10) == ""
    assert echo.ask("2", 10) == "2\n"


def test_an_interrupt_while_waiting_leaves_no_answer_for_the_next_query(echo):
    echo.ask("0", 10)

    def interrupt(*_):
        raise TimeoutError("stopped")

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError):
            echo.ask("[time.sleep(3), 'late'][1]", 10)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert echo.ask("'next'", 10) == "next\n"


def test_a_forked_owner_has_a_process_of_its_own(echo):
    echo.ask("0", 10)
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writable, (echo.ask("'child'", 10) or "").encode())
        os._exit(0)
    os.close(writable)
    os.waitpid(child, 0)
    assert os.read(readable, 100) == b"child\n"
    assert echo.ask("'parent'", 10) == "parent\n"


def test_a_query_ends_with_whoever_asked(tmp_path):
    """A solver that may take days must not outlive a program that was killed."""
    mark = tmp_path / "query"
    program = (
        "from pufferproof.verify.proof.solvers import SolverProcess\nasking = "
        "SolverProcess('import os, time', 'open(text, \"w\").write(str(os.getpid())), "
        "time.sleep(1000)')\n"
        f"asking.ask({str(mark)!r}, 1000)\n"
    )
    asker = subprocess.Popen([sys.executable, "-c", program])
    try:
        assert comes_true(lambda: mark.exists() and mark.read_text())
    finally:
        asker.kill()
        asker.wait()
    assert comes_true(lambda: not Path(f"/proc/{mark.read_text()}").exists())


def comes_true(condition):
    """Whether a condition comes true before minutes are over."""
    end = time.monotonic() + 300
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()
