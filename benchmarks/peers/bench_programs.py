"""Exact linear programs beside HiGHS and SoPlex in floats, and beside QSopt_ex.

HiGHS is given the same numbers, rounded to floats, and no bound of its error is asked for.
QSopt_ex is the program `esolver`, which reads the numbers as text and starts a process of its own.
SoPlex is the one of the wheel of pyscipopt, which was built without exact arithmetic. Both are only
compared with. The exact solver has no public function of its own: every exact bound here rests on
it. Nothing here asserts a time.
"""

import re
import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from benchmarks.peers.beside import beside, of_the_system, packaged, timed

from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact

CASES = [(320, False), (160, True)]
SIZE = 320


def instance(signed, size):
    """Dense rows of integers: positive ones, or of both signs with a heavy diagonal."""
    draw = np.random.default_rng(1)
    if not signed:
        rows, costs = draw.integers(1, 100, (size, size)), draw.integers(1, 100, size) ** 2
        return rows, draw.integers(1, 100, size) * size, costs
    rows = draw.integers(-3, 4, (size, size)) + 40 * np.eye(size, dtype=int)
    rows = np.vstack([rows, draw.integers(1, 10, (1, size))])
    return rows, np.append(draw.integers(50, 100, size), 10**6), draw.integers(90, 100, size)


def integers(signed):
    return [each.tolist() for each in instance(signed, SIZE)]


def rationals():
    """Positive rows over denominators up to 20."""
    rows, bounds, costs = integers(False)
    below = np.random.default_rng(2).integers(1, 21, (SIZE, SIZE)).tolist()
    return [list(map(Fraction, *pair)) for pair in zip(rows, below)], bounds, costs


def in_floats(rows, bounds, costs):
    """Solve a program by HiGHS, built inside the clock as ours is."""
    import highspy

    solver, model = highspy.Highs(), highspy.HighsLp()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    model.num_row_, model.num_col_ = rows.shape
    model.col_cost_, model.col_lower_ = -costs, np.zeros(len(costs))
    model.col_upper_ = np.full(len(costs), highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = np.full(len(rows), -highspy.kHighsInf), bounds
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.arange(0, rows.size + 1, len(costs), dtype=np.int32)
    model.a_matrix_.index_ = np.tile(np.arange(len(costs), dtype=np.int32), len(rows))
    model.a_matrix_.value_ = rows.ravel()
    solver.passModel(model)
    solver.run()
    return -solver.getObjectiveValue()


DRAWN = {
    "positive integers": lambda: integers(False),
    "integers of both signs": lambda: integers(True),
    "rationals over denominators up to 20": rationals,
}


@pytest.mark.parametrize("kind", DRAWN)
def test_programs_beside_highs(benchmark, kind):
    rows, bounds, costs = DRAWN[kind]()

    def ours():
        made = [Row(dict(enumerate(row)), "<=", bound) for row, bound in zip(rows, bounds)]
        return solve_exact(Program(dict(enumerate(costs)), made, len(costs)))

    found = benchmark.pedantic(ours, rounds=3, warmup_rounds=1)
    numbers = [np.array(each, dtype=float) for each in (rows, bounds, costs)]
    seconds, other = timed(lambda: in_floats(*numbers), 5)
    apart = abs(other / float(found.value) - 1)
    assert apart < 1e-6
    what = f"linear program of {SIZE} x {SIZE} {kind}, basis of {sum(map(bool, found.x))}"
    answers = f"{apart:.0e} apart, relatively: its tolerance"
    beside(benchmark, what, f"HiGHS of {packaged('highspy')} (floats)", seconds, answers)


@pytest.fixture(params=CASES, ids=["positive", "signed"])
def numbers(request):
    size, signed = request.param
    return [each.tolist() for each in instance(signed, size)]


def solved(benchmark, numbers):
    rows, bounds, costs = numbers
    made = [Row(dict(enumerate(row)), "<=", bound) for row, bound in zip(rows, bounds)]
    program = Program(dict(enumerate(costs)), made, len(costs))
    found = benchmark.pedantic(solve_exact, (program,), rounds=3, warmup_rounds=1)
    basis = sum(map(bool, found.x))
    return found.value, f"linear program of {len(rows)} x {len(costs)} integers, basis of {basis}"


def written(numbers):
    """Return the program as CPLEX writes programs, in short lines."""
    rows, bounds, costs = numbers
    sides = [*(f"<= {bound}" for bound in bounds)]
    parts = ["Maximize", f" obj: {_terms(costs)}", "Subject To"]
    parts += [f" c{i}: {_terms(row)} {side}" for i, (row, side) in enumerate(zip(rows, sides))]
    return "\n".join([*parts, "End", ""])


def _terms(row):
    """Return a sum, ten terms a line."""
    terms = [f"{entry:+d} x{place}" for place, entry in enumerate(row) if entry]
    terms = [f"{term[0]} {term[1:]}" for term in terms]
    return "\n  ".join(" ".join(terms[k : k + 10]) for k in range(0, len(terms), 10))


def test_programs_beside_qsopt(benchmark, numbers, tmp_path):
    if shutil.which("esolver") is None:
        pytest.skip("esolver is not installed: qsopt-ex of Debian")
    value, what = solved(benchmark, numbers)
    (tmp_path / "p.lp").write_text(written(numbers))
    command = ["esolver", "-L", "-O", "p.sol", "p.lp"]
    run = lambda: subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)  # noqa: E731
    seconds, _ = timed(run)
    found = re.search(r"Value = (\S+)", (tmp_path / "p.sol").read_text())[1]
    assert Fraction(found) == value
    peer = f"QSopt_ex {of_the_system('qsopt-ex')}"
    beside(benchmark, what, peer, seconds, "equal as fractions")


def test_programs_beside_soplex(benchmark, numbers):
    scip = pytest.importorskip("pyscipopt", reason="make bench installs pyscipopt")
    value, what = solved(benchmark, numbers)
    rows, bounds, costs = numbers

    def theirs():
        model = scip.LP("floats", "maximize")
        none, infinite = [[] for _ in costs], model.infinity()
        objective = [float(cost) for cost in costs]
        model.addCols(none, objective, [0.0] * len(costs), [infinite] * len(costs))
        sides = [float(bound) for bound in bounds]
        entries = [[(place, float(entry)) for place, entry in enumerate(row)] for row in rows]
        model.addRows(entries, [-infinite] * len(rows), sides)
        return abs(model.solve(True))

    seconds, found = timed(theirs)
    apart = abs(found / float(value) - 1)
    assert apart < 1e-9
    peer = f"SoPlex of {packaged('pyscipopt')} (floats)"
    beside(benchmark, what, peer, seconds, f"{apart:.0e} apart, relatively: its rounding")
