"""Redaction designs: the closed form beside a conic solver, long chains, and a figure of 100 levels.

Times are taken by pytest-benchmark. Nothing here asserts a time.
"""

import numpy as np
import pytest

from pufferproof.lp.redaction_exact import constant_side, exact_side
from pufferproof.lp.redaction_patterns import best_window
from pufferproof.lp.redaction_relaxed import convex_slopes_approx, relaxed_side
from pufferproof.lp.redaction_side import DesignSide
from pufferproof.lp.redaction_strategies import redaction_designs
from pufferproof.models.binary_chain import BinaryChain, Budget
from pufferproof.models.level import Level
from pufferproof.models.mechanisms.redaction import LocalRedaction
from pufferproof.reports.redaction_curve import utility_curves
from pufferproof.reports.redaction_plot import redaction_plot
from pufferproof.verify.redaction_leakage import redaction_leakage

LONG = BinaryChain("1/1000000", "1/1000", 100_000)
THOUSAND = BinaryChain("1/1000", "1/100", 1_000)
LEVEL = Level.parse("0.9")


def side(chain):
    return DesignSide.of(chain, chain.length - 1, Budget(LEVEL))


@pytest.fixture(scope="module")
def room():
    """Bounds b_k of a program with 1,000 constraints, increasing and neither convex nor concave."""
    k = np.arange(1, 1001)
    return k / 200 + np.sin(k / 30) / 3 + 1


def test_relaxed_design_of_a_long_chain(benchmark):
    found = benchmark.pedantic(lambda: relaxed_side(side(LONG)), rounds=3, warmup_rounds=1)
    benchmark.extra_info["medium"] = len(found.q)


def test_closed_form_of_a_thousand_constraints(benchmark, room):
    benchmark(convex_slopes_approx, room.tolist())


def test_cvxpy_of_a_thousand_constraints(benchmark, room):
    import cvxpy

    def solved():
        q = cvxpy.Variable(len(room))
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(q)), [-cvxpy.cumsum(cvxpy.log(q)) <= room, q <= 1])
        problem.solve(solver=cvxpy.CLARABEL)
        return problem.value

    value = benchmark.pedantic(solved, rounds=3, warmup_rounds=1)
    assert abs(value - np.exp(-np.array(convex_slopes_approx(room.tolist()))).sum()) < 1e-4


def test_exact_design_of_a_thousand_records(benchmark):
    found = benchmark.pedantic(lambda: exact_side(side(THOUSAND)), rounds=3)
    assert found.total - found.least < 1e-9
    benchmark.extra_info["medium"] = len(found.q)


def test_constant_design_of_a_thousand_records(benchmark):
    benchmark.pedantic(lambda: constant_side(side(THOUSAND)), rounds=3)


def test_best_window_of_a_thousand_records(benchmark):
    benchmark.pedantic(best_window, (THOUSAND, 400, LEVEL), rounds=3)


def test_leakage_of_a_million_records(benchmark):
    chain = BinaryChain("1/1000", "1/100", 1_000_000)
    row, hidden = ("3/4", "1"), ("1", "1")
    mechanism = LocalRedaction([hidden] * 50 + [row] * (chain.length - 50))
    benchmark.pedantic(redaction_leakage, (chain, mechanism, 1), rounds=1)


def test_figure_of_a_hundred_levels(benchmark):
    chain = BinaryChain("1/100", "4/5", 10)
    found = redaction_designs(chain, 1, LEVEL)

    def drawn():
        curves = utility_curves(
            chain, [1], LEVEL, found, lambda level, name: redaction_designs(chain, 1, level, [name])[0], points=100
        )
        return redaction_plot(chain, [1], LEVEL, found, curves)

    benchmark.pedantic(drawn, rounds=1)
