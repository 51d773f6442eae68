"""Linear Gaussian networks against matrices of NumPy, closed forms and pgmpy's own joint law."""

import json
from fractions import Fraction
from importlib.resources import files
from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.models.files.reading import parse_json
from pufferproof.models.noise.additive import LinearQuery
from pufferproof.models.priors.continuous.network import LinearGaussianNetwork, LinearNode, network_in_document
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework

CHAIN = {"a": {"variance": 1}, "b": {"coefficients": {"a": "1/2"}, "variance": "3/4"}}


def drawn(random: Random, size: int) -> LinearGaussianNetwork:
    """Return a random network, its nodes listed in another order than parents come in."""
    names = [f"x{k}" for k in range(size)]
    nodes = {}
    for k, name in enumerate(names):
        above = random.sample(names[:k], random.randint(0, k))
        coefficients: dict[str, Any] = {p: Fraction(random.randint(-9, 9), 4) for p in above}
        spread = Fraction(random.choice([0, 1, 2, 5]), 3)
        nodes[name] = LinearNode(Fraction(random.randint(-9, 9), 2), coefficients, spread)
    random.shuffle(names)
    return LinearGaussianNetwork({name: nodes[name] for name in names})


def moments(network: LinearGaussianNetwork) -> tuple[np.ndarray, np.ndarray]:
    """Return (I - B)^-1 a and (I - B)^-1 V (I - B)^-T in floats."""
    names = list(network.nodes)
    laws = network.nodes.values()
    weights = [[float(law.coefficients.get(name, 0)) for name in names] for law in laws]
    inverse = np.linalg.inv(np.eye(len(names)) - np.array(weights))
    spread = np.diag([float(law.variance) for law in laws])
    return inverse @ [float(law.intercept) for law in laws], inverse @ spread @ inverse.T


def test_joint_laws_are_those_of_matrices() -> None:
    random = Random(1)
    for _ in range(60):
        network = drawn(random, random.randint(1, 7))
        law, (mean, covariance) = network.joint(), moments(network)
        numbers = range(1, len(mean) + 1)
        assert np.allclose([float(law.mean_of(j)) for j in numbers], mean)
        found = [[float(law.covariance_of(j, k)) for k in numbers] for j in numbers]
        assert np.allclose(found, covariance)
        assert law == Normal(law.mean, law.covariance)  # which checks that it is a covariance


def nats(found: Any) -> Fraction:
    """Return the leakage of Laplace noise, a rational number of nats."""
    assert found.leakage.rational
    return Fraction(found.leakage.power.nats)


def test_leakage_is_that_of_conditional_laws() -> None:
    """E[q | X_s = u] moves by Cov(q, X_s) / Var(X_s) for a unit of u, in units of Laplace scale."""
    random, checked = Random(2), 0
    while checked < 20:
        network = drawn(random, 5)
        law, (_, covariance) = network.joint(), moments(network)
        secret = random.randint(1, 5)
        if not law.covariance_of(secret, secret):
            continue
        checked += 1
        weights = [Fraction(random.randint(-2, 2)) for _ in range(5)]
        space = PointFramework(5, {"s": (secret, 0), "t": (secret, 3)}, "disjoint", {"net": law})
        query = LinearQuery.weighted([weights], pp.Noise.laplace(2), 5)
        row = np.array(weights, dtype=float)
        column, own = row @ covariance[:, secret - 1], covariance[secret - 1, secret - 1]
        shift = abs(column) / own * 3
        assert nats(pp.audit(space, query)) == pytest.approx(shift / 2)
        if not shift:
            continue
        sigma, level, phi = 1.5, 0.25, NormalDist().cdf
        spread = row @ covariance @ row - column**2 / own + sigma**2
        noisy = LinearQuery.weighted([weights], pp.Noise.gaussian(sigma), 5)
        mu = shift / sqrt(spread)
        delta = phi(mu / 2 - level / mu) - exp(level) * phi(-mu / 2 - level / mu)
        found = pp.audit(space, noisy, epsilon=str(level), delta="1/2").delta
        assert found.bounds()[0] == pytest.approx(delta, abs=1e-9)


