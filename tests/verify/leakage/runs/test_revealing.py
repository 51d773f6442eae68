"""Revealing times: the chain of consistent sets against listed sequences of outputs,
hand-worked laws, the command.
"""

import json
import random
from fractions import Fraction
from itertools import product

import pytest
import sympy
from tests import seeds
from tests.brute import definitions as brute
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, ModelError, Product, Records, Table
from pufferproof.models.mechanisms.collapse import four_outputs_collapse, pair_collapse
from pufferproof.reports import cli
from pufferproof.verify.leakage.runs import revealing
from pufferproof.verify.leakage.runs.revealing import Observer, unrevealed

HALF = Fraction(1, 2)


def listed(framework, mechanism, prior, secret, goal, runs):
    """P(revealed at or before run k), by listing every database of the secret and every
    sequence of k outputs.
    """
    theta = brute.probabilities(framework, prior)
    possible = [x for x, p in theta.items() if p]
    held = {name: {framework.databases[x] for x in members} for name, members in framework.secrets.items()}
    drawn = [x for x in possible if x in held[secret]]
    curve = []
    for k in range(runs + 1):
        total = Fraction(0)
        for x, outputs in product(drawn, product(mechanism.outputs, repeat=k)):
            chance = theta[x] / sum(theta[z] for z in drawn)
            for y in outputs:
                chance *= mechanism.probability(x, y)
            left = {z for z in possible if all(mechanism.probability(z, y) for y in outputs)}
            if chance and (len(left) == 1 if goal is None else any(left <= held[name] for name in goal)):
                total += chance
        curve.append(total)
    return tuple(curve)


def solved(framework, mechanism, label):
    """The expected run after which the database is certain: all sets that contain it, one
    linear system, by sympy.
    """
    labels = framework.databases
    allow = {y: frozenset(x for x in labels if mechanism.probability(x, y)) for y in mechanism.outputs}
    states = [frozenset(labels)]
    for state in states:
        states += [after for y in mechanism.outputs if (after := state & allow[y]) not in states and label in after]
    times = {state: sympy.Symbol(f"t{index}") for index, state in enumerate(states)}
    equations = []
    for state in states:
        after = sum(
            sympy.Rational(*mechanism.probability(label, y).as_integer_ratio()) * times[state & allow[y]]
            for y in mechanism.outputs
            if mechanism.probability(label, y)
        )
        equations.append(times[state] if len(state) == 1 else 1 + after - times[state])
    found = sympy.solve(equations, list(times.values()), dict=True)
    return found[0][times[states[0]]] if found else None


def random_instance(rng):
    labels = "abcd"
    cut = rng.randint(1, 3)
    weights = [rng.randint(0, 3) for _ in labels]
    weights[0], weights[-1] = weights[0] or 1, weights[-1] or 1
    priors = {"theta": Table({x: Fraction(w, sum(weights)) for x, w in zip(labels, weights)})}
    rows = {}
    for x in labels:
        numbers = [rng.choice([0, 0, 1, 2]) for _ in range(3)]
        numbers[rng.randrange(3)] += 1
        rows[x] = [Fraction(number, sum(numbers)) for number in numbers]
    framework = Framework(labels, {"s": labels[:cut], "t": labels[cut:]}, [("s", "t")], priors)
    return framework, Channel.of(rows, ["u", "v", "w"])


def test_curves_are_those_of_every_sequence_of_outputs():
    rng = random.Random(1)
    for _ in range(7):
        framework, mechanism = random_instance(rng)
        observer = Observer(framework, mechanism)
        for secret, goal in product(("s", "t"), (None, ("s", "t"))):
            law = observer.given("theta", secret, goal, 4)
            assert law.curve == listed(framework, mechanism, "theta", secret, goal, 4)
            assert list(law.curve) == sorted(law.curve)
            assert law.curve[-1] + law.never <= 1
            assert (law.expected is None) == (law.never > 0)
            if law.expected is not None:
                assert law.expected >= sum(1 - value for value in law.curve)


