"""The values that records can have under a prior, by the zeros of its tables."""

from collections.abc import Sequence
from random import Random

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.forest import forest_within
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel
from pufferproof.models.views.stated import StatedFramework

_DRAWN = 64  # databases that show which values are possible


def expect_network(framework: StatedFramework, name: str) -> BayesianNetwork:
    """Return a prior as a Bayesian network. Raises `ModelError` unless it is one."""
    network = network_of(framework.priors[name], framework.expect_records())
    if network is None:
        raise ModelError('expected a "markov", "product" or "bayes_net" prior', f"priors.{name}")
    return network


def possible_values(framework: StatedFramework, prior: str, records: Sequence[int]) -> dict[int, frozenset[int]]:
    """Return the positions of the values that records have with positive probability, decided
    by zero patterns.
    """
    chosen = framework.priors[prior]
    if not framework.along_records:
        network, space = expect_network(framework, prior), framework.expect_records()
        if (forest := forest_within(network, space)) is not None:
            values = {record: enumerate(forest.possible[record - 1]) for record in records}
            return {record: frozenset(v for v, may in bits if may) for record, bits in values.items()}
        return {record: _possible(network, space, record) for record in records}
    if isinstance(chosen, Product):
        return {record: frozenset(v for v, p in enumerate(chosen.rows[record - 1]) if p) for record in records}
    if not isinstance(chosen, MarkovChain | HiddenMarkovModel):
        raise TypeError("what goes along records is one of three forms")
    chain = chosen if isinstance(chosen, MarkovChain) else chosen.hidden
    laws = Along(chain, framework.expect_records().count)
    states = {record: laws.possible(record) for record in records}
    if isinstance(chosen, MarkovChain):
        return {record: frozenset(possible) for record, possible in states.items()}
    shown = [frozenset(v for v, p in enumerate(row) if p) for row in chosen.emission]
    return {record: frozenset().union(*(shown[state] for state in possible)) for record, possible in states.items()}


def _possible(network: BayesianNetwork, space: Records, record: int) -> frozenset[int]:
    """Return the possible values of a record of a network: all, if all tables that it depends on
    are positive, else by its law; where that is too large all, if databases are found that have
    them.

    Raises `TooLargeError` if there is no answer.
    """
    every = frozenset(network.own(space)[record - 1])
    if network.positive(space, network.ancestors([record])):
        return every
    try:
        law = network.marginal(record, space)
    except TooLargeError:
        if _reached(network, space, record) == every:
            return every
        raise
    return frozenset(value for value, p in enumerate(law) if p)


def _reached(network: BayesianNetwork, space: Records, record: int) -> set[int]:
    """Return values of a record in some databases, drawn at random given its parents."""
    draw, tables, reached = Random(record), network.tables(space), set[int]()
    wanted = network.ancestors([record])
    order = [each for each in network.parents_first() if each in wanted]
    for _ in range(_DRAWN):
        values: dict[int, int] = {}
        for each in order:
            above, table = tables[each - 1]
            row = table[tuple(values[parent] for parent in above)]
            values[each] = draw.choice([value for value, p in enumerate(row) if p])
        reached.add(values[record])
    return {network.own(space)[record - 1][place] for place in reached}