def written(folder: Path, network: Any, records: Any, secret: object = "b", query: object = "sum") -> tuple[Path, Path]:
    """Write a framework and a mechanism."""
    secrets = {"low": {"record": secret, "at": 0}, "high": {"record": secret, "at": 1}}
    priors = {"net": {"gaussian": {"network": network}}}
    framework = {"format": "pufferproof-framework/1", "records": records, "secrets": secrets}
    (folder / "f.json").write_text(json.dumps(framework | {"pairs": "disjoint", "priors": priors}))
    mechanism = {"format": "pufferproof-mechanism/1", "query": query}
    mechanism["noise"] = {"laplace": {"scale": 1}}
    (folder / "m.json").write_text(json.dumps(mechanism))
    return folder / "f.json", folder / "m.json"


def leakage(framework: Path, mechanism: Path) -> Fraction:
    space: Any = pp.read_framework(framework)
    return nats(pp.audit(space, pp.read_mechanism(mechanism, space)))


def test_files_speak_of_nodes_by_name(tmp_path: Path) -> None:
    names = {"names": ["a", "b"]}
    assert leakage(*written(tmp_path, CHAIN, names)) == Fraction(3, 2)
    assert leakage(*written(tmp_path, CHAIN, {"names": ["b", "a"]})) == Fraction(3, 2)
    assert leakage(*written(tmp_path, CHAIN, names, 2)) == Fraction(3, 2)
    of_a = {"weights": [{"a": "1/3"}]}
    assert leakage(*written(tmp_path, CHAIN, names, "b", of_a)) == Fraction(1, 6)
    plain = {"a": {"variance": 1}, "b": {"coefficients": {"a": 2}, "variance": 0}}
    assert leakage(*written(tmp_path, plain, names)) == Fraction(3, 2)


def test_networks_come_from_the_files_of_pgmpy(tmp_path: Path) -> None:
    pytest.importorskip("pgmpy", exc_type=ImportError)
    shipped = files("pgmpy") / "utils" / "example_models"
    for name, nodes in (("ecoli70", 46), ("magic-niab", 44), ("magic-irri", 64), ("arth150", 107)):
        text = (shipped / f"{name}.json").read_text()
        network = network_in_document(parse_json(text))
        (tmp_path / f"{name}.json").write_text(text)
        mean, covariance = moments(network)
        assert len(mean) == nodes
        law = network.joint()
        assert np.allclose([float(law.mean_of(j)) for j in range(1, nodes + 1)], mean)
        assert float(law.covariance_of(1, nodes)) == pytest.approx(covariance[0, -1], abs=1e-9)
    assert network.nodes["4"].intercept == Fraction(51322, 10000)  # the decimals, not floats
    where = {"from": "ecoli70.json"}
    query = {"weights": [{"lacA": 1, "lacZ": 1}]}
    framework, mechanism = written(tmp_path, "ecoli70.json", where, "lacY", query)
    found = leakage(framework, mechanism)
    names = list(json.loads((tmp_path / "ecoli70.json").read_text())["nodes"])
    _, covariance = moments(network_in_document(parse_json((shipped / "ecoli70.json").read_text())))
    one, a, z = (names.index(name) for name in ("lacY", "lacA", "lacZ"))
    expected = abs(covariance[a, one] + covariance[z, one]) / covariance[one, one]
    assert float(found) == pytest.approx(expected)
    again: Any = pp.read_framework(framework)
    assert again.sha256 != pp.read_framework(written(tmp_path, CHAIN, {"names": ["a", "b"]})[0]).sha256


def test_objects_of_pgmpy_become_their_joint_law() -> None:
    models = pytest.importorskip("pgmpy.models", exc_type=ImportError)
    laws = pytest.importorskip("pgmpy.factors.continuous", exc_type=ImportError)
    made = models.LinearGaussianBayesianNetwork([("a", "b"), ("b", "c"), ("a", "c")])
    with pytest.raises(pp.ModelError, match="expected a LinearGaussianCPD at every node"):
        pp.as_prior(made)
    made.add_cpds(
        laws.LinearGaussianCPD("a", [1], 2),
        laws.LinearGaussianCPD("b", [-5, 0.5], 0.1, ["a"]),
        laws.LinearGaussianCPD("c", [4, -1, 3], 1, ["b", "a"]),
    )
    mean, covariance = made.to_joint_gaussian()
    prior: Any = pp.as_prior(made, ["a", "b", "c"])
    assert np.allclose([float(prior.mean_of(j)) for j in (1, 2, 3)], mean, atol=1e-3)
    order = list(made.nodes())
    for j, one in enumerate(("a", "b", "c"), 1):
        for k, other in enumerate(("a", "b", "c"), 1):
            value = covariance[order.index(one), order.index(other)]
            assert float(prior.covariance_of(j, k)) == pytest.approx(value, abs=1e-3)
    assert prior.covariance_of(2, 2) == 1 + Fraction(0.1) ** 2
    with pytest.raises(pp.ModelError, match="nothing to divide"):
        pp.as_prior(made, normalize=True)


