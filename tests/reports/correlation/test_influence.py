"""The command `influence`: one quilt, the table, the curve, plots, JSON by its schema, and bad
input.
"""

import json
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.reports import cli
from pufferproof.reports.correlation.influence.answer import _expect_few
from pufferproof.verify.influence.box.largest import class_influence
from pufferproof.verify.influence.chain import max_influence

TRANSITION = [["99/100", "1/100"], ["1/10", "9/10"]]
CHAIN = MarkovChain("stationary", TRANSITION)


def document(count=9, record=5, **priors):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": ["0", "1"]},
        "secrets": {f"x={value}": {"record": record, "value": value} for value in "01"},
        "pairs": "disjoint",
        "priors": priors or {"theta": {"markov": {"initial": "stationary", "transition": TRANSITION}}},
    }


def markov(initial, transition=TRANSITION):
    return {"markov": {"initial": initial, "transition": transition}}


@pytest.fixture
def run(run, save):
    def called(what, *options):
        return run("influence", save("framework.json", what), *options)

    return called


@pytest.fixture
def answer(run):
    def called(what, *options):
        code, out, err = run(what, *options, "--json")
        assert (code, err) == (0, "")
        found = json.loads(out)
        expect_valid(found, "influence")
        return found

    return called


@pytest.mark.parametrize(("left", "right"), [(1, 2), (None, 3), (4, None)])
def test_one_quilt(answer, left, right):
    options = ["--left", left] * (left is not None) + ["--right", right] * (right is not None)
    found = answer(document(), "--record", 5, *options)
    exact = max_influence(CHAIN, 9, 5, left, right).lower
    assert found["influence"]["ratio"] == f"{exact.numerator}/{exact.denominator}"
    assert found["arithmetic"] == "exact"


def test_a_million_records(answer):
    what = document(10**6, 400_000, theta=markov(["1/2", "1/2"]))
    found = answer(what, "--record", 400_000, "--left", 30, "--right", 40)
    lower, upper = (Fraction(found["influence"]["epsilon"][end]) for end in ("lower", "upper"))
    assert found["influence"]["ratio"] is None
    assert found["arithmetic"] == "enclosed"
    assert 0 < upper - lower < lower / 10**14


def test_other_priors_are_listed(answer):
    prior = {"table": {"000": "3/8", "111": "3/8", "010": "1/8", "101": "1/8"}}
    assert answer(document(3, 2, theta=prior), "--record", 2, "--left", 1)["influence"]["ratio"] == "3"
    assert answer(document(3, 2, theta=prior), "--left", 2)["influence"]["ratio"] == "inf"
    assert [point["ratio"] for point in answer(document(3, 2, theta=prior), "--curve")["curve"]] == [
        "inf",
        "3",
        "3",
        "1",
    ]
    table = answer(document(3, 2, theta=prior), "--record", 2)["table"]
    assert [row["two_sided"]["ratio"] for row in table] == ["3"]


def test_curve_of_many_records_ends_where_it_is_said(answer, run):
    found = answer(document(10**6, 500), "--curve", "--most", 3)["curve"]
    assert [point["b"] for point in found] == [0, 1, 2, 3]
    code, out, err = run(document(2000), "--curve")
    assert (code, len(out.splitlines())) == (0, 55)
    assert err == "pufferproof: note: the curve ends at b = 50 of 2000 records: --most goes on\n"


