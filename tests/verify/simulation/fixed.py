"""Estimates whose coins are the same each time, so that a test has the same answer."""

from pufferproof.verify.simulation.estimation.running import Options, estimate_with
from pufferproof.verify.simulation.estimation.samplers import Coins, Function


def options(epsilon=None, samples=100_000, seed=0, confidence="95%", resume=None, trust_store=False):
    made = Options.of(epsilon, samples, seed, confidence, resume, trust_store)
    return Options(**vars(made) | {"coins": Coins(f"coins of a test: {seed}")})


def estimate(framework, sampler, epsilon=None, seconds=None, independent_draws=False, **given):
    """`pufferproof.estimate`, with coins that the seed determines."""
    name = f"{sampler.__module__}:{sampler.__qualname__}"
    drawn = Function(sampler, seconds, independent_draws)
    return estimate_with(framework, drawn, name, options(epsilon, **given))


def claimed(framework, sampler, independent_draws=False, delta=None, zcdp=None, gdp=None, **given):
    """The same with a claim."""
    name = f"{sampler.__module__}:{sampler.__qualname__}"
    drawn = Function(sampler, None, independent_draws)
    return estimate_with(framework, drawn, name, options(**given).claiming(delta, zcdp, gdp))
