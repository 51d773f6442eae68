"""Frameworks of priors on records that are numbers: secrets say that a record lies in a window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.continuous.gaussian import Number, TruncatedGaussian
from pufferproof.models.priors.records import preview

MAX_RECORDS = 10
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
        if not 1 <= count <= MAX_RECORDS:
            raise ModelError(f"expected 1 to {MAX_RECORDS} records of a gaussian prior, found {count}", "records.count")
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
            _expect_inside(name, secret, priors)
        hold(self, count=count, secrets=read, pairs=_pairs(read, pairs), priors=dict(priors))


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


def _expect_inside(name: str, secret: Between, priors: Mapping[str, TruncatedGaussian]) -> None:
    low, high = secret.window
    for prior, law in priors.items():
        if not (law.box[0] <= low and high <= law.box[1]):
            ends = [brief(each) for each in (*law.box, low, high)]
            raise ModelError(
                f'expected a window inside the box [{ends[0]}, {ends[1]}] of prior "{prior}", '
                f"found [{ends[2]}, {ends[3]}]",
                f"secrets.{name}.between",
            )


def _pairs(secrets: Mapping[str, Between], stated: Sequence[Pair] | Literal["disjoint"]) -> tuple[Pair, ...]:
    if isinstance(stated, str):
        pairs = tuple((one, other) for one, other in combinations(secrets, 2) if not secrets[one].meets(secrets[other]))
    else:
        pairs = tuple(_pair(secrets, index, pair) for index, pair in enumerate(stated))
    if not pairs:
        raise ModelError(
            "expected at least one pair of secrets about one record whose windows do not overlap, found none", "pairs"
        )
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
    if one.meets(other):
        raise overlapping(one, other, where)
    return (pair[0], pair[1])


def overlapping(one: Between, other: Between, where: str) -> ModelError:
    """Return the error of a pair whose windows overlap."""
    ends = [brief(each) for each in (*one.window, *other.window)]
    return ModelError(
        f"expected windows that do not overlap, found [{ends[0]}, {ends[1]}] and [{ends[2]}, {ends[3]}]", where
    )
