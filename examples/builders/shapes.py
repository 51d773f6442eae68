"""What an example is made of, and the frameworks that several examples share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.verify.programs.mechanism import as_mechanism


@dataclass(frozen=True)
class Audited:
    """One audit of an example: file names, the level to decide, the published claim, and what it
    shows.

    In `shows`, {ratio} stands for the exact e^leakage, {about} for four digits of it and {excluded}
    for the number of excluded (prior, pair) combinations: they are filled in from the audit.
    """

    framework: str
    mechanism: str
    shows: str
    epsilon: str | None = None
    claimed: str | None = None
    source: str | None = None


@dataclass(frozen=True)
class Joint:
    """A joint release; in `shows`, {ratio} and {about} stand for its e^leakage."""

    framework: str
    mechanisms: tuple[str, ...]
    shows: str


@dataclass(frozen=True)
class Example:
    """A folder of the examples: its frameworks and mechanisms by file name, its audits and
    joint releases, and the documents of the files that cannot be told from their tables.
    """

    name: str
    title: str
    summary: str
    frameworks: Mapping[str, Framework]
    mechanisms: Mapping[str, Channel | HiddenMarkovMechanism | RecordQuery]
    audits: Sequence[Audited]
    joint: Sequence[Joint] = field(default=())
    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def table_of(program: Callable[..., Any], databases: Sequence[str]) -> Channel:
    """Return the exact law of a program with rational probabilities, its outputs in order."""
    law = as_mechanism(program, databases).value
    if not isinstance(law, Channel):
        raise TypeError(f"{program.__name__} has probabilities that are not rational")
    outputs = sorted(law.outputs)
    rows = {x: [law.probability(x, y) for y in outputs] for x in databases}
    return Channel.of(rows, outputs)


def every_database_secret(labels: Sequence[str], neighbours: Callable[[str, str], bool]) -> Framework:
    """Return differential privacy as a framework: each database its own secret, neighbours as
    pairs, a uniform prior.

    Any prior of full support gives the same leakage: a secret that is one database fixes the
    output's law.
    """
    uniform = Table(dict.fromkeys(labels, Fraction(1, len(labels))))
    return Framework(
        labels, {label: [label] for label in labels}, _neighbouring(labels, neighbours), {"uniform": uniform}
    )


def every_sequence_secret(records: Records) -> Framework:
    """Return differential privacy on sequences: databases that differ in exactly one record are
    neighbours.
    """
    labels = records.labels()
    uniform = Product([[Fraction(1, len(records.alphabet))] * len(records.alphabet)] * records.count)
    secrets = {label: [label] for label in labels}
    return Framework.of_records(records, secrets, _neighbouring(labels, differ_in_one), {"uniform": uniform})


def record_secret(records: Records, record: int, priors: Mapping[str, Prior]) -> Framework:
    """Return the framework that protects every value of one record (from 1) against every other."""
    secrets = {f"x{record}={value}": (record, value) for value in records.alphabet}
    return Framework.of_records(records, secrets, list(combinations(secrets, 2)), priors)


def differ_in_one(left: str, right: str) -> bool:
    """Say whether two labels differ in exactly one character."""
    return sum(a != b for a, b in zip(left, right)) == 1


def differ_by_one_everywhere(left: str, right: str) -> bool:
    """Say whether no digit changes by more than 1: one person may change every answer by 1, up
    or down.
    """
    return all(abs(int(a) - int(b)) <= 1 for a, b in zip(left, right))


def _neighbouring(labels: Sequence[str], neighbours: Callable[[str, str], bool]) -> list[Pair]:
    return [(left, right) for left, right in combinations(labels, 2) if neighbours(left, right)]
