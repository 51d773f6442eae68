"""Priors whose rows are divided by their sums: when asked, exactly, said in every answer, and
never matched by a kernel.
"""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

from pufferproof import Framework, MarkovChain, Product, Records, Table, read_framework
from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.laws import numbers_of
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.reports.page.examples import load_examples
from pufferproof.reports.page.runs import run_audit

HALF, ROWS = [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]
WHOLE = [[Fraction(x) / sum(map(Fraction, row)) for x in row] for row in ROWS]
BITS = Records(2, ("0", "1"))
LABELS = BITS.labels()
SECRETS = {"zero": (1, "0"), "one": (1, "1")}
NETWORK = ({"1": [], "2": ["1"]}, {"1": {"": HALF}, "2": {"0": ROWS[0], "1": ROWS[1]}})

PYTHON = {
    "table": lambda **how: Table(dict(zip(LABELS, [0.1, 0.2, 0.3, 0.4])), **how),
    "product": lambda **how: Product([[0.7, 0.2], ROWS[0]], **how),
    "markov": lambda **how: MarkovChain(HALF, ROWS, **how),
    "stationary": lambda **how: MarkovChain("stationary", np.array(ROWS), **how),
    "hidden": lambda **how: HiddenMarkovModel(
        np.array(HALF), np.array(ROWS), np.array([[0.7, 0.3], [0.6, 0.4]]), **how
    ),
    "network": lambda **how: BayesianNetwork(*NETWORK, **how),
}


@pytest.mark.parametrize("name", PYTHON)
def test_floats_need_to_be_divided_and_the_error_says_how(name):
    """`0.1` stands for its binary value, and no four of these values sum to 1."""
    with pytest.raises(SumError, match=r"sums to .*, expected 1 \(normalize=True divides by the sum\)"):
        Framework.of_records(BITS, SECRETS, "disjoint", {"theta": PYTHON[name]()})
    framework = Framework.of_records(BITS, SECRETS, "disjoint", {"theta": PYTHON[name](normalize=True)})
    assert framework.normalized == ("theta",)
    law = framework.laws["theta"]
    assert sum(law.weights) == law.total


def test_division_is_exact():
    chain = MarkovChain(HALF, ROWS, normalize=True)
    assert chain.transition == tuple(map(tuple, WHOLE))
    assert chain == MarkovChain(["1/2", "1/2"], WHOLE)
    assert Table({"a": 0.1, "b": 0.2, "c": 0.7}, normalize=True).entries[2][1] == Fraction(0.7) / (
        Fraction(0.1) + Fraction(0.2) + Fraction(0.7)
    )
    counts = HiddenMarkovModel([1, 3], [[54, 15], [15, 30]], [[1, 0], [2, 6]], normalize=True)
    assert counts == HiddenMarkovModel(
        ["1/4", "3/4"], [["18/23", "5/23"], ["1/3", "2/3"]], [["1", "0"], ["1/4", "3/4"]]
    )
    network = BayesianNetwork({"1": []}, {"1": {"": [1, 3]}}, normalize=True)
    assert network == BayesianNetwork({"1": []}, {"1": {"": ["1/4", "3/4"]}})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MarkovChain([0, 0], ROWS, normalize=True), "initial: sums to 0, expected a positive sum"),
        (
            lambda: MarkovChain(HALF, [[1, 0], [0, 0]], normalize=True),
            r"transition\[1\]: sums to 0, expected a positive",
        ),
        (
            lambda: MarkovChain(HALF, [[2, -1], HALF], normalize=True),
            r"transition\[0\]: expected a probability, found -1",
        ),
        (lambda: Product([HALF, [0, 0]], normalize=True), r"\[1\]: sums to 0, expected a positive sum"),
        (lambda: Table({"a": 2, "b": -1}, normalize=True), "expected a probability, found -1 at position 2"),
        (lambda: Table({}, normalize=True), "sums to 0, expected a positive sum"),
        (lambda: HiddenMarkovModel(HALF, ROWS, [HALF, [0, 0]], normalize=True), r"emission\[1\]: sums to 0"),
        (lambda: BayesianNetwork({"1": []}, {"1": {"": [0, 0]}}, normalize=True), 'cpt.1[""]: sums to 0'),
        (lambda: IntervalChain([0, 0], [[0, 0]] * 2, [[1, 1]] * 2, normalize=True), "initial: sums to 0"),
    ],
)
def test_what_cannot_be_divided_is_refused(make, message):
    with pytest.raises(ModelError, match=message.replace('[""]', r'\[""\]')):
        make()


FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {"zero": {"record": 1, "value": "0"}, "one": {"record": 1, "value": "1"}},
    "pairs": "disjoint",
}
THIRDS = [[0.3333, 0.6666], [0.3333333333333333, 0.6666666666666666]]
BIF = """
variable a { type discrete [2] { 0, 1 }; } variable b { type discrete [2] { 0, 1 }; }
probability ( a ) { table 0.3333, 0.6666; }
probability ( b | a ) { (0) 0.5, 0.5; (1) 0.3333, 0.6666; }
"""
FORMS = {
    "table": {"table": {"00": 0.3333, "01": 0.3333, "10": 0.1111, "11": 0.2222}},
    "product": {"product": THIRDS},
    "markov": {"markov": {"initial": HALF, "transition": THIRDS}},
    "stationary": {"markov": {"initial": "stationary", "transition": THIRDS}},
    "hidden": {"hidden_markov": {"initial": HALF, "transition": THIRDS, "emission": [[1, 0], THIRDS[0]]}},
    "network": {"bayes_net": {"parents": NETWORK[0], "cpt": {"1": {"": HALF}, "2": dict(zip("01", THIRDS))}}},
    "bif": {"bayes_net": {"bif": "net.bif"}},
}
SUM = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": 1}}}
COIN = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"00": ["3/4", "1/4"], "01": ["1/2", "1/2"], "10": ["1/4", "3/4"], "11": ["0", "1"]},
}


