"""Files of families: a framework whose numbers are expressions, how these are read, and the values
of its parameters.

    format = "pufferproof-family/1"
    per_record_dp = ["0.5", "1"]
    [parameters]
    n = [3, 5, 9]
    stay = {from = "1/10", to = "9/10", step = "1/10"}
    [framework.records]
    count = "= n"
    ...

A point gives a value to every parameter, and a level. Points are counted, the last parameter
running fastest and the level faster still, so that a number stands for one. `budgets` instead of
`per_record_dp` are levels that a release may spend.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from keyword import iskeyword
from math import lcm, prod
from operator import add, floordiv, mod, mul, neg, pos, sub, truediv
from random import Random
from typing import Annotated, Any, Literal
from unicodedata import normalize

from pydantic import Field, StrictInt, StrictStr

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import framework_of
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, document_of, in_file, validated
from pufferproof.models.files.shapes import FrameworkFile, Shape
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, shown, text_of

LONGEST, _LARGEST_POWER = 200, 64
_MOST_BITS = 4096
# texts, and numbers that a letter follows at once, as in 1is: Python reads them with a warning
_WARNED = re.compile(r"""['"\\]|(?<!\w)(?>\d[\d.]*(?:[eE][+-]?\d+)?)[^\W\d]""")
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
    ast.FloorDiv: floordiv,
    ast.Mod: mod,
}
CALLED: dict[str, Callable[[list[Fraction]], Fraction]] = {"max": max, "min": min}
_UNARY: dict[type[ast.unaryop], Callable[[Fraction], Fraction]] = {ast.USub: neg, ast.UAdd: pos}
FORMAT, FRAMEWORK = "pufferproof-family/1", "pufferproof-framework/1"
_MOST_VALUES = 100_000
_LARGEST, _MOST_MEMBERS = 10**18, 10**7  # members of a family, and those that are gone through
Number = StrictInt | StrictStr


class Grid(Shape):
    """The values from one to another, by steps of the same width; both ends belong to it."""

    model_config = Shape.model_config | {"populate_by_name": True}

    least: Annotated[Number, Field(alias="from")]
    most: Annotated[Number, Field(alias="to")]
    step: Number


class FamilyFile(Shape):
    """A family: levels of every record, or what a release may spend, parameters, and a framework
    file with expressions of them; its format need not be said.
    """

    format: Literal["pufferproof-family/1"]
    per_record_dp: Annotated[list[StrictStr], Field(min_length=1)] | None = None
    budgets: Annotated[list[StrictStr], Field(min_length=1)] | None = None
    parameters: dict[StrictStr, Annotated[list[Number], Field(min_length=1)] | Grid]
    framework: dict[StrictStr, Any]


@dataclass(frozen=True)
class Point:
    """A member of a family: its number, the values of the parameters, and the level."""

    number: int
    values: dict[str, Fraction]
    level: str


@dataclass(frozen=True)
class Family:
    """A family as its file says it."""

    document: JsonObject

    def __post_init__(self) -> None:
        for name in self._shape.parameters:
            as_read = normalize("NFKC", name)  # Python reads letters of two looks as one
            if not name.isidentifier() or as_read != name or iskeyword(name) or name in CALLED:
                raise ModelError(f'expected a name such as "p", found "{name[:60]}"', "parameters")
        if (self._shape.per_record_dp is None) == (self._shape.budgets is None):
            raise ModelError("expected one of per_record_dp and budgets")
        for place, level in enumerate(self.levels):
            Level.coerce(level, f"{self.key}[{place}]")
        if self._count > _LARGEST:
            raise ModelError(f"a family has at most {_LARGEST:,} members, found {self._count:,}")

    @cached_property
    def _shape(self) -> FamilyFile:
        return validated(FamilyFile, self.document)

    @cached_property
    def axes(self) -> dict[str, list[Fraction]]:
        """The values of every parameter."""
        return {name: _values(given, f"parameters.{name}") for name, given in self._shape.parameters.items()}

    @property
    def budgets(self) -> bool:
        """Whether levels are what a release may spend, instead of levels per record."""
        return self._shape.budgets is not None

    @property
    def key(self) -> str:
        """What the file calls its levels."""
        return "budgets" if self.budgets else "per_record_dp"

    @property
    def levels(self) -> list[str]:
        """The levels that members have."""
        return self._shape.budgets or self._shape.per_record_dp or []

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return prod(map(len, self.axes.values())) * len(self.levels)

    def point(self, number: int) -> Point:
        """Return the member of a number from 0 on."""
        rest, place = divmod(number, len(self.levels))
        chosen: dict[str, Fraction] = {}
        for name, values in reversed(self.axes.items()):
            rest, index = divmod(rest, len(values))
            chosen[name] = values[index]
        inorder = {name: chosen[name] for name in self.axes}
        return Point(number, inorder, self.levels[place])

    def framework_file(self, point: Point) -> JsonObject:
        """Return the framework file of a member. Raises `ModelError`."""
        try:
            document: JsonObject = filled(self._shape.framework, point.values)
        except RecursionError:
            raise ModelError("nested too deeply", "framework") from None
        return {"format": FRAMEWORK} | document

    def framework(self, point: Point) -> Framework:
        """Return the framework of a member. Raises `ModelError`."""
        return framework_of(validated(FrameworkFile, self.framework_file(point)))

    def numbers(self, drawn: int | None, seed: int) -> Sequence[int]:
        """Return the numbers of all members, or of some that are drawn, none twice. Raises
        `ModelError` for more than ten million.
        """
        many = len(self) if drawn is None else min(drawn, len(self))
        if many > _MOST_MEMBERS:
            raise ModelError(
                f"at most {_MOST_MEMBERS:,} members are gone through, found {many:,}: expected "
                "fewer values, or a smaller number with --draw"
            )
        if drawn is None or drawn >= len(self):
            return range(len(self))
        return sorted(Random(seed).sample(range(len(self)), drawn))


