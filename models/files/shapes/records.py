"""The records of a framework, and secrets about one of them."""

from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import Field, StrictInt, StrictStr, model_validator

from pufferproof.models.errors import ModelError
from pufferproof.models.files.shapes.objects import Number, Row, Shape, wrong
from pufferproof.models.priors.records import MAX_PEOPLE, Records

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
            self.take(_expected(lambda: Records.named(self.values or {}, self.names)), stated)
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


def _expected(make: Callable[[], Records]) -> Records:
    """Return what is made, with the error of a shape for one of a model."""
    try:
        return make()
    except ModelError as error:
        raise wrong(str(error)) from None


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
