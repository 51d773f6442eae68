"""Solvers that raise errors of their own change no exact answer: another way is used, bounds are
wider, or nothing is decided, in one line.
"""

import json
import subprocess
from fractions import Fraction

import cvxpy
import highspy
import pytest
import z3
from scipy import optimize
from tests.verify.proof.questions import QUESTIONS, best_composing
from tests.verify.proof.test_garbage import SLOW, may_be

from pufferproof import Framework, Table
from pufferproof.counterexamples.collapse.above import search_leakage_above
from pufferproof.counterexamples.collapse.search import NotFound, search_collapse
from pufferproof.counterexamples.collapse.threshold import search_threshold
from pufferproof.counterexamples.shrink import STAGES, shrink_collapse
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import NotConfirmedError, _by_conditions
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.proportions import proposing, solving
from pufferproof.verify.decision import Decision
from pufferproof.verify.proof import smt
from pufferproof.verify.proof.smt import SolverProcess

PANIC = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})
ERRORS = [RuntimeError, ValueError, ZeroDivisionError, z3.Z3Exception, cvxpy.SolverError, PANIC]


def raising(error):
    def broken(*arguments, **options):
        raise error("the solver broke")

    return broken


@pytest.fixture(scope="module")
def truth():
    return {name: QUESTIONS[name]() for name in QUESTIONS.keys() - SLOW}


def test_an_error_of_a_solver_is_one_of_the_package_or_no_proposal():
    for error in ERRORS:
        assert proposing(raising(error))() is None
        with pytest.raises(SolverError, match=r"^X broke, and nothing is decided: .*: the solver broke"):
            solving("X")(raising(error))()


@pytest.mark.parametrize("error", [KeyError, AssertionError, KeyboardInterrupt])
def test_an_error_of_ours_is_none_of_a_solver(error):
    for ask in (proposing(raising(error)), solving("X")(raising(error))):
        with pytest.raises(error):
            ask()


def test_a_solver_without_memory_is_named_and_nobody_goes_on():
    with pytest.raises(MemoryError):
        proposing(raising(MemoryError))()
    said = "^X: expected a program that fits in memory, found too little memory: the solver broke$"
    with pytest.raises(SolverError, match=said) as caught:
        solving("X", NotConfirmedError)(raising(MemoryError))()
    assert not isinstance(caught.value, NotConfirmedError)


@pytest.mark.parametrize("method", ["__init__", "run", "getSolution"])
def test_where_floats_are_refused_answers_stay_or_are_wider(method, truth, monkeypatch):
    monkeypatch.setattr(highspy.Highs, method, raising(RuntimeError))
    monkeypatch.setattr(optimize, "linprog", raising(ValueError))
    monkeypatch.setattr(optimize, "nnls", raising(RuntimeError))
    for name, true in truth.items():
        found = QUESTIONS[name]()  # without an error
        assert all(map(may_be, found, true)), (name, found)
    assert QUESTIONS["optimum"]() == truth["optimum"]


@pytest.mark.parametrize("method", ["run", "getBasis", "addRows"])
@pytest.mark.parametrize(("name", "ratio"), [("bounded", Fraction(2756, 577)), ("two_laws", 12)])
def test_where_relaxations_break_bounds_hold_still(name, ratio, method, monkeypatch):
    monkeypatch.setattr(highspy.Highs, method, raising(RuntimeError))
    ((lower, upper),) = QUESTIONS[name]()
    assert lower <= ratio
    assert upper is None or ratio <= upper


@pytest.mark.parametrize("error", [cvxpy.SolverError, ValueError, PANIC])
def test_where_a_cone_solver_breaks_the_best_mechanism_has_wider_bounds(error, monkeypatch):
    true = best_composing()
    monkeypatch.setattr(cvxpy.Problem, "solve", raising(error))
    assert all(map(may_be, best_composing(), true))


PLACES = [
    (z3, "Real"), (z3.Solver, "__init__"), (z3.Solver, "add"), (z3.Solver, "check"),
    (z3.Solver, "model"), (z3.ModelRef, "eval"), (z3.Solver, "to_smt2"),
]  # fmt: skip


def of_three(*laws):
    """Databases a, b, c and the secrets a or not."""
    priors = {f"theta{k}": Table(dict(zip("abc", law))) for k, law in enumerate(laws)}
    return Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], priors)


ONE = of_three(["1/2", "1/4", "1/4"])
TWO = of_three(["1/2", "1/6", "1/3"], ["1/2", "1/4", "1/4"])
PAIR = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": Table({"a": "1/2", "b": "1/2"})})
BY_Z3 = {
    "collapse": lambda: search_collapse(ONE, ["log(1)"], engine="z3"),
    "none": lambda: search_collapse(PAIR, ["log(2)"] * 2, engine="z3"),
    "above": lambda: search_leakage_above(PAIR, ["log(2)"] * 2, "log(3)", engine="z3"),
    "not above": lambda: search_leakage_above(PAIR, ["log(2)"] * 2, "log(4)", engine="z3"),
    "threshold": lambda: search_threshold(TWO, 2),
}


