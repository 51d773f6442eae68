"""Local mechanisms on Bayesian networks, of which few records show something: as listed databases
have it, on any graph, and the ratio of two marginals where one record is shown.
"""

import json
from fractions import Fraction
from itertools import product
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.verify.noise.laws.test_own_values import LETTERS, asked_of, enumerated, framework_of, networks

from pufferproof import BayesianNetwork, Framework, LocalMechanism, MarkovChain, Records, audit
from pufferproof.models.errors import ModelError
from pufferproof.verify.sequences.leakage import network_leakage

SHOW = [[*(int(a == b) for b in LETTERS), 0] for a in LETTERS]
HIDE = [[0, 0, 0, 0, 1]] * 4
OUTPUTS = (*LETTERS, "*")


@st.composite
def channels(draw):
    """Records shown, hidden, or randomised, with zeros; equal rows but for values they never
    have.
    """
    row = st.lists(st.integers(0, 2), min_size=5, max_size=5).filter(any)
    mixed = [[Fraction(x, sum(drawn)) for x in drawn] for drawn in [draw(row) for _ in LETTERS]]
    return draw(st.sampled_from([SHOW, HIDE, HIDE, mixed]))


def largest(network, record, mechanism):
    """The largest ratio over outputs and both orders of all values, None for infinite."""
    laws = {}
    for x, p in enumerated(network):
        of = laws.setdefault(x[record - 1], {})
        rows = [[(y, q) for y, q in zip(OUTPUTS, mechanism.records[t][LETTERS.index(v)]) if q] for t, v in enumerate(x)]
        for shown in product(*rows):
            label = "".join(y for y, _ in shown)
            weight = p
            for _, q in shown:
                weight *= q
            of[label] = of.get(label, 0) + weight
    laws = {v: law for v, law in laws.items() if sum(law.values())}
    ratios = []
    for v, w in product(laws, repeat=2):
        n, m = sum(laws[v].values()), sum(laws[w].values())
        for label, p in laws[v].items():
            if p and v != w:
                q = laws[w].get(label, 0)
                ratios.append(((p / n) / (q / m) if q else None, (v, w), label))
    return ratios


@examples(150)
@given(networks(3), st.integers(1, 3), st.tuples(channels(), channels(), channels()))
def test_leakage_is_that_of_enumeration(network, record, rows):
    mechanism = LocalMechanism(LETTERS, OUTPUTS, rows)
    framework = framework_of(network, record)
    ratios = largest(network, record, mechanism)
    if not ratios:
        with pytest.raises(ModelError, match="nothing to check"):
            network_leakage(framework, mechanism)
        return
    found = network_leakage(framework, mechanism)
    truth = None if any(r is None for r, _, _ in ratios) else max(r for r, _, _ in ratios)
    assert (found.leakage.lower, found.leakage.upper) == (truth, truth)
    names = tuple(name[-1] for name in found.witness.pair)
    assert (truth, names, found.witness.output) in ratios
    assert (found.revealing is None) == (truth is not None)
    if truth is None:
        listed = audit(framework, mechanism).largest  # 64 databases, 125 outputs
        assert listed.leakage.infinite


@pytest.mark.parametrize(("secret", "shown", "nats"), [("bronc", 8, 1.814680394), ("lung", 7, 3.850496477)])
def test_one_record_of_asia(secret, shown, nats, save, run):
    framework, _ = asked_of("asia", secret, "yes")
    rows = [[0, 0] if t == shown else [1, 1] for t in range(1, 9)]
    found = audit(framework, LocalMechanism.redacting(framework.records.alphabet, rows))
    assert log(found.leakage.ratio) == pytest.approx(nats, abs=1e-9)
    parents = {str(i): list(map(str, a)) for i, a in enumerate(framework.networks["net"].parents, 1)}
    cpt = {
        str(i): {key: list(map(str, row)) for key, row in table}
        for i, table in enumerate(framework.networks["net"].cpt, 1)
    }
    record = framework.places["one"][0]
    written = {
        "format": "pufferproof-framework/1",
        "records": {"count": 8, "alphabet": ["yes", "no"]},
        "secrets": {v: {"record": record, "value": v} for v in ("yes", "no")},
        "pairs": "disjoint",
        "priors": {"net": {"bayes_net": {"parents": parents, "cpt": cpt}}},
    }
    redaction = {"format": "pufferproof-mechanism/1", "redaction": [list(map(str, r)) for r in rows]}
    code, out, _ = run("audit", save("f.json", written), save("m.json", redaction), "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["leakage"]["ratio"] == str(found.leakage.ratio)


def test_what_is_too_large_says_what_is():
    parents = {i: [i - 1] if i > 1 else [] for i in range(1, 31)}
    coin, noisy = {"": ["1/2", "1/2"]}, {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    network = BayesianNetwork(parents, {i: noisy if i > 1 else coin for i in parents})
    records, secrets = Records(30, ("0", "1")), {v: (1, v) for v in "01"}
    framework = Framework(records, secrets, "disjoint", {"net": network})
    mixed = [["3/4", "1/4"], ["1/4", "3/4"]]
    with pytest.raises(ModelError, match=r"30 records show something .* let fewer records show"):
        audit(framework, LocalMechanism(("0", "1"), ("0", "1"), [mixed] * 30))
    hidden = [["1", "0"], ["1", "0"]]
    found = audit(framework, LocalMechanism(("0", "1"), ("0", "1"), [hidden] * 29 + [mixed]))
    rho = Fraction(1, 2) ** 30  # the correlation of X_1 and of what record 30 shows
    assert found.leakage.ratio == (1 + rho) / (1 - rho)
    beside = Framework(records, secrets, "disjoint", {"net": network, "chain": MarkovChain(*_chain())})
    with pytest.raises(ModelError, match=r"priors.chain: beside a Bayesian network, expected"):
        audit(beside, LocalMechanism(("0", "1"), ("0", "1"), [mixed] * 30))


def _chain():
    return "stationary", [["3/4", "1/4"], ["1/4", "3/4"]]