def test_expected_runs_solve_the_linear_system_of_the_chain():
    rng = random.Random(2)
    finite = 0
    for _ in range(40):
        _, mechanism = random_instance(rng)
        framework = Framework(
            "abcd", {"s": "ab", "t": "cd"}, [("s", "t")], {"even": Table(dict.fromkeys("abcd", "1/4"))}
        )
        for label in "abcd":
            expected = Observer(framework, mechanism).database(label).expected
            assert expected == solved(framework, mechanism, label)
            finite += expected is not None
    assert finite > 20


def test_what_is_certain_before_any_run_needs_none():
    framework = Framework(
        "ab", {"s": "a", "t": "b"}, [("s", "t")], {"one": Table({"a": 1}), "even": Table({"a": HALF, "b": HALF})}
    )
    silent = Channel.of({"a": {"u": 1}, "b": {"u": 1}})
    observer = Observer(framework, silent)
    assert observer.database("a", "one", 1).curve == (1, 1)
    assert observer.database("a", "one").expected == 0
    assert observer.database("a").expected is None
    assert observer.secret("b", ("s", "t"), "even").never == 1
    assert [(row.prior, row.given) for row in observer.rows(0) if row.goal == "secret"] == [
        ("one", "s"),
        ("even", "s"),
        ("even", "t"),
    ]


def test_misuse_is_named():
    for ask, message in [
        (lambda observer: observer.database("z"), 'unknown database "z"'),
        (lambda observer: observer.database("c"), 'the database "c" has probability 0 under every prior'),
        (lambda observer: observer.database("a", "nobody"), 'unknown prior "nobody"'),
        (lambda observer: observer.secret("a", ("s", "z")), 'unknown secret "z"'),
        (lambda observer: observer.given("even", "u"), 'the secret "u" has probability 0 under the prior "even"'),
        (lambda observer: observer.given("even", "z"), 'unknown secret "z"'),
        (lambda observer: observer.database("a", runs=-1), "runs: expected from 0 to 1000 runs, found -1"),
        (lambda observer: observer.database("a", runs=1001), "runs: expected from 0 to 1000 runs, found 1001"),
    ]:
        secrets = {"s": "a", "t": "b", "u": "c"}
        framework = Framework("abc", secrets, "disjoint", {"even": Table({"a": HALF, "b": HALF})})
        with pytest.raises(ModelError) as caught:
            ask(Observer(framework, Channel.of({"a": {"u": 1}, "b": {"u": 1}})))
        assert str(caught.value) == message


def test_too_many_consistent_sets_are_refused(monkeypatch):
    monkeypatch.setattr(revealing, "MAX_MOVES", 100)
    labels = [str(x) for x in range(8)]
    framework = Framework(
        labels, {"s": labels[:1], "t": labels[1:]}, [("s", "t")], {"even": Table(dict.fromkeys(labels, "1/8"))}
    )
    rows = {x: {f"not {y}": Fraction(1, 7) for y in labels if y != x} for x in labels}
    with pytest.raises(ModelError, match="too many consistent sets of databases to follow: over 100 moves"):
        Observer(framework, Channel.of(rows)).database("0")


def test_too_many_pairs_are_refused_before_any_work():
    labels = [str(x) for x in range(200)]
    framework = Framework(labels, {x: [x] for x in labels}, "disjoint", {"even": Table(dict.fromkeys(labels, "1/200"))})
    shown = Channel.of({x: {x: 1} for x in labels})
    with pytest.raises(
        ModelError, match="too much to follow: 1 priors and 19900 pairs, expected at most 5000 together"
    ):
        next(Observer(framework, shown).rows())


@seeds(30)
def test_noise_reveals_what_a_mechanism_does_that_shows_all_outputs(seed):
    """Sequences with zeros, and secrets about records, listed and not."""
    draw = random.Random(seed)
    records = Records(draw.randint(1, 3), ("0", "1"))
    rows = [draw.choice([[1, 0], [0, 1], ["1/2", "1/2"]]) for _ in range(records.count)]
    secrets = {f"{i}={v}": (i, v) for i in range(1, records.count + 1) for v in "01"}
    prior = Product(rows)
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": prior})
    names = framework.databases
    noisy = Channel.of({x: [draw.randint(1, 5), draw.randint(1, 5)] for x in names}, "uv", True)
    expected = list(Observer(framework, noisy).rows(4))
    assert list(unrevealed(framework, 4)) == expected
    parts = {name: [x for x in names if x[i - 1] == v] for name, (i, v) in secrets.items()}
    theta = {x: p for x, p in brute.probabilities(framework, "theta").items() if p}
    listed_too = Framework(names, parts, "disjoint", {"theta": Table(theta)})
    assert list(unrevealed(listed_too, 4)) == expected