@pytest.fixture(scope="module")
def by_z3():
    return {name: ask() for name, ask in BY_Z3.items()}


def expect_nothing_else(by_z3):
    """Answers are those that were given before, or nothing is decided: of one question at least."""
    found = {name: ask() for name, ask in BY_Z3.items()}
    threshold, before = found.pop("threshold"), by_z3["threshold"]
    assert threshold.attained in (before.attained, Decision.UNDECIDED)
    open_ones = [each for each in found.values() if isinstance(each, NotFound)]
    assert open_ones
    for name, each in found.items():
        assert each in open_ones or str(each) == str(by_z3[name])
    before = shrink_collapse(by_z3["collapse"], seconds=60)
    assert before.proved in (STAGES[:0], STAGES[:1])
    return [str(each) for each in open_ones]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a half-made solver
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[1])
def test_where_z3_breaks_nothing_is_decided_and_what_was_found_stays(place, by_z3, monkeypatch):
    monkeypatch.setattr(*place, raising(z3.Z3Exception))
    assert all("Z3 broke, and nothing is decided" in each for each in expect_nothing_else(by_z3))
    program = Program({0: 1, 1: 1}, [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6)], 2)
    if place[1] != "to_smt2":  # which it does not use
        with pytest.raises(NotConfirmedError, match="Z3 broke"):
            _by_conditions(program)


def test_where_cvc5_breaks_one_solver_alone_decides_nothing(by_z3, monkeypatch):
    process = SolverProcess("import sys", "raise RuntimeError(text)")
    monkeypatch.setitem(smt._PROCESSES, "cvc5", process)
    assert smt.decided("cvc5", "(check-sat)", 5.0).status == "error"
    assert all("cvc5 says error" in each for each in expect_nothing_else(by_z3))
    assert smt.decided("cvc5", "(check-sat)", 5.0).status == "error"


@pytest.mark.parametrize("imports", ["import no_such_solver", "raise SystemExit(0)"])
def test_a_solver_that_cannot_be_imported_is_an_error(imports):
    assert SolverProcess(imports, "print('unsat')").ask("", 5.0) == ""


def test_where_no_process_begins_there_is_no_answer(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", raising(OSError))
    assert SolverProcess("import sys", "print('unsat')").ask("", 5.0) == ""


FILES = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a"], "t": ["b", "c"]},
    "pairs": [["s", "t"]],
    "priors": {"p": {"table": {"a": "1/2", "b": "1/6", "c": "1/3"}}},
}
LOSS = {
    "format": "pufferproof-loss/1",
    "outputs": ["u", "v"],
    "loss": {"a": ["0", "1"], "b": ["1", "0"], "c": ["1", "1/2"]},
}
COMMANDS = [
    ("collapse", "--budget", "log(2)", "--engine", "z3", "--out", "found"),
    ("critical", "--runs", "2"),
    ("worst", "--budget", "log(2)", "--budget", "log(2)"),
    ("optimal", "--epsilon", "log(2)", "--loss", "loss.json", "--out", "best.json", "--replace"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_whose_solvers_have_no_memory_says_so(words, save, run, monkeypatch):
    save("framework.json", FILES)
    save("loss.json", LOSS)
    asked = (words[0], "framework.json", *words[1:], "--json")
    true = run(*asked)
    for place in (z3.Solver, "check"), (highspy.Highs, "run"), (optimize, "linprog"):
        monkeypatch.setattr(*place, raising(MemoryError))
    code, out, err = run(*asked)
    assert (code, out) == (true[0], true[1]) or (code, out) == (2, "")
    said = f"pufferproof: {words[0]}: expected a question that fits in memory, found too little"
    assert code != 2 or err.startswith(said) or "expected a program that fits in memory" in err
    assert len(err.splitlines()) <= 1


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_whose_solvers_break_ends_with_one_line_and_no_other_verdict(words, save, run, monkeypatch):
    save("framework.json", FILES)
    save("loss.json", LOSS)
    asked = (words[0], "framework.json", *words[1:], "--json")
    true = run(*asked)
    for place in (z3.Solver, "check"), (highspy.Highs, "run"), (optimize, "linprog"):
        monkeypatch.setattr(*place, raising(RuntimeError))
    code, out, err = run(*asked)
    assert (code, out, err) == true or code in (2, 3)
    assert "internal error" not in err
    assert len(err.splitlines()) <= 1
    assert code != 3 or all(json.loads(out)[key] is None for key in ("found", "collapses") if key in out)
