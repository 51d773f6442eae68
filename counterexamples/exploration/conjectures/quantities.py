"""The exact values of members of a family that conjectures are about.

| name | the value |
|---|---|
| `worst` | e to the worst case of a level per record |
| `joint` | e to the worst joint leakage of several releases, each within a budget |
| `collapse` | how many releases within a budget can leak everything |
| `threshold` | e to the least budget at which several releases can |

A value that is not known exactly is an error, never a rounded number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from pufferproof.counterexamples.collapse.search import Collapse, Impossible, search_collapse
from pufferproof.counterexamples.collapse.threshold import search_threshold
from pufferproof.counterexamples.exploration.family import Family, Point
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.translate import worst_case
from pufferproof.lp.worst.at_ratios import worst_at
from pufferproof.models.errors import ModelError, PufferproofError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of

QuantityName = Literal["worst", "joint", "collapse", "threshold"]
RATIO = "R"  # e^level, in formulas
Place = dict[str, Fraction]  # the parameters of a member, and R
Said = dict[str, Any]


@dataclass(frozen=True)
class Value:
    """The exact value of a member: `square` where only its square is rational; both None where it
    is infinite, or where there is none, for the reason `error`.
    """

    value: Fraction | None
    square: Fraction | None = None
    error: str | None = None

    @property
    def squared(self) -> Fraction | None:
        """The square of a finite value."""
        return self.square if self.value is None else self.value**2

    @property
    def finite(self) -> bool:
        """Whether there is a value, and a finite one."""
        return self.error is None and self.squared is not None

    @property
    def infinite(self) -> bool:
        """Whether the value is infinite."""
        return self.error is None and self.squared is None

    def as_json(self) -> Said:
        """Return texts of the value."""
        known = {"value": self.value, "square": self.square}
        texts = {name: None if each is None else text_of(each) for name, each in known.items()}
        return texts | {"error": self.error}

    @classmethod
    def of(cls, said: Said) -> "Value":
        """Read what `as_json` returned."""
        value, square = (
            None if said[name] is None else Fraction(said[name]) for name in ("value", "square")
        )
        return cls(value, square, said["error"])

    def __str__(self) -> str:
        if self.error is not None:
            return f"none: {self.error}"
        if self.infinite:
            return "infinite"
        return text_of(self.value) if self.value is not None else f"sqrt({self.square})"


@dataclass(frozen=True)
class Quantity:
    """What is asked of every member; `runs` releases are those of `joint` and `threshold`."""

    name: QuantityName
    runs: int = 2

    def at(self, family: Family, place: Place) -> Value:
        """Return the exact value of a member, which need not be one that the file lists."""
        values = {name: value for name, value in place.items() if name != RATIO}
        level = f"log({text_of(place[RATIO])})"
        try:
            framework = family.framework(Point(0, values, level))
            return _KINDS[self.name](framework, level, self.runs)
        except PufferproofError as error:
            return Value(None, error=str(error))


def values_of(
    document: dict[str, Any], name: str, runs: int, places: list[dict[str, str]]
) -> list[dict[str, Any]]:
    """Return the values of members, as texts: a unit of a sweep."""
    family, quantity = Family(document), named(name, runs)
    found = (
        quantity.at(family, {key: Fraction(text) for key, text in place.items()})
        for place in places
    )
    return [each.as_json() for each in found]


def named(name: str, runs: int) -> Quantity:
    """Return the quantity of a name. Raises `ModelError` unless there is one."""
    for known in QUANTITIES:
        if known == name:
            return Quantity(known, runs)
    raise ModelError(f'expected one of {", ".join(QUANTITIES)}, found "{name}"')


def _worst(framework: Framework, level: str, runs: int) -> Value:
    count = framework.expect_records().count
    worst = worst_case(framework, RecordLevels.uniform(count, [level]))
    return _exact(worst.exact, worst.leakage.lower, worst.leakage.upper)


def _joint(framework: Framework, level: str, runs: int) -> Value:
    ratio = Level.coerce(level).ratio
    if ratio is None:
        return Value(None, error="a level whose e^level is not rational")
    worst = worst_at(Columns(framework), [ratio] * runs)
    return _exact(True, worst.ratio, worst.upper)


def _exact(decided: bool, lower: Fraction | None, upper: Fraction | None) -> Value:
    if not decided or lower != upper:
        return Value(None, error="enclosed, not known exactly")
    return Value(lower)


def _collapse(framework: Framework, level: str, runs: int) -> Value:
    found = search_collapse(framework, level)
    if isinstance(found, Collapse):
        return Value(Fraction(found.runs))
    return Value(None) if isinstance(found, Impossible) else Value(None, error=str(found))


def _threshold(framework: Framework, level: str, runs: int) -> Value:
    found = search_threshold(framework, runs)
    if found is None:
        return Value(None)
    if found.enclosure.lower == found.enclosure.upper:
        return Value(found.enclosure.lower)
    if not found.exact or found.value is None:
        return Value(None, error="enclosed, not known exactly")
    return Value(found.value) if found.power == 1 else Value(None, found.value)


_KINDS: dict[QuantityName, Callable[[Framework, str, int], Value]] = {
    "worst": _worst,
    "joint": _joint,
    "collapse": _collapse,
    "threshold": _threshold,
}
QUANTITIES: Sequence[QuantityName] = tuple(_KINDS)
