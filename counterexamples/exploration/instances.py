"""What is found of one framework and level: the worst case over all mechanisms of that level per
record, and the bounds that the account and the published theorem give. A unit of a sweep takes
several.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from pufferproof.counterexamples.exploration.family import Family, Point, values_text
from pufferproof.lp.accounting.accountant import Bound, level_bounds
from pufferproof.lp.levels import RecordLevels
from pufferproof.models.errors import PufferproofError
from pufferproof.models.interface.sweeps.portions import begun, in_portions
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.text import JsonObject, fraction_of
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
