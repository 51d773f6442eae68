"""The command `redact`: table, JSON by its schema, sets of records, profiles, plots and their
data, and bad input.
"""

import csv
import json
from fractions import Fraction
from itertools import pairwise

import pytest
from tests.brute.redaction import largest_ratio, likelihoods, utility
from tests.reports.console.schemas import expect_valid

from pufferproof.claims.papers.massny2025.bound.patterns import instances, printed_bound
from pufferproof.lp.redaction.regions import DesignSide, relaxed_side
from pufferproof.lp.redaction.sets import published_bound, redaction_set_designs
from pufferproof.lp.redaction.strategies import NAMES, redaction_designs
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget
from pufferproof.models.sequences.redaction import LocalRedaction, most_conservative
from pufferproof.reports import cli
from pufferproof.reports.redaction.curves import jumps_of, utility_curves

EXAMPLE = {"--alpha": "1/4", "--beta": "1/2", "--length": "2", "--private": "1", "--epsilon": "log(3/2)"}
QUICK = ("--strategy", "quilt", "--strategy", "3r-constant", "--strategy", "data-independent")


def run(capsys, *more, **changed):
    options = {**EXAMPLE, **{f"--{name}": value for name, value in changed.items()}}
    code = cli._run(["redact", *(part for pair in options.items() if pair[1] is not None for part in pair), *more])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys, *more, **changed):
    code, out, _ = run(capsys, "--json", *more, **changed)
    assert code == 0
    found = json.loads(out)
    expect_valid(found, "redact")
    return found


def profile(tmp_path, rows):
    path = tmp_path / "profile.json"
    path.write_text(json.dumps({"format": "pufferproof-mechanism/1", "redaction": rows}))
    return str(path)


def test_first_example_of_the_source(capsys):
    found = {each["name"]: each for each in answer(capsys)["strategies"]}
    assert list(found) == list(NAMES)
    assert found["3r-exact"]["r"] == [["1", "1"], ["1/5", "1"]]
    assert found["3r-exact"]["leakage"]["ratio"] == "3/2"
    utility = found["3r-exact"]["utility"]
    assert Fraction(utility["lower"]) <= Fraction(4, 15) <= Fraction(utility["upper"])
    assert found["data-independent"]["utility"] == {"lower": "0", "upper": "0"}


def test_exchanged_values_are_said(capsys):
    code, out, err = run(capsys, "--json", alpha="1/2", beta="1/4")
    assert code == 0
    assert "change roles" in err
    assert "states swapped" in err
    found = json.loads(out)
    assert found["swapped"] is True
    assert {each["name"]: each for each in found["strategies"]}["3r-exact"]["r"] == [["1", "1"], ["1", "1/5"]]
    assert "1 is the common value" in run(capsys, alpha="1/2", beta="1/4")[1]


@pytest.mark.parametrize(
    "changed",
    [
        {"length": "1"},
        {"epsilon": "0"},
        {"epsilon": "1e-9"},
        {"epsilon": "1000000"},
        {"alpha": "2/3", "beta": "2/3", "length": "4"},
        {"alpha": "1/3", "beta": "2/3", "length": "4"},
    ],
)
def test_edges_are_no_errors(capsys, changed):
    answer(capsys, **changed)


# The published bound.


@pytest.mark.parametrize(
    ("n", "p", "epsilon", "bound"),
    [(10, 1, "1", "7/10"), (10, 1, "0.05", "1/2"), (10, 10, "1", "7/10"), (1, 1, "5", "0"), (10, 1, "1e-9", "0")],
)
def test_the_published_bound_is_the_printed_one(capsys, n, p, epsilon, bound):
    chain = BinaryChain("1/100", "4/5", n)
    assert published_bound(chain, p, Level.parse(epsilon)) == Fraction(bound)
    found = answer(capsys, *QUICK, alpha="1/100", beta="4/5", length=str(n), private=str(p), epsilon=epsilon)
    assert found["published_bound"] == bound


