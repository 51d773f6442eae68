"""Optimal mechanisms: closed forms, random feasible mechanisms that never do better, duals, and
composing conditions.
"""

import json
import math
import random
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, MarkovChain, Product, Records, Table
from pufferproof.lp.best.composable import chosen_kernels, optimal_composable
from pufferproof.lp.best.mechanism import (
    ChannelProgram,
    Loss,
    absolute_error,
    error_probability,
    linear_inequalities,
    neighbours,
    optimal_mechanism,
    optimality_gap,
    squared_error,
)
from pufferproof.lp.conditions import Mean, composition_conditions, constant_of, is_kernel
from pufferproof.lp.cones.columns import Columns
from pufferproof.models.errors import ModelError
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.numbers.level import Level
from pufferproof.reports import cli
from pufferproof.verify.audit import audit, composition

F = Fraction


def singletons(weights):
    labels = [str(x) for x in range(len(weights))]
    theta = Table({x: F(w, sum(weights)) for x, w in zip(labels, weights)})
    return Framework(labels, {x: [x] for x in labels}, "disjoint", {"theta": theta})


def bits(count, stay="3/4"):
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    keep = F(stay)
    chain = MarkovChain("stationary", [[keep, 1 - keep], [1 - keep, keep]])
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"chain": chain})


def total(framework):
    return {x: str(x.count("1")) for x in framework.databases}


HIDDEN = Framework(
    ["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/4", "c": "1/4"})}
)
LOSS = error_probability({"a": "1", "b": "1", "c": "0"})


def test_randomised_response_is_optimal_for_uniform_singletons():
    for ratio in [F(1), F(3, 2), F(2), F(9)]:
        for size in [2, 3, 4]:
            framework = singletons([1] * size)
            found = optimal_mechanism(
                framework, Level.log(ratio), error_probability({str(x): str(x) for x in range(size)})
            )
            assert found.lower == found.upper == F(size - 1) / (ratio + size - 1)


def test_with_two_databases_of_different_weight_guessing_the_likelier_one_can_be_best():
    loss = error_probability({"0": "0", "1": "1"})
    for weights, ratio, best in [([1, 3], F(2), F(1, 4)), ([2, 3], F(2), F(1, 3)), ([1, 3], F(9), F(1, 10))]:
        assert optimal_mechanism(singletons(weights), Level.log(ratio), loss).upper == best


def test_truncated_geometric_noise_is_optimal_for_counting_under_differential_privacy():
    # Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy mechanisms", 2012,
    # for a uniform prior on counts
    records = Records(1, ("0", "1", "2"))
    secrets = {f"x={v}": (1, v) for v in "012"}
    theta = {"theta": Product([["1/3"] * 3])}
    framework = Framework.of_records(records, secrets, [("x=0", "x=1"), ("x=1", "x=2")], theta)
    found = optimal_mechanism(framework, Level.log(2), absolute_error({"0": 0, "1": 1, "2": 2}))
    alpha = F(1, 2)
    edge, middle = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
    rows = {"0": [edge, middle * alpha, alpha**2 * edge], "1": [alpha * edge, middle, alpha * edge]}
    rows["2"] = rows["0"][::-1]
    geometric = Channel.of(rows, "012")
    assert audit(framework, geometric, "log(2)").verdict.value == "SATISFIES"
    assert found.upper <= found.loss.expected(framework, geometric)
    assert optimality_gap(framework, geometric, Level.log(2), found.loss).lower >= 0


def random_within(rng, framework, outputs, level):
    """A random channel mixed with the uniform one as little as the level asks for, by halves."""
    rows = {}
    for x in framework.databases:
        row = [rng.randint(0, 5) for _ in outputs]
        row[rng.randrange(len(row))] += 1
        rows[x] = [F(v, sum(row)) for v in row]
    even = F(1, len(outputs))
    for step in range(6):
        share = F(step, 6)
        channel = Channel.of({x: [(1 - share) * p + share * even for p in row] for x, row in rows.items()}, outputs)
        if audit(framework, channel, level).verdict.value == "SATISFIES":
            return channel
    return Channel.of({x: [even] * len(outputs) for x in framework.databases}, outputs)


@pytest.mark.parametrize("prior", [None, "p", "q"])
def test_no_random_mechanism_within_the_level_has_a_smaller_loss(prior):
    rng = random.Random(4)
    priors = {"p": Table({"a": "1/2", "b": "1/4", "c": "1/4"}), "q": Table({"a": "1/3", "b": "1/6", "c": "1/2"})}
    framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], priors)
    loss = absolute_error({"a": 0, "b": 1, "c": 2})
    best = optimal_mechanism(framework, Level.log(2), loss, prior)
    assert best.lower == best.upper == loss.expected(framework, best.channel, prior)
    for _ in range(40):
        other = random_within(rng, framework, loss.outputs, "log(2)")
        assert loss.expected(framework, other, prior) >= best.upper


