"""Conditions that compose: against brute force, exact joint leakages of several runs, planted
kernels, and near misses.
"""

import json
import random
from fractions import Fraction
from itertools import combinations, product

import pytest
from tests import seeds
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, Table
from pufferproof.lp.conditions import (
    Composes,
    LogTable,
    bottleneck,
    cheapest,
    composition_conditions,
    constant_of,
    independent,
    is_kernel,
    kernels_of,
    routed,
    support,
)
from pufferproof.lp.cones.columns import OrderedLaws
from pufferproof.lp.rates.games import Games
from pufferproof.models.errors import ModelError
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.mechanisms.releases import post_process
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.reports import cli
from pufferproof.verify.audit.composition import compose

F = Fraction


def two_secrets(weights, split, priors=1):
    labels = [str(x) for x in range(len(weights))]
    chosen = {
        f"p{k}": Table({x: F(w, sum(weights)) for x, w in zip(labels, weights[k:] + weights[:k])})
        for k in range(priors)
    }
    return Framework(labels, {"s": labels[:split], "t": labels[split:]}, [("s", "t")], chosen)


def random_channel(rng, labels, outputs, zeros=0.0):
    rows = {}
    for x in labels:
        row = [0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(outputs)]
        row[rng.randrange(outputs)] += 1
        rows[x] = [F(v, sum(row)) for v in row]
    return Channel.of(rows, [str(w) for w in range(outputs)])


def random_case(seed):
    rng = random.Random(seed)
    size = rng.randint(2, 5)
    split = rng.randint(1, size - 1)
    framework = two_secrets([rng.randint(1, 4) for _ in range(size)], split, rng.randint(1, 2))
    return framework, random_channel(rng, framework.databases, rng.randint(2, 3), rng.choice([0, 0, 0.25]))


def logs(ratio):
    return (F(0), F(0)) if ratio == 1 else log_bounds(ratio, 80)


def random_laws(rng):
    left, right = rng.randint(1, 4), rng.randint(1, 4)
    mu = [rng.randint(0, 4) for _ in range(left)] + [0] * right
    nu = [0] * left + [rng.randint(0, 4) for _ in range(right)]
    mu[0], nu[-1] = mu[0] + 1, nu[-1] + 1
    return OrderedLaws(tuple(mu), tuple(nu), sum(mu), sum(nu), ())


def halls_constant(laws, allowed):
    """The largest mu(A) / nu(N(A)), None if some A has no neighbours: the definition, over all
    sets.
    """
    xs, best = support(laws.mu), F(1)
    for size in range(1, len(xs) + 1):
        for chosen in combinations(xs, size):
            reached = {y for x, y in allowed if x in chosen}
            if not reached:
                return None
            mass = sum(laws.nu[y] for y in reached)
            best = max(best, F(sum(laws.mu[x] for x in chosen) * laws.nu_total, mass * laws.mu_total))
    return best


def test_the_least_constant_of_a_kernel_is_halls():
    rng = random.Random(1)
    for _ in range(60):
        laws = random_laws(rng)
        arcs = [(x, y) for x in support(laws.mu) for y in support(laws.nu) if rng.random() < 0.6]
        found = routed(laws, arcs)
        assert found.constant == halls_constant(laws, arcs)
        if found.kernel is not None:
            assert is_kernel(laws, found.kernel)
            assert constant_of(laws, found.kernel) == found.constant
            assert all((x, y) in arcs for x, row in found.kernel.items() for y in row)
            reached = {y for x, y in arcs if x in found.blocking}
            above = sum(laws.mu[x] for x in found.blocking) * laws.nu_total
            assert above == found.constant * sum(laws.nu[y] for y in reached) * laws.mu_total


def test_the_bottleneck_coupling_is_the_first_threshold_that_halls_condition_allows():
    rng = random.Random(2)
    for _ in range(40):
        laws = random_laws(rng)
        costs = {(x, y): F(rng.randint(1, 4)) for x in support(laws.mu) for y in support(laws.nu) if rng.random() < 0.8}
        ways = [
            c for c in sorted(set(costs.values())) if halls_constant(laws, [a for a in costs if costs[a] <= c]) == 1
        ]
        cost, found = bottleneck(laws, costs)
        assert cost == (ways[0] if ways else None)
        if cost is not None:
            assert constant_of(laws, found.kernel) == 1
            assert max(costs[x, y] for x, row in found.kernel.items() for y in row) <= cost


