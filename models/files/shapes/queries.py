"""Queries of records, the noise on them, and the sample that a run draws."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, StrictInt, StrictStr, Tag, WithJsonSchema, model_validator

from pufferproof.models.files.shapes.objects import Number, Row, Shape, list_or_other, one_of, wrong
from pufferproof.models.numbers.text import shown

NAMED = re.compile(r"\s*[^\W\d]")  # of a record: numbers begin otherwise

Scale = Annotated[
    Any,
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
    if isinstance(value, Mapping) and value and all(map(_is_law, value.values())):
        return "@each"
    return "@other"


def _is_law(value: object) -> bool:
    if isinstance(value, NoiseShape):
        return True
    return isinstance(value, Mapping) and any(key in NoiseShape.model_fields for key in value)


NoiseShapes = Annotated[
    Annotated[NoiseShape, Tag("@other")] | Annotated[dict[StrictStr, NoiseShape], Tag("@each")],
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


def _value_of_query(value: object) -> str:
    return "@none" if value is None else list_or_other(value)


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
                Discriminator(_value_of_query),
            ],
        ],
        Tag("@table"),
    ]
    | Annotated[CountShape, Tag("@count")]
    | Annotated[WeightsShape, Tag("@weights")]
    | Annotated[Literal["sum", "mean", "histogram"], Tag("@name")],
    Discriminator(kind_of_query),
]
