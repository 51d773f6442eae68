"""What all files are made of: exact numbers, objects without unknown keys, and records."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    StrictInt,
    StrictStr,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import did_you_mean, in_json, quoted
from pufferproof.models.priors.records import MAX_PEOPLE, Records, preview

_KIND = re.compile(r"pufferproof-([a-z]+)/[0-9]+")
_CALLED = {"release": "plan of releases", "kernels": "file of kernels"}
_ORDER = {"framework": ": FRAMEWORK comes first", "mechanism": ": FRAMEWORK comes first"}
_SHORT = 20  # characters of a number that is likely to occur again


def read_number(value: object) -> Fraction:
    try:
        if not isinstance(value, str | int):
            raise ModelError(f'expected a number such as "3/4", "0.25" or 1, found {in_json(value)}')
        return _known_number(value) if isinstance(value, str) and len(value) <= _SHORT else exact(value)
    except ModelError as error:
        raise PydanticCustomError("number", "{what}", {"what": error.what}) from None


_known_number = lru_cache(maxsize=1_000)(exact)


Number = Annotated[
    Fraction,
    PlainValidator(read_number),
    WithJsonSchema(
        {
            "description": "an exact number: an integer, a decimal (0.25 is 1/4), or text such as "
            '"3/4", "0.25", "1e-3"',
            "anyOf": [
                {"type": "number"},
                {"type": "string", "pattern": r"^-?[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)$"},
            ],
        }
    ),
]


Row = list[Number]


class Shape(BaseModel):
    """A JSON object without unknown keys.

    The first mistake ends the reading: pydantic would collect an error of a kB for each item of a
    list of millions.
    """

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        _fail_fast(schema)
        return schema

    @model_validator(mode="before")
    @classmethod
    def _of_known_keys(cls, value: object) -> object:
        if isinstance(value, dict) and not value.keys() <= (keys := keys_of(cls)):
            unknown = next(key for key in value if key not in keys)
            missing = sorted(keys - value.keys())
            hint = did_you_mean(unknown, missing)
            if not hint and missing:
                hint = f", expected {preview(missing, 8)}"
            raise wrong(f"unknown key {quoted(unknown)}{hint}")
        return value

    @model_validator(mode="before")
    @classmethod
    def _of_its_kind(cls, value: object) -> object:
        if isinstance(value, dict) and "format" in cls.model_fields:
            wanted = _KIND.findall(str(cls.model_fields["format"].annotation))
            kind = _KIND.match(str(value.get("format")))
            if kind and kind[1] not in wanted:
                hint = _ORDER.get(wanted[0], "")
                given, asked = (_CALLED.get(each, each) for each in (kind[1], wanted[0]))
                raise wrong(f"is a {given}, expected a {asked}{hint}")
        return value


class Later:
    """Has a form of a file made ready when a file has it: of a file that can have many forms, the others cost
    nothing.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        # the mistakes that it finds keep their places in the file
        return core_schema.no_info_plain_validator_function(source.model_validate)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        source: type[BaseModel] = schema["function"]["function"].__self__
        source.model_rebuild()
        name = f"{source.__module__}.{source.__qualname__}:{id(source)}"  # pydantic leaves it out of some
        whole: Any = {"ref": name, **source.__pydantic_core_schema__}
        return handler(core_schema.definitions_schema(core_schema.definition_reference_schema(whole["ref"]), [whole]))


@cache
def keys_of(shape: type[Shape]) -> frozenset[str]:
    """Return the keys that an object of a shape may have."""
    return frozenset(field.alias or name for name, field in shape.model_fields.items())