def test_cheapest_and_independent_kernels_are_couplings_and_the_cheapest_costs_least():
    rng = random.Random(3)
    for _ in range(20):
        laws = random_laws(rng)
        prices = {(x, y): rng.randint(0, 5) for x in support(laws.mu) for y in support(laws.nu)}
        kernels = [
            cheapest(laws, lambda x, y, prices=prices: prices[x, y]),
            independent(laws),
            cheapest(laws, lambda x, y: (x * y) % 3),
        ]
        costs = [sum(laws.mu[x] * b * prices[x, y] for x, row in k.items() for y, b in row.items()) for k in kernels]
        assert all(is_kernel(laws, k) and constant_of(laws, k) == 1 for k in kernels)
        assert costs[0] == min(costs)


@seeds(14)
def test_joint_leakages_never_exceed_the_budget_of_a_condition(seed):
    framework, mechanism = random_case(seed)
    found = composition_conditions(framework, mechanism)
    for runs in (1, 2, 3, 4):
        joint = compose(framework, [mechanism], runs).joint.leakage
        for one in found.conditions[1:]:
            if one.finite:
                assert logs(joint.ratio)[0] <= runs * one.upper + logs(one.constant)[1]
            if one.finite and one.composes is Composes.EXACTLY:
                assert one.constant == 1


def test_the_budget_of_runs_is_the_least_bound_and_is_kept():
    for seed in range(6):
        framework, mechanism = random_case(seed)
        found = composition_conditions(framework, mechanism)
        alone = found["promise"]
        assert found.budget(1) == ((alone, alone.upper) if alone.finite else None)
        for runs in (2, 3):
            bound = found.budget(runs)
            if bound is not None:
                one, nats = bound
                assert nats == runs * one.upper + logs(one.constant)[1]
                assert all(
                    nats <= runs * other.upper + logs(other.constant)[1]
                    for other in found.conditions[1:]
                    if other.finite
                )
                assert logs(compose(framework, [mechanism], runs).joint.leakage.ratio)[0] <= nats
        with pytest.raises(ModelError, match="expected at least 1, found 0"):
            found.budget(0)


@seeds(14)
def test_levels_are_ordered_as_the_conditions_imply_each_other(seed):
    found = composition_conditions(*random_case(seed))
    for strong, weak in [
        ("transport", "coupling"),
        ("transport", "one-hot"),
        ("coupling", "nfc"),
        ("one-hot", "nfc"),
        ("coupling", "promise"),
    ]:
        if found[strong].finite:
            assert found[weak].finite
            assert found[weak].lower <= found[strong].upper


def test_every_kernel_shows_its_level_from_the_definition():
    for seed in range(10):
        framework, mechanism = random_case(seed)
        found = composition_conditions(framework, mechanism)
        p = [found.columns.column(mechanism, output) for output in mechanism.outputs]
        for name in ("transport", "coupling", "one-hot", "nfc"):
            for laws, kernel in zip(found.columns.laws, found[name].kernels):
                assert is_kernel(laws, kernel)
                assert constant_of(laws, kernel) <= found[name].constant
                for x, row in kernel.items():
                    for column in p:
                        if not column[x]:
                            continue
                        assert all(column[y] for y in row)
                        if name in ("transport", "one-hot"):
                            assert all(column[x] <= found[name].exact[0] * column[y] for y in row)
                        mean = sum(weight * logs(column[y] / column[x])[1] for y, weight in row.items())
                        assert -mean <= found[name].upper + F(1, 10**15)


def test_one_hot_and_transport_levels_are_those_of_all_maps_and_all_vertices():
    framework, mechanism = two_secrets([1, 1, 1, 1], 2), random_channel(random.Random(8), "0123", 3)
    found = composition_conditions(framework, mechanism)

    def cost(x, y):
        return max(mechanism.probability(x, w) / mechanism.probability(y, w) for w in mechanism.outputs)

    orders = [("01", "23"), ("23", "01")]
    maps = [
        max(cost(x, y) for x, y in zip("0123", [*first, *second]))
        for first in product("23", repeat=2)
        for second in product("01", repeat=2)
    ]
    assert found["one-hot"].exact == (min(maps), 1)
    swaps = [max(min(max(cost(a[0], b[i]), cost(a[1], b[1 - i])) for i in (0, 1)) for a, b in orders)]
    assert found["transport"].exact == (swaps[0], 1)


@pytest.mark.parametrize("seed", range(6))
def test_no_coupling_on_a_grid_beats_the_smallest_level(seed):
    rng = random.Random(seed)
    framework, mechanism = two_secrets([1, 1, 1, 1], 2), random_channel(rng, "0123", 3)
    found = composition_conditions(framework, mechanism)
    table = LogTable(Games([mechanism]), found.columns.databases)
    best = []
    for laws in found.columns.laws:
        (a, b), (c, d) = support(laws.mu), support(laws.nu)
        best.append(
            min(
                max(table.excess(x, {y: v for y, v in row.items() if v}) for x, row in kernel.items())
                for t in range(65)
                for kernel in [{a: {c: F(t, 64), d: 1 - F(t, 64)}, b: {c: 1 - F(t, 64), d: F(t, 64)}}]
            )
        )
    assert found["coupling"].lower <= max(best)
    assert max(best) - found["coupling"].upper < F(1, 10)


