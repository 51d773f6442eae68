"""What all files are made of: exact numbers, and objects without unknown keys."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import did_you_mean, in_json, quoted
from pufferproof.models.priors.records import preview

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


@lru_cache(maxsize=1_000)
def _known_number(text: str) -> Fraction:
    return exact(text)


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
