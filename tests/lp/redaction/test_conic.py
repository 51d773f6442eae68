"""The published program of the 3R mechanism by a conic solver, beside the closed form."""

import json
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import BinaryChain, Level, redaction_designs

NEAR = Fraction(1, 10**7)
CASES = [
    ("1/10", "1/5", 200, 100, "0.5"),
    ("1/100", "1/5", 300, 100, "1.5"),
    ("1/4", "1/2", 30, 1, "log(2)"),
    ("1/4", "1/2", 30, 30, "1"),
    ("1/3", "1/4", 50, 20, "3"),
    ("1/2", "1/2", 5, 3, "1"),
    ("1/10", "1/20", 2, 1, "0.1"),
]


@pytest.mark.parametrize("case", CASES)
def test_both_solvers_agree(case):
    alpha, beta, length, private, level = case
    chain = BinaryChain(alpha, beta, length)
    exact, conic = redaction_designs(chain, private, level, ["3r-relaxed"], "both")
    assert (exact.solver, conic.solver) == ("exact", "cvxpy")
    assert conic.difference == exact.lower - conic.lower
    assert -(exact.upper - exact.lower) <= conic.difference < NEAR
    assert Level(level).compare(conic.leakage.lower) <= 0
    (alone,) = redaction_designs(chain, private, level, ["3r-relaxed"], "cvxpy")
    assert (alone.solver, alone.difference, alone.lower) == ("cvxpy", None, conic.lower)


def test_other_strategies_have_one_solver():
    chain = BinaryChain("1/4", "1/2", 6)
    for solver in ("exact", "cvxpy", "both"):
        (design,) = redaction_designs(chain, 2, "1", ["3r-exact"], solver)
        assert design.solver is None


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
        (("--private", "3,9", "--solver", "both"), "goes with one private record"),
        (("--private", "3", "--solver", "both", "--strategy", "quilt"), "--strategy 3r-relaxed"),
        (("--private", "3", "--solver", "both", "--certificate", "c.json"), "--certificate"),
    ],
)
def test_what_goes_with_no_second_solver_is_refused(run, options, said):
    code, out, err = run(*ASKED, *options)
    assert (code, out) == (2, "")
    assert said in err