@pytest.mark.parametrize("mechanism", [SUM, COIN])
@pytest.mark.parametrize("form", FORMS)
def test_files_are_divided_by_the_option_or_by_the_key(save, run, form, mechanism):
    save("net.bif", BIF)
    save("m.json", mechanism)
    save("f.json", FRAMEWORK | {"priors": {"theta": FORMS[form]}})
    code, out, err = run("audit", "f.json", "m.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert 'expected 1 (--normalize or "normalize": true in the prior divides by the sum)' in err
    save("g.json", FRAMEWORK | {"priors": {"theta": FORMS[form] | {"normalize": True}}})
    answers = []
    for file, options in (("f.json", ["--normalize"]), ("g.json", [])):
        code, out, err = run("audit", file, "m.json", "--json", *options)
        answers.append(json.loads(out))
        expect_valid(answers[-1], "audit")
        assert (code, answers[-1]["normalized_priors"]) == (0, ["theta"])
        assert f'note: the rows of prior "theta" in {file} were divided by their sums' in err
    assert answers[0]["leakage"] == answers[1]["leakage"]
    expect_valid(json.loads(Path("g.json").read_text()), "framework")


def test_what_sums_to_one_is_not_said_to_be_divided(save, run):
    save("m.json", COIN)
    save("f.json", FRAMEWORK | {"priors": {"a": FORMS["markov"], "b": {"product": [["1/2", "1/2"]] * 2}}})
    code, out, err = run("audit", "f.json", "m.json", "--json", "--normalize")
    assert (code, json.loads(out)["normalized_priors"], '"b"' in err) == (0, ["a"], False)
    assert read_framework("f.json", normalize=True).value.normalized == ("a",)


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_the_key_is_true_or_false(save, run, value):
    save("m.json", COIN)
    save("f.json", FRAMEWORK | {"priors": {"theta": {"normalize": value} | FORMS["markov"]}})
    code, _, err = run("audit", "f.json", "m.json")
    assert (code, "f.json: priors.theta.normalize: expected true or false" in err) == (2, True)


@pytest.mark.parametrize(
    "command",
    [
        ["compose", "f.json", "m.json", "m.json"],
        ["compose", "f.json", "s.json"],
        ["reveal", "f.json", "m.json"],
        ["worst", "f.json", "--budget", "log(2)"],
        ["critical", "f.json"],
        ["conditions", "f.json", "m.json"],
        ["partner", "f.json", "m.json", "--budget", "log(2)", "--out", "p.json"],
        ["optimal", "f.json", "--epsilon", "log(2)", "--loss", "l.json", "--out", "o.json"],
        ["collapse", "f.json", "--budget", "log(2)", "--out", "found"],
        ["influence", "f.json"],
        ["influence", "f.json", "--record", "1", "--right", "1"],
        ["influence", "f.json", "--curve"],
        ["calibrate", "f.json", "--mechanism", "markov-quilt", "--query", "sum", "--epsilon", "1"],
    ],
)
def test_every_command_divides_and_says_so(save, run, command):
    save("m.json", COIN)
    save("s.json", SUM)
    save(
        "l.json",
        {"format": "pufferproof-loss/1", "outputs": ["u", "v"], "loss": dict(zip(LABELS, [[0, 1], [1, 0]] * 2))},
    )
    save("f.json", FRAMEWORK | {"priors": {"theta": FORMS["markov"]}})
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert 'sums to 9999/10000, expected 1 (--normalize or "normalize": true' in err
    code, out, err = run(*command, "--normalize", "--json")
    answer = json.loads(out)
    expect_valid(answer, command[0])
    assert code != 2
    assert answer["normalized_priors"] == ["theta"]
    assert 'note: the rows of prior "theta" in f.json were divided by their sums' in err


def test_redaction_of_a_divided_chain_is_certified(save, run):
    save("m.json", {"format": "pufferproof-mechanism/1", "redaction": [["1", "1"], ["1/2", "1"]]})
    save("f.json", FRAMEWORK | {"priors": {"theta": {"markov": {"initial": "stationary", "transition": THIRDS}}}})
    code, _, err = run("audit", "f.json", "m.json", "--normalize", "--certificate", "c.json")
    assert (code, "check c.json without f.json" in err) == (0, True)
    assert json.loads(Path("c.json").read_text())["kind"] == "redaction-leakage"
    assert run("check", "c.json")[0] == 0
    assert run("check", "c.json", "f.json", "m.json")[0] == 1


CLASS = {"initial": HALF, "transition_lower": [[0.3, 0.6]] * 2, "transition_upper": [[0.4, 0.7]] * 2}


def test_boxes_divide_the_first_law_only(save, run):
    box = CLASS | {"initial": [0.3333, 0.6666]}
    save("f.json", FRAMEWORK | {"priors": {"theta": {"markov": box, "normalize": True}}})
    code, out, _ = run("influence", "f.json", "--json", "--record", "1", "--right", "1")
    assert (code, json.loads(out)["normalized_priors"]) == (0, ["theta"])
    save("f.json", FRAMEWORK | {"priors": {"theta": {"markov": CLASS | {"initial": "any"}, "normalize": True}}})
    code, _, err = run("influence", "f.json")
    assert (code, "priors.theta: normalize: nothing to divide: bounds of transitions do not sum to 1" in err) == (
        2,
        True,
    )
    save("f.json", FRAMEWORK | {"priors": {"theta": {"markov": {"initial": "any", "transition": THIRDS}}}})
    code, out, _ = run("influence", "f.json", "--json", "--normalize")
    assert (code, json.loads(out)["normalized_priors"]) == (0, ["theta"])


def test_a_report_says_what_was_divided_and_asks_the_kernel_without_the_files(save, run, tmp_path):
    folder = tmp_path / "examples" / "one"
    folder.mkdir(parents=True)
    (folder / "example.toml").write_text(
        'title = "t"\norder = 1\n[[audit]]\nframework = "f.json"\nmechanism = "m.json"\nshows = "s"\n'
    )
    (folder / "f.json").write_text(json.dumps(FRAMEWORK | {"priors": {"theta": FORMS["markov"] | {"normalize": True}}}))
    (folder / "m.json").write_text(json.dumps(COIN))
    out = tmp_path / "out"
    for part in ("certificates", "tables"):
        (out / part).mkdir(parents=True)
    found = run_audit(load_examples(tmp_path / "examples")[0], 0, out)
    assert found.evidence.accepted
    assert found.evidence.unread == ('"normalize" of f.json',)
    assert found.answer["normalized_priors"] == ["theta"]
    (folder / "f.json").write_text(json.dumps(FRAMEWORK | {"priors": {"theta": FORMS["markov"]}}))
    with pytest.raises(SumError) as caught:
        run_audit(load_examples(tmp_path / "examples")[0], 0, out)
    assert '"normalize": true in the prior' in str(caught.value)
    save("m.json", COIN)
    code, _, err = run("report", str(tmp_path / "examples"), "--out", str(tmp_path / "pages"))
    assert (code, '("normalize": true in the prior divides by the sum)' in err) == (2, True)


NUMBERS = st.integers(-1, 9) | st.fractions(-1, 3) | st.sampled_from(["0", "1/3", "0.25", "-1", "x"])


@examples(300)
@given(
    st.lists(st.integers(0, 10**30), max_size=6)
    | st.lists(NUMBERS, max_size=5)
    | st.lists(st.sampled_from([0, True, 0.5, "1/2", Fraction(1, 2), float("nan")]), max_size=4)
)
def test_numbers_divided_at_once_are_those_divided_one_by_one(row):
    def one_by_one():
        values = tuple(map(exact, row))
        for place, value in enumerate(values, start=1):
            if value < 0:
                raise ModelError(f"expected a probability, found {brief(value)} at position {place}")
        if not any(values):
            raise ModelError("sums to 0, expected a positive sum")
        return tuple(value / sum(values) for value in values)

    def at_once():
        return numbers_of(row, "", normalize=True)

    assert outcome(at_once) == outcome(one_by_one)


def outcome(maker):
    try:
        return maker()
    except ModelError as error:
        return str(error)


def test_python_names_the_argument_and_files_the_key(save):
    save("f.json", FRAMEWORK | {"priors": {"theta": FORMS["markov"]}})
    with pytest.raises(SumError, match=r'\(normalize=True or "normalize": true in the prior divides by the sum\)'):
        read_framework("f.json")
    with pytest.raises(
        SumError, match=r"local\[0\]\[0\]: sums to 1/2, expected 1 \(normalize=True divides by the sum\)"
    ):
        LocalMechanism.of(("0",), ("u", "v"), [[["1/4", "1/4"]]])
    chain = MarkovChain(HALF, ROWS, normalize=True)
    assert Framework.of_records(Records(50, ("0", "1")), SECRETS, "disjoint", {"theta": chain}).normalized == ("theta",)
