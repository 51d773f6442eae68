"""Reading queries with noise, and the framework they are audited against: listed databases, or
sequences never listed.

A built-in query of records (sum, mean, histogram) needs no list of databases where secrets speak of
single records and priors are Markov chains, products or hidden Markov models; then sequences may be
long. Everything else lists databases, and says what it is that needs them where they are too many.
What noise leaks is in `pufferproof.verify.noise.leakage`; all other forms of mechanisms are read by
`files` and `sequence_files`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import framework_of, sequences_of
from pufferproof.models.files.mechanisms import record_query_of, table_of
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.files.sequences import mentions
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.grammar import shown
from pufferproof.models.priors.laws import MAX_DATABASES, MAX_RECORDS, Records
from pufferproof.models.sequences.framework import SequenceFramework

if TYPE_CHECKING:
    from pufferproof.models.files import shapes as schema

_FORMS = re.compile(rb"\b(query|noise)\b")
_ALONG_RECORDS = ("markov", "product", "hidden_markov")


@dataclass(frozen=True)
class NoisyReleases:
    """A framework and queries with noise on them: tables for a listed framework, built-in
    queries for sequences.
    """

    framework: Loaded[Framework] | Loaded[SequenceFramework]
    releases: tuple[Loaded[AdditiveNoise] | Loaded[RecordQuery], ...]


def read_noisy_releases(
    framework: str | Path, mechanisms: Sequence[str | Path], normalize: bool = False
) -> NoisyReleases | None:
    """Read a framework and queries with noise; None where no mechanism is one, which `files` then
    reads.

    `normalize` divides rows of priors that need it by their sums.

    Raises `ModelError` as `read_framework` and `read_mechanism` do, unless all mechanisms are
    queries with noise, and unless every database of positive probability has a value.
    """
    if not any(mentions(path, _FORMS) for path in mechanisms):
        return None
    from pufferproof.models.files.shapes import FrameworkFile, MechanismFile

    given = [
        read_loaded(path, MechanismFile) if mentions(path, _FORMS) else None for path in mechanisms
    ]
    noisy = [each for each in given if each is not None and each.value.query is not None]
    if not noisy:
        return None
    for path, each in zip(mechanisms, given):
        if each is None or each.value.query is None:
            raise ModelError(
                f"has no noise, and {noisy[0].path} has: expected all mechanisms of one kind, with "
                f"a query or without",
                str(path),
            )
    described = read_loaded(framework, FrameworkFile)
    listing = _listing(described.value, noisy)
    with in_file(framework):
        _expect_laws(described.value, listing)
    return (_sequences if listing is None else _listed)(described, noisy, normalize)


def _listing(
    shape: "schema.FrameworkFile", noisy: "Sequence[Loaded[schema.MechanismFile]]"
) -> str | None:
    """Return what needs a list of the databases, None where nothing does."""
    if shape.records is None:
        return "the framework"
    for each in noisy:
        if not isinstance(each.value.query, str):
            return f"the query of {each.path}, a table,"
    for name, held in shape.secrets.items():
        if isinstance(held, list):
            return f'the secret "{name}"'
    for name, prior in shape.priors.items():
        form = next(form for form in type(prior).model_fields if form != "normalize")
        if form not in _ALONG_RECORDS:
            return f'the "{form}" prior "{name}"'
    return None


def _expect_laws(shape: "schema.FrameworkFile", listing: str | None) -> None:
    """Raise `ModelError` unless priors are a list, and the databases that `listing` needs are
    few enough.
    """
    if shape.closure != "list":
        raise ModelError(
            f'noise is audited against a list of priors: expected closure "list", found '
            f'"{shape.closure}"',
            "closure",
        )
    if shape.records is None or listing is None:
        return
    records = Records(shape.records.count, tuple(shape.records.alphabet))
    if not records.enumerable:
        size = f"{len(records.alphabet)}^{shown(records.count)} databases"
        most = f"{MAX_DATABASES} of at most {MAX_RECORDS} records"
        raise ModelError(
            f"{size}, which {listing} needs listed: expected at most {most}", "records"
        )


def _sequences(
    described: "Loaded[schema.FrameworkFile]",
    noisy: "Sequence[Loaded[schema.MechanismFile]]",
    normalize: bool,
) -> NoisyReleases:
    with in_file(described.path):
        shape = described.value.records
        if shape is None:
            raise ModelError('expected "records"')
        records = Records(shape.count, tuple(shape.alphabet))
        framework = sequences_of(described.value, records, normalize)
    releases = []
    for each in noisy:
        with in_file(each.path):
            releases.append(each.holding(record_query_of(each.value, records)))
    return NoisyReleases(described.holding(framework), tuple(releases))


def _listed(
    described: "Loaded[schema.FrameworkFile]",
    noisy: "Sequence[Loaded[schema.MechanismFile]]",
    normalize: bool,
) -> NoisyReleases:
    with in_file(described.path):
        framework = framework_of(described.value, normalize)
    releases = []
    for each in noisy:
        with in_file(each.path):
            releases.append(each.holding(table_of(each.value, framework)))
    return NoisyReleases(described.holding(framework), tuple(releases))