def _tree(count):
    parents = {str(i): [str(i // 2)] if i > 1 else [] for i in range(1, count + 1)}
    tables = {i: {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]} for i in parents}
    return {"bayes_net": {"parents": parents, "cpt": {**tables, "1": {"": ["1/2", "1/2"]}}}}


def test_curves_of_classes_products_and_networks(answer, run):
    found = answer(document(theta=box("any", LOWER, UPPER)), "--curve")["curve"]
    known = class_influence(IntervalChain("any", LOWER, UPPER), 9, 5, 1, 1).lower
    assert (Fraction(found[1]["ratio"]), found[9]["ratio"]) == (known, "1")
    assert found[1]["published"] == "none: for single chains"
    found = answer(document(40, 2, theta=PRODUCT), "--curve", "--most", 2)["curve"]
    assert [point["ratio"] for point in found] == ["inf", "1", "1"]
    assert found[2]["published"] == "none: for Markov chains"
    tree = _tree(30)
    found = answer(document(30, 2, theta=tree), "--curve", "--most", 2)["curve"]
    assert [point["ratio"] for point in found] == ["inf", "27", "15"]
    code, out, err = run(document(30, 2, theta=tree), "--curve", "--most", 2)
    assert (code, err) == (0, "")
    assert "published none: for Markov chains (bai2026 Example 3)" in out
    listed = document(3, 2, theta=box("any", LOWER, UPPER))
    listed["secrets"] = {"x=0": ["000", "001"], "x=1": ["010"]}
    code, out, err = run(listed, "--curve")
    assert (code, out) == (2, "")
    assert "a curve over a class of chains needs secrets about single records" in err


def test_a_curve_over_a_box_that_is_searched(run):
    three = document(theta=box("stationary", [["1/4"] * 3] * 3, [["1/2"] * 3] * 3))
    three["records"]["alphabet"] = ["0", "1", "2"]
    code, _, err = run(three, "--curve", "--most", 2)
    assert code == 0
    assert err in (
        "",
        "pufferproof: note: some sets of records were not searched completely: where a point has "
        "two ends, a*(b) lies between them\n",
    )


def test_values_of_probability_zero_are_left_out_and_said(run):
    what = document(5, 1, theta=markov(["1", "0"]), tau=markov("stationary"))
    code, out, err = run(what, "--record", 1, "--right", 1, "--json")
    assert code == 0
    assert err == ('pufferproof: note: record 1 has value "1" with probability 0 under prior "theta", left out\n')
    assert json.loads(out)["influence"]["ratio"] == "90" == str(max_influence(CHAIN, 5, 1, None, 1).lower)


CERTAIN = document(5, 1, theta=markov(["1", "0"]))
REDUCIBLE = markov("stationary", [["1", "0"], ["0", "1"]])
BAD_ROW = markov("stationary", [["1/2", "1/3"], ["1/2", "1/2"]])
PRODUCT = {"product": [["1/2", "1/2"]] * 40}


@pytest.mark.parametrize(
    ("what", "options", "said"),
    [
        (document(), ["--record", 10, "--left", 1], "--record: expected a record from 1 to 9, found 10"),
        (document(), ["--record", 0, "--left", 1], "--record: expected a record from 1 to 9, found 0"),
        (document(), ["--record", 5, "--left", 0], "--left: expected a distance of at least 1, found 0"),
        (document(), ["--record", 5, "--right", 5], "--right: expected a distance of at most 4 from record 5, found 5"),
        (document(), ["--record", 1, "--left", 1], "--left: expected a distance of at most 0 from record 1, found 1"),
        (document(), ["--left", 5, "--right", 4], "--left: expected distances that sum to at most 8, found 9"),
        (document(), ["--curve", "--record", 3], "--curve: leave out --record, --left and --right"),
        (document(), ["--left", 1, "--plot", "x.svg"], "--plot: one quilt is one number"),
        (document(), ["--widest", 0], "--widest: expected at least 1, found 0"),
        (document(theta=BAD_ROW), ["--left", 1], "priors.theta: transition[0]: sums to 5/6, expected 1"),
        (document(40, 2, theta=PRODUCT), ["--left", 1], "priors.theta: 2^40 databases are too many to list: expected"),
        (
            document(30, 2, theta=_tree(30)),
            [],
            "priors.theta: a table, --left and --right go by distance along records, which is "
            "found among all databases of a Bayesian network, 2^30 times 30 records: expected at "
            "most 500000; give --curve instead, or find quilts of any records with calibrate "
            "--mechanism markov-quilt",
        ),
        (
            document(30, 2, theta=_tree(30)),
            ["--right", 1],
            "--right: a table, --left and --right go by distance along records",
        ),
        (
            document(7, 2, theta=_tree(7)),
            ["--left", 1],
            '--left: a distance along a chain, which the Bayesian network "theta" is not',
        ),
        (CERTAIN, ["--record", 1, "--right", 1], "two values of positive probability of record 1"),
        (CERTAIN, ["--curve"], "nothing to check: under every prior"),
        (document(5, 1, theta=REDUCIBLE), ["--left", 1], "one recurrent class"),
        (
            document(),
            ["--curve", "--most", 10],
            "--most: expected from 0 to 9 hidden records (all 9 records), found 10",
        ),
        (
            document(10**6, 5),
            ["--curve", "--most", 10001],
            "--most: expected from 0 to 10000 hidden records (10000 at most), found 10001",
        ),
        (document(), ["--curve", "--most", -1], "--most: expected from 0 to 9 hidden records"),
        (document(), ["--most", 3], "--most: needs --curve as well"),
        (
            {**document(), "closure": "convex"},
            ["--left", 1],
            'influences are computed for listed priors: expected "list"',
        ),
    ],
)
def test_bad_input_is_one_line(run, what, options, said):
    code, out, err = run(what, *options)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def box(initial, lower, upper):
    return {"markov": {"initial": initial, "transition_lower": lower, "transition_upper": upper}}


LOWER, UPPER = [["1/2", "1/4"], ["1/8", "1/2"]], [["3/4", "1/2"], ["1/2", "7/8"]]
THREE = [["1/8", "1/8", "1/2"]] * 3, [["3/8", "3/8", "3/4"]] * 3


def test_any_initial_law_of_one_matrix(answer):
    found = answer(document(theta=markov("any")), "--record", 5, "--left", 2, "--right", 1)
    assert Fraction(found["influence"]["ratio"]) == max_influence(CHAIN, 9, 5, 2, 1, any_start=True).lower
    rows = answer(document(theta=markov("any")), "--widest", 2)["table"]
    assert set(rows[0]["bounds"]) == {"wang2016 Lemma 4.7", "song2017 Lemma II.3"}
    rows = answer(document(theta=box("any", LOWER, UPPER)), "--widest", 2)["table"]
    assert set(rows[0]["bounds"].values()) == {"none for a box of matrices"}


def test_a_supremum_without_a_finite_bound_is_no_infinite_one(tmp_path):
    from pufferproof.reports.console.words import short_nats as _nats
    from pufferproof.verify.leakage.ratio import Leakage

    unknown = Leakage(Fraction(2), None)
    assert _nats(unknown) == "at least 0.69314718"
    assert unknown.as_json() == {"ratio": None, "epsilon": {"lower": "0.69314718055994530", "upper": "inf"}}
    assert (_nats(Leakage(None, None)), _nats(Leakage(Fraction(1), Fraction(1)))) == ("infinite", "0")


BAD_CLASSES = [
    (
        {"theta": box("any", UPPER, LOWER)},
        [],
        "priors.theta: transition_lower[0][0]: expected at most the upper bound 1/2",
    ),
    ({"theta": box("any", *THREE)}, [], "priors.theta: transition_lower: expected 2 rows, one per value, found 3"),
    (
        {"theta": box("any", LOWER, UPPER), "other": {"product": [["1/2", "1/2"]] * 9}},
        [],
        'priors.other: beside a class of chains, expected a "markov" prior',
    ),
    (
        {"theta": box("stationary", [[1, 0], [0, "1/2"]], [[1, 0], ["1/2", 1]])},
        ["--left", 1],
        "expects chains with one",
    ),
    ({"theta": markov("any", [["1/2", "1/4"], [1, 0]])}, [], "priors.theta: transition[0]: sums to 3/4, expected 1"),
]


@pytest.mark.parametrize(("priors", "options", "message"), BAD_CLASSES, ids=range(len(BAD_CLASSES)))
def test_a_class_that_cannot_be_used_is_refused(run, priors, options, message):
    code, out, err = run(document(**priors), *options)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["conditions"])
def test_other_commands_refuse_a_class_by_name(tmp_path, capsys, command):
    framework, mechanism = tmp_path / "framework.json", tmp_path / "mechanism.json"
    framework.write_text(json.dumps(document(theta=box("any", LOWER, UPPER))), encoding="utf-8")
    local = {
        "format": "pufferproof-mechanism/1",
        "outputs": ["0", "1"],
        "local": [[["1/2", "1/2"], ["1/4", "3/4"]]] * 9,
    }
    mechanism.write_text(json.dumps(local), encoding="utf-8")
    assert cli._run([command, str(framework), str(mechanism)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    said = "a box of priors is only for audit, compose, worst, partner"
    assert f"priors.theta: not supported: {said}" in err


ONE_VALUE = {"records": {"count": 9, "alphabet": ["a"]}, "secrets": {"x": {"record": 1, "value": "a"}}, "pairs": []}
ABSORBING = [["2373/5400", "1473/2700"], [0, 1]], [["2454/5400", "3027/5400"], [0, 1]]
VACUOUS = {
    "one value, chain": ONE_VALUE | {"priors": {"theta": markov(["1"], [["1"]])}},
    "one value, box": ONE_VALUE | {"priors": {"theta": box("any", [[1]], [[1]])}},
    "deterministic product": {"priors": {"theta": {"product": [["1", "0"]] * 9}}},
    "deterministic chain": {"priors": {"theta": markov(["1", "0"], [["0", "1"], ["1", "0"]])}},
    "deterministic after the first": {"priors": {"theta": {"product": [["1/2", "1/2"], *[["1", "0"]] * 8]}}},
    "absorbing state": {"priors": {"theta": markov("stationary", [["1/2", "1/2"], ["0", "1"]])}},
    "absorbing state in a box": {"priors": {"theta": box("stationary", *ABSORBING)}},
}


@pytest.mark.parametrize("name", VACUOUS)
def test_nothing_to_compare_is_an_error_on_every_route(run, name):
    for options in (["--left", 1], ["--left", 1, "--right", 1], ["--record", 5, "--left", 1], []):
        if name == "deterministic after the first" and not options:
            continue  # the first record has two values, and a table has what it tells to the right
        code, out, err = run(document() | VACUOUS[name], *options)
        assert (code, out) == (2, "")
        assert "nothing to compare: expected two values of positive probability of" in err


def test_a_table_has_no_influence_where_there_is_nothing_to_compare(run):
    shown = run(document() | VACUOUS["deterministic after the first"], "--json")
    rows = json.loads(shown[1])["table"]
    assert {row["left"] is None for row in rows} == {True}
    assert {row["right"]["ratio"] for row in rows} == {"1"}


def test_named_records_are_told_and_asked_by_name(run):
    named = document(count=4, record=2)
    named["records"]["names"] = ["mon", "tue", "wed", "thu"]
    by_name, by_number = (run(named, "--record", record, "--left", "1", "--right", "2")[1] for record in ("tue", "2"))
    assert by_name == by_number
    assert '"tue": "mon" and "thu"' in by_name
    assert 'if "tue" is' in by_name
    assert "record 2" not in by_name
    for record, what in (("tu", 'did you mean "tue"?'), ("5", "expected a record from 1 to 4")):
        code, _, err = run(named, "--record", record, "--left", "1")
        assert code == 2
        assert what in err


def test_a_name_goes_before_a_number(run):
    named = document(count=3, record=2)
    named["records"]["names"] = ["3", "2", "1"]
    assert '"3" and "1"' in run(named, "--record", "2", "--left", "1", "--right", "1")[1]
    assert '"1": "2"' in run(named, "--record", "1", "--left", "1")[1]


def test_databases_are_counted_by_the_values_of_each_record():
    values = {f"r{k}": [str(v) for v in range(2 + k % 3)] for k in range(12)}
    records = Records.named(values)
    with pytest.raises(ModelError, match=f", {2**4 * 3**4 * 4**4} times 12 records") as caught:
        _expect_few("--left", records)
    assert caught.value.where == "--left"
    _expect_few("--left", Records.named({"a": ["x", "y"], "b": ["x", "y", "z"]}))
