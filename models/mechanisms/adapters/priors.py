"""Fitted models of other libraries as priors: hidden chains of hmmlearn, whose observed symbols are the records, and
networks of pgmpy, whose variables are the records, in the order of the nodes.

Of a linear Gaussian network the joint normal law is returned, exactly for the binary values of its
floats: `std` is squared without rounding.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.continuous.network import LinearGaussianNetwork, LinearNode
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.laws import numbers_of
from pufferproof.models.priors.networks.of_prior import BifNetwork
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

if TYPE_CHECKING:
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import BayesianNetwork

_LINEAR = "LinearGaussianBayesianNetwork"
_NETWORKS = ["DiscreteBayesianNetwork", "BayesianNetwork", _LINEAR]


def of_hmmlearn(model: object, normalize: bool) -> HiddenMarkovModel:
    """Return a `CategoricalHMM` as a hidden Markov model, its symbols in the order of the alphabet.

    Raises `ModelError` unless it is one, is fitted, and rows sum to 1 or are divided by their sums.
    """
    if type(model).__name__ != "CategoricalHMM":
        raise unsupported(f"hmmlearn {type(model).__name__}", ["CategoricalHMM"], "prior")
    missing = [name for name in ("startprob_", "transmat_", "emissionprob_") if not hasattr(model, name)]
    if missing:
        raise ModelError(f"the model has no {missing[0]}: expected a fitted model", "prior")
    start, steps, shows = (getattr(model, name).tolist() for name in ("startprob_", "transmat_", "emissionprob_"))
    return HiddenMarkovModel(start, steps, shows, normalize)


def of_pgmpy(network: "BayesianNetwork", order: Sequence[object] | None, normalize: bool) -> BifNetwork | Normal:
    """Return a Bayesian network with tables at all nodes, or the normal law of a linear Gaussian
    one.

    Raises `ModelError` unless it is one, `order` has its nodes, and columns sum to 1 or are divided
    by their sums.
    """
    if type(network).__name__ not in _NETWORKS:
        raise unsupported(f"pgmpy {type(network).__name__}", _NETWORKS, "prior")
    nodes = list(network.nodes()) if order is None else list(order)
    if sorted(map(str, nodes)) != sorted(map(str, network.nodes())):
        raise ModelError(f"expected the nodes {shown(list(network.nodes()))}, found {shown(nodes)}", "order")
    if len(set(map(str, nodes))) < len(nodes):
        raise ModelError(f"expected nodes that differ as texts, found {shown(nodes)}", "prior")
    if type(network).__name__ == _LINEAR:
        return _normal(network, nodes, normalize)
    tables = {node: network.get_cpds(node) for node in nodes}
    for node, table in tables.items():
        if type(table).__name__ != "TabularCPD":
            kind = "none" if table is None else type(table).__name__
            raise ModelError(f"expected a TabularCPD at every node, found {kind}", f"node {node!r}")
        if set(table.variables[1:]) != set(network.get_parents(node)):
            raise ModelError(
                f"expected a table given the parents {shown(list(network.get_parents(node)))}, "
                f"found one given {shown(list(table.variables[1:]))}",
                f"node {node!r}",
            )
    values = {str(node): _values(table, node) for node, table in tables.items()}
    parents = {str(node): tuple(str(variable) for variable in table.variables[1:]) for node, table in tables.items()}
    rows = {str(node): _rows(table, node, normalize) for node, table in tables.items()}
    return BifNetwork(values, parents, rows, normalize)


def _normal(network: "BayesianNetwork", nodes: Sequence[object], normalize: bool) -> Normal:
    if normalize:
        raise ModelError("nothing to divide: a density has no rows that sum to 1", "normalize")
    laws: dict[str, LinearNode] = {}
    for node in nodes:
        where, law = f"node {node!r}", network.get_cpds(node)
        if type(law).__name__ != "LinearGaussianCPD":
            kind = "none" if law is None else type(law).__name__
            raise ModelError(f"expected a LinearGaussianCPD at every node, found {kind}", where)
        above = list(law.evidence)
        if sorted(map(str, above)) != sorted(map(str, network.get_parents(node))):
            raise ModelError(
                f"expected a law given the parents {shown(list(network.get_parents(node)))}, found "
                f"one given {shown(above)}",
                where,
            )
        numbers = [float(each) for each in law.beta]
        if len(numbers) != len(above) + 1:
            raise ModelError(f"expected an intercept and {len(above)} coefficients, found {shown(numbers)}", where)
        if not all(map(isfinite, (*numbers, std := float(law.std)))) or std < 0:
            raise ModelError(f"expected finite numbers, and a std of 0 or above, found {shown([*numbers, std])}", where)
        exactly = [Fraction(each) for each in numbers]
        laws[str(node)] = LinearNode(exactly[0], dict(zip(map(str, above), exactly[1:])), Fraction(std) ** 2)
    return LinearGaussianNetwork(laws).joint()


def _values(table: "TabularCPD", node: object) -> tuple[str, ...]:
    values = tuple(str(each) for each in table.state_names[node])
    if len(set(values)) < len(values):
        raise ModelError(f"states repeat: {shown(values)}", f"node {node!r}")
    return values


def _rows(table: "TabularCPD", node: object, normalize: bool) -> dict[tuple[str, ...], tuple[Fraction, ...]]:
    """Return a row for every combination of values of the parents: a column of the table."""
    above = [_values(table, parent) for parent in table.variables[1:]]
    columns = table.get_values().T.tolist()
    return {
        key: numbers_of(column, f"node {node!r}, {list(key)}", normalize)
        for key, column in zip(product(*above), columns)
    }
