"""Worst cases over all mechanisms: against all tuples of brute-force rays, random mechanisms,
and known theory.
"""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from time import monotonic

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import examples
from tests.brute.frameworks import bits, parities, singletons, two_priors
from tests.lp.cones.test_rays import brute_rays
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, ModelError, Table, audit, strategies
from pufferproof.lp.cones.columns import Columns, OrderedLaws, Symmetries, moved, orbits
from pufferproof.lp.cones.rays import TooManyRaysError, distinct_products, extreme_rays, largest_pair
from pufferproof.lp.worst import at_ratios as worst_at_ratios
from pufferproof.lp.worst import at_ratios as worst_bounds
from pufferproof.lp.worst.at_ratios import Limits, is_one_pair, one_pair_worst, record_bound, worst_at
from pufferproof.lp.worst.composition import worst_composition
from pufferproof.models.files.writing import framework_document
from pufferproof.models.numbers.level import Level
from pufferproof.reports import cli
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.proof.smt import Work

ONE, TWO = Fraction(1), Fraction(2)


def chain(count):
    """Return a stationary chain of bits that stays with probability 3/4, all bits secret."""
    return bits(count, stay=Fraction(3, 4))


def pair(weights, left=1):
    """Return one pair of secrets, the first `left` databases against the others, under one
    prior.
    """
    labels = [f"d{x}" for x in range(len(weights))]
    prior = Table({label: Fraction(w, sum(weights)) for label, w in zip(labels, weights)})
    return Framework(labels, {"s": labels[:left], "t": labels[left:]}, [("s", "t")], {"theta": prior})


small = strategies.frameworks(max_databases=4, max_secrets=3, max_priors=2)


def brute_worst(columns, ratios):
    """Return the largest ratio over all laws and tuples of brute-force rays, None if infinite."""
    rays = [brute_rays(columns.cone(ratio)) for ratio in ratios]
    found = [
        law.ratio([prod(entries) for entries in zip(*chosen)]) for law in columns.laws for chosen in product(*rays)
    ]
    return None if None in found else max(found)


budgets = st.sampled_from([ONE, Fraction(3, 2), TWO, Fraction(7, 2)])


@given(small, st.lists(budgets, min_size=1, max_size=3))
@examples(120)
def test_the_worst_case_is_the_largest_over_all_tuples_of_rays(framework, ratios):
    columns = Columns(framework)
    found = worst_at(columns, ratios)
    assert found.exact
    assert found.ratio == brute_worst(columns, ratios)
    assert found.ratio == found.laws.ratio([prod(entries) for entries in zip(*found.columns)])
    assert all(columns.cone(ratio).holds(column) for ratio, column in zip(ratios, found.columns))


@given(small, st.lists(st.integers(1, 4), min_size=24, max_size=24))
@examples(100)
def test_no_mechanisms_leak_more_together_than_the_worst_case_of_what_they_leak_alone(framework, numbers):
    half = len(numbers) // 2
    mechanisms = [
        Channel.of(
            {x: [Fraction(n, sum(row)) for n in row] for x, row in zip(framework.databases, rows)}, ["u", "v", "w"]
        )
        for part in (numbers[:half], numbers[half:])
        for rows in [[part[3 * i : 3 * i + 3] for i in range(4)]]
    ]
    levels = [Level.log(audit(framework, mechanism).leakage.ratio) for mechanism in mechanisms]
    joint = audit(framework, mechanisms[0].beside(*mechanisms[1:])).leakage.ratio
    found = worst_composition(framework, levels)
    assert found.lower is None or joint <= found.upper


@given(small, st.lists(budgets, min_size=2, max_size=3), st.booleans())
@examples(60)
def test_the_mechanisms_keep_their_budgets_and_reach_the_worst_case(framework, ratios, equal):
    ratios = [ratios[0]] * len(ratios) if equal else ratios
    found = worst_composition(framework, [Level.log(ratio) for ratio in ratios])
    together = compose(framework, found.mechanisms)
    assert together.joint.leakage.ratio == found.lower
    assert together.joint.leakage.infinite == (found.finite is Decision.FAILS)
    for alone, ratio, single in zip(together.single, ratios, found.single):
        assert alone.leakage.ratio <= single.ratio <= ratio
    if found.together is not None:
        assert audit(framework, found.together).leakage.ratio <= ratios[0]
        assert compose(framework, [found.together], len(ratios)).joint.leakage.ratio == found.lower


