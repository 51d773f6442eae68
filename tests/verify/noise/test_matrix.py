"""Queries with noise: every form of prior, query, secret and noise, against the definition."""

import json
from fractions import Fraction
from itertools import pairwise, product

import pytest
from tests.brute import definitions as brute

from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import read
from pufferproof.verify.audit import audit

FORMAT = {"format": "pufferproof-mechanism/1"}
COUNT, ALPHABET = 3, ("0", "1")
LABELS = ["".join(values) for values in product(ALPHABET, repeat=COUNT)]
START, STEP = ["1/3", "2/3"], [["3/4", "1/4"], ["1/5", "4/5"]]
SHOWS = [["9/10", "1/10"], ["1/4", "3/4"], ["0", "1"]]
HIDDEN = {
    "initial": ["1/2", "1/3", "1/6"],
    "transition": [["1/2", "1/4", "1/4"], ["0", "1/2", "1/2"], ["1/3", "1/3", "1/3"]],
    "emission": SHOWS,
}
ROWS = [["1/2", "1/2"], ["1/5", "4/5"], ["3/7", "4/7"]]
PARENTS = {"1": [], "2": ["1"], "3": ["1", "2"]}
CPT = {
    "1": {"": ["1/2", "1/2"]},
    "2": {"0": ["1/3", "2/3"], "1": ["1", "0"]},
    "3": {"00": ["1/2", "1/2"], "01": ["1/4", "3/4"], "10": ["1", "0"], "11": ["1/5", "4/5"]},
}
BIF = """
variable a { type discrete [2] { 0, 1 }; }
variable b { type discrete [2] { 0, 1 }; }
variable c { type discrete [2] { 0, 1 }; }
probability ( a ) { table 0.5, 0.5; }
probability ( b | a ) { (0) 0.25, 0.75; (1) 1, 0; }
probability ( c | a, b ) { (0, 0) 0.5, 0.5; (0, 1) 0.25, 0.75; (1, 0) 1, 0; (1, 1) 0.2, 0.8; }
"""
BIF_CPT = CPT | {"2": {"0": ["1/4", "3/4"], "1": ["1", "0"]}}
TABLE = dict(zip(LABELS, ["1/10", "1/5", "0", "1/10", "1/5", "1/5", "1/10", "1/10"]))


def number(text):
    return Fraction(text)


def along(start, step, label):
    """P(x_1 .. x_n) along a chain."""
    values = [ALPHABET.index(value) for value in label]
    p = number(start[values[0]])
    for x, y in pairwise(values):
        p *= number(step[x][y])
    return p


def hidden(label):
    """The same for a hidden chain, summed over everything it may be hiding."""
    total = Fraction(0)
    for states in product(range(len(SHOWS)), repeat=COUNT):
        p = number(HIDDEN["initial"][states[0]])
        for g, h in pairwise(states):
            p *= number(HIDDEN["transition"][g][h])
        for h, value in zip(states, label):
            p *= number(SHOWS[h][int(value)])
        total += p
    return total


def network(cpt, label):
    p = Fraction(1)
    for record, above in PARENTS.items():
        row = cpt[record]["".join(label[int(parent) - 1] for parent in above)]
        p *= number(row[int(label[int(record) - 1])])
    return p


PRIORS = {
    "table": ({"table": TABLE}, lambda label: number(TABLE[label])),
    "product": (
        {"product": ROWS},
        lambda label: number(ROWS[0][int(label[0])]) * number(ROWS[1][int(label[1])]) * number(ROWS[2][int(label[2])]),
    ),
    "markov": ({"markov": {"initial": START, "transition": STEP}}, lambda label: along(START, STEP, label)),
    "stationary": (
        {"markov": {"initial": "stationary", "transition": STEP}},
        lambda label: along(["4/9", "5/9"], STEP, label),
    ),
    "bayes_net": ({"bayes_net": {"parents": PARENTS, "cpt": CPT}}, lambda label: network(CPT, label)),
    "bif": ({"bayes_net": {"bif": "net.bif"}}, lambda label: network(BIF_CPT, label)),
    "hidden_markov": ({"hidden_markov": HIDDEN}, hidden),
}
SECRETS = {
    "records": {"zero": {"record": 2, "value": "0"}, "one": {"record": 2, "value": "1"}},
    "lists": {"zero": [x for x in LABELS if x[1] == "0"], "one": [x for x in LABELS if x[1] == "1"]},
    "events": {"even": [x for x in LABELS if x.count("1") % 2 == 0], "odd": ["001", "010", "100"]},
}
QUERIES = {
    "sum": ({"query": "sum"}, lambda label: (Fraction(label.count("1")),)),
    "mean": ({"query": "mean"}, lambda label: (Fraction(label.count("1"), 3),)),
    "histogram": ({"query": "histogram"}, lambda label: (Fraction(label.count("0")), Fraction(label.count("1")))),
    "segment": ({"query": "sum", "segment": [1, 2]}, lambda label: (Fraction(label[:2].count("1")),)),
    "part": (
        {"query": "histogram", "segment": [2, 3]},
        lambda label: (Fraction(label[1:].count("0")), Fraction(label[1:].count("1"))),
    ),
    "table": ({"query": {x: int(x, 2) % 3 for x in LABELS}}, lambda label: (Fraction(int(label, 2) % 3),)),
    "vectors": (
        {"query": {x: [int(x[0]), int(x[1:], 2)] for x in LABELS}},
        lambda label: (Fraction(label[0]), Fraction(int(label[1:], 2))),
    ),
}
NOISES = {
    "laplace": {"laplace": {"scale": "1/log(8)"}},
    "geometric": {"geometric": {"ratio": "1/8"}},
    "discrete_laplace": {"discrete_laplace": {"scale": "1/log(8)"}},
    "gaussian": {"gaussian": {"sigma": "3/2"}},
}


