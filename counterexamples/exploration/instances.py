"""What is found of one framework and level: the worst case over all mechanisms of that level per
record, and the bounds that the account and the published theorem give. A unit of a sweep takes
several.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import islice
from statistics import fmean, median
from typing import Any, Literal

from pufferproof.counterexamples.exploration.conjectures.trying import Axis, simpler
from pufferproof.counterexamples.exploration.family import Family, Point, values_text
from pufferproof.lp.accounting.accountant import Bound, level_bounds
from pufferproof.lp.levels import RecordLevels
from pufferproof.models.errors import PufferproofError
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.interface.sweeps.portions import begun, in_portions
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, fraction_of, text_of
from pufferproof.verify.leakage.ratio import Leakage

TOGETHER = 25  # members that are asked for at once
MemberRow = JsonObject


def found_of(sweep: Sweep, family: Family, numbers: Sequence[int]) -> list[MemberRow]:
    """Return what there is to know of the members of some numbers."""
    return in_portions(sweep, numbers, partial(Unit.of, rows_of, family.document))


def found_at(sweep: Sweep, family: Family, points: Sequence[list[object]]) -> list[MemberRow]:
    """Return what there is to know of members at values of the parameters, as texts, and levels."""
    return in_portions(sweep, points, partial(Unit.of, rows_at, family.document))


def rows_of(document: dict[str, object], numbers: list[int]) -> list[JsonObject]:
    """Return answers for the first members of a portion; what is no framework has an error."""
    family = Family(document)
    return begun(lambda number: _row(family, family.point(number)), numbers)


def rows_at(document: JsonObject, points: list[list[Any]]) -> list[JsonObject]:
    """Return what is found at the first values of the parameters, as texts, and levels: of members
    that the file need not list, and that have no number.
    """
    family = Family(document)
    return begun(lambda point: _row(family, point_of(*point)) | {"number": None}, points)


def point_of(values: dict[str, str], level: str) -> Point:
    """Return the member with some values, as texts, and a level."""
    return Point(0, {name: fraction_of(text) for name, text in values.items()}, level)


def _row(family: Family, point: Point) -> MemberRow:
    row = {"number": point.number, "parameters": values_text(point), "level": point.level}
    try:
        framework = family.framework(point)
        levels = RecordLevels.uniform(framework.expect_records().count, [point.level])
        bounds = {bound.name: _said(bound) for bound in level_bounds(framework, levels)}
    except PufferproofError as error:
        return row | {"error": str(error), "exact": False} | dict.fromkeys(_NAMES)
    return row | {"error": None, "exact": bool(bounds["worst"]["exact"])} | bounds


_NAMES = ("worst", "quilt", "published")


def _said(bound: Bound) -> dict[str, object]:
    """Return a bound: its ends in nats, e to it where that is rational, and how it was found. Where
    it is not exact but some mechanism was looked for, the lower end is what that leaks.
    """
    shown: JsonObject = {"ratio": None, "epsilon": None}
    if bound.leakage is not None and bound.shown is not None:
        shown = Leakage(bound.shown, bound.leakage.upper).as_json()
    elif bound.leakage is not None:
        shown = bound.leakage.as_json()
    return shown | {"how": bound.how, "exact": bound.exact}


# How far bounds lie above the exact worst case, over the members of a family; what is compared to decide is exact
# decimals, what sums up are floats.

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


# A simpler member where a bound is nearly as far from the truth, which the file need not list: its parameters lie
# between the least and the largest listed, and the level is that of the farthest.

Ask = Callable[[list[list[Any]]], Sequence[MemberRow]]


def shrunk(family: Family, farthest: Sequence[MemberRow], bound: BoundName, most: int, ask: Ask) -> MemberRow | None:
    """Return the simplest member whose quotient is within one percent of the largest, or None if
    `most` simpler ones than the last of the farthest show none.

    Args:
        farthest: members as `worst_of` returns them, one at least.
        ask: finds what there is to know of members, by values and level.
    """
    largest, last = quotient_approx(farthest[0], bound) or 0.0, farthest[-1]
    axes = {name: Axis.of(values) for name, values in family.axes.items()}
    start = {name: fraction_of(text) for name, text in last["parameters"].items()}
    places = islice(simpler(axes, start), most) if axes else iter(())
    while some := list(islice(places, TOGETHER)):
        values = [{name: text_of(each) for name, each in place.items()} for place in some]
        for row in ask([[value, last["level"]] for value in values]):
            if (quotient_approx(row, bound) or 0.0) >= CLOSE * largest:
                return row
    return None


# Noise against promise: for every level per record, the scale of Laplace noise that gives it to a query in which one
# record changes the value by at most 1, and what a bound promises then for every member that was explored.
#
# Nobody needs a level that makes more noise than another and promises no less; the others are the front.

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
