"""Models of hmmlearn and pgmpy as priors, against the libraries' own likelihoods."""

from fractions import Fraction
from math import exp, isclose
from typing import Any

import numpy as np
import pytest
from tests.models.mechanisms.adapters.laws import RECORDS, SECRETS

import pufferproof as pp


def model() -> Any:
    hmm = pytest.importorskip("hmmlearn.hmm", exc_type=ImportError)
    fitted = hmm.CategoricalHMM(n_components=2, init_params="")
    fitted.startprob_ = np.array([0.6, 0.4])
    fitted.transmat_ = np.array([[0.7, 0.3], [0.2, 0.8]])
    fitted.emissionprob_ = np.array([[0.9, 0.1], [0.25, 0.75]])
    return fitted


def test_hidden_markov_models_have_the_likelihoods_of_hmmlearn() -> None:
    fitted, prior = model(), pp.as_prior(model(), normalize=True)
    framework = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"hmm": prior})
    law = framework.laws["hmm"]
    for label, weight in zip(framework.databases, law.weights):
        symbols = np.array([[int(symbol)] for symbol in label])
        assert isclose(weight / law.total, exp(fitted.score(symbols)), rel_tol=1e-9)


def test_fitted_models_are_read_and_sums_named() -> None:
    with pytest.raises(pp.ModelError, match="normalize=True"):
        pp.as_prior(model())
    hmm = pytest.importorskip("hmmlearn.hmm", exc_type=ImportError)
    fitted = hmm.CategoricalHMM(n_components=2, random_state=1, n_iter=3)
    fitted.fit(np.random.default_rng(1).integers(0, 2, (200, 1)))
    prior = pp.as_prior(fitted, normalize=True)
    many = pp.Records(50, ("0", "1"))
    framework = pp.Framework.of_records(many, SECRETS, "disjoint", {"hmm": prior})
    count = pp.RecordQuery("sum", pp.Noise.laplace(5), many)
    assert pp.audit(framework, count, "9").verdict is pp.Verdict.SATISFIES
    with pytest.raises(pp.ModelError, match="expected a fitted model"):
        pp.as_prior(hmm.CategoricalHMM(n_components=2))
    with pytest.raises(pp.ModelError, match="cannot read hmmlearn GaussianHMM"):
        pp.as_prior(hmm.GaussianHMM(n_components=2))
    with pytest.raises(pp.ModelError, match="as_prior reads it"):
        pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"hmm": fitted})
    fitted.transmat_ = np.array([[np.nan, 1], [0.5, 0.5]])
    with pytest.raises(pp.ModelError, match="finite number"):
        pp.as_prior(fitted, normalize=True)


def network(rows: Any) -> Any:
    models = pytest.importorskip("pgmpy.models", exc_type=ImportError)
    tables = pytest.importorskip("pgmpy.factors.discrete", exc_type=ImportError)
    found = models.DiscreteBayesianNetwork([("a", "c"), ("b", "c")])
    names = {"a": ["0", "1"], "b": ["0", "1"], "c": ["0", "1"]}
    found.add_cpds(
        tables.TabularCPD("a", 2, [[0.25], [0.75]], state_names={"a": ["0", "1"]}),
        tables.TabularCPD("b", 2, [[0.5], [0.5]], state_names={"b": ["0", "1"]}),
        tables.TabularCPD("c", 2, rows, ["a", "b"], [2, 2], state_names=names),
    )
    return found


def test_networks_have_the_probabilities_of_pgmpy() -> None:
    rows = [[0.5, 0.25, 1, 0.125], [0.5, 0.75, 0, 0.875]]
    given = network(rows)
    prior = pp.as_prior(given, order=["a", "b", "c"])
    framework = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"net": prior})
    law = framework.laws["net"]
    for label, weight in zip(framework.databases, law.weights):
        values = dict(zip("abc", label))
        assert isclose(weight / law.total, given.get_state_probability(values), abs_tol=1e-12)
    assert Fraction(law.weights[0], law.total) == Fraction(1, 16)


def test_networks_that_cannot_be_read() -> None:
    given = network([[0.9, 0.3, 0.2, 0.1], [0.1, 0.7, 0.8, 0.9]])
    with pytest.raises(pp.ModelError, match="expected the nodes"):
        pp.as_prior(given, order=["a", "b"])
    with pytest.raises(pp.ModelError, match="normalize=True"):
        pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"net": pp.as_prior(given)})
    prior = pp.as_prior(given, normalize=True)
    pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"net": prior})
    given.remove_cpds("c")
    with pytest.raises(pp.ModelError, match="TabularCPD at every node"):
        pp.as_prior(given)


def test_an_order_goes_with_networks() -> None:
    with pytest.raises(pp.ModelError, match="order: needs a network of pgmpy or"):
        pp.as_prior(model(), order=["a"])


def test_a_table_is_given_the_parents_that_the_network_names() -> None:
    given = network([[0.5, 0.25, 1, 0.125], [0.5, 0.75, 0, 0.875]])
    given.remove_edge("a", "c")
    with pytest.raises(pp.ModelError, match=r"parents \['b'\], found one given \['a', 'b'\]"):
        pp.as_prior(given)


def test_nodes_that_are_one_text_are_refused() -> None:
    models = pytest.importorskip("pgmpy.models", exc_type=ImportError)
    with pytest.raises(pp.ModelError, match="nodes that differ as texts"):
        pp.as_prior(models.DiscreteBayesianNetwork([(1, "1")]))
