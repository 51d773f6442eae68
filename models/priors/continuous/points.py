"""Frameworks of normal priors that are not truncated: secrets say that a record has one value, or
lies in a window.

That a record has one value has probability 0, and what it says is the law given X_i = u, which the
densities define.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar, Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.continuous.normal import Normal, Number, TruncatedGaussian
from pufferproof.models.priors.records import Records, preview

# Frameworks of priors on records that are numbers: secrets say that a record lies in a window.

MAX_TRUNCATED_RECORDS = 10
Pair = tuple[str, str]
Window = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Between:
    """The secret that a record, from 1, lies in a window."""

    record: int
    window: Window

    def meets(self, other: "Between") -> bool:
        """Whether both can hold with positive probability."""
        (a, b), (c, d) = self.window, other.window
        return self.record != other.record or (a < d and c < b)


@dataclass(frozen=True, init=False)
class GaussianFramework:
    """A Pufferfish framework over records that are real numbers.

    Args: count: how many records. secrets: name -> (record from 1, low, high). pairs: pairs of
    secrets about one record whose windows do not overlap (they may touch), or `"disjoint"` for all
    of these. priors: name -> `TruncatedGaussian`. closure: `"list"`; mixtures are not taken.

    >>> prior = TruncatedGaussian([-5, 5], length=1)
    >>> secrets = {"low": (2, -5, "-4.9"), "high": (2, "4.9", 5)}
    >>> framework = GaussianFramework(3, secrets, [("low", "high")], {"smooth": prior})
    >>> framework.secrets["high"].window
    (Fraction(49, 10), Fraction(5, 1))

    Raises `ModelError` unless windows lie in the boxes, have a width, and do not overlap in a pair.
    """

    count: int
    secrets: Mapping[str, Between]
    pairs: Sequence[Pair]
    priors: Mapping[str, TruncatedGaussian]

    def __init__(
        self,
        count: int,
        secrets: Mapping[str, tuple[int, Number, Number]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, TruncatedGaussian],
        closure: str = "list",
    ) -> None:
        count = check_type(count, int, "count")
        secrets = check_type(secrets, Mapping[str, tuple[int, Number, Number]], "secrets")
        pairs = check_type(pairs, Sequence[Pair] | Literal["disjoint"], "pairs")
        priors = check_type(priors, Mapping[str, TruncatedGaussian], "priors")
        if not 1 <= count <= MAX_TRUNCATED_RECORDS:
            raise ModelError(
                f"expected 1 to {MAX_TRUNCATED_RECORDS} records of a gaussian prior, found {count}", "records.count"
            )
        if not priors:
            raise ModelError("expected at least one prior, found none", "priors")
        if closure != "list":
            raise ModelError(f'expected "list", found "{closure}": a curve is computed for listed priors', "closure")
        for name, prior in priors.items():
            try:
                prior.expect_records(count)
            except ModelError as error:
                raise error.within(f"priors.{name}") from None
        read = {name: between(name, count, *held) for name, held in secrets.items()}
        for name, secret in read.items():
            low, high = secret.window
            for prior_name, law in priors.items():
                if not (law.box[0] <= low and high <= law.box[1]):
                    ends = [brief(each) for each in (*law.box, low, high)]
                    raise ModelError(
                        f'expected a window inside the box [{ends[0]}, {ends[1]}] of prior "{prior_name}", '
                        f"found [{ends[2]}, {ends[3]}]",
                        f"secrets.{name}.between",
                    )
        hold(
            self,
            count=count,
            secrets=read,
            pairs=_pairs(read, pairs, "whose windows do not overlap"),
            priors=dict(priors),
        )


def expect_record(name: str, count: int, record: int) -> None:
    """Raise `ModelError` unless the record that a secret is about exists."""
    if not 1 <= record <= count:
        raise ModelError(f"expected a record from 1 to {count}, found {record}", f"secrets.{name}.record")


def between(name: str, count: int, record: int, low: Number, high: Number) -> Between:
    """Return the secret that a record lies in a window. Raises `ModelError` unless it exists, and
    the window has a width.
    """
    expect_record(name, count, record)
    window = exact(low), exact(high)
    if not window[0] < window[1]:
        raise ModelError(
            f"expected low < high (a point has probability 0), found {brief(window[0])} and {brief(window[1])}",
            f"secrets.{name}.between",
        )
    return Between(record, window)


MAX_RECORDS = 100_000
NO_DATABASES = (
    'not supported: a "gaussian" prior without "box" has no databases to list; audit, compose, '
    "calibrate, release and translate take it"
)


@dataclass(frozen=True, init=False)
class PointFramework:
    """A Pufferfish framework over records that are numbers with normal priors.

    Args: count: how many records. secrets: name -> (record from 1, value), or all of them name ->
    (record, low, high). pairs: pairs of secrets about one record with different values, or windows
    that do not overlap, or `"disjoint"` for all of these. priors: name -> `Normal`. closure:
    `"list"`; mixtures are not taken. names: of the records, which rows of weights may use.

    >>> prior = Normal(coefficient="9/10", variance=1)
    >>> secrets = {"low": (2, 0), "high": (2, "1/2")}
    >>> PointFramework(3, secrets, "disjoint", {"theta": prior}).pairs
    (('low', 'high'),)

    A value v is kept as the window (v, v). Raises `ModelError` unless the two secrets of each pair
    exclude one another, and the record has a variance above 0 under every prior.
    """

    taken_by: ClassVar = {"Framework": "normal records: audit and compose take it"}

    count: int
    secrets: Mapping[str, Between]
    pairs: Sequence[Pair]
    priors: Mapping[str, Normal]
    names: tuple[str, ...] | None

    def __init__(
        self,
        count: int,
        secrets: Mapping[str, tuple[int, Number] | tuple[int, Number, Number]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, Normal],
        closure: str = "list",
        names: Sequence[str] | None = None,
    ) -> None:
        count = check_type(count, int, "count")
        secrets = check_type(secrets, Mapping[str, tuple[int, Number] | tuple[int, Number, Number]], "secrets")
        pairs = check_type(pairs, Sequence[Pair] | Literal["disjoint"], "pairs")
        priors = check_type(priors, Mapping[str, Normal], "priors")
        if not 1 <= count <= MAX_RECORDS:
            raise ModelError(f"expected 1 to {MAX_RECORDS} records of a gaussian prior, found {count}", "records.count")
        if not priors:
            raise ModelError("expected at least one prior, found none", "priors")
        if closure != "list":
            raise ModelError(
                f'expected "list", found "{closure}": a mixture of normal laws is not a normal law', "closure"
            )
        for name, prior in priors.items():
            try:
                prior.expect_records(count)
            except ModelError as error:
                raise error.within(f"priors.{name}") from None
        read: dict[str, Between] = {}
        for name, secret in secrets.items():
            record, *ends = secret
            if len(ends) == 2:
                read[name] = between(name, count, record, *ends)
            else:
                expect_record(name, count, record)
                read[name] = Between(record, (exact(ends[0]), exact(ends[0])))
        kinds: dict[int, str] = {}
        for name, secret in secrets.items():
            kinds.setdefault(len(secret), name)
        if len(kinds) > 1:
            raise ModelError(
                f'expected all secrets "at" a number, or all "between" two, found "{kinds[2]}" at a number',
                f"secrets.{kinds[3]}.between",
            )
        paired = _pairs(read, pairs, "with different values, or windows that do not overlap")
        called = None if names is None else tuple(check_type(names, Sequence[str], "names"))
        _ = Records(count, ("number",), names=called) if called is not None else None
        hold(self, count=count, secrets=read, pairs=paired, priors=dict(priors), names=called)
        for name in dict.fromkeys(name for pair in paired for name in pair):
            _expect_varying(name, read[name], priors)

    def places(self, pair: Pair) -> tuple[int, tuple[Window, Window]]:
        """Return the record that a pair is about, and the windows of its two secrets."""
        one, other = (self.secrets[name] for name in pair)
        return one.record, (one.window, other.window)


def _expect_varying(name: str, secret: Between, priors: Mapping[str, Normal]) -> None:
    for prior, law in priors.items():
        if not law.covariance_of(secret.record, secret.record):
            raise ModelError(
                f"expected a record that varies, found variance 0 of record {secret.record} under "
                f'prior "{prior}": nothing is secret',
                f"secrets.{name}.record",
            )


def _pairs(
    secrets: Mapping[str, Between], stated: Sequence[Pair] | Literal["disjoint"], wanted: str
) -> tuple[Pair, ...]:
    """Return pairs that cannot hold together: values that differ, or windows that at most touch."""
    if isinstance(stated, str):
        both = [((one, other), secrets[one], secrets[other]) for one, other in combinations(secrets, 2)]
        pairs = tuple(pair for pair, one, other in both if not one.meets(other) and one.window != other.window)
    else:
        pairs = tuple(_pair(secrets, index, pair) for index, pair in enumerate(stated))
    if not pairs:
        raise ModelError(f"expected at least one pair of secrets about one record {wanted}, found none", "pairs")
    return pairs


def _pair(secrets: Mapping[str, Between], index: int, pair: Pair) -> Pair:
    where = f"pairs[{index}]"
    for name in pair:
        if name not in secrets:
            raise ModelError(f'unknown secret "{name}", expected one of {preview(list(secrets))}', where)
    one, other = (secrets[name] for name in pair)
    if one.record != other.record:
        raise ModelError(
            f"expected two secrets about one record, found records {one.record} and "
            f"{other.record}, which can hold together",
            where,
        )
    if one.window == other.window and one.window[0] == one.window[1]:
        raise ModelError(f"expected two different values, found {brief(one.window[0])} twice", where)
    if one.meets(other):
        ends = [brief(each) for each in (*one.window, *other.window)]
        raise ModelError(
            f"expected windows that do not overlap, found [{ends[0]}, {ends[1]}] and [{ends[2]}, {ends[3]}]", where
        )
    return (pair[0], pair[1])
