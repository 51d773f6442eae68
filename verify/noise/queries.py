"""What queries with noise leak, one or several independent ones released together.

Together they are one query whose coordinates are those of all: on listed databases by tables of
values, along sequences by their laws, which list nothing.
"""

from dataclasses import replace

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.verify.decision import united
from pufferproof.verify.noise.laws.of_framework import QueryLaws, table_laws
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.normal.beside import ratio_beside
from pufferproof.verify.noise.normal.lines import GaussianLeakage, largest_gaussian_ratio
from pufferproof.verify.noise.ratio.listed import NoiseLeakage, largest_ratio


def queries_leakage(
    framework: Framework, mechanism: NoisyQueries
) -> NoiseLeakage | GaussianLeakage:
    """Return the largest ratio of likelihoods of queries with noise.

    >>> from pufferproof import Level, Noise, Table
    >>> framework = Framework(
    ...     ["a", "b"],
    ...     {"s": ["a"], "t": ["b"]},
    ...     [("s", "t")],
    ...     {"theta": Table({"a": "1/2", "b": "1/2"})},
    ... )
    >>> bit = NoisyQueries((AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2)),))
    >>> queries_leakage(framework, bit.beside(bit)).compare(Level.of_nats(1))
    0

    Raises `ModelError` unless queries fit the framework, and as `noise_leakage` and
    `largest_gaussian_ratio` do.
    """
    laws = query_laws(framework, mechanism)
    gaussian = [noise.variance is not None for noise in laws.noises]
    found: NoiseLeakage | GaussianLeakage
    if any(gaussian):
        found = largest_gaussian_ratio(laws) if all(gaussian) else ratio_beside(laws)
    else:
        found = largest_ratio(laws.noises, laws.pairs, laws.excluded, laws.never)
    return replace(found, claims=united(laws.claims, found.claims)) if laws.claims else found


def query_laws(framework: Framework, mechanism: NoisyQueries) -> QueryLaws:
    """Return the joint laws of queries with noise. Raises `ModelError` unless they fit."""
    queries = mechanism.queries
    if not queries:
        raise ModelError("expected at least one query with noise, found none")
    along = [query for query in queries if isinstance(query, RecordQuery)]
    if framework.alone.by_records and len(along) == len(queries):
        return sequence_laws(framework, along)
    tables = [
        query if isinstance(query, AdditiveNoise) else query.written_out() for query in queries
    ]
    return table_laws(framework, tables)
