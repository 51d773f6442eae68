"""Solvers that answer rubbish change no exact answer: it stays, gets wider bounds or is none."""

from contextlib import suppress
from fractions import Fraction

import cvxpy
import highspy
import numpy as np
import pytest
import z3
from scipy import optimize
from tests import TIMES
from tests.brute.frameworks import bits
from tests.verify.proof import garbage
from tests.verify.proof.questions import QUESTIONS, best_composing

from pufferproof.counterexamples.collapse.search import NotFound, search_collapse
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import _by_conditions
from pufferproof.models.errors import PufferproofError
from pufferproof.verify.proof import smt
from pufferproof.verify.proof.smt import Answer

SLOW = {"bounded", "two_laws", "best_composing"}  # which search until their time is over
KINDS = garbage.KINDS if TIMES > 1 else ("nan", "wrong", "vertex", "error")


@pytest.fixture(scope="module")
def truth():
    return {name: question() for name, question in QUESTIONS.items()}


def may_be(found, true):
    """Whether an answer can be given where another is true: the same, none, or bounds that meet."""
    if isinstance(true, tuple):
        return meet(found, true)
    return found == true or found in (None, "UNDECIDED")


def meet(one, other):
    """Whether two intervals have a common number: None is no bound above, and infinite below."""
    if None in (one[0], other[0]):
        return one[1] is None is other[1]
    ends = [each[1] for each in (one, other) if each[1] is not None]
    return not ends or max(one[0], other[0]) <= min(ends)


def test_what_may_be_said():
    one, two, three = map(Fraction, (1, 2, 3))
    assert meet((one, two), (two, three))
    assert meet((one, None), (two, two))
    assert not meet((one, one), (two, None))
    assert not meet((None, None), (one, two))
    assert may_be("UNDECIDED", "HOLDS")
    assert not may_be("FAILS", "HOLDS")
    assert not may_be(True, None)


@pytest.mark.parametrize("kind", KINDS)
def test_rubbish_of_a_float_solver_changes_no_answer(kind, truth, monkeypatch):
    monkeypatch.setattr(garbage.Highs, "kind", kind)
    monkeypatch.setattr(highspy, "Highs", garbage.Highs)
    monkeypatch.setattr(optimize, "linprog", garbage.linprog(kind))
    monkeypatch.setattr(optimize, "nnls", garbage.nnls(kind))
    for name in QUESTIONS if TIMES > 1 or kind == "nan" else QUESTIONS.keys() - SLOW:
        try:
            found = QUESTIONS[name]()
        except PufferproofError:
            continue  # no answer
        assert len(found) == len(truth[name])
        assert all(map(may_be, found, truth[name])), (name, found)


@pytest.mark.parametrize("value", [None, float("nan"), 0.0, -1e308, 0.3])
def test_rubbish_of_a_cone_solver_changes_no_answer(value, truth, monkeypatch):
    def solve(problem, **options):
        for each in problem.variables():
            each.save_value(None if value is None else np.full(each.shape, value))

    monkeypatch.setattr(cvxpy.Problem, "solve", solve)
    assert all(map(may_be, best_composing(), truth["best_composing"]))


SAID = ["", "\n", "sat\nx rubbish", "sat\nx", "sat\nx 1/0", "sat\nx nan", "sat\nx 1 2", "\x00", "maybe"]


@pytest.mark.parametrize("said", SAID)
def test_rubbish_of_an_smt_solver_is_an_error(said, monkeypatch):
    process = type("Process", (), {"ask": lambda self, *_: said})()
    for solver in ("z3", "cvc5"):
        monkeypatch.setitem(smt._PROCESSES, solver, process)
        assert smt.decided(solver, "", 1.0) == Answer(solver, "error")


class Invented:
    """A model in which every variable has one value."""

    def __init__(self, value):
        self.value = value

    def eval(self, term, **options):
        return self.value

    def __getitem__(self, name):
        return self.value


@pytest.mark.parametrize("value", ["0", "-1", "7/3", "1/1000"])
def test_an_invented_model_is_no_end_of_a_linear_program(value, monkeypatch):
    monkeypatch.setattr(z3.Solver, "check", lambda self, *_: z3.sat)
    monkeypatch.setattr(z3.Solver, "model", lambda self: Invented(z3.RealVal(value)))
    program = Program({0: 1, 1: 1}, [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6)], 2)
    try:
        found = _by_conditions(program)
    except PufferproofError:
        return
    assert not found.proves(program)


def broken(self, *_):
    raise z3.Z3Exception("the solver broke")


@pytest.mark.parametrize(
    "check", [broken, lambda self, *_: z3.unknown, lambda self, *_: z3.unsat], ids=["broken", "unknown", "unsat"]
)
def test_a_broken_or_lying_z3_finds_no_optimum_and_no_collapse(check, monkeypatch):
    program = Program({0: 1, 1: 1}, [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6)], 2)
    space = bits(2, stay=Fraction(3, 4))
    true = search_collapse(space, ["log(2)"] * 2, engine="z3")
    monkeypatch.setattr(z3.Solver, "check", check)
    with suppress(PufferproofError):
        assert not _by_conditions(program).proves(program)
    try:
        found = search_collapse(space, ["log(2)"] * 2, engine="z3", seconds=5)
    except PufferproofError:
        return
    assert type(found) in (NotFound, type(true))
