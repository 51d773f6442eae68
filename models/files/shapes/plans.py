"""The file of planned releases, and the data that a chain is fitted to."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, StrictInt, StrictStr, Tag, model_validator

from pufferproof.models.errors import ModelError
from pufferproof.models.files.shapes.mechanisms import CountShape, PlannedNoiseShape, kind_of_query
from pufferproof.models.files.shapes.objects import MOST_PLANNED, Number, People, Shape, list_or_other, wrong
from pufferproof.models.numbers.text import did_you_mean, quoted
from pufferproof.models.priors.records import preview

_STEP = re.compile(r"(?:(\d{1,6}) )?(second|minute|hour|day|week)s?", re.ASCII)
_FRESH = re.compile("fresh|sampl|redraw", re.IGNORECASE)


class PlanShape(Shape):
    """A part of a plan, all of whose releases are of one database: keys that ask for a fresh sample
    are refused by name.
    """

    @model_validator(mode="before")
    @classmethod
    def _drawn_once(cls, given: object) -> object:
        for key, value in given.items() if isinstance(given, Mapping) else ():
            asks = value == "fresh" or _FRESH.search(str(key)) is not None
            if asks and key not in cls.model_fields:
                raise wrong(
                    f"{quoted(key)} asks for a fresh sample for every release, which is not "
                    "supported: the database, with any sample that the prior draws, is drawn once, "
                    "and all releases share it; leave the key out"
                )
        return given


class WindowsShape(PlanShape):
    """Windows of `length` records, `every` so many records, `times` of them; the first begins at
    record `first`.
    """

    first: StrictInt = 1
    length: StrictInt | None = None
    every: StrictInt | None = None
    times: StrictInt = 1


class PlannedShape(PlanShape):
    """What is released with fresh draws, of all records once, or of windows of them: a query with
    noise, or a `mechanism`, a file or `module:function`, of the records of a window.
    """

    query: (
        Annotated[
            Annotated[CountShape, Tag("@count")] | Annotated[Literal["sum", "mean", "histogram"], Tag("@name")],
            Discriminator(kind_of_query),
        ]
        | None
    ) = None
    noise: PlannedNoiseShape | None = None
    mechanism: StrictStr | None = None
    records: WindowsShape | None = None

    @model_validator(mode="after")
    def _query_or_mechanism(self) -> "PlannedShape":
        if (self.query is None) == (self.mechanism is None):
            raise wrong('expected either "query" with "noise", or "mechanism"')
        if (self.query is None) != (self.noise is None):
            raise wrong('"query" and "noise" go together: expected both, or "mechanism" alone')
        return self


class DataShape(PlanShape):
    """Recorded data from which the chain is fitted: a column of a CSV or Parquet file, a sequence
    for every value of `group`; `cuts` are limits between classes of a number, `length` how many
    records are released, as many as the longest sequence has if left out, and of how many `people`;
    `private` are the records that are secret, all if left out; `confidence` such as "95%" asks for
    a box of chains; `smoothing` is added to every count; `time` names a column of times, which must
    go forward in equal steps, unless `missing` is "split", and `absorbing` the values that nothing
    can follow, `never` pairs of values of which the second never follows the first. `stopping` says
    how recordings ended, `kinds` which priors hold all groups, `thin` what to do with groups
    that have no chain of their own. `classes` are as many of about equal
    size, or those between limits, named by them; `separator` and `decimal` say how text is read,
    `sheet` which sheet of a workbook, `na` which texts mean missing beside empty cells.
    """

    csv: StrictStr
    column: StrictStr | None = None
    group: StrictStr | None = None
    cuts: list[Number] | None = None
    classes: StrictInt | StrictStr | list[Number] | None = None
    missing: Literal["refuse", "split"] = "refuse"
    separator: StrictStr | None = None
    decimal: Literal[".", ","] = "."
    sheet: StrictStr | None = None
    na: list[StrictStr] | None = None
    length: Annotated[StrictInt, Field(ge=1, le=MOST_PLANNED)] | None = None
    people: People = 1
    private: Annotated[list[StrictInt], Field(min_length=1)] | None = None
    confidence: StrictStr | None = None
    stopping: Literal["fixed", "any"] | None = None
    kinds: StrictInt | StrictStr = "pooled"
    thin: Literal["pooled", "out"] | None = None
    smoothing: Number = Fraction(0)
    time: StrictStr | None = None
    absorbing: list[StrictStr] = Field(default_factory=list)
    never: list[tuple[StrictStr, StrictStr]] = Field(default_factory=list)


def _shows(text: str) -> str:
    """Return a text of which every sign shows, on one line."""
    if not text.strip():
        raise wrong("expected a word, found " + ("spaces alone" if text else "an empty text"))
    hidden = next((sign for sign in text if not sign.isprintable()), None)
    if hidden is not None:
        raise wrong(
            f"expected text on one line, found the character U+{ord(hidden):04X}, which does not show: leave it out"
        )
    return text


Moment = Annotated[  # a date of TOML is written as text
    StrictStr, BeforeValidator(lambda given: given.isoformat() if isinstance(given, date) else given)
]
Shown = Annotated[StrictStr, AfterValidator(_shows)]
Word = Annotated[Shown, Field(min_length=1, max_length=60)]
Name = Annotated[
    Annotated[list[Word], Field(min_length=2, max_length=2), Tag("@list")] | Annotated[Word, Tag("@other")],
    Discriminator(list_or_other),
]


class WordsShape(Shape):
    """What things are called on pages: a record, a person and a release, each as a word or as two,
    singular and plural; values by name; a title; who made the plan; the time at which the first
    record begins, and the step from one record to the next, such as "30 minutes".
    """

    record: Name | None = None
    person: Name | None = None
    release: Name | None = None
    values: dict[StrictStr, Word] = Field(default_factory=dict)
    title: Annotated[Shown, Field(min_length=1, max_length=120)] | None = None
    author: Annotated[Shown, Field(min_length=1, max_length=120)] | None = None
    begins: Moment | None = None
    step: StrictStr | None = None

    @model_validator(mode="after")
    def _times(self) -> "WordsShape":
        if (self.begins is None) != (self.step is None):
            raise wrong('"begins" and "step" go together: expected both, or neither')
        if self.begins is not None:
            try:
                zone = datetime.fromisoformat(self.begins).tzinfo
            except ValueError:
                raise wrong(
                    f"expected begins such as 2026-01-05 or 2026-01-05 00:30, found {quoted(self.begins)}"
                ) from None
            if zone is not None:
                raise wrong(
                    f"expected begins without a time zone, found {quoted(self.begins)}: give the "
                    "time that the clock on the wall shows"
                )
        if self.step is not None and _STEP.fullmatch(self.step) is None:
            raise wrong(f'expected step such as "30 minutes", "hour" or "7 days", found {quoted(self.step)}')
        if self.step is not None and timedelta(0) == self._length:
            raise wrong(f"expected step above 0, found {quoted(self.step)}")
        return self

    def expect_about(self, alphabet: Sequence[str], count: int) -> None:
        """Raise `ModelError` unless these are words about records of such values, each with a name
        of its own, and the calendar has a time for every record.
        """
        for label, name in self.values.items():
            if label not in alphabet:
                raise ModelError(
                    f"{quoted(label)} is no value of the records, expected {preview(alphabet)}"
                    f"{did_you_mean(label, alphabet)}",
                    "values",
                )
            if name != label and name in alphabet:
                raise ModelError(
                    f"{quoted(label)} is called {quoted(name)}, which is another value of the "
                    "records: expected another name",
                    "values",
                )
        named = {name: label for label, name in self.values.items()}
        for label, name in self.values.items():
            if named[name] != label:
                raise ModelError(
                    f"{quoted(label)} and {quoted(named[name])} are both called {quoted(name)}: "
                    "expected a name for each",
                    "values",
                )
        if self.begins is not None and self.at(count) is None:
            raise ModelError(
                f"the calendar ends with the year 9999, before record {count}: expected an earlier "
                "begins, or a shorter step",
                "begins",
            )

    @property
    def _length(self) -> timedelta | None:
        """The step, None if it is none or too long."""
        found = _STEP.fullmatch(self.step or "")
        try:
            return None if found is None else timedelta(**{f"{found[2]}s": int(found[1] or 1)})
        except OverflowError:
            return None

    @property
    def step_words(self) -> str:
        """The step in words: `30 minutes`, `1 hour`."""
        found = _STEP.fullmatch(self.step or "")
        if found is None:
            return ""
        number = int(found[1] or 1)
        return f"{number} {found[2]}{'s' * (number != 1)}"

    def at(self, steps: int) -> datetime | None:
        """Return the time at which a record begins, that many steps after the first one; None if no
        times are given, or the calendar ends before.
        """
        length = self._length
        if self.begins is None or length is None:
            return None
        try:
            return datetime.fromisoformat(self.begins) + steps * length
        except OverflowError:
            return None


class PlanFile(PlanShape):
    """Releases over time: the framework, in a file beside this one, or data that it is fitted to;
    what is released; the level that all releases together should keep; and what things are called.
    """

    format: Literal["pufferproof-release/1"]
    framework: StrictStr | None = None
    data: DataShape | None = None
    budget: StrictStr | None = None
    words: WordsShape | None = None
    release: Annotated[list[PlannedShape], Field(min_length=1)]

    @model_validator(mode="after")
    def _framework_or_data(self) -> "PlanFile":
        if (self.framework is None) == (self.data is None):
            raise wrong('expected either "framework" or "data"')
        return self
