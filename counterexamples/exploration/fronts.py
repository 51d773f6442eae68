"""Noise against promise: for every level per record, the scale of Laplace noise that gives it to a
query in which one record changes the value by at most 1, and what a bound promises then for every
member that was explored.

Nobody needs a level that makes more noise than another and promises no less; the others are the
front.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from pufferproof.counterexamples.exploration.instances import MemberRow
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.numbers.level import Level

FrontName = Literal["worst", "quilt", "published"]
FRONTS: tuple[FrontName, ...] = ("worst", "quilt", "published")


@dataclass(frozen=True)
class Choice(Plain):
    """A level per record: the scale of its noise, rounded, and the largest leakage in nats that a
    bound allows over `members`.
    """

    level: str
    noise: float
    promise: str
    members: int


def front_of(rows: Sequence[MemberRow], name: FrontName) -> list[Choice]:
    """Return the levels that no other one beats, the least noise first; without those at which some
    member has no finite bound.
    """
    groups: dict[str, list[MemberRow]] = {}
    for row in rows:
        if row["error"] is None:
            groups.setdefault(row["level"], []).append(row)
    choices = [_choice(level, group, name) for level, group in groups.items()]
    front: list[Choice] = []
    for choice in sorted((each for each in choices if each is not None), key=_order):
        if not front or Decimal(choice.promise) < Decimal(front[-1].promise):
            front.append(choice)
    return front


def _order(choice: Choice) -> tuple[float, Decimal]:
    return choice.noise, Decimal(choice.promise)


def _choice(level: str, rows: Sequence[MemberRow], name: FrontName) -> Choice | None:
    nats = Decimal(Level.parse(level).enclosure().upper)
    uppers = [_upper(row, name) for row in rows]
    if nats == 0 or None in uppers:
        return None
    largest = max((upper for upper in uppers if upper is not None), key=Decimal)
    return Choice(level, float(1 / nats), largest, len(rows))


def _upper(row: MemberRow, name: FrontName) -> str | None:
    """Return the upper end of a bound, or None if it is not known or infinite."""
    bound = row[name]
    if bound is None or bound["epsilon"] is None or bound["epsilon"]["upper"] == "inf":
        return None
    return str(bound["epsilon"]["upper"])