def read_family(path: str) -> Family:
    """Read a family from JSON or TOML. Raises `ModelError`."""
    with in_file(path):
        document = document_of(path, bytes_of(path, MAX_BYTES))
        if not isinstance(document, dict):
            raise ModelError("expected an object")
        return Family(document)


def _values(given: list[Number] | Grid, where: str) -> list[Fraction]:
    try:
        if not isinstance(given, Grid):
            return [parse_number(str(value)) for value in given]
        least, most, step = (parse_number(str(each)) for each in (given.least, given.most, given.step))
    except ModelError as error:
        raise error.within(where) from None
    if step <= 0 or least > most:
        raise ModelError("expected a positive step, and from at most to", where)
    if (most - least) / step >= _MOST_VALUES:
        raise ModelError(f"a parameter has at most {_MOST_VALUES:,} values", where)
    unit = lcm(least.denominator, step.denominator)
    first, wide = int(least * unit), int(step * unit)
    return [Fraction(first + wide * i, unit) for i in range((most - least) // step + 1)]


def values_text(point: Point) -> dict[str, str]:
    """Return the values of a member as texts."""
    return {name: text_of(value) for name, value in point.values.items()}


class NoQuotientError(ModelError):
    """An expression divides by zero."""


def filled(document: object, values: Mapping[str, Fraction], where: str = "") -> Any:
    """Return a document with every text that begins with `=` replaced by its number: an integer, or
    a text such as "3/4".

    >>> filled({"count": "= n", "row": ["= p", "= 1 - p"]}, {"n": Fraction(3), "p": Fraction(1, 4)})
    {'count': 3, 'row': ['1/4', '3/4']}

    Raises `ModelError` for anything that is no expression of the parameters, with its place.
    """
    if isinstance(document, dict):
        start = f"{where}." if where else ""
        return {key: filled(each, values, f"{start}{key}") for key, each in document.items()}
    if isinstance(document, list):
        return [filled(each, values, f"{where}[{k}]") for k, each in enumerate(document)]
    if isinstance(document, str) and document.startswith("="):
        try:
            number = evaluated(document[1:], values)
        except ModelError as error:
            raise error.at(where) from None
        return int(number) if number.denominator == 1 else text_of(number)
    return document


def evaluated(text: str, values: Mapping[str, Fraction], longest: int = LONGEST) -> Fraction:
    """Return the number that an expression stands for. Raises `ModelError`."""
    try:
        return _value(_read(text, longest), text.strip(), values)
    except (ValueError, RecursionError, MemoryError):
        raise _no_expression(text) from None
    except ZeroDivisionError:
        raise NoQuotientError(f"division by zero in {shown(text)}") from None


def expect_expression(text: str, longest: int = LONGEST) -> None:
    """Raise `ModelError` unless a text reads as an expression, whatever its names are.

    >>> expect_expression("2*p")
    """
    _read(text, longest)


def _read(text: str, longest: int) -> ast.expr:
    if len(text) > longest:
        raise ModelError(f"an expression has at most {longest} characters, found {len(text)}")
    try:
        return _parsed(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _no_expression(text) from None


def _no_expression(text: str) -> ModelError:
    return ModelError(f'expected an expression such as "= 1 - p", found {shown(text)}')


@lru_cache(maxsize=256)
def _parsed(source: str) -> ast.expr:
    if _WARNED.search(source):
        raise SyntaxError("Python would warn of it")
    return ast.parse(source, mode="eval").body


def _value(node: ast.expr, source: str, values: Mapping[str, Fraction]) -> Fraction:
    if isinstance(node, ast.Constant):
        return parse_number(ast.get_source_segment(source, node) or "")
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise ModelError(f"expected one of {', '.join(values)}, found {shown(node.id)}")
        return values[node.id]
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return Fraction(_UNARY[type(node.op)](_value(node.operand, source, values)))
    if isinstance(node, ast.BinOp):
        left, right = (_value(each, source, values) for each in (node.left, node.right))
        value = _combined(node.op, left, right)
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
            raise ModelError(f"a number has at most {_MOST_BITS} bits")
        return value
    if isinstance(node, ast.Call) and node.args and not node.keywords:
        return _called(node, [_value(argument, source, values) for argument in node.args])
    raise ModelError(f"expected numbers, parameters and + - * / // % **, found {shown(source)}")


def _called(node: ast.Call, values: list[Fraction]) -> Fraction:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in CALLED:
        raise ModelError("expected max or min, found another function")
    return CALLED[name](values)


def _combined(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    if isinstance(operator, ast.Pow):
        if right.denominator != 1 or not -_LARGEST_POWER <= right <= _LARGEST_POWER:
            exponent = brief(right)
            raise ModelError(f"expected a whole power of at most {_LARGEST_POWER}, found {exponent}")
        return Fraction(left ** int(right))
    if type(operator) not in _BINARY:
        raise ModelError("expected + - * / // % or **, found another operator")
    return Fraction(_BINARY[type(operator)](left, right))