@pytest.mark.parametrize("sign", [1, 0, -1])
def test_the_published_bound_agrees_with_the_claim_that_examines_it(sign):
    """Levels at, between and around all breakpoints, p <= n/2."""
    count = 0
    for at in instances(5, 4, sign):
        chain = BinaryChain(at.of.a, at.of.b, at.length)
        bound = published_bound(chain, at.private, Level.log(at.ratio))
        assert bound == 1 - Fraction(printed_bound(at), at.length)
        assert published_bound(chain, at.length + 1 - at.private, Level.log(at.ratio)) == bound
        swapped = BinaryChain(at.of.b, at.of.a, at.length)
        assert published_bound(swapped, at.private, Level.log(at.ratio)) == bound
        count += 1
    assert count > 15


def test_where_the_optimum_exceeds_the_published_bound_the_table_says_so(capsys):
    # Released at distances 1 and 2 of p = 3, n = 6: i1(1) + i1(2) = log(2 * 6/5), which is below 2
    # i1(1)
    changed = {"length": "6", "private": "3", "epsilon": "log(12/5)"}
    found = answer(capsys, *QUICK, **changed)
    (best,) = (each for each in found["strategies"] if each["name"] == "data-independent")
    assert Fraction(best["utility"]["lower"]) > Fraction(found["published_bound"])
    assert "exceeded here" in run(capsys, *QUICK, **changed)[1]
    assert "exceeded here" not in run(capsys, *QUICK)[1]


# Several private records.


def test_a_set_gets_the_most_conservative_of_the_single_designs(capsys):
    chain, level = BinaryChain("1/4", "1/2", 5), Level.log(2)
    one, other = (redaction_designs(chain, p, level, ["3r-exact"])[0].mechanism for p in (1, 4))
    (found,) = redaction_set_designs(chain, [4, 1], level, ["3r-exact"])
    assert found.mechanism == most_conservative(one, other)
    assert found.lower == found.upper == utility(chain, found.mechanism)
    shown = answer(capsys, "--strategy", "3r-exact", length="5", private="4,1", epsilon="log(2)")
    assert shown["private"] == [1, 4]
    assert shown["strategies"][0]["r"] == found.mechanism.as_json()
    assert [each["private"] for each in shown["strategies"][0]["records"]] == [1, 4]
    repeated = answer(capsys, "--strategy", "3r-exact", "--private", "1", length="5", private="4", epsilon="log(2)")
    assert repeated == shown


def test_each_record_keeps_the_level_but_all_of_them_together_may_not(capsys):
    found = answer(capsys, "--strategy", "data-independent", length="6", private="2,5", epsilon="log(2)")["strategies"][
        0
    ]
    assert [each["leakage"]["ratio"] for each in found["records"]] == ["2", "2"]
    assert [each["keeps"] for each in found["records"]] == [True, True]
    assert (found["leakage"]["ratio"], found["keeps"], found["reveals"]) == ("43/11", False, [])
    said = run(capsys, "--strategy", "data-independent", length="6", private="2,5", epsilon="log(2)")[1]
    assert "above the level" in said


@pytest.mark.parametrize(("alpha", "beta"), [("1/4", "1/2"), ("2/5", "3/5"), ("7/10", "4/5"), ("4/5", "1/10")])
@pytest.mark.parametrize("private", [(1, 4), (2, 3), (1, 3, 4)])
def test_each_record_of_a_set_keeps_the_level_by_the_definition(alpha, beta, private):
    chain, level = BinaryChain(alpha, beta, 4), Level.log("5/2")
    for found in redaction_set_designs(chain, private, level, [name for name in NAMES if name != "central-lp"]):
        for record, leakage in zip(private, found.alone):
            exact = largest_ratio(likelihoods(chain, found.mechanism, record))
            assert leakage.ratio == exact <= Fraction(5, 2)
        assert found.leakage.lower >= max(leakage.lower for leakage in found.alone)