def _fail_fast(schema: object) -> None:
    """Have lists and objects of a schema of pydantic's core end at their first mistake."""
    if isinstance(schema, dict):
        if schema.get("type") in ("list", "dict"):
            schema["fail_fast"] = True
        for key, part in schema.items():
            if key not in ("metadata", "default"):
                _fail_fast(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            _fail_fast(part)


def list_or_other(value: object) -> str:
    return "@list" if isinstance(value, list) else "@other"


def one_of(known: Sequence[str], value: object) -> str:
    """Return the error for what is no object with one of the known keys alone."""
    several = isinstance(value, Mapping) and len(value) > 1
    said = f"expected {'only ' if several else ''}one of {preview(known, 20)}"
    if not isinstance(value, Mapping):
        return f"{said}, as the key of an object, found {in_json(value)}"
    hint = did_you_mean(next(iter(value)), known) if len(value) == 1 else ""
    return f"{said}, found {preview(list(value)) or 'none'}{hint}"


def wrong(what: str) -> PydanticCustomError:
    return PydanticCustomError("shape", "{what}", {"what": what})


# The records of a framework, and secrets about one of them.

MOST_PLANNED = 100_000  # records of a plan, each of them a secret


People = Annotated[StrictInt, Field(ge=1, le=MAX_PEOPLE)]


class RecordsShape(Shape):
    """Databases that are sequences of `count` records over `alphabet`; of gaussian priors records
    are numbers, without an alphabet.

    Records may have `names`, and each its own `values`, by name; `from` takes both from a file of a
    Bayesian network beside this one. Then `count` and `alphabet` may be left out.
    """

    count: StrictInt = 0
    alphabet: list[StrictStr] = Field(default_factory=list)
    names: list[StrictStr] | None = None
    values: dict[StrictStr, list[StrictStr]] | None = None
    source: StrictStr | None = Field(default=None, alias="from")

    @model_validator(mode="after")
    def _counted(self) -> "RecordsShape":
        given = sorted(key for key in self.model_fields_set if key != "source")
        if self.source is not None and given:
            raise wrong(f'"from" takes names and values from a file: leave out "{given[0]}"')
        if self.values is not None and "alphabet" in given:
            raise wrong('"values" has those of every record: leave out "alphabet"')
        if self.source is None and self.names is None and self.values is None:
            if "count" not in given:
                raise wrong('missing key "count"')
        elif self.source is None:
            self._named(stated="count" in given)
        return self

    def _named(self, stated: bool) -> None:
        """Set the number of records and their alphabet, which follow from names and values."""
        if self.values is not None:
            try:
                records = Records.named(self.values, self.names)
            except ModelError as error:
                raise wrong(str(error)) from None
            self.take(records, stated)
        elif not stated:
            self.count = len(self.names or ())

    def take(self, records: Records, stated: bool = False) -> None:
        """Take names and values of records."""
        if stated and self.count != records.count:
            raise wrong(f"expected {self.count} names, one for every record, found {records.count}")
        self.count, self.alphabet = records.count, list(records.alphabet)
        self.names = list(records.names or ())
        self.values = dict(zip(self.names, map(list, records.values or ())))

    def records(self, people: int = 1) -> Records:
        """Return the records. Raises `ModelError` unless names and values are different."""
        names = None if self.names is None else tuple(self.names)
        own = None if self.values is None else tuple(tuple(self.values[k]) for k in names or ())
        return Records(self.count, tuple(self.alphabet), people, names=names, values=own)


class OfRecord(Shape):
    """What is said of one record, by its number from 1 or its name."""

    record: StrictInt | StrictStr

    @property
    def number(self) -> int:
        """The number of the record, which a name is replaced by once the file is read."""
        if isinstance(self.record, str):
            raise ModelError("expected a framework that is read from a file", "record")
        return self.record


class RecordSecret(OfRecord):
    """The secret that record `record`, a number from 1 or a name, has `value`."""

    value: StrictStr


class WindowSecret(OfRecord):
    """The secret that record `record`, a number from 1 or a name, of a gaussian prior lies
    `between` two numbers.
    """

    between: Annotated[Row, Field(min_length=2, max_length=2)]


class PointSecret(OfRecord):
    """The secret that record `record`, a number from 1 or a name, of a gaussian prior without a box
    is `at` a number.
    """

    at: Number


def kind_of_secret(value: object) -> str:
    if isinstance(value, Mapping) and "between" in value:
        return "@window"
    if isinstance(value, Mapping) and "at" in value:
        return "@point"
    return "@list" if isinstance(value, list) else "@other"
