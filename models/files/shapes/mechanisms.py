"""The mechanism file, in one of six forms, and the files that ask for an optimal mechanism."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import (
    Discriminator,
    Field,
    PlainValidator,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from pufferproof.models.files.shapes.objects import Later, Number, Row, Shape, list_or_other, one_of, read_number, wrong
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import preview

# Queries of records, the noise on them, and the sample that a run draws.

NAMED = re.compile(r"\s*[^\W\d]")  # of a record: numbers begin otherwise

Scale = Annotated[
    object,
    WithJsonSchema(
        {
            "description": 'an exact number above 0, or text "c/log(N)" or "c/log(N/M)", such as "1/log(2)"',
            "anyOf": [{"type": "number"}, {"type": "string"}],
        }
    ),
]


class ScaleShape(Shape):
    """The scale b of a law proportional to exp(-|z| / b)."""

    scale: Scale


class RatioShape(Shape):
    """The ratio a of a law proportional to a^|z| on the integers."""

    ratio: Number


class SigmaShape(Shape):
    """The standard deviation of a Gaussian law."""

    sigma: Number


class LatticeShape(Shape):
    """The parameter of a discrete Gaussian law, exp(-z^2 / 2 sigma^2) at the integer z: sigma^2, or
    sigma.
    """

    sigma2: Number | None = None
    sigma: Number | None = None


class NoiseShape(Shape):
    """The law of noise that is added to every coordinate of a query: one of these."""

    laplace: ScaleShape | None = None
    geometric: RatioShape | None = None
    discrete_laplace: ScaleShape | None = None
    gaussian: SigmaShape | None = None
    discrete_gaussian: LatticeShape | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_law(cls, value: object) -> object:
        if not isinstance(value, Mapping) or len(value) != 1 or next(iter(value)) not in cls.model_fields:
            raise wrong(one_of(list(cls.model_fields), value))
        ((kind, law),) = value.items()
        if kind != "python" and not isinstance(law, Mapping):
            raise wrong(f'expected an object after "{kind}", found {shown(law)}')
        return value


class PlannedNoiseShape(NoiseShape):
    """The law of noise that is added to every coordinate of a query: one of these. `python` takes
    it from an object of a library, `module:name`, or from a function `module:name` without
    arguments that returns one.
    """

    python: StrictStr | None = None


def _law_or_each(value: object) -> str:
    """Tell a law of noise from one for every database, each a law with a known name."""
    laws = list(value.values()) if isinstance(value, Mapping) else []
    known = [
        isinstance(law, NoiseShape) or (isinstance(law, Mapping) and any(key in NoiseShape.model_fields for key in law))
        for law in laws
    ]
    return "@each" if laws and all(known) else "@other"


NoiseShapes = Annotated[
    Annotated[NoiseShape, Later, Tag("@other")]
    | Annotated[dict[StrictStr, Annotated[NoiseShape, Later]], Tag("@each")],
    Discriminator(_law_or_each),
]


class SampleShape(Shape):
    """How every run draws a sample of its own: each record with a probability, or so many."""

    poisson: Number | None = None
    fixed: StrictInt | None = None


class CountShape(Shape):
    """How many records have this value: all, or those chosen, by number or name."""

    count: StrictStr
    of: list[StrictInt | StrictStr] | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_value(cls, value: object) -> object:
        if value == "count":
            raise wrong('expected the value that is counted, such as {"count": "1"}')
        return value


class WeightsShape(Shape):
    """A row of weights for each number that is released, of records that are numbers: one for every
    record, or an object of weights by name, 0 for all others.
    """

    weights: Annotated[
        list[
            Annotated[
                Annotated[Row, Tag("@list")] | Annotated[dict[StrictStr, Number], Tag("@object")],
                Discriminator(lambda value: "@object" if isinstance(value, Mapping) else "@list"),
            ]
        ],
        Field(min_length=1),
    ]


def kind_of_query(value: object) -> str:
    keys = {*value} if isinstance(value, Mapping) else set()
    if isinstance(value, CountShape) or keys == {"count"} or value == "count":
        return "@count"
    if isinstance(value, Mapping) and keys == {"count", "of"}:  # or two databases of these names
        named = isinstance(value["of"], str) and NAMED.match(value["of"]) is not None
        numbers = isinstance(value["of"], list) == isinstance(value["count"], list)
        return "@table" if numbers and not named else "@count"
    if isinstance(value, WeightsShape) or (isinstance(value, Mapping) and [*value] == ["weights"]):
        return "@weights"
    return "@table" if isinstance(value, Mapping) else "@name"


Query = Annotated[
    Annotated[
        dict[
            StrictStr,
            Annotated[
                Annotated[Row, Tag("@list")] | Annotated[None, Tag("@none")] | Annotated[Number, Tag("@other")],
                Discriminator(lambda value: "@none" if value is None else list_or_other(value)),
            ],
        ],
        Tag("@table"),
    ]
    | Annotated[CountShape, Later, Tag("@count")]
    | Annotated[WeightsShape, Later, Tag("@weights")]
    | Annotated[Literal["sum", "mean", "histogram"], Tag("@name")],
    Discriminator(kind_of_query),
]


# The files of an optimal mechanism: what outputs cost, and kernels that make it compose.


class LossFile(Shape):
    """A loss: for every database what each output costs; smaller is better, negative numbers
    are gains.
    """

    format: Literal["pufferproof-loss/1"]
    outputs: list[StrictStr]
    loss: dict[StrictStr, Row]


class KernelShape(Shape):
    """A kernel from the law of the database given `pair[0]` to that given `pair[1]`, under
    `prior`: rows that sum to 1.
    """

    prior: StrictStr
    pair: Annotated[list[StrictStr], Field(min_length=2, max_length=2)]
    beta: dict[StrictStr, dict[StrictStr, Number]]


class KernelsFile(Shape):
    """Kernels for a composing condition, one for every prior and ordered pair of secrets."""

    format: Literal["pufferproof-kernels/1"]
    kernels: list[KernelShape]


Unread = Any  # numbers, or lists of them, which are read later because there may be millions
MECHANISM_FORMS = ("channel", "local", "redaction", "query", "hidden_markov", "show")


def _unread_rows(depth: int) -> WithJsonSchema:
    """Describe lists of numbers that are read later, because there may be millions."""
    schema: dict[str, object] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return WithJsonSchema(schema)


def _read_entry(value: object) -> Fraction | str:
    """Read a number; a text that is none is left to who knows the parameters."""
    try:
        return read_number(value)
    except PydanticCustomError:
        if isinstance(value, str) and NAMED.search(value):
            return value
        raise


Entry = Annotated[
    Fraction | str,
    PlainValidator(_read_entry),
    WithJsonSchema(
        {
            "description": 'an exact number, or a polynomial in parameters such as "(1 - p)/2"',
            "anyOf": [{"type": "number"}, {"type": "string"}],
        }
    ),
]


ByName = Annotated[
    Annotated[dict[StrictStr, Entry], Tag("@object")] | Annotated[list[Entry], Tag("@list")],
    Discriminator(lambda value: "@list" if isinstance(value, list) else "@object"),
]


class HiddenMarkovMechanismShape(Shape):
    """A hidden Markov model that starts in a state by the law of the database in `initial`, and
    shows words of `length` symbols, the outputs of the file.

    Rows are lists in the order of the states or symbols, or objects by name with the zeros left
    out. A state without a row in `transition` stays. With `parameters`, the least and the largest
    value of each, probabilities may be polynomials in them.
    """

    states: list[StrictStr]
    initial: dict[StrictStr, ByName]
    transition: dict[StrictStr, ByName] = Field(default_factory=dict)
    emission: dict[StrictStr, ByName]
    length: StrictInt
    parameters: dict[StrictStr, Annotated[Row, Field(min_length=2, max_length=2)]] | None = None


class MechanismFile(Shape):
    """A mechanism, in one of seven forms.

    `channel`: for every database a row of probabilities, in the order of the outputs. `local`, for
    sequences of records: for every record the rows of its own channel, in alphabet order; or by the
    name of a record its rows, in the order of its own values, and of all others nothing is shown.
    `show`: these records as they are, by name or number.
    `redaction`: for every record the probabilities that it is replaced by `*`, in alphabet order;
    its outputs are the values and `*`, and need not be named. `query` with `noise`: a number or a
    vector for every database, or the sum, mean or histogram of the records (of the `segment`
    [first, last], counting from 1), and the law of the noise on it, of every database its own if
    it is given by database; then the number may be `round`ed to integers (true) or to a grid, and
    `clamp`ed to [low, high], or shown from a `threshold` on (a database with null has none); with
    `sample` every run draws a sample of the records first. `hidden_markov`: a model whose first
    state depends on the database, and the length of the words of outputs that it shows. `bounds`:
    for every database the least and the largest value of each probability, as evidence has them of
    programs with irrational laws; `check` alone takes them.
    """

    format: Literal["pufferproof-mechanism/1"]
    outputs: list[StrictStr] | None = None
    channel: dict[StrictStr, Row] | None = None
    local: (
        Annotated[
            Annotated[list[Unread], Tag("@list"), _unread_rows(3)]
            | Annotated[dict[StrictStr, Annotated[list[Unread], _unread_rows(2)]], Tag("@other")],
            Discriminator(list_or_other),
        ]
        | None
    ) = None
    show: list[StrictInt | StrictStr] | None = None
    redaction: Annotated[list[Unread], _unread_rows(2)] | None = None
    query: Query | None = None
    noise: NoiseShapes | None = None
    round: StrictBool | Number | None = None
    clamp: Annotated[list[Number], Field(min_length=2, max_length=2)] | None = None
    threshold: Number | None = None
    segment: Annotated[list[StrictInt], Field(min_length=2, max_length=2)] | None = None
    sample: SampleShape | None = None
    hidden_markov: HiddenMarkovMechanismShape | None = None
    bounds: dict[StrictStr, Annotated[list[Unread], _unread_rows(2)]] | None = None

    @property
    def builtin(self) -> bool:
        """Whether the query is one of records, not a table: a table has two databases or more, as
        two secrets do, so that `{"count": VALUE}` is none.
        """
        return isinstance(self.query, str | CountShape)

    @property
    def of_chosen(self) -> bool:
        """Whether it shows something of chosen records alone."""
        return self.show is not None or isinstance(self.local, Mapping)

    @model_validator(mode="after")
    def _one_form(self) -> "MechanismFile":
        if self.bounds is not None:
            raise wrong(
                '"bounds" of probabilities are read by check alone, beside their certificate: '
                "audit the program that they are about"
            )
        given = [name for name in MECHANISM_FORMS if getattr(self, name) is not None]
        if (self.query is None) != (self.noise is None):
            alone = "noise" if self.query is None else "query"
            raise wrong(f'expected "query" and "noise" together, found "{alone}" alone')
        if len(given) != 1:
            names = preview(given, 20) or "none"
            raise wrong(f"expected one of {preview(MECHANISM_FORMS, 20)}, found {names}")
        if self.segment is not None and not self.builtin:
            raise wrong('"segment" needs a "query" that is one of "sum", "mean", "histogram", or {"count": VALUE}')
        if self.sample is not None and not self.builtin:
            raise wrong('"sample" needs a "query" that is "sum" or {"count": VALUE}')
        done = [key for key in ("round", "clamp", "threshold") if getattr(self, key) is not None]
        if self.sample is not None and done:
            raise wrong(f'"sample" needs noise that is shown as it is: leave out "{done[0]}"')
        for name in ("round", "clamp", "threshold"):
            if getattr(self, name) is not None and self.query is None:
                raise wrong(f'"{name}" needs "query" and "noise"')
        if self.threshold is None and isinstance(self.query, dict):
            missing = next((x for x, value in self.query.items() if value is None), None)
            if missing is not None:
                raise wrong(f'"query" has null for "{missing}", a database without the key: it needs "threshold"')
        if self.query is not None and self.outputs is not None:
            raise wrong('a query with noise has numbers as outputs: leave out "outputs"')
        if self.show is not None and self.outputs is not None:
            raise wrong('"show" has the values of records as outputs: leave out "outputs"')
        by_record = None if self.of_chosen else self.local
        if self.outputs is None and any((self.channel, by_record, self.hidden_markov)):
            raise wrong('missing key "outputs"')
        return self


class QueryFile(Shape):
    """A query of the databases: one of the built-in ones, or a number or list of numbers for
    every database.
    """

    format: Literal["pufferproof-query/1", "pufferproof-mechanism/1"] = "pufferproof-query/1"
    query: Query
    noise: object = None

    @model_validator(mode="before")
    @classmethod
    def _table_alone(cls, value: object) -> object:
        return {"query": value} if isinstance(value, Mapping) and "query" not in value else value


class UtilityFile(Shape):
    """What each candidate is worth for every database: candidate -> database -> number."""

    format: Literal["pufferproof-utility/1"] = "pufferproof-utility/1"
    utility: dict[StrictStr, dict[StrictStr, Number]]

    @model_validator(mode="before")
    @classmethod
    def _table_alone(cls, value: object) -> object:
        return {"utility": value} if isinstance(value, Mapping) and "utility" not in value else value
