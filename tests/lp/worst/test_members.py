"""Worst cases, partners and collapses over classes of chains: what is found keeps its budget under
every chain of the class, and leaks what is said under one of them.
"""

import json
from fractions import Fraction
from itertools import pairwise, product

import pytest
from tests.reports.console.schemas import expect_valid

import pufferproof as pp
from pufferproof.counterexamples.collapse.above import search_leakage_above
from pufferproof.counterexamples.collapse.search import Collapse, search_collapse
from pufferproof.lp.worst.composition import blended, is_covered, keep, thinned
from pufferproof.reports import cli
from pufferproof.verify.decision import Decision

LOWER, UPPER = [["7/10", "1/10"], ["1/10", "7/10"]], [["9/10", "3/10"], ["3/10", "9/10"]]
GRID = [Fraction(n, 20) for n in (14, 15, 16, 17, 18)]
STARTS = [Fraction(n, 8) for n in range(9)]


def framework(length, record, prior=None):
    box = pp.IntervalChain("any", LOWER, UPPER) if prior is None else prior
    secrets = {f"x={value}": (record, value) for value in "01"}
    return pp.Framework(pp.Records(length, ("0", "1")), secrets, "disjoint", {"theta": box})


def chains():
    """Chains of the class on a grid: rows and first laws."""
    for a, d, q in product(GRID, GRID, STARTS):
        yield pp.MarkovChain([q, 1 - q], [[a, 1 - a], [1 - d, d]])


def conditional(chain, length, record, value, column):
    """P(output | X_record = value) from the definition, or None if the value is impossible."""
    mass = above = Fraction(0)
    for x in product((0, 1), repeat=length):
        if x[record - 1] == value:
            p = chain.initial[x[0]]
            for one, other in pairwise(x):
                p *= chain.transition[one][other]
            mass += p
            above += p * column["".join(map(str, x))]
    return above / mass if mass else None


def assert_within(mechanism, length, record, ratio):
    for output in mechanism.outputs:
        column = {x: mechanism.probability(x, output) for x in mechanism.databases}
        for chain in chains():
            sides = [conditional(chain, length, record, value, column) for value in (0, 1)]
            if None not in sides:
                assert max(sides) <= ratio * min(sides)


@pytest.mark.parametrize(("length", "record", "infinite"), [(2, 1, True), (3, 2, False)])
def test_mechanisms_of_a_worst_case_keep_the_budget_under_every_chain(length, record, infinite):
    of = framework(length, record)
    worst = pp.worst_composition(of, ["log(2)", "log(2)"])
    assert (worst.method, worst.upper, worst.decided) == ("members", None, infinite)
    assert worst.finite_for_all_runs is (Decision.FAILS if infinite else Decision.UNDECIDED)
    assert keep(of, worst.mechanisms, worst.budgets)
    for mechanism in set(map(id, worst.mechanisms)):
        chosen = next(each for each in worst.mechanisms if id(each) == mechanism)
        assert_within(chosen, length, record, 2)
    column = {
        x: worst.mechanisms[0].probability(x, "w") * worst.mechanisms[1].probability(x, "w")
        for x in of.of_laws().databases
    }
    chain, first = worst.framework.priors[worst.prior], int(worst.pair[0][-1])
    above, below = (conditional(chain, length, record, value, column) for value in (first, 1 - first))
    assert (below == 0) == (worst.lower is None) == infinite
    assert infinite or above / below == worst.lower > 1


def test_upper_bounds_are_known_of_one_release_and_with_a_level_per_record():
    of = framework(2, 1)
    one = pp.worst_composition(of, ["log(2)"])
    assert one.lower <= one.upper == 2
    assert one.finite is Decision.HOLDS
    still = pp.worst_composition(of, ["0"])
    assert (still.decided, still.lower, still.upper) == (True, 1, 1)
    two = pp.worst_composition(of, ["log(2)", "log(2)"], per_record="log(9/8)")
    assert two.lower <= two.upper == Fraction(9, 8) ** 4
    column = {x: two.mechanisms[0].probability(x, "w") * two.mechanisms[1].probability(x, "w") for x in two.databases}
    for chain in chains():
        sides = [conditional(chain, 2, 1, value, column) for value in (0, 1)]
        assert None in sides or max(sides) <= two.upper * min(sides)


def test_a_partner_keeps_its_budget_under_every_chain_and_leaks_more_together():
    local = pp.LocalMechanism(("0", "1"), ("0", "1"), [[["3/4", "1/4"], ["1/3", "2/3"]]] * 2)
    found = pp.worst_partner(framework(2, 1), local.channel(), "log(2)")
    assert not found.decided
    assert found.joint.lower > found.single.leakage.ratio
    assert_within(found.channel, 2, 1, 2)


