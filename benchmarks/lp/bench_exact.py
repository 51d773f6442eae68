"""Exact linear programs beside HiGHS in floats, which is given the same numbers."""

from time import perf_counter

import numpy as np
import pytest

from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact

SIZE = 320


def instance(signed, size=SIZE):
    """Dense rows of integers: positive ones, or of both signs with a heavy diagonal."""
    draw = np.random.default_rng(1)
    if not signed:
        rows, costs = draw.integers(1, 100, (size, size)), draw.integers(1, 100, size) ** 2
        return rows, draw.integers(1, 100, size) * size, costs
    rows = draw.integers(-3, 4, (size, size)) + 40 * np.eye(size, dtype=int)
    rows = np.vstack([rows, draw.integers(1, 10, (1, size))])
    return rows, np.append(draw.integers(50, 100, size), 10**6), draw.integers(90, 100, size)


def in_floats(rows, bounds, costs):
    """Return a solver of the same program, to be run once."""
    import highspy

    solver, model = highspy.Highs(), highspy.HighsLp()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    model.num_row_, model.num_col_ = rows.shape
    model.col_cost_, model.col_lower_ = -costs.astype(float), np.zeros(SIZE)
    model.col_upper_ = np.full(SIZE, highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = (
        np.full(len(rows), -highspy.kHighsInf),
        bounds.astype(float),
    )
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.arange(0, rows.size + 1, SIZE, dtype=np.int32)
    model.a_matrix_.index_ = np.tile(np.arange(SIZE, dtype=np.int32), len(rows))
    model.a_matrix_.value_ = rows.ravel().astype(float)
    solver.passModel(model)
    return solver


@pytest.mark.parametrize("signed", [False, True])
def test_exact_program(benchmark, signed):
    rows, bounds, costs = instance(signed)
    made = [
        Row(dict(enumerate(row)), "<=", bound) for row, bound in zip(rows.tolist(), bounds.tolist())
    ]
    program = Program(dict(enumerate(costs.tolist())), made, SIZE)
    floats = []
    for _ in range(5):
        start, solver = perf_counter(), in_floats(rows, bounds, costs)
        solver.run()
        floats.append(perf_counter() - start)
    found = benchmark.pedantic(solve_exact, (program,), rounds=5, warmup_rounds=1)
    other = float(np.median(floats))
    assert abs(float(found.value) + solver.getObjectiveValue()) < 1e-6 * float(found.value)
    basis = sum(map(bool, found.x))
    kind = "of both signs" if signed else "positive"
    benchmark.extra_info |= {
        "what": f"exact linear program, 320 x 320 integers {kind}, basis of {basis}",
        "compared": f"HiGHS in floats, {1e3 * other:.0f} ms",
        "ratio": f"{benchmark.stats.stats.median / other:.1f} x the time",
        "target": "at most 2.5 x",
    }