def test_the_worst_case_over_priors_is_at_least_each_and_has_a_mixture_that_proves_it():
    priors = {"p": Table({"a": "1/2", "b": "1/4", "c": "1/4"}), "q": Table({"a": "1/3", "b": "1/6", "c": "1/2"})}
    framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], priors)
    worst = optimal_mechanism(framework, Level.log("3/2"), LOSS)
    assert all(worst.upper >= optimal_mechanism(framework, Level.log("3/2"), LOSS, name).upper for name in priors)
    assert sum(worst.mixture) == 1
    program = ChannelProgram(framework, LOSS)
    rows = linear_inequalities(program, worst.ratio)
    assert program.bound(rows, worst.multipliers, worst.mixture) == worst.lower
    assert program.bound(rows, [m / 2 for m in worst.multipliers], worst.mixture) < worst.lower
    for bad in ([-m for m in worst.multipliers], worst.multipliers[1:]):
        with pytest.raises(ModelError, match="non-negative multiplier"):
            program.bound(rows, bad, worst.mixture)
    with pytest.raises(ModelError, match="sum to 1"):
        program.bound(rows, worst.multipliers, [F(1), F(1)])


def test_neighbours_differ_in_one_record_of_any_alphabet():
    framework = Framework.of_records(
        Records(2, ("a", "b", "c")), {"s": (1, "a"), "t": (1, "b")}, [("s", "t")], {"p": Product([["1/3"] * 3] * 2)}
    )
    labels = framework.databases
    by_definition = [(x, y) for x in labels for y in labels if sum(i != j for i, j in zip(x, y)) == 1]
    assert sorted((labels[x], labels[y]) for x, y in neighbours(framework)) == sorted(by_definition)


def test_losses_are_tables_of_the_query():
    query = {"a": 0, "b": 3}
    assert squared_error(query, ["0", "1"]).table == {"a": (0, 1), "b": (9, 4)}
    assert absolute_error(query).outputs == ("0", "3")
    for make, message in [
        (lambda: Loss.of(["u", "u"], {}), "each once"),
        (lambda: Loss.of(["u"], {"a": [1, 2]}), "expected 1 entries, one per output, found 2"),
        (lambda: Loss.of(["u"], {"0": [1]}).rows(singletons([1, 1])), 'no row for database "1"'),
        (lambda: Loss.of(["u"], {"z": [1]}).rows(singletons([1, 1])), 'unknown database "z"'),
        (
            lambda: optimal_mechanism(singletons([1, 1]), Level.log(2), Loss.of("u", {"0": [1], "1": [1]}), "z"),
            'prior "z"',
        ),
        (lambda: LOSS.expected(HIDDEN, Channel.of({x: {"q": 1} for x in "abc"})), 'output "q" has no loss'),
    ]:
        with pytest.raises(ModelError, match=message):
            make()


def keeps_all(framework, channel, kernels, ratio):
    columns = Columns(framework)
    for kernel in kernels:
        for x, row in kernel.items():
            common = math.lcm(*(w.denominator for w in row.values()))
            for output in channel.outputs:
                u = columns.column(channel, output)
                right = math.prod(u[y] ** int(w * common) for y, w in row.items())
                if u[x] ** common > ratio**common * right:
                    return False
    return True


@pytest.mark.parametrize("choice", ["coupling", "independent"])
@pytest.mark.parametrize("ratio", [F(1), F(3, 2), F(2)])
def test_the_best_composable_mechanism_keeps_its_condition_and_its_bounds_are_narrow(choice, ratio):
    framework = bits(2)
    loss = absolute_error(total(framework))
    kernels = chosen_kernels(framework, loss, choice)
    for laws, kernel in zip(Columns(framework).laws, kernels):
        assert is_kernel(laws, kernel)
        assert constant_of(laws, kernel) == 1
    found = optimal_composable(framework, Level.log(ratio), loss, kernels)
    assert keeps_all(framework, found.channel, kernels, ratio)
    assert found.lower <= found.upper == loss.expected(framework, found.channel)
    assert found.upper - found.lower <= F(1, 10**9)
    assert optimal_mechanism(framework, Level.log(ratio), loss).lower <= found.upper
    for runs in (2, 3):
        assert composition.compose(framework, [found.channel], runs).joint.leakage.ratio <= ratio**runs