def test_noise_on_a_million_records_reveals_nothing(tmp_path, capsys):
    chain = {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/5", "4/5"]]}
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": 10**6, "alphabet": ["0", "1"]},
        "secrets": {v: {"record": 500_000, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": chain}},
    }
    noise = {"laplace": {"scale": "10"}}
    mechanism = {"format": "pufferproof-mechanism/1", "query": "histogram", "noise": noise}
    files = [tmp_path / "f.json", tmp_path / "m.json"]
    for path, content in zip(files, (framework, mechanism), strict=True):
        path.write_text(json.dumps(content))
    assert cli._run(["reveal", *map(str, files), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expect_valid(answer, "reveal")
    assert {row["never"] for row in answer["reveal"]} == {"1"}
    assert cli._run(["reveal", *map(str, files), "--databases", "x.txt"]) == 2
    capsys.readouterr()


def test_the_command_prints_the_documented_object_and_draws(tmp_path, capsys):
    theta = Table(dict.fromkeys("abcd", "1/4"))
    framework = Framework("abcd", {"s": "ab", "t": "cd"}, [("s", "t")], {"theta": theta})
    mechanism = pair_collapse(framework)
    space = {
        "format": "pufferproof-framework/1",
        "databases": list("abcd"),
        "pairs": [["s", "t"]],
        "secrets": {"s": ["a", "b"], "t": ["c", "d"]},
        "priors": {"theta": {"table": dict.fromkeys("abcd", "1/4")}},
    }
    rows = {x: [str(mechanism.probability(x, y)) for y in mechanism.outputs] for x in "abcd"}
    shown = {"format": "pufferproof-mechanism/1", "outputs": list(mechanism.outputs), "channel": rows}
    files = [tmp_path / "f.json", tmp_path / "m.json"]
    for path, content in zip(files, (space, shown)):
        path.write_text(json.dumps(content))
    command = ["reveal", *map(str, files), "--runs", "3"]
    assert cli._run([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expect_valid(answer, "reveal")
    assert {(entry["expected"], tuple(entry["curve"])) for entry in answer["reveal"]} == {
        ("3", ("0", "0", "1/2", "3/4"))
    }
    assert [entry["goal"] for entry in answer["reveal"]] == ["secret", "database"] * 2
    assert cli._run([*command, "--plot", str(tmp_path / "curve.svg")]) == 0
    assert "expected run 3; certain by run 3 with probability 3/4 = 0.75" in capsys.readouterr().out
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")
    assert cli._run([*command, "--plot", str(files[0])]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert cli._run([*command[:-1], "-2"]) == 2
    assert "priors only" not in capsys.readouterr().err
    files[0].write_text(json.dumps({**space, "closure": "convex"}))
    assert cli._run([*command, "--json"]) == 0
    said = capsys.readouterr()
    assert (
        said.err == 'pufferproof: note: "closure" is "convex", and the rows are for the listed priors '
        "only, not for their mixtures\n"
    )
    assert json.loads(said.out)["reveal"] == answer["reveal"]


def test_four_outputs_reveal_the_secret_and_not_always_the_database():
    uneven = {"a": "1/6", "a2": "1/6", "b": "1/6", "c": "1/4", "d": "1/4"}
    framework = Framework(
        list(uneven), {"s": ["a", "a2", "b"], "t": ["c", "d"]}, [("s", "t")], {"theta": Table(uneven)}
    )
    observer = Observer(framework, four_outputs_collapse(framework, {"a", "a2"}, {"c"}))
    assert [observer.given("theta", secret, ("s", "t")).expected for secret in "st"] == [3, 3]
    assert observer.given("theta", "t").expected == 3
    assert (observer.given("theta", "s").expected, observer.given("theta", "s").never) == (None, Fraction(2, 3))