def test_what_is_no_local_redaction_is_not_combined(capsys):
    found = answer(capsys, "--strategy", "central-lp", length="3", private="1,3")["strategies"]
    assert "combined" in found[0]["skipped"]


# A profile of one's own.


def test_a_profile_is_evaluated_beside_the_designs(capsys, tmp_path):
    rows = [["1", "1"], ["1/8", "1"]]
    found = answer(capsys, *QUICK, "--profile", profile(tmp_path, rows))["strategies"][-1]
    chain, mechanism = BinaryChain("1/4", "1/2", 2), LocalRedaction(rows)
    ratios = [
        Fraction(a, b) for pair in likelihoods(chain, mechanism, 1).values() if all(pair) for a, b in (pair, pair[::-1])
    ]
    assert found["name"] == "profile"
    assert Fraction(found["leakage"]["ratio"]) == max(ratios) == Fraction(18, 11)
    assert (found["keeps"], found["reveals"], found["r"]) == (False, [], rows)
    assert answer(capsys, *QUICK, "--profile", profile(tmp_path, rows), epsilon="log(18/11)")["strategies"][-1]["keeps"]


def test_a_profile_that_reveals_the_private_record_is_no_error(capsys, tmp_path):
    path = profile(tmp_path, [["0", "1"], ["1/8", "1"]])
    found = answer(capsys, *QUICK, "--profile", path)["strategies"][-1]
    assert (found["leakage"]["ratio"], found["reveals"], found["keeps"]) == ("inf", [1], False)
    assert "reveals record 1" in run(capsys, *QUICK, "--profile", path)[1]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["1", "1"], ["1/8", "9/8"]], "redaction[1][1]: expected"),
        ([["1", "1"], ["-1/8", "1"]], "redaction[1][0]"),
        ([["1", "1"]], "expected 2 entries, one per record, found 1"),
        ([["1", "1"], ["1"]], "redaction[1]"),
        ([["1", "1"], ["x", "1"]], "redaction[1][0]"),
    ],
)
def test_a_profile_outside_the_domain_is_one_line(capsys, tmp_path, rows, said):
    code, out, err = run(capsys, "--profile", profile(tmp_path, rows))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert "profile.json" in err