def test_geometric_means_allow_more_than_inequalities_between_coupled_databases():
    # tell b from c: with P(w|a) = 1/2 the means ask for 1/16 <= p (1 - p), the inequalities for p
    # <= 3/4, the promise nothing
    loss = Loss.of(["b", "c"], {"a": [0, 0], "b": [0, 1], "c": [1, 0]})
    kernels = chosen_kernels(HIDDEN, loss, "independent")
    columns = Columns(HIDDEN)
    arcs = {(columns.databases[x], columns.databases[y]) for k in kernels for x, row in k.items() for y in row}
    means = optimal_composable(HIDDEN, Level.log(2), loss, kernels)
    linear = optimal_mechanism(HIDDEN, Level.log(2), loss, close=arcs)
    assert optimal_mechanism(HIDDEN, Level.log(2), loss).upper == 0
    assert (linear.upper, linear.constant) == (F(1, 8), 1)
    least = (1 - math.sqrt(1 - 1 / 4)) / 4
    assert means.lower - F(1, 10**12) <= F(least) <= means.upper + F(1, 10**12)
    assert means.upper - means.lower < F(1, 10**9)
    found = composition_conditions(HIDDEN, means.channel, Level.log(2))
    assert [found[name].holds.name for name in ("transport", "coupling", "one-hot")] == ["FAILS", "HOLDS", "FAILS"]


def test_no_random_mechanism_that_keeps_the_condition_has_a_smaller_loss():
    rng = random.Random(9)
    kernels = chosen_kernels(HIDDEN, LOSS)
    best = optimal_composable(HIDDEN, Level.log(2), LOSS, kernels)
    tried = 0
    while tried < 60:
        other = random_within(rng, HIDDEN, LOSS.outputs, "log(2)")
        if keeps_all(HIDDEN, other, kernels, F(2)):
            tried += 1
            assert LOSS.expected(HIDDEN, other) >= best.lower


def test_a_mean_is_checked_exactly_at_ties_and_zeros():
    mean = Mean(0, {1: F(1, 2), 2: F(1, 2)})
    u = {0: F(1, 2), 1: F(1, 8), 2: F(1, 2)}
    assert mean.holds(u, F(2))
    assert not mean.holds({**u, 0: F(1, 2) + F(1, 10**30)}, F(2))
    assert not mean.holds({**u, 1: F(0)}, F(2))
    assert mean.holds({**u, 0: F(0), 1: F(0)}, F(2))


def test_tangents_lie_above_the_mean_and_touch_it():
    rng = random.Random(2)
    for weights in ({1: F(1, 3), 2: F(2, 3)}, {1: F(1)}, {1: F(1, 7), 2: F(2, 7), 3: F(4, 7)}):
        mean = Mean(0, weights)
        touched = {y: rng.random() + 0.1 for y in weights}
        root = math.prod(touched[y] ** float(b) for y, b in weights.items())
        above = mean.above({y: root / value for y, value in touched.items()})
        assert abs(sum(float(c) * touched[y] for y, c in above.items()) - root) < 1e-9
        common, powers = mean.powers
        for _ in range(30):
            u = {y: F(rng.randint(0, 20), 20) for y in weights}
            assert math.prod(u[y] ** n for y, n in powers.items()) <= sum(c * u[y] for y, c in above.items()) ** common


def test_kernels_that_do_not_fit_are_refused():
    kernels = chosen_kernels(HIDDEN, LOSS)
    for bad in (kernels[:1], (kernels[0], {1: {0: F(1)}})):
        with pytest.raises(ModelError, match="expected for every pair of laws a kernel"):
            optimal_composable(HIDDEN, Level.log(2), LOSS, bad)
    with pytest.raises(ModelError, match='expected "coupling" or "independent", found "x"'):
        chosen_kernels(HIDDEN, LOSS, "x")


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    timid = Channel.of({x: ["2/3", "1/3"] if x != "c" else ["1/3", "2/3"] for x in "abc"}, ["1", "0"])
    beta = [
        {"prior": "theta", "pair": ["s", "t"], "beta": {"a": {"b": "1/4", "c": "3/4"}}},
        {"prior": "theta", "pair": ["t", "s"], "beta": {"b": {"a": "1"}, "c": {"a": "1"}}},
    ]
    table = {x: [str(v) for v in row] for x, row in LOSS.table.items()}
    for name, content in [
        ("f.json", framework_document(HIDDEN)),
        ("m.json", mechanism_document(timid)),
        ("l.json", {"format": "pufferproof-loss/1", "outputs": list(LOSS.outputs), "loss": table}),
        ("k.json", {"format": "pufferproof-kernels/1", "kernels": beta}),
    ]:
        (tmp_path / name).write_text(json.dumps(content))

    def invoke(*arguments):
        code = cli._run(list(arguments))
        return (code, *capfd.readouterr())

    return invoke


