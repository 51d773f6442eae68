"""Reading queries with noise, and the framework they are audited against: listed databases, or sequences never listed.

A built-in query of records (sum, mean, histogram) needs no list of databases where secrets speak of single records and priors
are Markov chains or products; then sequences may be long. A query given as a table lists databases. What noise leaks is in
`pufferproof.verify.noise_leakage`; all other forms of mechanisms are read by `files` and `sequence_files`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files import Loaded, framework_of, in_file, read_loaded
from pufferproof.models.framework import Framework
from pufferproof.models.noise import AdditiveNoise, Noise
from pufferproof.models.priors import Records, preview
from pufferproof.models.record_query import RecordQuery
from pufferproof.models.sequence_files import mentions, sequences_of
from pufferproof.models.sequences import SequenceFramework

if TYPE_CHECKING:
    from pufferproof.models import schema

_FORMS = re.compile(rb"\b(query|noise)\b")


@dataclass(frozen=True)
class NoisyReleases:
    """A framework and queries with noise on them: tables for a listed framework, built-in queries for sequences."""

    framework: Loaded[Framework] | Loaded[SequenceFramework]
    releases: tuple[Loaded[AdditiveNoise] | Loaded[RecordQuery], ...]


def read_noisy_releases(framework: str | Path, mechanisms: Sequence[str | Path]) -> NoisyReleases | None:
    """Read a framework and queries with noise; None where no mechanism is one, which `files` then reads.

    Raises `ModelError` as `read_framework` and `read_mechanism` do, unless all mechanisms are queries with noise, and unless
    every database of positive probability has a value.
    """
    if not any(mentions(path, _FORMS) for path in mechanisms):
        return None
    from pufferproof.models.schema import FrameworkFile, MechanismFile

    given = [read_loaded(path, MechanismFile) if mentions(path, _FORMS) else None for path in mechanisms]
    noisy = [each for each in given if each is not None and each.value.query is not None]
    if not noisy:
        return None
    for path, each in zip(mechanisms, given):
        if each is None or each.value.query is None:
            raise ModelError(
                f"has no noise, and {noisy[0].path} has: expected all mechanisms of one kind, with a query or without",
                str(path),
            )
    described = read_loaded(framework, FrameworkFile)
    if _implicit(described.value) and all(isinstance(each.value.query, str) for each in noisy):
        return _sequences(described, noisy)
    return _listed(described, noisy)


def noise_of(shape: "schema.NoiseShape") -> Noise:
    """Return the law of noise that a file describes. Raises `ModelError`, naming the key, unless it is one."""
    try:
        if shape.laplace is not None:
            return Noise.laplace(shape.laplace.scale)
        if shape.discrete_laplace is not None:
            return Noise.discrete_laplace(shape.discrete_laplace.scale)
        if shape.geometric is not None:
            return Noise.geometric(shape.geometric.ratio)
        if shape.gaussian is not None:
            return Noise.gaussian(shape.gaussian.sigma)
    except ModelError as error:
        raise error.within("noise") from None
    raise ModelError("expected a law, found none", "noise")


def record_query_of(shape: "schema.MechanismFile", records: Records) -> RecordQuery:
    """Return the built-in query of a file. Raises `ModelError` unless it fits the records."""
    if not isinstance(shape.query, str) or shape.noise is None:
        raise ModelError('expected "sum", "mean" or "histogram" with noise', "query")
    segment = None if shape.segment is None else (shape.segment[0], shape.segment[1])
    return RecordQuery(shape.query, noise_of(shape.noise), records, segment)


def table_of(shape: "schema.MechanismFile", framework: Framework) -> AdditiveNoise:
    """Return the query of a file with a value for every database. Raises `ModelError` unless it fits the framework."""
    if isinstance(shape.query, str):
        if framework.records is None:
            raise ModelError(f'"{shape.query}" needs a framework with "records" in place of "databases"', "query")
        return record_query_of(shape, framework.records).written_out()
    if shape.noise is None:
        raise ModelError("expected a law of noise, found none", "noise")
    found = AdditiveNoise(shape.query or {}, noise_of(shape.noise))
    known = set(framework.databases)
    for label in found.values:
        if label not in known:
            raise ModelError(f'unknown database "{label}", expected one of {preview(framework.databases)}', "query")
    for index in sorted(framework.support):
        if framework.databases[index] not in found.values:
            raise ModelError(
                f'no value for database "{framework.databases[index]}", which has positive probability', "query"
            )
    return found


def _implicit(shape: "schema.FrameworkFile") -> bool:
    """Whether a framework can be used without a list of databases."""
    secrets = all(not isinstance(held, list) for held in shape.secrets.values())
    priors = not any(hasattr(prior, "table") for prior in shape.priors.values())
    return shape.records is not None and shape.closure == "list" and secrets and priors


def _sequences(
    described: "Loaded[schema.FrameworkFile]", noisy: "Sequence[Loaded[schema.MechanismFile]]"
) -> NoisyReleases:
    with in_file(described.path):
        shape = described.value.records
        if shape is None:
            raise ModelError('expected "records"')
        records = Records(shape.count, tuple(shape.alphabet))
        framework = sequences_of(described.value, records)
    releases = []
    for each in noisy:
        with in_file(each.path):
            releases.append(each.holding(record_query_of(each.value, records)))
    return NoisyReleases(described.holding(framework), tuple(releases))


def _listed(
    described: "Loaded[schema.FrameworkFile]", noisy: "Sequence[Loaded[schema.MechanismFile]]"
) -> NoisyReleases:
    with in_file(described.path):
        framework = framework_of(described.value)
    releases = []
    for each in noisy:
        with in_file(each.path):
            releases.append(each.holding(table_of(each.value, framework)))
    return NoisyReleases(described.holding(framework), tuple(releases))
