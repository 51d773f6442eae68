"""Framework files with Bayesian networks, BIF files and hidden Markov models as priors."""

import json
from fractions import Fraction

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

NETWORK = {
    "parents": {"1": [], "2": ["1"], "3": ["1", "2"]},
    "cpt": {
        "1": {"": ["1/2", "1/2"]},
        "2": {"0": ["1/3", "2/3"], "1": ["1", "0"]},
        "3": {"00": ["1/2", "1/2"], "01": ["1/4", "3/4"], "10": ["1", "0"], "11": ["1/5", "4/5"]},
    },
}
HIDDEN = {
    "initial": "stationary",
    "transition": [["3/4", "1/4"], ["1/4", "3/4"]],
    "emission": [["9/10", "1/10"], ["1/5", "4/5"]],
}
BIF = """variable a { type discrete [ 2 ] { 0, 1 }; } variable b { type discrete [ 2 ] { 0, 1 }; }
variable c { type discrete [ 2 ] { 0, 1 }; }
probability ( a ) { table 0.5, 0.5; } probability ( b | a ) { (0) 0.25, 0.75; (1) 1, 0; }
probability ( c | b ) { default 0.5, 0.5; }"""


@pytest.fixture
def read(tmp_path):
    def of(**priors):
        document = {
            "format": "pufferproof-framework/1",
            "records": {"count": 3, "alphabet": ["0", "1"]},
            "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
            "pairs": [["s", "t"]],
            "priors": priors,
        }
        path = tmp_path / "deep" / "framework.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
        return read_framework(path).value

    return of


def test_a_network_is_its_product_of_tables(read):
    framework = read(theta={"bayes_net": NETWORK})
    law = framework.laws["theta"]
    found = dict(zip(framework.databases, law.weights))
    assert Fraction(found["011"], law.total) == Fraction(1, 2) * Fraction(2, 3) * Fraction(3, 4)
    assert found["110"] == 0
    assert isinstance(framework.priors["theta"], BayesianNetwork)


def test_a_bif_file_lies_beside_the_framework(read, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "abc.bif").write_text(BIF)
    framework = read(theta={"bayes_net": {"bif": "abc.bif"}})
    law = framework.laws["theta"]
    assert Fraction(dict(zip(framework.databases, law.weights))["010"], law.total) == Fraction(
        3, 16
    )


def test_a_hidden_markov_model_is_a_prior(read):
    framework = read(theta={"hidden_markov": HIDDEN})
    law = framework.laws["theta"]
    model = HiddenMarkovModel(**HIDDEN)
    found = dict(zip(framework.databases, law.weights))
    assert Fraction(found["010"], law.total) == model.likelihood([0, 1, 0])


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ({"bayes_net": {}}, 'theta.bayes_net: expected either "bif" or both "parents" and "cpt"'),
        ({"bayes_net": {"bif": "a.bif", "parents": {}}}, 'expected either "bif" or both'),
        ({"bayes_net": {"parents": NETWORK["parents"]}}, 'expected either "bif" or both'),
        ({"bayes_net": {"bif": "missing.bif"}}, "missing.bif: cannot be read"),
        (
            {"bayes_net": {**NETWORK, "parents": {"1": ["3"], "2": ["1"], "3": ["2"]}}},
            "without cycles, found 1 -> 2 -> 3 -> 1",
        ),
        (
            {"bayes_net": {"parents": {"1": []}, "cpt": {"1": {"": ["1", "0"]}}}},
            "expected 3 nodes, one per record, found 1",
        ),
        (
            {"bayes_net": {**NETWORK, "cpt": {**NETWORK["cpt"], "2": {"0": ["1", "0"]}}}},
            "priors.theta: cpt.2: expected 2 rows, one per combination of the values of record 1, "
            'found 1: no row "1"',
        ),
        (
            {"hidden_markov": {**HIDDEN, "emission": [["1", "0"]]}},
            "priors.theta: emission: expected 2 rows, one per hidden state",
        ),
        ({"hidden_markov": {**HIDDEN, "initial": "any"}}, "stationary"),
    ],
)
def test_bad_priors_are_refused(read, prior, message):
    with pytest.raises(ModelError) as error:
        read(theta=prior)
    assert message in str(error.value)