NAMES = {"names": ["a", "b"]}
ONE = {"variance": 1}


def given(name: str, weight: int = 1) -> dict[str, Any]:
    return {"coefficients": {name: weight}, "variance": 1}


@pytest.mark.parametrize(
    ("network", "records", "said"),
    [
        ({"a": given("b"), "b": given("a")}, NAMES, "without a cycle"),
        ({"a": given("a"), "b": ONE}, NAMES, "without a cycle"),
        ({"a": {"variance": -1}, "b": ONE}, NAMES, "variance of 0 or above"),
        ({"a": given("c"), "b": ONE}, NAMES, 'unknown parent "c"'),
        ({"a": ONE, "b": {"variance": 0}}, NAMES, "record that varies"),
        (CHAIN, {"names": ["a", "b", "c"]}, 'no node "c"'),
        (CHAIN, {"names": ["b"]}, 'no record for node "a"'),
        (CHAIN, {"names": ["b", "b"]}, "occurs twice"),
        (CHAIN, {"names": ["a", "c"]}, 'unknown record "b"'),
        (CHAIN, {"count": 2}, "records have no names"),
        (CHAIN, {"count": 3, "names": ["a", "b"]}, "expected 3 names"),
        (CHAIN, {"count": 2, "alphabet": ["0"]}, "are numbers"),
        ({"b": {"mean": 0, "variance": 1}}, {"names": ["b"]}, 'unknown key "mean"'),
        ({"b": {}}, {"names": ["b"]}, 'missing key "variance"'),
        ({}, {"names": ["b"]}, "expected 1 to 200 nodes"),
    ],
)
def test_bad_networks_are_refused_by_name(tmp_path: Path, network: Any, records: Any, said: str) -> None:
    with pytest.raises(pp.ModelError, match=said):
        pp.read_framework(written(tmp_path, network, records)[0])


def document(**changes: object) -> dict[str, Any]:
    law = {"coefficients": {"(Intercept)": ["0.5"], "a": [2]}, "variance": ["1"], "parents": ["a"]}
    first = {"coefficients": {"(Intercept)": ["0"]}, "variance": ["1"], "parents": []}
    return {"nodes": ["a", "b"], "arcs": [["a", "b"]], "cpds": {"a": first, "b": law | changes}}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "expected a linear Gaussian network"),
        (document() | {"levels": {}}, 'unknown key "levels"'),
        (document() | {"arcs": []}, "expected coefficients of"),
        (document() | {"arcs": [["a", "b"], ["a", "c"]]}, 'unknown node "c"'),
        (document() | {"arcs": [["a"]]}, "expected .parent, child."),
        (document() | {"nodes": ["a", "b", "a"]}, "occurs twice"),
        (document() | {"nodes": ["a"]}, 'unknown node "b"'),
        (document() | {"nodes": ["a", "b", "c"]}, 'no law of node "c"'),
        (document(parents=[]), "expected the parents"),
        (document(variance=["1", "2"]), "expected one number, found 2"),
        (document(variance=["-1"]), "cpds.b: variance: expected a variance of 0 or above"),
        (document(variance=[None]), "expected a number"),
        (document(coefficients={"a": [2]}), "Intercept"),
        (document(distribution="gamma"), "expected"),
    ],
)
def test_bad_documents_are_refused_by_name(given: Any, said: str) -> None:
    assert isinstance(network_in_document(document()), LinearGaussianNetwork)
    with pytest.raises(pp.ModelError, match=said):
        network_in_document(given)
