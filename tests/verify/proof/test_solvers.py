"""Solvers in forks, and one that lies: neither decides what it should not."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
import z3
from tests.brute.frameworks import bits, one_pair, two_priors

from pufferproof.counterexamples.collapse.above import search_leakage_above
from pufferproof.counterexamples.collapse.search import Collapse, Impossible, NotFound, search_collapse
from pufferproof.counterexamples.collapse.threshold import confirm, search_threshold, sum_of
from pufferproof.counterexamples.shrink import shrink_collapse
from pufferproof.lp.cones.separation import Limit, Undecided
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import _by_conditions
from pufferproof.models.errors import SolverError
from pufferproof.models.files.writing import framework_document
from pufferproof.reports import cli
from pufferproof.verify.proof import smt
from pufferproof.verify.proof.smt import ANSWERS, Answer, SolverProcess, decided

# Solvers in forks: one query never disturbs another, whatever becomes of it.


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
        "from pufferproof.verify.proof.smt import SolverProcess\nasking = "
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


# A solver that lies decides nothing: what only Z3 says is undecided, whatever it says.


@pytest.fixture
def never(monkeypatch):
    """Z3 says of everything that it is impossible."""
    monkeypatch.setattr(z3.Solver, "check", lambda self, *_: z3.unsat)


def test_no_collapse_is_ruled_out_by_one_solver(never, tmp_path, monkeypatch, capfd):
    found = search_collapse(bits(3), ["0"], engine="z3")
    assert isinstance(found, NotFound)
    assert found.searched.endswith("Z3 says unsat, cvc5 says sat: expected two solvers that agree")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.json").write_text(json.dumps(framework_document(bits(3))))
    assert cli._run(["collapse", "f.json", "--engine", "z3", "--out", "d", "--json"]) == 3
    answer = json.loads(capfd.readouterr().out)
    assert (answer["found"], answer["trust"], answer["mechanisms"]) == (None, [], [])
    assert not (tmp_path / "d").exists()


def test_nor_by_one_that_the_other_does_not_confirm(monkeypatch):
    for status in ("unknown", "limit", "timeout", "error", "sat"):
        monkeypatch.setattr(
            "pufferproof.counterexamples.collapse.threshold.decided",
            lambda solver, *_, status=status: Answer(solver, status),
        )
        assert isinstance(search_collapse(bits(2), ["0"], engine="z3"), NotFound)
        found = search_leakage_above(one_pair("a", "b"), ["log(2)", "log(2)"], "log(4)", engine="z3")
        assert isinstance(found, NotFound)
        threshold = search_threshold(two_priors("1/3", "1/2"), 2)
        assert (threshold.exact, threshold.least) == (False, False)


def test_what_both_rule_out_is_impossible():
    assert search_collapse(bits(2), ["0"], engine="z3") == Impossible(None, "z3")
    above = search_leakage_above(one_pair("a", "b"), ["log(2)", "log(2)"], "log(4)", engine="z3")
    assert above == Impossible(2, "z3")


def test_no_leakage_above_a_level_is_ruled_out_by_one_solver(never):
    found = search_leakage_above(one_pair("a", "b"), ["log(2)", "log(2)"], "log(3)", engine="z3")
    assert isinstance(found, NotFound)


def test_fewer_releases_are_not_ruled_out_by_one_solver(monkeypatch):
    """Z3 finds the collapse of three releases, and lies about that of two."""
    framework, true, asked = bits(3), z3.Solver.check, []
    most = search_collapse(framework, ["0"], engine="z3").runs

    def check(self, *arguments):
        asked.append(self)
        return z3.unsat if len(asked) == 1 else true(self, *arguments)

    monkeypatch.setattr(z3.Solver, "check", check)
    found = search_collapse(framework, ["0"], engine="z3")
    assert most == 2
    assert isinstance(found, NotFound)


def test_no_smaller_collapse_is_ruled_out_by_one_solver(never):
    found = search_collapse(bits(3), ["0"], engine="lp")
    assert isinstance(found, Collapse)
    shrunk = shrink_collapse(found)
    assert (shrunk.collapse, shrunk.proved) == (found, ())


@pytest.mark.parametrize("lie", [z3.unsat, z3.unknown])
def test_no_threshold_is_proved_by_one_solver(monkeypatch, lie):
    monkeypatch.setattr(z3.Solver, "check", lambda self, *_: lie)
    found = search_threshold(two_priors("1/3", "1/2"), 2)
    assert (found.exact, found.least) == (False, False)
    assert found.enclosure.lower**2 < Fraction(3, 2) < found.enclosure.upper**2


def test_an_end_of_a_linear_program_is_none_without_its_certificate(never):
    with pytest.raises(SolverError, match="no exact end"):
        _by_conditions(Program({0: 1}, [Row({0: 1}, "<=", 1)], 1))


def test_a_threshold_that_z3_says_is_attained_needs_the_other_solver(monkeypatch):
    """The published kind of threshold is attained; were cvc5 to doubt it, nothing would be said."""
    assert search_threshold(two_priors("1/3", "1/2"), 2).exact
    true = smt.decided
    monkeypatch.setattr(
        "pufferproof.counterexamples.collapse.threshold.decided",
        lambda *asked: Answer("cvc5", "unknown") if true(*asked).status == "sat" else true(*asked),
    )
    found = search_threshold(two_priors("1/3", "1/2"), 2)
    assert (found.exact, found.least) == (False, False)


def test_formulas_reach_the_second_solver_as_they_are():
    x, y = z3.Reals("x y")
    limit = Limit(None)
    for stated, status in (
        ([sum_of([x]) > 0, z3.Or([z3.And([x < 1])])], "sat"),
        ([sum_of([2 * x, y]) < 0, x >= 0, y >= 0], "unsat"),
        ([z3.Implies(z3.Bool("p"), x == z3.RealVal("1/3")), z3.Bool("p"), 3 * x != 1], "unsat"),
    ):
        solver = z3.Solver()
        solver.add(*stated)
        assert str(solver.check()) == status
        confirm(solver, status, limit)
        with pytest.raises(Undecided, match="expected two solvers that agree"):
            confirm(solver, "sat" if status == "unsat" else "unsat", limit)
    solver = z3.Solver()
    solver.add(x * x < 0)
    confirm(solver, "unsat", limit, "QF_NRA")


def test_why_a_solver_does_not_know_is_no_part_of_its_answer(monkeypatch):
    process = type("Process", (), {"ask": lambda self, *_: "unknown (INCOMPLETE)\n"})()
    monkeypatch.setitem(smt._PROCESSES, "cvc5", process)
    assert smt.decided("cvc5", "", 1.0) == Answer("cvc5", "unknown")


HARD = (
    "(set-logic QF_NRA)(declare-fun x () Real)(declare-fun y () Real)(declare-fun z () Real)"
    "(assert (> (* x y z) 0))(assert (= (+ (* x x x x x) (* y y y y y) (* z x)) (* 3 z z z y x)))"
    "(assert (< (+ (* x x) (* y y) (* z z z z)) (* x y)))(check-sat)"
)
LINEAR = (
    "(set-logic QF_LRA)(declare-fun x () Real)(declare-fun y () Real)"
    "(assert (> (+ x y) 1))(assert (< (+ x (* 2 y)) 0))(assert (< x 1))(check-sat)"
)


@pytest.mark.parametrize(("solver", "query"), [("z3", HARD), ("z3", LINEAR), ("cvc5", LINEAR)])
def test_what_a_solver_counts_is_stopped_by_the_count_whatever_clocks_say(solver, query, monkeypatch):
    """With clocks of minutes and of days the same work is done, and the same said."""
    answers = []
    for slow in (100, 10**6):
        monkeypatch.setattr(smt, "_SLOW", slow)
        drop(solver)
        answers.append([smt.decided(solver, query, 10.0**-k).status for k in (6, 5, 0)])
    assert answers[0] == answers[1]
    assert answers[0][0] == "limit"
    assert answers[0][-1] in ("sat", "unsat")


def test_where_coverings_come_in_time_or_not_cvc5_says_the_same(monkeypatch):
    """A clock that jumps ends all but the last try, which decides."""
    tries = []

    def ask(self, query, *limits):
        tries.append(query)
        return None if len(tries) < 3 else "unsat"

    monkeypatch.setitem(smt._PROCESSES, "cvc5", type("Process", (), {"ask": ask})())
    assert smt.decided("cvc5", "(check-sat)", 9.0).status == "unsat"
    assert [each.startswith("(set-option :nl-ext none)") for each in tries] == [True, False, True]


@pytest.mark.parametrize("alone", ["unsat", "sat", "unknown (INCOMPLETE)", "", "no", None])
def test_cvc5_starts_over_where_coverings_tell_nothing(alone, monkeypatch):
    """What they do tell is its answer; a limit by the clock leaves no time for two."""
    asked = []

    def ask(self, query, *limits):
        asked.append((query, *limits))
        return alone if query.startswith("(set-option :nl-ext none)") else "unsat"

    monkeypatch.setitem(smt._PROCESSES, "cvc5", type("Process", (), {"ask": ask})())
    told = alone in ("unsat", "sat")
    assert smt.decided("cvc5", "(check-sat)", 9.0).status == (alone if told else "unsat")
    assert [query for query, *_ in asked][1:] == ([] if told else ["(check-sat)"])
    assert asked[0][1] < 1
    assert smt.decided("cvc5", "(check-sat)", 9.0, 1.0).status == "unsat"
    assert asked[-1] == ("(check-sat)", 9.0, 1.0)


def test_cvc5_says_the_same_with_coverings_and_as_it_comes():
    for bound, power in ((-1, 2), (1, 2), (0, 3), (2, 4), (-2, 4)):
        product = " ".join(["x"] * power)
        query = (
            "(set-logic QF_NRA)(declare-fun x () Real)(declare-fun y () Real)"
            f"(assert (< (+ (* {product}) (* y y)) {bound if bound >= 0 else f'(- {-bound})'}))"
            "(check-sat)"
        )
        by_default = smt.decided("cvc5", query, 10.0, 100.0)
        assert smt.decided("cvc5", query, 10.0) == by_default
        assert by_default.status == ("sat" if bound > 0 or power == 3 else "unsat")