@given(
    st.lists(st.integers(0, 3), min_size=2, max_size=4), st.integers(1, 3), st.lists(budgets, min_size=1, max_size=3)
)
@examples(100)
def test_the_closed_form_of_one_pair_agrees_with_brute_force_in_one_order_and_in_both(weights, left, ratios):
    assume(left < len(weights) and any(weights[:left]) and any(weights[left:]))
    framework = pair(weights, left)
    for one_sided in (False, True):
        both = Framework(
            framework.databases,
            {"s": framework.databases[:left], "t": framework.databases[left:]},
            [("s", "t")],
            framework.priors,
            one_sided=one_sided,
        )
        columns = Columns(both)
        assert is_one_pair(columns.laws)
        ratio, law, chosen = one_pair_worst(columns.laws, ratios)
        assert ratio == brute_worst(columns, ratios)
        assert ratio == law.ratio([prod(entries) for entries in zip(*chosen)])
        assert all(columns.cone(each).holds(column) for each, column in zip(ratios, chosen))


@pytest.mark.parametrize(
    ("low", "high", "critical"),
    [("1/5", "4/5", TWO), ("1/10", "2/5", TWO), ("9/25", "9/20", None), ("1/2", "8/9", None)],
)
def test_two_priors_collapse_from_a_critical_budget_on(low, high, critical):
    """Two runs collapse iff R^2 >= max((1 - p1) / (1 - p2), p2 / p1)."""
    p, q = Fraction(low), Fraction(high)
    framework = two_priors(p, q)
    square = max((1 - p) / (1 - q), q / p)
    assert critical is None or critical**2 == square
    for ratio in (critical or TWO, Fraction(101, 100), Fraction(112, 100), Fraction(1999, 1000), Fraction(3)):
        found = worst_composition(framework, [Level.log(ratio)] * 2)
        assert found.finite is Decision(ratio**2 < square)


def test_two_bits_compose_at_budget_zero_and_collapse_with_any_more():
    none = worst_composition(chain(2), ["0", "0"])
    assert (none.lower, none.upper, none.finite_for_all_runs.value) == (1, 1, True)
    assert worst_composition(chain(2), ["0", "log(1000001/1000000)"]).finite is Decision.FAILS


@pytest.mark.parametrize("count", [3, 4])
def test_three_and_more_bits_collapse_at_budget_zero(count):
    found = worst_composition(chain(count), ["0", "0"])
    assert (found.finite.value, found.collapse_number) == (False, 2)


@pytest.mark.parametrize("runs", [2, 3])
def test_singletons_against_their_complements_stay_finite(runs):
    labels = ["a", "b", "c"]
    secrets = {f"is {x}": [x] for x in labels} | {f"not {x}": [y for y in labels if y != x] for x in labels}
    prior = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    framework = Framework(labels, secrets, [(f"is {x}", f"not {x}") for x in labels], {"theta": prior})
    found = worst_composition(framework, ["log(2)"] * runs)
    assert (found.finite.value, found.finite_for_all_runs.value, found.collapse_number) == (True, True, None)
    assert found.lower == brute_worst(Columns(framework), [TWO] * runs)


@pytest.mark.parametrize(("count", "critical"), [(2, TWO), (3, Fraction(4, 3))])
def test_uniform_bits_with_all_parities_secret_stay_finite_below_a_critical_budget(count, critical):
    """Finite for every number of runs iff R < 2^(n-1) / (2^(n-1) - 1)."""
    just_below = critical - Fraction(1, 1000)
    assert worst_composition(parities(count), [Level.log(just_below)] * 2).finite_for_all_runs is Decision.HOLDS
    assert worst_composition(parities(count), [Level.log(critical)] * 2).finite_for_all_runs is Decision.FAILS


def test_budgets_that_matter_are_not_ignored():
    columns = Columns(chain(3))
    cones = [columns.cone(Fraction(11, 10), TWO)] * 2
    bound = record_bound(columns, columns.laws, cones, TWO)
    exact = worst_at(columns, [Fraction(11, 10)] * 2, TWO)
    assert bound.column is None
    assert exact.ratio < bound.upper


def test_a_tiny_decimal_budget_is_not_zero():
    found = worst_composition(chain(2), ["0", "1e-30"])
    assert found.finite is Decision.FAILS


