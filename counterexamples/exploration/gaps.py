"""How far bounds lie above the exact worst case, over the members of a family; what is compared to
decide is exact decimals, what sums up are floats.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean, median
from typing import Literal

from pufferproof.counterexamples.exploration.instances import MemberRow
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.numbers.text import fraction_of

BoundName = Literal["quilt", "published"]
BOUNDS: tuple[BoundName, ...] = ("quilt", "published")
FARTHEST = 5  # members that are kept of each bound
CLOSE = 0.99  # of the largest quotient: members that show nearly as much


@dataclass(frozen=True)
class Gap(Plain):
    """The quotients of a bound and the exact worst case, both in nats and above 0."""

    bound: BoundName
    members: int
    least: float
    median: float
    mean: float
    largest: float


def quotient_approx(row: MemberRow, bound: BoundName) -> float | None:
    """Return a bound over the exact worst case, or None if either is unknown, infinite or 0."""
    if not row["exact"] or row[bound] is None or row[bound]["epsilon"] is None:
        return None
    above, exact = row[bound]["epsilon"]["upper"], row["worst"]["epsilon"]["upper"]
    if "inf" in (above, exact) or Decimal(exact) == 0:
        return None
    return float(Decimal(above) / Decimal(exact))


def is_broken(row: MemberRow, bound: BoundName) -> bool:
    """Whether a bound lies below what some mechanism leaks, which refutes it."""
    if not row["exact"] or row[bound] is None or row[bound]["epsilon"] is None:
        return False
    above, exact = row[bound]["epsilon"]["upper"], row["worst"]["epsilon"]["lower"]
    return above != "inf" and (exact == "inf" or Decimal(above) < Decimal(exact))


def widest_of(rows: Sequence[MemberRow]) -> float | None:
    """Return the largest quotient of a worst case's bound and what a mechanism leaks, of members
    where it is enclosed alone, or None if there is none.
    """
    ends = [row["worst"]["epsilon"] for row in rows if not row["exact"] and row["worst"]]
    ends_between = [end for end in ends if end is not None and end["upper"] != "inf"]
    pairs = [(Decimal(each["upper"]), Decimal(each["lower"])) for each in ends_between]
    return max((float(upper / lower) for upper, lower in pairs if lower), default=None)


def missing_of(rows: Sequence[MemberRow], name: str) -> dict[str, object] | None:
    """Return how many members that have an answer lack a bound, or have no finite one, and why the
    first does, or None if none does.
    """
    bounds = [row[name] for row in rows if row["error"] is None]
    without = [bound["how"] for bound in bounds if bound["epsilon"] is None]
    return {"members": len(without), "first": without[0]} if without else None


def gap_of(rows: Sequence[MemberRow], bound: BoundName) -> Gap | None:
    """Sum up the quotients of a bound, or None if there is none."""
    gaps = [each for row in rows if (each := quotient_approx(row, bound)) is not None]
    if not gaps:
        return None
    return Gap(bound, len(gaps), min(gaps), median(gaps), fmean(gaps), max(gaps))


def by_value(rows: Sequence[MemberRow], bound: BoundName) -> dict[str, dict[str, Gap]]:
    """Sum up the quotients of a bound for every value of every parameter, and every level."""
    names = [*rows[0]["parameters"], "level"] if rows else []
    return {name: _grouped(rows, bound, _value_of(name)) for name in names}


def _value_of(name: str) -> Callable[[MemberRow], str]:
    return lambda row: str(row["level"] if name == "level" else row["parameters"][name])


def _grouped(rows: Sequence[MemberRow], bound: BoundName, value: Callable[[MemberRow], str]) -> dict[str, Gap]:
    groups: dict[str, list[MemberRow]] = {}
    for row in rows:
        groups.setdefault(value(row), []).append(row)
    gaps = {each: gap_of(group, bound) for each, group in groups.items()}
    return {each: gap for each, gap in gaps.items() if gap is not None}


def worst_of(rows: Sequence[MemberRow], bound: BoundName, most: int = FARTHEST) -> list[MemberRow]:
    """Return the members at which a bound is farthest from the truth, the farthest first; behind
    them the simplest of those that show nearly as much, unless it is among them.
    """
    gaps = [(gap, row) for row in rows if (gap := quotient_approx(row, bound)) is not None]
    if not gaps:
        return []
    gaps.sort(key=lambda each: (-each[0], each[1]["number"]))
    farthest = [row for _, row in gaps[:most]]
    close = [row for gap, row in gaps if gap >= CLOSE * gaps[0][0]]
    simplest = min(close, key=_size)
    return farthest if simplest in farthest else [*farthest, simplest]


def _size(row: MemberRow) -> tuple[int, int]:
    """Return how much it takes to write the parameters of a member down."""
    values = [fraction_of(text) for text in row["parameters"].values()]
    return sum(abs(value.numerator) + value.denominator for value in values), row["number"]
