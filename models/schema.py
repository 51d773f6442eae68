"""The shape of the files people write, as pydantic models: the source of the published JSON Schemas.

These models say which keys and types a file has. What the numbers mean (laws, rows, disjoint pairs) is checked where the
objects are made, so that Python callers and files are held to the same rules.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    StrictInt,
    StrictStr,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers import exact, shown

FRAMEWORK_FORMAT = "pufferproof-framework/1"
MECHANISM_FORMAT = "pufferproof-mechanism/1"
_PRIORS = ("table", "product", "markov")
_LATER_PRIORS = ("bayes_net", "hidden_markov", "hmm", "gaussian", "truncated_gaussian")
_LATER_MARKOV = ("transition_lower", "transition_upper")
_LATER_MECHANISMS = ("query", "noise", "local", "redaction")


def _read_number(value: Any) -> Fraction:
    try:
        if not isinstance(value, str | int):
            raise ModelError(f'expected a number such as "3/4", "0.25" or 1, found {shown(value)}')
        return exact(value)
    except ModelError as error:
        raise PydanticCustomError("number", "{what}", {"what": error.what}) from None


Number = Annotated[
    Fraction,
    PlainValidator(_read_number),
    WithJsonSchema(
        {
            "description": 'an exact number: an integer, a decimal (0.25 is 1/4), or text such as "3/4", "0.25", "1e-3"',
            "anyOf": [
                {"type": "number"},
                {"type": "string", "pattern": r"^-?[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)$"},
            ],
        }
    ),
]
Row = list[Number]


class Shape(BaseModel):
    """A JSON object without unknown keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RecordsShape(Shape):
    """Databases that are sequences of `count` records over `alphabet`."""

    count: StrictInt
    alphabet: list[StrictStr]


class RecordSecret(Shape):
    """The secret that record `record` (from 1) has `value`."""

    record: StrictInt
    value: StrictStr


def _list_or_other(value: Any) -> str:
    return "@list" if isinstance(value, list) else "@other"


class MarkovShape(Shape):
    """A homogeneous Markov chain over the records: the law of the first record, or "stationary", and the transitions."""

    initial: Annotated[
        Annotated[Row, Tag("@list")] | Annotated[Literal["stationary"], Tag("@other")], Discriminator(_list_or_other)
    ]
    transition: list[Row]


class TablePrior(Shape):
    """Any law: database -> probability, 0 where left out."""

    table: dict[StrictStr, Number]


class ProductPrior(Shape):
    """Independent records: one probability row per record."""

    product: list[Row]


class MarkovPrior(Shape):
    """A Markov chain over the records."""

    markov: MarkovShape


def _known_prior(value: Any) -> Any:
    if not isinstance(value, Mapping) or len(value) != 1:
        found = f"keys {shown(list(value))}" if isinstance(value, Mapping) else shown(value)
        raise _wrong(f"expected one of {list(_PRIORS)}, found {found}")
    ((kind, shape),) = value.items()
    if kind in _LATER_PRIORS:
        raise _wrong(f'a "{kind}" prior is not supported yet, expected one of {list(_PRIORS)}')
    if kind not in _PRIORS:
        raise _wrong(f'unknown key "{kind}", expected one of {list(_PRIORS)}')
    if kind == "markov" and isinstance(shape, Mapping):
        if any(key in shape for key in _LATER_MARKOV):
            raise _wrong('a box of Markov chains ("transition_lower") is not supported yet, expected "transition"')
        if shape.get("initial") == "any":
            raise _wrong('"initial": "any" is not supported yet, expected a list or "stationary"')
    return value


Prior = Annotated[
    Annotated[
        Annotated[TablePrior, Tag("@table")]
        | Annotated[ProductPrior, Tag("@product")]
        | Annotated[MarkovPrior, Tag("@markov")],
        Discriminator(lambda value: f"@{next(iter(value))}"),
    ],
    BeforeValidator(_known_prior),
]


class FrameworkFile(Shape):
    """A Pufferfish framework: databases, secrets, pairs that must stay indistinguishable, and priors."""

    format: Literal["pufferproof-framework/1"]
    databases: list[StrictStr] | None = None
    records: RecordsShape | None = None
    secrets: dict[
        StrictStr,
        Annotated[
            Annotated[list[StrictStr], Tag("@list")] | Annotated[RecordSecret, Tag("@other")],
            Discriminator(_list_or_other),
        ],
    ]
    pairs: Annotated[
        Annotated[list[Annotated[list[StrictStr], Field(min_length=2, max_length=2)]], Tag("@list")]
        | Annotated[Literal["disjoint"], Tag("@other")],
        Discriminator(_list_or_other),
    ]
    priors: dict[StrictStr, Prior]
    closure: Literal["list", "convex"] = "list"

    @model_validator(mode="after")
    def _one_database_space(self) -> "FrameworkFile":
        if (self.databases is None) == (self.records is None):
            raise _wrong('expected either "databases" or "records"')
        return self


class MechanismFile(Shape):
    """A mechanism with finitely many outputs: for every database a row of probabilities, in the order of the outputs."""

    format: Literal["pufferproof-mechanism/1"]
    outputs: list[StrictStr]
    channel: dict[StrictStr, Row]

    @model_validator(mode="before")
    @classmethod
    def _supported(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            for key in _LATER_MECHANISMS:
                if key in value:
                    raise _wrong(f'a mechanism given by "{key}" is not supported yet, expected "channel"')
        return value


class LossFile(Shape):
    """A loss: for every database what each output costs; smaller is better, negative numbers are gains."""

    format: Literal["pufferproof-loss/1"]
    outputs: list[StrictStr]
    loss: dict[StrictStr, Row]


class KernelShape(Shape):
    """A kernel from the law of the database given `pair[0]` to that given `pair[1]`, under `prior`: rows that sum to 1."""

    prior: StrictStr
    pair: Annotated[list[StrictStr], Field(min_length=2, max_length=2)]
    beta: dict[StrictStr, dict[StrictStr, Number]]


class KernelsFile(Shape):
    """Kernels for a composing condition, one for every prior and ordered pair of secrets."""

    format: Literal["pufferproof-kernels/1"]
    kernels: list[KernelShape]


def _wrong(what: str) -> PydanticCustomError:
    return PydanticCustomError("shape", "{what}", {"what": what})