def test_huge_and_tiny_levels_are_exact():
    found = worst_composition(chain(2), ["900", "1e-100"], "1")
    assert found.decided
    assert found.finite is Decision.HOLDS
    assert 1 < found.single[0].lower < found.single[0].upper < 100
    with pytest.raises(ModelError, match="at most 900 nats"):
        worst_composition(chain(2), ["log(2)"], "1000")


@pytest.fixture
def no_ray_is_few(monkeypatch):
    monkeypatch.setattr(worst_at_ratios, "_FEW_RAYS", 0)


MANY = ([Fraction(3, 2)] * 2, TWO)  # budgets and per-record level of 784 rays


def test_bounds_stay_where_rays_are_too_many_or_there_is_no_time(no_ray_is_few, monkeypatch):
    columns = Columns(chain(3))
    budgets, side = MANY
    between = worst_at_ratios._at_most(Fraction(5), columns.laws[0], 2)
    monkeypatch.setattr(worst_at_ratios, "_by_bounds", lambda *_: between)
    short = Limits(work=Work(seconds=0.0))
    assert worst_at(columns, budgets, side, short) == replace(between, stopped="seconds")
    few = Limits(max_rays=10)
    assert worst_at(columns, budgets, side, few) == replace(between, stopped="rays")


def test_what_there_was_no_time_for_is_not_decided():
    found = worst_composition(parities(3), ["log(11/10)"] * 2, seconds=0.001)
    assert (found.collapse_number, found.finite_for_all_runs.value, found.decided) == (None, None, False)
    assert found.single[0].upper <= Fraction(11, 10)


def test_laws_of_one_orbit_have_equal_worst_cases():
    columns = Columns(chain(3))
    cone = columns.cone(TWO, Fraction(3, 2))
    rays = extreme_rays(cone)
    found = orbits(columns, [cone])
    assert len(found) < len(columns.laws)
    for orbit in found:
        values = {largest_pair([laws], rays, rays).ratio for laws, _ in orbit.images}
        assert len(values) == 1


def test_symmetries_are_found_without_records_and_keep_the_cone():
    columns = Columns(singletons("abcd"))
    cone = columns.cone(TWO)
    search = Symmetries(columns.laws, [cone])
    for k, law in enumerate(columns.laws):
        carried = search.carrying(0, k)
        assert carried is not None
        assert moved(columns.laws[0].mu, carried) == law.mu
    uneven = Columns(pair([1, 2, 3], left=1))
    assert Symmetries(uneven.laws, [uneven.cone(TWO)]).carrying(0, 1) is None


def test_products_of_columns_end_at_the_deadline():
    law = OrderedLaws((1, 0), (0, 1), 1, 1, ())
    past = monotonic() - 1
    with pytest.raises(TooManyRaysError, match="out of time"):
        distinct_products({(1, 2): ()}, [(2, 1)], 10, past)
    with pytest.raises(TooManyRaysError, match="out of time"):
        largest_pair([law], [(1, 2)], [(2, 1)], past)


@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3).filter(any), min_size=1, max_size=6),
    st.lists(st.tuples(*[st.integers(0, 3)] * 3).filter(any), min_size=1, max_size=6),
    st.sampled_from([1, 10**400]),
    st.booleans(),
)
@examples(150)
def test_the_largest_pair_is_exact_also_where_floats_underflow(left, right, scale, same):
    law = OrderedLaws((1, scale, 0), (0, 1, 2), 1 + scale, 3, ())
    right = left if same else right
    found = largest_pair([law], left, right)
    values = [law.ratio([a * b for a, b in zip(u, v)]) for u in left for v in right]
    assert found.ratio == (None if None in values else max(values))
    assert found.ratio == law.ratio([a * b for a, b in zip(*found.columns)])


