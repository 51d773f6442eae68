"""Exact linear programs beside QSopt_ex, and beside SoPlex in floats.

QSopt_ex is the program `esolver`, which reads the numbers as text and starts a process of its own.
SoPlex is the one of the wheel of pyscipopt, which was built without exact arithmetic. Both are only
compared with. Nothing here asserts a time.
"""

import re
import shutil
import subprocess
from fractions import Fraction

import pytest
from benchmarks.lp.bench_exact import instance
from benchmarks.peers.beside import beside, of_the_system, packaged, timed

from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact

CASES = [(320, False), (160, True)]


@pytest.fixture(params=CASES, ids=["positive", "signed"])
def numbers(request):
    size, signed = request.param
    rows, bounds, costs = instance(signed, size)
    return [each.tolist() for each in (rows, bounds, costs)]


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