def framework(prior, secrets):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": COUNT, "alphabet": list(ALPHABET)},
        "secrets": SECRETS[secrets],
        "pairs": "disjoint",
        "priors": {"theta": PRIORS[prior][0]},
    }


def members(secrets):
    """The databases of every secret."""
    return {
        name: held if isinstance(held, list) else [x for x in LABELS if x[held["record"] - 1] == held["value"]]
        for name, held in SECRETS[secrets].items()
    }


# Every query with every prior, and each of both with all kinds of secrets.
THREE = [(prior, query, [*SECRETS][(i + j) % 3]) for i, prior in enumerate(PRIORS) for j, query in enumerate(QUERIES)]


@pytest.mark.parametrize(("prior", "query", "secrets"), THREE)
def test_every_combination_agrees_with_the_definition(save, prior, query, secrets):
    save("net.bif", BIF)
    law = {x: PRIORS[prior][1](x) for x in LABELS}
    assert sum(law.values()) == 1
    asked = law, members(secrets), {x: QUERIES[query][1](x) for x in LABELS}
    expected = brute.noise_ratio(*asked, 3)
    for noise, described in NOISES.items():
        files = (
            save("f.json", framework(prior, secrets)),
            [save("m.json", FORMAT | QUERIES[query][0] | {"noise": described})],
        )
        if noise in ("geometric", "discrete_laplace") and query == "mean":
            with pytest.raises(ModelError, match="needs integers"):
                read(*files)
            continue
        noisy = read(*files)
        question = noisy.framework.value, noisy.mechanisms[0].value
        if noise == "gaussian":
            gaussian_agrees(query, question, asked)
        else:
            assert audit(*question).leakage.ratio == expected, noise


def gaussian_agrees(query, question, asked):
    """It leaks without bound where the definition says so; of vectors only where one of their
    numbers does, and else it is refused.
    """
    law, held, values = asked
    columns = [values]
    if query == "vectors":
        columns = [{x: value[k] for x, value in values.items()} for k in (0, 1)]
    infinite = any(brute.gaussian_is_infinite(law, held, column) for column in columns)
    if query == "vectors" and not infinite:
        with pytest.raises(ModelError, match="one line"):
            audit(*question)
    else:
        assert audit(*question).leakage.infinite is infinite


LONG = {
    "format": "pufferproof-framework/1",
    "records": {"count": 100, "alphabet": ["0", "1"]},
    "secrets": {"zero": {"record": 50, "value": "0"}, "one": {"record": 50, "value": "1"}},
    "pairs": "disjoint",
    "priors": {"theta": PRIORS["hidden_markov"][0]},
}
SUM = FORMAT | {"query": "sum", "noise": NOISES["laplace"]}


@pytest.mark.parametrize("query", ["sum", "mean", "histogram"])
def test_a_hidden_chain_of_a_hundred_records(save, run, query):
    save("f.json", LONG)
    save("m.json", SUM | {"query": query, "noise": {"laplace": {"scale": "5"}}})
    code, out, err = run("audit", "f.json", "m.json", "--epsilon", "10")
    assert (code, err) == (0, "")
    assert out.startswith("SATISFIES 10")
    code, out, err = run("compose", "f.json", "m.json", "m.json", "--json")
    answer = json.loads(out)
    joint, most = (Fraction(each["epsilon"]["upper"]) for each in (answer["joint"], answer["account"]["bound"]))
    assert (code, joint <= most, answer["account"]["left"], answer["account"]["right"]) == (0, True, None, None)


FEW = "f.json: records: 2^100 databases, which {} needs listed: expected at most 1000000 of at most 10000 records"


@pytest.mark.parametrize(
    ("framework", "mechanism", "what"),
    [
        (LONG | {"priors": {"theta": PRIORS["table"][0]}}, {}, 'the "table" prior "theta"'),
        (LONG | {"secrets": {"one": ["1" * 100], "zero": ["0" * 100]}}, {}, 'the secret "one"'),
        (LONG, {"query": {"0" * 100: 1}}, "the query of m.json, a table,"),
    ],
)
def test_what_needs_a_list_is_named(save, run, framework, mechanism, what):
    save("f.json", framework)
    save("m.json", SUM | mechanism)
    for command in ("audit", "compose"):
        code, out, err = run(command, "f.json", "m.json")
        assert (code, out, err.strip()) == (2, "", f"pufferproof: {FEW.format(what)}")


def test_mixtures_are_refused_first(save, run):
    save("f.json", LONG | {"closure": "convex"})
    save("m.json", SUM)
    code, _, err = run("audit", "f.json", "m.json")
    assert (code, "f.json: closure: noise is audited against a list of priors" in err) == (2, True)


def test_hidden_chains_with_other_mechanisms_say_what_is_possible(save, run):
    save("f.json", LONG)
    save("m.json", FORMAT | {"redaction": [["1", "1/2"]] * 100})
    code, _, err = run("audit", "f.json", "m.json")
    assert code == 2
    assert (
        "f.json: priors.theta: a hidden Markov model is a prior for queries with noise, and else for few records" in err
    )