def test_bad_input_is_refused():
    with pytest.raises(ModelError, match="at least one budget"):
        worst_composition(chain(2), [])
    with pytest.raises(ModelError, match="records"):
        worst_composition(pair([1, 1]), ["log(2)"], "log(2)")
    priors = {"p": Table(dict.fromkeys("abcd", "1/4")), "q": Table({"a": "1/8", "b": "1/4", "c": "1/2", "d": "1/8"})}
    secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    mixed = Framework("abcd", secrets, [("s", "t")], priors, closure="convex")
    with pytest.raises(ModelError, match="convex"):
        worst_composition(mixed, ["log(2)"])


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for name, framework in [("bits.json", chain(3)), ("two.json", chain(2)), ("pair.json", pair([1, 2]))]:
        (tmp_path / name).write_text(json.dumps(framework_document(framework)))
    shown = {
        "format": "pufferproof-framework/1",
        "records": {"count": 4, "alphabet": ["0", "1"]},
        "secrets": {f"x{i}={v}": {"record": i, "value": v} for i in (1, 2, 3, 4) for v in "01"},
        "pairs": [[f"x{i}=0", f"x{i}=1"] for i in (1, 2, 3, 4)],
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/4", "3/4"]]}}},
    }
    (tmp_path / "chain.json").write_text(json.dumps(shown))

    def invoke(*arguments):
        code = cli._run(list(arguments))
        out, err = capfd.readouterr()
        return code, out, err

    return invoke


def test_the_command_prints_the_documented_object_and_writes_what_reaches_it(run):
    code, out, err = run(
        "worst",
        "pair.json",
        "--budget",
        "log(2)",
        "--budget",
        "log(3/2)",
        "--out",
        "w",
        "--certificate",
        "c.json",
        "--json",
    )
    answer = json.loads(out)
    expect_valid(answer, "worst")
    assert (code, err, answer["joint"]["ratio"], answer["finite"]) == (0, "", "3", True)
    assert (answer["finite_for_all_runs"], answer["collapse_number"], answer["decided"]) == (True, None, True)
    assert answer["mechanisms"] == ["w/m1.json", "w/m2.json"]
    assert (answer["certifies"], answer["trust"]) == ("worst case", ["KERNEL"])
    assert run("check", "c.json", "pair.json")[0] == 0
    again = json.loads(run("compose", "pair.json", *answer["mechanisms"], "--json")[1])
    assert (again["joint"]["ratio"], again["single"][0]["ratio"]) == ("3", "2")


def test_a_collapse_is_certified_and_its_number_printed(run):
    arguments = ("worst", "bits.json", "--budget", "0", "--budget", "0", "--out", "w", "--certificate", "c.json")
    code, out, _ = run(*arguments, "--json")
    answer = json.loads(out)
    expect_valid(answer, "worst")
    assert (code, answer["joint"]["ratio"], answer["finite"], answer["collapse_number"]) == (0, "inf", False, 2)
    assert answer["certifies"] == "joint leakage of the mechanisms"
    assert run("check", "c.json", "bits.json", *answer["mechanisms"])[0] == 0
    assert "2 releases within 0 nats can leak everything" in run(*arguments, "--replace")[1]


def test_the_exact_worst_case_under_per_record_privacy_is_certified(run):
    arguments = ("worst", "chain.json", "--budget", "log(2)", "--budget", "log(2)", "--per-record-dp", "log(5/4)")
    code, out, _ = run(*arguments, "--certificate", "c.json")
    assert code == 0
    assert "c.json  certifies the worst case" in out
    assert "equal to" in run("check", "c.json", "chain.json")[1]


def test_three_releases_have_the_certificate_of_their_mechanisms(run):
    budgets = ("--budget", "log(2)") * 3
    answer = json.loads(run("worst", "pair.json", *budgets, "--out", "w", "--certificate", "c.json", "--json")[1])
    assert (answer["joint"]["ratio"], answer["certifies"]) == ("8", "joint leakage of the mechanisms")
    assert run("check", "c.json", "pair.json", *answer["mechanisms"])[0] == 0


@pytest.mark.parametrize("out", ["w", "w/deep", "missing/../w"])
def test_nothing_is_left_where_something_cannot_be_written(run, tmp_path, out):
    before = sorted(tmp_path.iterdir())
    budgets = ("--budget", "log(2)", "--budget", "log(2)")
    code, shown, err = run("worst", "pair.json", *budgets, "--out", out, "--certificate", "no/where/c.json")
    assert (code, shown, err.count("\n")) == (2, "", 1)
    assert sorted(tmp_path.iterdir()) == before
    (tmp_path / "w").mkdir()
    assert run("worst", "pair.json", *budgets, "--out", "w", "--certificate", "no/c.json")[0] == 2
    assert (tmp_path / "w").is_dir()
    code, shown, err = run("worst", "pair.json", *budgets, "--out", "pair.json", "--certificate", "c.json")
    assert (code, shown) == (2, "")
    assert "pair.json" in err
    assert run("worst", "pair.json", *budgets, "--out", "d/e", "--certificate", "c.json")[0] == 0
    assert (tmp_path / "d" / "e" / "m2.json").is_file()