def test_a_mechanism_of_another_form_is_one_line(capsys, tmp_path):
    path = tmp_path / "channel.json"
    path.write_text('{"format": "pufferproof-mechanism/1", "outputs": ["u"], "channel": {"00": ["1"]}}')
    code, out, err = run(capsys, "--profile", str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert 'expected a mechanism given by "redaction"' in err


# Curves.


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_plots(capsys, tmp_path, suffix):
    path = tmp_path / f"designs{suffix}"
    answer(capsys, "--plot", str(path), "--strategy", "3r-constant", alpha="1/100", length="6")
    assert path.stat().st_size > 1000


@pytest.mark.parametrize("changed", [{"length": "1"}, {"alpha": "4/5"}, {"private": "1,2"}, {"epsilon": "0"}])
def test_edges_are_drawn(capsys, tmp_path, changed):
    answer(capsys, "--plot", str(tmp_path / "designs.svg"), "--strategy", "quilt", **changed)
    assert "quilt" in (tmp_path / "designs.svg").read_text()


def test_the_data_of_the_curves_are_exact_designs(capsys, tmp_path):
    path = tmp_path / "curves.csv"
    answer(capsys, "--csv", str(path), *QUICK, length="4", epsilon="log(2)")
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert {row["strategy"] for row in rows} == {"quilt", "3r-constant", "data-independent"}
    for row in rows[:: len(rows) // 12]:
        (design,) = redaction_designs(BinaryChain("1/4", "1/2", 4), 1, Level.parse(row["epsilon"]), [row["strategy"]])
        assert Fraction(row["utility_lower"]) <= design.lower <= design.upper <= Fraction(row["utility_upper"])
        assert Fraction(row["leakage_ratio"]) == design.leakage.ratio
    assert {row["strategy"] for row in rows if row["epsilon"] == "log(2)"} == {row["strategy"] for row in rows}


@pytest.mark.parametrize(("alpha", "private"), [("1/4", 2), ("9/10", 2), ("1/4", 1)])
def test_every_jump_of_a_step_function_is_where_it_is(alpha, private):
    chain, level = BinaryChain(alpha, "1/2", 5), Level.log(2)
    found = redaction_designs(chain, private, level, ["data-independent"])
    (curve,) = utility_curves(
        chain, [private], level, found, lambda at, name: redaction_designs(chain, private, at, [name])[0]
    )
    ratios = {at for _, at in jumps_of(chain, [private])}
    jumps = [pair for pair in pairwise(curve.points) if pair[0].design.lower != pair[1].design.lower]
    assert jumps
    assert all(after.level in ratios and after.nats - before.nats < 3e-12 for before, after in jumps)


# Bad input.


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"alpha": "0"}, "--alpha: expected a probability strictly between 0 and 1, found 0"),
        ({"alpha": "3/2"}, "--alpha"),
        ({"alpha": None}, "--alpha: expected a probability"),
        ({"beta": "1"}, "--beta"),
        ({"beta": "-1/2"}, "--beta"),
        ({"alpha": "nan"}, "--alpha"),
        ({"private": "3"}, "--private: expected a record from 1 to 2, found 3"),
        ({"private": "0"}, "--private"),
        ({"private": "1,"}, "--private"),
        ({"private": "x"}, "--private"),
        ({"private": "-1"}, "--private"),
        ({"length": "0"}, "--length"),
        ({"length": None}, "--length"),
        ({"length": "1000001"}, "--length"),
        ({"epsilon": "-1"}, "--epsilon"),
        ({"epsilon": "log(1/2)"}, "--epsilon"),
        ({"strategy": "best"}, "--strategy"),
        ({"plot": "designs.txt"}, ".svg"),
        ({"plot": "missing/designs.svg", "strategy": "quilt"}, "missing"),
        ({"csv": "missing/designs.csv", "strategy": "quilt"}, "missing"),
        ({"profile": "missing.json"}, "missing.json"),
        ({"sequence": "missing.txt", "alpha": None, "beta": None}, "missing.txt"),
        ({"sequence": "missing.txt"}, "--alpha: cannot be combined with --sequence"),
        ({"simulate": "0"}, "--simulate: runs: expected from 1"),
        ({"simulate": "10", "private": "1,2", "strategy": "quilt"}, "--private"),
        ({"seed": "-1"}, "seed"),
    ],
)
def test_bad_input_is_one_line(capsys, tmp_path, monkeypatch, changed, said):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, **changed)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("level", "small", "constraint"), [("101/100", 2, 1), ("101/100", 4, 1), ("6/5", 2, 1), ("13/10", 2, 1)]
)
def test_a_program_without_a_feasible_point_names_its_constraint(level, small, constraint):
    """Only regions other than those of the budget can have one: here the first record is medium
    although i1(2) is too much.
    """
    side = DesignSide(BinaryChain("1/4", "1/2", 5), 4, Budget(Level.log(level)), 1, small)
    infeasible = [k for k in range(1, side.size + 1) if side.budget.compare(side.delta(k)) > 0]
    if not infeasible:
        assert relaxed_side(side).q
        return
    with pytest.raises(ModelError, match=f"infeasible: delta_{infeasible[0]} is above the budget"):
        relaxed_side(side)
    assert infeasible[0] == constraint


def test_a_file_is_not_written_over_what_is_read(capsys, tmp_path):
    path = profile(tmp_path, [["1", "1"], ["1", "1"]])
    code, _, err = run(capsys, "--strategy", "quilt", "--profile", path, "--csv", path)
    assert (code, err.count("\n")) == (2, 1)
