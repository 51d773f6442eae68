"""Reading queries and utilities from files: what `calibrate` adds noise to, or chooses by.

A query file is a mechanism file with `"query"` (its noise is not read), an object with `"query"`
alone, or the table itself: database -> number, or a list of numbers. A name ("sum", "mean",
"histogram") may stand for a table, and `{"count": v}` for how many records have the value v. A
utility file has "utility", or is the table itself: candidate -> database -> number.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import StrictStr, model_validator

from pufferproof.models.files.reading import Loaded, read_loaded
from pufferproof.models.files.shapes import CountShape, Number, Query, Shape, WeightsShape
from pufferproof.models.numbers.text import JsonObject


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


def read_query(path: str | Path) -> Loaded[str | JsonObject | CountShape | WeightsShape]:
    """Read a built-in query's name, a table, the value that is counted, or weights.

    Raises `ModelError` naming file and place unless the file is a query.
    """
    loaded = read_loaded(path, QueryFile)
    return loaded.holding(loaded.value.query)


class UtilityFile(Shape):
    """What each candidate is worth for every database: candidate -> database -> number."""

    format: Literal["pufferproof-utility/1"] = "pufferproof-utility/1"
    utility: dict[StrictStr, dict[StrictStr, Number]]

    @model_validator(mode="before")
    @classmethod
    def _table_alone(cls, value: object) -> object:
        return {"utility": value} if isinstance(value, Mapping) and "utility" not in value else value


def read_utility(path: str | Path) -> Loaded[dict[str, JsonObject]]:
    """Read the utilities of candidates. Raises `ModelError` naming file and place unless the file
    has them.
    """
    loaded = read_loaded(path, UtilityFile)
    return loaded.holding(loaded.value.utility)