def test_one_release_leaks_what_it_may(run):
    code, out, _ = run("worst", "bits.json", "--budget", "log(2)", "--certificate", "c.json", "--json")
    assert (code, json.loads(out)["joint"]["ratio"]) == (0, "2")
    assert run("check", "c.json")[0] == 0


def test_without_time_the_answer_is_an_interval_and_exit_code_3(run):
    arguments = ("worst", "chain.json", "--budget", "log(3/2)", "--budget", "log(3/2)", "--per-record-dp", "log(2)")
    code, out, _ = run(*arguments, "--seconds", "0.01", "--json")
    answer = json.loads(out)
    expect_valid(answer, "worst")
    assert (code, answer["decided"], answer["joint"]["ratio"]) == (3, False, None)
    assert Fraction(answer["bounds"]["lower"]) >= 1
    code, out, err = run(*arguments, "--seconds", "0.01")
    assert code == 3
    assert "undecided" in out
    assert answer["stopped"] == "seconds"
    assert "stopped after the seconds you gave; a larger --seconds may narrow the bounds" in err


def test_without_seconds_work_is_counted_and_the_answer_is_the_same_again(run, monkeypatch):
    def never(*_):
        raise TooManyRaysError("not listed")

    monkeypatch.setattr(worst_bounds, "_MOST", 1e6)
    monkeypatch.setattr(worst_at_ratios, "_by_rays", never)
    arguments = ["worst", "chain.json", *["--budget", "log(3/2)"] * 2, "--per-record-dp", "log(2)"]
    found = [run(*arguments, "--json") for _ in range(2)]
    assert found[0] == found[1]
    answer = json.loads(found[0][1])
    expect_valid(answer, "worst")
    assert (found[0][0], answer["decided"], answer["stopped"]) == (3, False, "work")
    assert "stopped after its allowance of work" in run(*arguments)[2]


def test_a_budget_that_per_record_privacy_keeps_out_of_reach_is_said(run):
    out = run("worst", "chain.json", "--budget", "log(2)", "--per-record-dp", "log(11/10)")[1]
    assert "at most, although the budget is log(2)" in out


def test_files_that_exist_are_kept(run, tmp_path):
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "m1.json").write_text("mine")
    code, out, err = run("worst", "two.json", "--budget", "0", "--out", "w")
    assert (code, out) == (2, "")
    assert "exists already" in err
    assert (tmp_path / "w" / "m1.json").read_text() == "mine"


def test_a_certificate_never_takes_the_place_of_a_mechanism(run, tmp_path):
    (tmp_path / "w").mkdir()
    code, out, err = run("worst", "two.json", "--budget", "0", "--out", "w", "--certificate", "w/m1.json")
    assert (code, out) == (2, "")
    assert "w/m1.json: is already read or written by this command" in err
    assert not (tmp_path / "w" / "m1.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two.json"], "--budget"),
        (["two.json", "--budget", "log(1/2)"], "level"),
        (["two.json", "--budget", "0", "--engine", "cdd"], "--engine"),
        (["none.json", "--budget", "0"], "none.json"),
        (["pair.json", "--budget", "0", "--per-record-dp", "0"], "records"),
    ],
)
def test_misuse_is_one_line_and_code_2(run, arguments, message):
    code, out, err = run("worst", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_worst_case_rests_on_the_claims_of_its_method_alone():
    theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    pair = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    closed = worst_composition(pair, ["log(2)", "log(3)"])
    assert closed.method == "closed form"
    assert "worst.dichotomy" in closed.rests_on
    assert not {"worst.relaxation", "worst.power-closed"} & set(closed.rests_on)
    bound = worst_composition(chain(2), ["log(2)", "log(3)"], "log(2)")
    assert "worst.dichotomy" not in bound.rests_on
    assert "worst.power-closed" in bound.rests_on
    told = bound.as_json()["rests_on"]
    assert {each["claim"] for each in told} == set(bound.rests_on)