def test_bounds_of_the_coupling_level_are_narrow():
    for seed in range(8):
        one = composition_conditions(*random_case(seed))["coupling"]
        if one.finite:
            assert one.upper - one.lower <= F(1, 10**9) * one.upper


def test_masses_of_very_different_size_keep_the_bounds_narrow():
    framework = two_secrets([10**9, 1, 2, 10**9], 2)
    mechanism = random_channel(random.Random(5), framework.databases, 3)
    one = composition_conditions(framework, mechanism)["coupling"]
    assert one.upper - one.lower <= F(1, 10**8) * one.upper
    assert all(
        constant_of(laws, k) == 1
        for laws, k in zip(composition_conditions(framework, mechanism).columns.laws, one.kernels)
    )


def test_a_tie_that_is_neither_the_leakage_nor_the_rate_is_decided_exactly():
    # the coupling is forced, beta = (1/2, 1/2), and P(u|0) = 1/2 = 2 sqrt(1/8 * 1/2)
    framework = two_secrets([2, 1, 1], 1)
    rows = {"0": ["1/2", "1/4", "1/4"], "1": ["1/8", "7/16", "7/16"], "2": ["1/2", "1/4", "1/4"]}
    mechanism = Channel.of(rows, "uvw")
    found = composition_conditions(framework, mechanism)
    assert (found["promise"].exact, found["nfc"].exact) == ((F(8, 5), 1), (F(7, 4), 1))
    assert found["coupling"].lower <= logs(F(2))[1]
    assert logs(F(2))[0] <= found["coupling"].upper
    for level, holds in [("log(2)", "HOLDS"), ("log(1999999/1000000)", "FAILS"), ("log(2000001/1000000)", "HOLDS")]:
        assert composition_conditions(framework, mechanism, Level.parse(level))["coupling"].holds.name == holds


def test_coupling_can_compose_exactly_where_no_differential_privacy_style_inequality_holds():
    framework = two_secrets([2, 1, 1], 1)
    rows = {"0": ["4/8", "4/8"], "1": ["6/8", "2/8"], "2": ["2/8", "6/8"]}
    found = composition_conditions(framework, Channel.of(rows, "uv"), Level.log("3/2"))
    assert [one.holds.name for one in found.conditions] == ["HOLDS", "FAILS", "HOLDS", "FAILS", "HOLDS"]
    assert (found.weakest.name, found.weakest_exact.name) == ("nfc", "coupling")
    assert found["transport"].exact == found["one-hot"].exact == (F(2), 1)
    assert found["coupling"].exact == (F(3, 2), 1)


def test_one_hot_does_not_compose_exactly_and_its_constant_is_paid():
    theta = Table({"0": "1/2", "1": "1/8", "2": "3/8"})
    framework = Framework("012", {"s": "0", "t": "12"}, [("s", "t")], {"theta": theta}, one_sided=True)
    rows = {"0": ["3/4", "1/4"], "1": ["3/4", "1/4"], "2": ["1/4", "3/4"]}
    mechanism = Channel.of(rows, "uv")
    found = composition_conditions(framework, mechanism)
    joint = [compose(framework, [mechanism], k).joint.leakage.ratio for k in (1, 2, 3)]
    nfc = found["nfc"]
    assert nfc.constant == 4
    assert (nfc.upper, joint[0]) == (0, 2)  # one run already leaks more than its level
    assert all(logs(ratio)[0] <= (k + 1) * nfc.upper + logs(nfc.constant)[1] for k, ratio in enumerate(joint))


@pytest.mark.parametrize("seed", range(8))
def test_post_processing_never_raises_the_level_of_a_condition(seed):
    framework, mechanism = random_case(seed)
    rng = random.Random(seed + 100)
    after = post_process(mechanism, random_channel(rng, mechanism.outputs, 2, 0.3))
    before, found = (composition_conditions(framework, mechanism), composition_conditions(framework, after))
    for one in before.conditions:
        if one.finite:
            assert found[one.name].lower <= one.upper