def test_a_collapse_is_one_of_mechanisms_within_the_budget_for_all_chains():
    of = framework(2, 1)
    found = search_collapse(of, "log(2)")
    assert isinstance(found, Collapse)
    assert found.composition().joint.leakage.infinite
    for mechanism in found.mechanisms:
        assert_within(mechanism, 2, 1, 2)
    again = search_leakage_above(of, ["log(2)", "log(2)"], "log(5)")
    assert again.joint.lower is None or again.joint.lower > 5


def test_a_class_of_several_stationary_laws_beside_a_chain_is_not_covered():
    still = pp.IntervalChain("stationary", [["1", "0"], ["0", "1"]], [["1", "0"], ["0", "1"]])
    chain = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {f"x={value}": (1, value) for value in "01"}
    both = {"still": still, "chain": chain}
    of = pp.Framework(pp.Records(2, ("0", "1")), secrets, "disjoint", both)
    assert not is_covered(of)


def test_thinned_and_blended_mechanisms_keep_the_budget_whatever_the_prior():
    rows = {"a": {"w": 1}, "b": {"v": "1/2", "w": "1/2"}, "c": {"v": 1}}
    mechanism, level = pp.Channel.of(rows), pp.Level("log(3)")
    seldom = [thinned(mechanism, level).probability(x, "v") for x in "abc"]
    assert max(seldom) <= 3 * min(seldom)
    *_, last = blended(mechanism, level)
    for output in "wv":
        column = [last.probability(x, output) for x in "abc"]
        assert max(column) <= 3 * min(column)


def per_record(mechanism):
    """The largest ratio of two databases that differ in one record."""
    return max(
        mechanism.probability(x, output) / mechanism.probability(y, output)
        for output in mechanism.outputs
        for x, y in product(mechanism.databases, repeat=2)
        if sum(a != b for a, b in zip(x, y)) == 1
    )


WHOLE = pp.IntervalChain("any", [["0", "0"]] * 2, [["1", "1"]] * 2)


def test_a_partner_keeps_its_level_per_record_where_it_was_made_more_even():
    silent = pp.Channel.of({"".join(x): {"w": 1} for x in product("01", repeat=3)})
    found = pp.worst_partner(framework(3, 3, WHOLE), silent, "log(3)", per_record="log(7/4)")
    assert per_record(found.channel) <= Fraction(7, 4)


def test_budgets_of_which_one_is_much_larger_have_mechanisms():
    of = framework(3, 3, WHOLE)
    worst = pp.worst_composition(of, ["0", "log(4)"])
    assert keep(of, worst.mechanisms, worst.budgets)


def test_commands_say_what_holds_for_the_class(tmp_path, capsys):
    prior = {"initial": "any", "transition_lower": LOWER, "transition_upper": UPPER}
    described = {
        "format": "pufferproof-framework/1",
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {f"x={v}": {"record": 1, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": prior}},
    }
    mechanism = {
        "format": "pufferproof-mechanism/1",
        "outputs": ["0", "1"],
        "local": [[["3/4", "1/4"], ["1/3", "2/3"]]] * 2,
    }
    paths = [str(tmp_path / "f.json"), str(tmp_path / "m.json")]
    for path, document in zip(paths, (described, mechanism)):
        with open(path, "w") as file:
            json.dump(document, file)
    budget = ["--budget", "log(2)"]
    out, partner = str(tmp_path / "out"), str(tmp_path / "p.json")
    for command, code in [
        (["worst", paths[0], *budget, *budget, "--certificate", str(tmp_path / "w.json")], 0),
        (["worst", paths[0], "--budget", "log(1)"], 0),
        (["worst", paths[0], *budget, *budget, "--per-record-dp", "log(9/8)"], 3),
        (["partner", *paths, *budget, "--out", partner], 3),
        (["collapse", paths[0], *budget, "--out", out], 1),
        (["collapse", paths[0], "--out", out], 0),
        (["collapse", paths[0], *budget, "--out", out, "--shrink"], 2),
    ]:
        assert cli._run([*command, "--json"]) == code
        said, note = capsys.readouterr()
        if code == 2:
            assert "--shrink: needs single laws" in note
            continue
        assert "the priors are classes of chains" in note
        expect_valid(json.loads(said), command[0])


def test_blended_mechanisms_keep_the_level_per_record_of_the_mechanism():
    rows = {"00": "8/27", "01": "4/9", "10": "4/9", "11": "2/3"}
    mechanism = pp.Channel.of({x: {"w": p, "v": 1 - Fraction(p)} for x, p in rows.items()})
    level = pp.Level.log(per_record(mechanism))
    for each in blended(mechanism, pp.Level("log(20)"), level):
        assert level.compare(per_record(each)) <= 0
    assert any(level.compare(per_record(each)) > 0 for each in blended(mechanism, pp.Level("log(20)")))
