"""The exact values of members of a family that conjectures are about.

| name | the value |
|---|---|
| `worst` | e to the worst case of a level per record |
| `joint` | e to the worst joint leakage of several releases, each within a budget |
| `collapse` | how many releases within a budget can leak everything |
| `threshold` | e to the least budget at which several releases can |
| `delta` | the largest joint delta, at a level, of several releases within a budget each |
| `adaptive_delta` | the same where a release may be chosen by the outputs of those before it |
| `adaptivity` | `adaptive_delta` over `delta` |

A value that is not known exactly is an error, never a rounded number.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, StrictInt, StrictStr

from pufferproof.counterexamples.collapse.search import Collapse, Impossible, search_collapse
from pufferproof.counterexamples.collapse.threshold import search_threshold
from pufferproof.counterexamples.exploration.family import Family, NoQuotientError, Point, evaluated, expect_expression
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.rays import largest_delta
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.translate import worst_case
from pufferproof.lp.worst.at_ratios import worst_at
from pufferproof.models.errors import ModelError, PufferproofError, TooLargeError
from pufferproof.models.files.reading import read_shape
from pufferproof.models.files.shapes import Shape
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.interface.sweeps.portions import begun
from pufferproof.models.numbers.text import JsonObject, fraction_of, shown, text_of

QuantityName = Literal["worst", "joint", "collapse", "threshold", "delta", "adaptive_delta", "adaptivity"]
RATIO = "R"  # e^level, in formulas
_WORST: QuantityName = "worst"
_JOINT: QuantityName = "joint"
_THRESHOLD: QuantityName = "threshold"
Parameters = dict[str, Fraction]  # the parameters of a member, and R
Said = JsonObject


@dataclass(frozen=True)
class Value(Plain):
    """The exact value of a member: `square` where only its square is rational; both None if it
    is infinite, or where there is none, for the reason `error`; `unknown`: it was not found.
    """

    value: Fraction | None
    square: Fraction | None = None
    error: str | None = None
    unknown: bool = False

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

    @classmethod
    def of(cls, said: Said) -> "Value":
        """Read what `as_json` returned."""
        value, square = (None if said[name] is None else fraction_of(said[name]) for name in ("value", "square"))
        return cls(value, square, said["error"], said["unknown"])

    def __str__(self) -> str:
        if self.error is not None:
            return f"none: {self.error}"
        if self.value is not None:
            return text_of(self.value)
        return "infinite" if self.square is None else f"sqrt({text_of(self.square)})"


@dataclass(frozen=True)
class Quantity:
    """What is asked of every member.

    Args:
        runs: releases, of those quantities that are of several.
        delta_at: e to the level at which delta is taken, an expression of parameters and R.
        budgets: e to what each release may spend, expressions too; R for each of `runs` if none.
    """

    name: QuantityName
    runs: int = 2
    delta_at: str = "1"
    budgets: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.budgets and self.name not in (_JOINT, *_DELTAS):
            raise ModelError(
                f'expected one of {", ".join((_JOINT, *_DELTAS))} for budgets that differ, found "{self.name}"'
            )
        for name, text in (("at", self.delta_at), *(("budgets", budget) for budget in self.budgets)):
            try:
                expect_expression(text)
            except ModelError as error:
                raise error.within(name) from None

    @property
    def of_delta(self) -> bool:
        """Whether it is taken at a level."""
        return self.name in _DELTAS

    def expect(self, family: Family) -> None:
        """Raise `ModelError` unless the family says what this is of, and formulas can name it."""
        if self.name == _WORST and family.budgets:
            raise ModelError(f'expected per_record_dp for "{_WORST}", found budgets', "budgets")
        for name in (RATIO, self.name, f"{self.name}_squared"):
            if name in family.axes:
                raise ModelError(f'expected another name than "{name}", which formulas have already', "parameters")

    def __str__(self) -> str:
        """Return what is asked, in words."""
        if self.name in _KINDS and self.name != _THRESHOLD:
            return self.name
        said = f"{self.name} of {self.runs}"
        if self.budgets:
            said += f" within {', '.join(f'log({budget})' for budget in self.budgets)}"
        return f"{said} at log({self.delta_at})" if self.of_delta else said

    def at(self, family: Family, place: Parameters) -> Value:
        """Return the exact value of a member, which need not be one that the file lists."""
        values = {name: value for name, value in place.items() if name != RATIO}
        level = f"log({text_of(place[RATIO])})"
        try:
            framework = family.framework(Point(0, values, level))
            if self.name in _KINDS:
                return _KINDS[self.name](framework, level, self.runs)
            ratios = [evaluated(budget, place) for budget in self.budgets or [RATIO] * self.runs]
            if self.name == _JOINT:
                worst = worst_at(Columns(framework), ratios)
                return _exact(True, worst.ratio, worst.upper)
            return _DELTAS[self.name](Columns(framework), ratios, evaluated(self.delta_at, place))
        except PufferproofError as error:
            unknown = isinstance(error, TooLargeError) or not isinstance(error, ModelError)
            return Value(None, error=str(error), unknown=unknown)


def values_of(document: JsonObject, asked: list[Any], places: list[dict[str, str]]) -> list[JsonObject]:
    """Return the values of the first members of a portion, as texts. Args: asked: as `named`."""
    family, quantity = Family(document), named(*asked)
    return begun(
        lambda place: quantity.at(family, {key: fraction_of(text) for key, text in place.items()}).as_json(), places
    )


def named(name: str, *asked: Any) -> Quantity:
    """Return the quantity of a name, with what else is asked. Raises `ModelError` unless there is
    one.
    """
    for quantity in QUANTITIES:
        if quantity == name:
            return Quantity(quantity, *asked)
    raise ModelError(f'expected one of {", ".join(QUANTITIES)}, found "{name}"')


def _worst(framework: Framework, level: str, runs: int) -> Value:
    count = framework.expect_records().count
    worst = worst_case(framework, RecordLevels.uniform(count, [level]))
    return _exact(worst.exact, worst.leakage.lower, worst.leakage.upper)


def _exact(decided: bool, lower: Fraction | None, upper: Fraction | None) -> Value:
    if not decided or lower != upper:
        return Value(None, error="enclosed, not known exactly", unknown=True)
    return Value(lower)


def _collapse(framework: Framework, level: str, runs: int) -> Value:
    collapse = search_collapse(framework, level)
    if isinstance(collapse, Collapse):
        return Value(Fraction(collapse.runs))
    if isinstance(collapse, Impossible):
        return Value(None)
    return Value(None, error=str(collapse), unknown=True)


def _threshold(framework: Framework, level: str, runs: int) -> Value:
    threshold = search_threshold(framework, runs)
    if threshold is None:
        return Value(None)
    if threshold.enclosure.lower == threshold.enclosure.upper:
        return Value(threshold.enclosure.lower)
    if not threshold.exact or threshold.value is None:
        return Value(None, error="enclosed, not known exactly", unknown=True)
    return Value(threshold.value) if threshold.power == 1 else Value(None, threshold.value)


def _delta(columns: Columns, ratios: Sequence[Fraction], level: Fraction) -> Value:
    return Value(largest_delta(columns, ratios, level))


def _adaptive_delta(columns: Columns, ratios: Sequence[Fraction], level: Fraction) -> Value:
    return Value(largest_delta(columns, ratios, level, adaptive=True))


def _adaptivity(columns: Columns, ratios: Sequence[Fraction], level: Fraction) -> Value:
    plain = largest_delta(columns, ratios, level)
    if not plain:
        return Value(None, error="0 over 0: delta is 0")
    return Value(largest_delta(columns, ratios, level, adaptive=True) / plain)


_KINDS: dict[QuantityName, Callable[[Framework, str, int], Value]] = {
    "worst": _worst,
    "collapse": _collapse,
    "threshold": _threshold,
}
_DELTAS: dict[QuantityName, Callable[[Columns, Sequence[Fraction], Fraction], Value]] = {
    "delta": _delta,
    "adaptive_delta": _adaptive_delta,
    "adaptivity": _adaptivity,
}
QUANTITIES: Sequence[QuantityName] = get_args(QuantityName)


# Relations that somebody guessed, such as "joint <= R**4": two expressions of parameters, of R and of the quantity,
# compared. Where its square alone is rational, `joint_squared` stands for that.

_SIGNS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {"<=": le, ">=": ge, "==": eq, "!=": ne, "<": lt, ">": gt}
_LONGEST = 10_000  # characters of a side: fitted forms are long
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")  # no exponent, as in 1e-5 and 1.e5
_SIGN = re.compile("<=|>=|==|!=|<|>")


@dataclass(frozen=True)
class Relation:
    """Two expressions and the sign between them; `quantity` is the name that a value has."""

    left: str
    sign: str
    right: str
    quantity: str | None = None

    @classmethod
    def of(cls, text: str, quantity: str | None = None) -> "Relation":
        """Read a relation. Raises `ModelError` unless there is one sign, between expressions."""
        signs = _SIGN.findall(text)
        if len(signs) != 1:
            raise ModelError(f'expected a relation such as "joint <= R**4", found {shown(text)}')
        left, right = (side.strip() for side in _SIGN.split(text))
        for side in (left, right):
            expect_expression(side, _LONGEST)
        return cls(left, signs[0], right, quantity)

    @property
    def names(self) -> set[str]:
        """What parameters, and what else, it names."""
        words = set(_WORD.findall(f"{self.left} {self.right}"))
        return words - {"max", "min"}

    def sides(self, place: Parameters, value: Value | None = None) -> tuple[Fraction, Fraction]:
        """Return both sides at a place. Raises `ModelError`."""
        values = place | self._named(value)
        left, right = (evaluated(each, values, _LONGEST) for each in (self.left, self.right))
        return left, right

    def holds(self, place: Parameters, value: Value | None = None) -> bool | None:
        """Whether it holds at a place, for a finite value, or None if it divides by zero. Raises
        `ModelError`.
        """
        try:
            return _SIGNS[self.sign](*self.sides(place, value))
        except NoQuotientError:
            return None

    def nearly(self, place: Parameters, value: Value | None = None) -> bool:
        """Whether slightly more holds: with one side one percent smaller, or larger."""
        try:
            left, right = self.sides(place, value)
        except NoQuotientError:
            return True
        if self.sign in ("<", "<="):
            return 100 * left <= 99 * right
        if self.sign in (">", ">="):
            return 100 * left >= 101 * right
        return left == right and left == 0 if self.sign == "==" else abs(left - right) > 1

    def _named(self, value: Value | None) -> dict[str, Fraction]:
        if value is None or self.quantity is None:
            return {}
        values = {self.quantity: value.value, f"{self.quantity}_squared": value.squared}
        return {name: each for name, each in values.items() if each is not None}

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


# Files of formulas: which number is asked of every member of a family, which formula is tried, and how one is looked
# for.
#
#     format = "pufferproof-formula/1"
#     of = "joint"
#     where = ["R <= 3/2"]
#     says = "joint <= R**4"
#
# Without `says` a closed form is fitted.

FORMAT = "pufferproof-formula/1"


class FormulaFile(Shape):
    """A question about a family: the quantity `of` its members, with `runs`, `at` and `budgets`,
    and the members `where` relations hold.

    `says` is the relation that is tried; left out, one is fitted, of polynomials up to `degree`,
    up to `algebraic` in the value, in so many `pieces`. `fresh` members are not in the family file.
    """

    format: Literal["pufferproof-formula/1"]
    of: QuantityName = "worst"
    runs: Annotated[StrictInt, Field(ge=1, le=64)] = 2
    at: StrictStr = "1"
    budgets: Annotated[list[StrictStr], Field(default_factory=list)]
    where: Annotated[list[StrictStr], Field(default_factory=list)]
    says: StrictStr | None = None
    degree: Annotated[StrictInt, Field(ge=0, le=12)] = 4
    algebraic: Annotated[StrictInt, Field(ge=1, le=2)] = 2
    pieces: Annotated[StrictInt, Field(ge=1, le=2)] = 1
    fresh: Annotated[StrictInt, Field(ge=1, le=100_000)] = 50

    @property
    def quantity(self) -> Quantity:
        """What is asked of every member. Raises `ModelError`."""
        return Quantity(self.of, len(self.budgets) or self.runs, self.at, self.budgets)

    @property
    def hypotheses(self) -> tuple[Relation, ...]:
        """The relations of `where`. Raises `ModelError`."""
        return tuple(_relation("where", text) for text in self.where)

    @property
    def relation(self) -> Relation | None:
        """The relation that is tried, or None if one is fitted. Raises `ModelError`."""
        return None if self.says is None else _relation("says", self.says, self.of)


def read_formula(path: str) -> FormulaFile:
    """Read a question about a family from JSON or TOML. Raises `ModelError`."""
    return read_shape(path, FormulaFile)


def _relation(key: str, text: str, quantity: str | None = None) -> Relation:
    try:
        return Relation.of(text, quantity)
    except ModelError as error:
        raise error.within(key) from None
