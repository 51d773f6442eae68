"""Hypothesis strategies for frameworks and channels, for test suites of mechanisms and of this
package.

They like what breaks code: zeros, ties, degenerate priors, secrets of probability zero, supports
that differ between priors. Needs the extra `pufferproof[testing]`.

    >>> from hypothesis import given
    >>> from pufferproof import audit, post_process, strategies
    >>> @given(strategies.instances())
    ... def test_leakage_is_at_least_zero(instance):
    ...     framework, channel = instance
    ...     assert audit(framework, channel, "0").verdict is not None
"""

from fractions import Fraction
from functools import cache

from hypothesis import assume
from hypothesis import strategies as st

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.views import Closure

__all__ = ["channels", "frameworks", "instances", "laws", "record_frameworks"]


@cache  # building and validating a strategy costs more than a draw
def laws(size: int, largest: int = 6) -> st.SearchStrategy[list[Fraction]]:
    """Laws on `size` points with small numerators, often with zeros and ties."""
    weights = st.lists(st.integers(0, largest), min_size=size, max_size=size).filter(any)
    return weights.map(lambda row: [Fraction(weight, sum(row)) for weight in row])


@st.composite
def frameworks(
    draw: st.DrawFn, max_databases: int = 5, max_secrets: int = 4, max_priors: int = 3, closure: Closure = "list"
) -> Framework:
    """Frameworks with at least one pair of disjoint secrets of positive probability under some
    prior.
    """
    size = draw(st.integers(2, max_databases))
    databases = [f"d{index}" for index in range(size)]
    secrets = {f"s{index}": held for index, held in enumerate(draw(_lists_of_subsets(tuple(databases), max_secrets)))}
    disjoint = [(a, b) for a in secrets for b in secrets if a < b and not set(secrets[a]) & set(secrets[b])]
    assume(disjoint)
    pairs = draw(st.lists(st.sampled_from(disjoint), min_size=1, unique=True))
    priors = {
        f"theta{index}": Table(dict(zip(databases, draw(laws(size)))))
        for index in range(draw(st.integers(1, max_priors)))
    }
    framework = Framework(databases, secrets, "disjoint" if draw(st.booleans()) else pairs, priors, closure)
    assume(_something_to_check(framework))
    return framework


@st.composite
def record_frameworks(draw: st.DrawFn, max_records: int = 3, max_values: int = 3) -> Framework:
    """Frameworks on sequences of records with product or Markov priors, secrets being values of
    one record.
    """
    records = Records(draw(st.integers(1, max_records)), tuple("abc"[: draw(st.integers(2, max_values))]))
    record = draw(st.integers(1, records.count))
    secrets = {f"x{record}={value}": (record, value) for value in records.alphabet}
    size = len(records.alphabet)
    if draw(st.booleans()):
        prior: Product | MarkovChain = Product([draw(laws(size)) for _ in range(records.count)])
    else:
        prior = MarkovChain(draw(laws(size)), [draw(laws(size)) for _ in range(size)])
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": prior})
    assume(_something_to_check(framework))
    return framework


def channels(framework: Framework, max_outputs: int = 4) -> st.SearchStrategy[Channel]:
    """Channels with a row for every database of the framework."""
    return _matrices(len(framework.databases), max_outputs).map(
        lambda rows: Channel.of(dict(zip(framework.databases, rows)), [f"y{index}" for index in range(len(rows[0]))])
    )


@st.composite
def instances(draw: st.DrawFn, closure: Closure = "list", max_outputs: int = 4) -> tuple[Framework, Channel]:
    """A framework together with a channel for it."""
    framework = draw(_any_frameworks(closure))
    return framework, draw(channels(framework, max_outputs))


@cache
def _any_frameworks(closure: Closure) -> st.SearchStrategy[Framework]:
    chosen = frameworks(closure=closure)
    return chosen if closure == "convex" else st.one_of(chosen, record_frameworks())


@cache
def _lists_of_subsets(databases: tuple[str, ...], most: int) -> st.SearchStrategy[list[list[str]]]:
    subsets = st.sets(st.sampled_from(databases), min_size=1).map(sorted)
    return st.lists(subsets, min_size=2, max_size=most)


@cache
def _matrices(databases: int, max_outputs: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """Rows, one per database, that are laws on the same outputs."""
    return st.integers(1, max_outputs).flatmap(
        lambda outputs: st.lists(laws(outputs), min_size=databases, max_size=databases)
    )


def _something_to_check(framework: Framework) -> bool:
    return any(
        all(any(framework.mass(prior, secret) for prior in priors) for secret in pair)
        for pair in framework.pairs
        for priors in (
            [list(framework.priors)] if framework.closure == "convex" else [[prior] for prior in framework.priors]
        )
    )
