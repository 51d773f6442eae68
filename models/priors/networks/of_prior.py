"""Priors that are Bayesian networks as well: chains and independent records are."""

from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains.changing import ChangingChain
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.bif import BifNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product


def network_of(prior: Prior, records: Records) -> BayesianNetwork | None:
    """Return a prior as a Bayesian network, or None if it is none that is known."""
    if isinstance(prior, BayesianNetwork):
        return prior
    if isinstance(prior, BifNetwork):
        return prior.network(records)
    if isinstance(prior, ChangingChain):
        return prior.network(records)
    numbers = range(1, records.count + 1)
    if isinstance(prior, Product):
        prior.factors(records)
        return BayesianNetwork(
            {i: [] for i in numbers}, {i: {"": row} for i, row in zip(numbers, prior.rows)}
        )
    if isinstance(prior, MarkovChain):
        prior.parts(records)
        steps = dict(zip(records.alphabet, prior.transition))
        tables = {i: steps if i > 1 else {"": prior.initial_law()} for i in numbers}
        return BayesianNetwork({i: [i - 1] if i > 1 else [] for i in numbers}, tables)
    return None
