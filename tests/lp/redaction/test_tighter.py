"""The published program of the 3R mechanism: in closed form, by a conic solver, and beside the exact design."""

import json
from fractions import Fraction
from itertools import product
from math import exp

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import redaction_designs
from pufferproof.lp.redaction.regions import (
    DesignSide,
    conic_q_approx,
    convex_slopes_approx,
    exact_side,
    heights_approx,
    relaxed_side,
)
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget

CASES = [
    ("1/100", "4/5", 10, "0.3"),
    ("1/100", "4/5", 10, "1"),
    ("1/50", "1/2", 9, "2"),
    ("1/50", "1/2", 4, "0.2"),
    ("1/2", "1/50", 9, "log(3/2)"),
    ("1/1000", "1/10", 25, "1"),
]


def end(alpha, beta, n, epsilon):
    return DesignSide.of(BinaryChain(alpha, beta, n), n - 1, Budget(Level.parse(epsilon)))


def test_conic_solver_closed_form_and_certified_q_agree():
    for case in CASES:
        side = end(*case)
        heights = heights_approx(side)
        solved, closed, found = (conic_q_approx(heights), convex_slopes_approx(heights), relaxed_side(side))
        for q, slope, exact in zip(solved, closed, found.q):
            assert abs(exp(-slope) - exact) < 1e-12
            assert abs(q - exact) < 1e-4
        assert abs(sum(solved) - found.total) < 1e-5 * side.size
        assert found.least <= found.total < found.least + Fraction(1, 10**18)


def test_conic_solver_and_closed_form_agree_on_hundreds_of_constraints():
    heights = [k / 60 + (k % 7) / 5 + 1 for k in range(1, 301)]
    solved, closed = conic_q_approx(heights), convex_slopes_approx(heights)
    assert abs(sum(solved) - sum(exp(-slope) for slope in closed)) < 1e-4


def test_designs_at_the_influence_of_a_record_and_beside_few_medium_ones_keep_their_level():
    ties = product(("1/100", "1/2"), ("4/5", "1/20"), (4, 9), (1, 2, 3), (0, 1))
    sides = [(a, b, n, BinaryChain(a, b, n).influence(value, distance)) for a, b, n, distance, value in ties]
    few = product((("2/3", "3/4"), ("1/3", "2/3"), ("1/4", "1/2"), ("1/5", "1/5")), (1, 2, 5), (1, Fraction(3, 2)))
    for alpha, beta, n, ratio in [*sides, *((a, b, n, ratio) for (a, b), n, ratio in few)]:
        side = DesignSide.of(BinaryChain(alpha, beta, n), n - 1, Budget(Level.log(ratio)))
        published, best = relaxed_side(side), exact_side(side)
        assert side.keeps(published.q)
        assert side.keeps(best.q)
        assert best.least <= best.total <= published.total
        assert published.least <= published.total


NEAR = Fraction(1, 10**7)
PUBLISHED = [
    ("1/10", "1/5", 200, 100, "0.5"),
    ("1/100", "1/5", 300, 100, "1.5"),
    ("1/4", "1/2", 30, 1, "log(2)"),
    ("1/4", "1/2", 30, 30, "1"),
    ("1/3", "1/4", 50, 20, "3"),
    ("1/2", "1/2", 5, 3, "1"),
    ("1/10", "1/20", 2, 1, "0.1"),
]


def test_both_solvers_agree():
    for case in PUBLISHED:
        alpha, beta, length, private, level = case
        chain = BinaryChain(alpha, beta, length)
        exact, conic = redaction_designs(chain, private, level, ["3r-relaxed"], "both")
        assert (exact.solver, conic.solver) == ("exact", "cvxpy")
        assert conic.difference == exact.lower - conic.lower
        assert -(exact.upper - exact.lower) <= conic.difference < NEAR
        assert Level(level).compare(conic.leakage.lower) <= 0
        (alone,) = redaction_designs(chain, private, level, ["3r-relaxed"], "cvxpy")
        assert (alone.solver, alone.difference, alone.lower) == ("cvxpy", None, conic.lower)


ASKED = ("redact", "--alpha", "1/10", "--beta", "1/5", "--length", "200", "--epsilon", "0.5")


def test_the_command_names_solvers_and_their_difference(run):
    one = (*ASKED, "--private", "100", "--strategy", "3r-relaxed")
    code, out, _ = run(*one, "--solver", "both", "--json")
    answer = json.loads(out)
    expect_valid(answer, "redact")
    assert code == 0
    assert [each["solver"] for each in answer["strategies"]] == ["exact", "cvxpy"]
    assert abs(float(answer["strategies"][1]["difference"])) < 1e-7
    assert "difference" not in answer["strategies"][0]
    code, out, _ = run(*one, "--json")
    assert "solver" not in json.loads(out)["strategies"][0]
    assert "solved by cvxpy" in run(*one, "--solver", "cvxpy")[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--private", "3", "--solver", "scs"), 'expected exact, cvxpy or both, found "scs"'),
        (("--private", "3,9", "--solver", "both"), "needs one private record"),
        (("--private", "3", "--solver", "both", "--strategy", "quilt"), "--strategy 3r-relaxed"),
        (("--private", "3", "--solver", "both", "--certificate", "c.json"), "--certificate"),
    ],
)
def test_what_goes_with_no_second_solver_is_refused(run, options, said):
    code, out, err = run(*ASKED, *options)
    assert (code, out) == (2, "")
    assert said in err
