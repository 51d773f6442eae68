"""Frameworks of normal priors that are not truncated: secrets say that a record has one value.

Such a secret has probability 0, and what it says is the law given X_i = u, which the densities
define.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.continuous.gaussian import Number
from pufferproof.models.priors.continuous.normal import Normal

MAX_RECORDS = 100_000
NO_DATABASES = (
    'not supported: a "gaussian" prior without "box" has no databases to list; audit, compose and '
    "calibrate take linear queries of it"
)
Pair = tuple[str, str]


@dataclass(frozen=True)
class At:
    """The secret that a record, from 1, has a value."""

    record: int
    value: Fraction


@dataclass(frozen=True, init=False)
class PointFramework:
    """A Pufferfish framework over records that are numbers with normal priors.

    Args: count: how many records. secrets: name -> (record from 1, value). pairs: pairs of secrets
    about one record with different values, or `"disjoint"` for all of these. priors: name ->
    `Normal`. closure: `"list"`; mixtures are not taken.

    >>> prior = Normal(coefficient="9/10", variance=1)
    >>> secrets = {"low": (2, 0), "high": (2, "1/2")}
    >>> PointFramework(3, secrets, "disjoint", {"theta": prior}).pairs
    (('low', 'high'),)

    Raises `ModelError` unless the two values of each pair differ, and the record has a variance
    above 0 under every prior.
    """

    count: int
    secrets: Mapping[str, At]
    pairs: Sequence[Pair]
    priors: Mapping[str, Normal]

    @checked
    def __init__(
        self,
        count: int,
        secrets: Mapping[str, tuple[int, Number]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, Normal],
        closure: str = "list",
    ) -> None:
        if not 1 <= count <= MAX_RECORDS:
            raise ModelError(
                f"expected 1 to {MAX_RECORDS} records of a gaussian prior, found {count}",
                "records.count",
            )
        if not priors:
            raise ModelError("expected at least one prior, found none", "priors")
        if closure != "list":
            raise ModelError(
                f'expected "list", found "{closure}": a mixture of normal laws is none',
                "closure",
            )
        for name, prior in priors.items():
            try:
                prior.expect_records(count)
            except ModelError as error:
                raise error.within(f"priors.{name}") from None
        known = {name: _at(name, count, *held) for name, held in secrets.items()}
        paired = _pairs(known, pairs)
        hold(self, count=count, secrets=known, pairs=paired, priors=dict(priors))
        for name in {name: None for pair in paired for name in pair}:
            _expect_varying(name, known[name], priors)

    def places(self, pair: Pair) -> tuple[int, tuple[Fraction, Fraction]]:
        """Return the record that a pair is about, and the values of its two secrets."""
        one, other = (self.secrets[name] for name in pair)
        return one.record, (one.value, other.value)


def _at(name: str, count: int, record: int, value: Number) -> At:
    if not 1 <= record <= count:
        raise ModelError(
            f"expected a record from 1 to {count}, found {record}", f"secrets.{name}.record"
        )
    return At(record, exact(value))


def _expect_varying(name: str, secret: At, priors: Mapping[str, Normal]) -> None:
    for prior, law in priors.items():
        if not law.covariance_of(secret.record, secret.record):
            raise ModelError(
                f"expected a record that varies, found variance 0 of record {secret.record} under "
                f'prior "{prior}": nothing is secret',
                f"secrets.{name}.record",
            )


def _pairs(
    secrets: Mapping[str, At], stated: Sequence[Pair] | Literal["disjoint"]
) -> tuple[Pair, ...]:
    if isinstance(stated, str):
        found = tuple(
            (one, other)
            for one, other in combinations(secrets, 2)
            if secrets[one].record == secrets[other].record
            and secrets[one].value != secrets[other].value
        )
    else:
        found = tuple(_pair(secrets, index, pair) for index, pair in enumerate(stated))
    if not found:
        raise ModelError(
            "expected at least one pair of secrets about one record with different values, found "
            "none",
            "pairs",
        )
    return found


def _pair(secrets: Mapping[str, At], index: int, pair: Pair) -> Pair:
    where = f"pairs[{index}]"
    for name in pair:
        if name not in secrets:
            raise ModelError(f'unknown secret "{name}", expected one of {list(secrets)}', where)
    one, other = (secrets[name] for name in pair)
    if one.record != other.record:
        raise ModelError(
            f"expected two secrets about one record, found records {one.record} and "
            f"{other.record}, which can hold together",
            where,
        )
    if one.value == other.value:
        raise ModelError(f"expected two different values, found {brief(one.value)} twice", where)
    return (pair[0], pair[1])