def test_supports_are_exact_when_an_output_separates_databases():
    framework = two_secrets([2, 1, 1], 1)
    mechanism = Channel.of({"0": ["1/2", "1/2"], "1": ["1", "0"], "2": ["1/2", "1/2"]}, "uv")
    found = composition_conditions(framework, mechanism, Level.log(4))
    assert [one.finite for one in found.conditions] == [True, False, False, True, True]
    assert [one.holds.name for one in found.conditions] == ["HOLDS", "FAILS", "FAILS", "HOLDS", "HOLDS"]
    assert found.weakest_exact is None
    apart = Channel.of({"0": ["1", "0"], "1": ["0", "1"], "2": ["0", "1"]}, "uv")
    none = composition_conditions(framework, apart, Level.log(4))
    assert not any(one.finite for one in none.conditions)
    assert none.weakest is None


def test_stated_kernels_are_checked():
    framework = two_secrets([2, 1, 1], 1)
    columns = composition_conditions(framework, Channel.of({x: ["1"] for x in "012"}, "u")).columns
    good = {
        ("p0", ("s", "t")): {"0": {"1": F(1, 3), "2": F(2, 3)}},
        ("p0", ("t", "s")): {"1": {"0": F(1)}, "2": {"0": F(1)}},
    }
    assert kernels_of(columns, good)[0] == {0: {1: F(1, 3), 2: F(2, 3)}}
    for change, message in [
        ({("p0", ("s", "t")): {"0": {"1": F(1, 3)}}}, "weights that sum to 1"),
        ({("p0", ("s", "t")): {"0": {"9": F(1)}}}, 'unknown database "9"'),
        ({("p0", ("s", "t")): {"0": {"0": F(1)}}}, "weights that sum to 1"),
        ({("p0", ("t", "s")): {"1": {"0": F(1)}}}, "expected a row for every database"),
    ]:
        with pytest.raises(ModelError, match=message):
            kernels_of(columns, {**good, **change})
    with pytest.raises(ModelError, match='no kernel for prior "p0", pair'):
        kernels_of(columns, dict(list(good.items())[:1]))


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    rows = {"0": ["4/8", "4/8"], "1": ["6/8", "2/8"], "2": ["2/8", "6/8"]}
    (tmp_path / "f.json").write_text(json.dumps(framework_document(two_secrets([2, 1, 1], 1))))
    (tmp_path / "m.json").write_text(json.dumps(mechanism_document(Channel.of(rows, "uv"))))

    def invoke(*arguments):
        code = cli._run(list(arguments))
        return (code, *capfd.readouterr())

    return invoke


def test_the_command_prints_the_documented_object_and_a_table(run):
    code, out, err = run("conditions", "f.json", "m.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "conditions")
    assert (code, err, answer["weakest"], answer["weakest_exact"]) == (0, "", "nfc", "coupling")
    assert [one["level"]["ratio"] for one in answer["conditions"]] == ["1", "2", "3/2", "2", "3/2"]
    assert answer["conditions"][2]["beta"][0] == {"0": {"1": "1/2", "2": "1/2"}}
    assert answer["laws"][0] == {"prior": "p0", "pair": ["s", "t"]}
    out = run("conditions", "f.json", "m.json", "--epsilon", "log(3/2)")[1]
    assert "the weakest that composes exactly is coupling: at most K * 0.4054651" in out
    assert "transport" in out
    answer = json.loads(run("conditions", "f.json", "m.json", "--runs", "3", "--json")[1])
    expect_valid(answer, "conditions")
    assert (answer["budget"]["condition"], answer["budget"]["at_most"][:6]) == ("coupling", "1.2163")
    assert "3 runs leak at most 1.2163" in run("conditions", "f.json", "m.json", "--runs", "3")[1]


def test_one_run_leaks_what_the_mechanism_leaks_alone(run):
    code, out, _ = run("conditions", "f.json", "m.json", "--runs", "1", "--json")
    answer = json.loads(out)
    expect_valid(answer, "conditions")
    assert (code, answer["budget"]) == (0, {"runs": 1, "condition": "promise", "at_most": "0"})
    assert "1 run leaks at most 0 nats, by promise" in run("conditions", "f.json", "m.json", "--runs", "1")[1]
    apart = Channel.of({"0": [1, 0], "1": [0, 1], "2": [0, 1]}, "uv")
    found = composition_conditions(two_secrets([2, 1, 1], 1), apart)
    assert found.budget(1) is None
    assert found.budget(2) is None


@pytest.mark.parametrize(("level", "code"), [("log(3/2)", 0), ("log(2)", 0), ("log(7/5)", 1), ("0", 1)])
def test_the_exit_code_says_whether_something_composes_at_the_level(run, level, code):
    found, out, _ = run("conditions", "f.json", "m.json", "--epsilon", level, "--json")
    expect_valid(json.loads(out), "conditions")
    assert found == code


def test_misuse_is_one_line(run):
    code, out, err = run("conditions", "f.json", "m.json", "--epsilon", "x")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