BASE = ["optimal", "f.json", "--epsilon", "log(2)", "--loss", "l.json", "--out", "o.json"]


def test_the_command_writes_the_best_mechanism_and_compares(run):
    code, out, err = run(*BASE, "--compare", "m.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "optimal")
    best = optimal_mechanism(HIDDEN, Level.log(2), LOSS)
    assert (code, err, answer["mechanism"], answer["loss"]["value"]) == (0, "", "o.json", str(best.upper))
    assert answer["compare"]["verdict"] == "SATISFIES"
    assert answer["compare"]["gap"]["value"] == str(LOSS.expected(HIDDEN, best.channel) * -1 + F(1, 3))
    assert json.loads(run("audit", "f.json", "o.json", "--epsilon", "log(2)", "--json")[1])["verdict"] == "SATISFIES"
    lines = run(*BASE, "--compare", "m.json", "--replace")[1].splitlines()
    assert lines[0].startswith("compared")
    assert any(line.startswith("gap") for line in lines)


@pytest.mark.parametrize(
    ("compose", "condition", "constant"),
    [
        ("coupling", "coupling", "1"),
        ("independent", "coupling", "1"),
        ("one-hot", "one-hot", "1"),
        ("k.json", "nfc", "3/2"),
    ],
)
def test_the_command_finds_mechanisms_that_compose(run, compose, condition, constant):
    code, out, _ = run(*BASE, "--compose", compose, "--json")
    answer = json.loads(out)
    expect_valid(answer, "optimal")
    assert (code, answer["compose"]) == (0, {"condition": condition, "constant": constant})
    assert ("kernels" in answer["inputs"]) == (compose == "k.json")


def test_the_command_certifies_the_optimum(run, tmp_path):
    code, out, _ = run(*BASE, "--certificate", "c.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "optimal")
    assert (code, answer["certificate"]) == (0, "c.json")
    code, out, _ = run("check", "c.json")
    assert code == 0
    assert "P(1 | a)" in out
    document = json.loads((tmp_path / "c.json").read_text())
    assert document["claim"]["value"] == f"-{answer['loss']['value']}"
    document["claim"]["value"] = "-1/100"
    (tmp_path / "d.json").write_text(json.dumps(document))
    assert run("check", "d.json")[0] == 1


def test_misuse_is_one_line_and_writes_nothing(run, tmp_path):
    for arguments, message in [
        (["--certificate", "c.json", "--epsilon", "0.5"], "the optimum is only enclosed"),
        (["--certificate", "c.json", "--compose", "coupling"], "no rule for an optimum under geometric means"),
        (["--prior", "nobody"], 'unknown prior "nobody"'),
        (["--compose", "nowhere.json"], "nowhere.json: cannot be read"),
        (["--compose", "l.json"], "l.json: "),
        (["--compare", "l.json"], "l.json: "),
        (["--out", "l.json"], "l.json: is already read or written by this command"),
        (["--loss", "m.json"], "m.json: "),
        (["--epsilon", "log(1/2)"], "--epsilon"),
        (["--per-record-dp", "1"], "expected databases made of records"),
        (["--epsilon", "99999"], "at most 900 nats"),
    ]:
        code, out, err = run(*BASE, *arguments)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert message in err
        assert not (tmp_path / "o.json").exists()


@pytest.mark.parametrize("name", ["loss", "kernels"])
def test_schemas_accept_what_is_read(run, tmp_path, name):
    document = json.loads((tmp_path / ("l.json" if name == "loss" else "k.json")).read_text())
    expect_valid(document, name)


def test_an_irrational_level_gives_an_enclosure_and_a_mechanism_that_keeps_it():
    framework = singletons([1, 1])
    found = optimal_mechanism(framework, Level.parse("1"), error_probability({"0": "0", "1": "1"}))
    assert 0 < found.upper - found.lower < F(1, 10**15)
    assert found.lower < F(1 / (math.e + 1)) + F(1, 10**15)
    assert audit(framework, found.channel, "1").verdict.value == "SATISFIES"
    assert found.trust == ("EXACT", "INTERVAL")
