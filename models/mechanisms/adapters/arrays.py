"""Tables of NumPy, SciPy (sparse) and pandas as channels and priors: their numbers, exactly.

A float is its exact binary value, so that rows mostly miss 1 by a rounding: `normalize=True`
divides them by their sums.
"""

from collections.abc import Sequence
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.library import unsupported
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.priors.tables import Table

_TABLES = ["DataFrame of a row per database and a column per output"]
_PRIORS = [
    "Series of a probability per database",
    "square DataFrame of transitions, its index and columns the values of a record",
]


def channel_of_frame(frame: Any, normalize: bool) -> Channel:
    """Return a DataFrame as a channel: its index are the databases, its columns the outputs."""
    if type(frame).__name__ != "DataFrame":
        raise unsupported(f"a pandas {type(frame).__name__}", _TABLES, "mechanism")
    return Channel.from_array(
        _values(frame), _labels(frame.index), _labels(frame.columns), normalize
    )


def channel_of_array(array: Any, databases: object, normalize: bool) -> Channel:
    """Return a matrix as a channel; outputs are called "0", "1", ..."""
    if isinstance(databases, Records):
        databases = databases.labels()
    if not isinstance(databases, Sequence) or isinstance(databases, str):
        raise ModelError(
            f"expected the databases of the rows of a matrix, a list of texts or Records, found "
            f"{shown(databases)}",
            "inputs",
        )
    if getattr(array, "mask", None) is not None and array.mask.any():
        raise ModelError("expected an array without masked entries", "mechanism")
    matrix = array.toarray() if hasattr(array, "toarray") else array
    return Channel.from_array(matrix, databases, None, normalize)


def prior_of(
    table: Any, normalize: bool, order: Sequence[object] | None = None
) -> Table | MarkovChain:
    """Return a Series as the law of the database, a square DataFrame as a stationary Markov chain,
    whose values are in the order of the alphabet.
    """
    kind = type(table).__name__
    if kind == "Series" and order is None:
        labels = _distinct(_labels(table.index))
        return Table(dict(zip(labels, _values(table))), normalize)
    if kind == "DataFrame" and _labels(table.index) == _labels(table.columns):
        return MarkovChain("stationary", _in_order(table, order), normalize)
    raise unsupported(f"a pandas {kind} of shape {shown(table.shape)}", _PRIORS, "prior")


def _in_order(table: Any, order: Sequence[object] | None) -> list[list[object]]:
    """Return a square table's rows in the order of the alphabet, labels 0, 1, .. put in."""
    labels, rows = _distinct(_labels(table.index)), _values(table)
    wanted = (
        [str(place) for place in range(len(labels))] if order is None else list(map(str, order))
    )
    if order is None and labels != wanted:
        raise ModelError(
            f"expected the labels {shown(labels)} in the order of the alphabet of the records: "
            "order=[..]",
            "order",
        )
    if sorted(wanted) != sorted(labels):
        raise ModelError(f"expected the labels {shown(labels)}, found {shown(wanted)}", "order")
    places = [labels.index(label) for label in wanted]
    return [[rows[one][other] for other in places] for one in places]


def _distinct(labels: list[str]) -> list[str]:
    if len(set(labels)) < len(labels):
        raise ModelError(f"expected labels that differ as texts, found {shown(labels)}", "prior")
    return labels


def _values(table: Any) -> list[Any]:
    return list(table.to_numpy().tolist())


def _labels(index: Any) -> list[str]:
    """Return labels as texts; those of several levels are joined as values of records are."""
    rows = index.tolist()
    if not any(isinstance(row, tuple) for row in rows):
        return [str(row) for row in rows]
    texts = [[str(value) for value in row] for row in rows]
    between = separator([value for row in texts for value in row])
    return [between.join(row) for row in texts]
