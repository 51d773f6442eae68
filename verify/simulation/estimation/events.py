"""Events of outputs: a set of labels, or a union of intervals of a number that the output has.

An interval [low, high) has its lower end and not its upper one, but for infinity. Of vectors the
number is a coordinate, the largest one, its place, or the sum. An event is fixed before the samples
are drawn on which its probability is estimated; how it was found matters for power alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.simulation.estimation.outputs import DrawnNumbers, Labels, Outputs, Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pufferproof.verify.simulation.estimation.outputs import Array

Interval = tuple[float, float]
_MOST_COORDINATES = 8
_SHOWN = 6


@dataclass(frozen=True)
class Form:
    """A linear form of vectors: the sum of `terms`, each a coordinate from 1 and its factor, added
    in their order.

    >>> import numpy as np
    >>> Form(((1, -1.0), (2, 1.0))).of(np.array([[9.0, 0.0], [9.0, 0.5]])).tolist()
    [-9.0, -8.5]
    """

    terms: tuple[tuple[int, float], ...]

    @property
    def plain(self) -> bool:
        """Whether it is a coordinate."""
        return len(self.terms) == 1 and self.terms[0][1] == 1

    def of(self, rows: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return it of every row, 0 where infinities cancel. Raises `ModelError` for rows that are
        shorter.
        """
        import numpy as np

        if rows.shape[1] < max(place for place, _ in self.terms):
            raise ModelError(f"a list of {rows.shape[1]} numbers, expected longer ones as before")
        (place, factor), *others = self.terms
        with np.errstate(invalid="ignore", over="ignore"):
            total: NDArray[np.float64] = rows[:, place - 1] * factor
            for place, factor in others:
                total = total + rows[:, place - 1] * factor
        return np.nan_to_num(total, nan=0.0, posinf=np.inf, neginf=-np.inf)

    def as_json(self) -> JsonObject:
        """Return it as files have it."""
        return {"form": [[place, repr(factor)] for place, factor in self.terms]}

    def __str__(self) -> str:
        if self.plain:
            return f"coordinate {self.terms[0][0]}"
        names = [f"{factor:.4g} times coordinate {place}" for place, factor in self.terms]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return f"sum of {', '.join(names[:_SHOWN])}{more}"


@dataclass(frozen=True)
class Score:
    """A number of vectors: the sum of weights of linear forms, each by the cell that it is in.

    `tables` has a form, where its cells end, and their weights.

    >>> import numpy as np
    >>> score = Score(((Form(((2, 1.0),)), (0.5,), (-1.0, 3.0)),))
    >>> score.of(np.array([[9.0, 0.0], [9.0, 0.5]])).tolist()
    [-1.0, 3.0]
    """

    tables: tuple[tuple[Form, tuple[float, ...], tuple[float, ...]], ...]

    def of(self, rows: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return it of every row. Raises `ModelError` for rows that are shorter."""
        import numpy as np

        total = np.zeros(len(rows))
        for form, cuts, weights in self.tables:
            total += np.array(weights)[np.searchsorted(cuts, form.of(rows), side="right")]
        return total

    def as_json(self) -> list[JsonObject]:
        """Return it as files have it."""
        return [
            form.as_json() | {"cuts": list(map(repr, cuts)), "weights": list(weights)}
            for form, cuts, weights in self.tables
        ]

    def __str__(self) -> str:
        names = [str(form) for form, _, _ in self.tables]
        plain = all(form.plain for form, _, _ in self.tables)
        names = [name.removeprefix("coordinate ") for name in names] if plain else names
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return f"score of {'coordinates ' if plain else ''}{', '.join(names[:_SHOWN])}{more}"


Feature = str | Form | Score


@dataclass(frozen=True)
class LabelEvent:
    """The output is one of `labels`, or is none of them if `others`."""

    labels: frozenset[str]
    others: bool = False

    def count(self, outputs: Outputs) -> int:
        """Return in how many runs it happened. Raises `ModelError` for numbers."""
        if isinstance(outputs, Vectors):
            outputs = outputs.labelled()
        if isinstance(outputs, DrawnNumbers):
            raise ModelError("outputs are numbers, expected others as before")
        inside = sum(outputs.counts[label] for label in self.labels)
        return outputs.count - inside if self.others else inside

    def as_json(self) -> JsonObject:
        """Return it as files have it."""
        return {"outputs": sorted(self.labels)} | ({"complement": True} if self.others else {})

    def __str__(self) -> str:
        names = [f'"{label}"' for label in sorted(self.labels)]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        listed = ", ".join(names[:_SHOWN]) + more
        if self.others:
            return f"the output is none of {listed}"
        return f"the output is {listed}" if len(names) == 1 else f"the output is one of {listed}"


@dataclass(frozen=True)
class NumberEvent:
    """A number that the output has is in one of the intervals, which are in order and disjoint."""

    intervals: tuple[Interval, ...]
    feature: Feature = "output"

    def count(self, outputs: Outputs) -> int:
        """Return in how many runs it happened. Raises `ModelError` for labels."""
        import numpy as np

        values, total = feature_of(outputs, self.feature), 0
        if len(self.intervals) > 4:
            ends = np.array([e for interval in self.intervals for e in interval if e != math.inf])
            return int(np.count_nonzero(np.searchsorted(ends, values, side="right") & 1))
        for low, high in self.intervals:
            total += len(values) if low == -math.inf else int(np.count_nonzero(values >= low))
            total -= 0 if high == math.inf else int(np.count_nonzero(values >= high))
        return total

    def as_json(self) -> JsonObject:
        """Return it as files have it."""
        return {
            "number": self.feature if isinstance(self.feature, str) else self.feature.as_json(),
            "intervals": [[repr(low), repr(high)] for low, high in self.intervals],
        }

    def __str__(self) -> str:
        parts = [_interval_text(*interval) for interval in self.intervals[:_SHOWN]]
        more = len(self.intervals) - _SHOWN
        return f"the {self.feature} is {' or '.join(parts)}" + (f" or in {more} more intervals" if more > 0 else "")


Event = LabelEvent | NumberEvent


def event_of(document: JsonObject) -> Event:
    """Read what `as_json` wrote. Raises `TypeError` and others of its kind unless it did."""
    if "outputs" in document:
        if not all(isinstance(label, str) for label in document["outputs"]):
            raise TypeError("expected outputs that are texts")
        return LabelEvent(frozenset(document["outputs"]), bool(document.get("complement", False)))
    intervals = tuple((float(low), float(high)) for low, high in document["intervals"])
    return NumberEvent(intervals, _feature_of(document["number"]))


def _feature_of(number: Any) -> Feature:
    if isinstance(number, str):
        return number
    return _form_of(number) if isinstance(number, dict) else _score_of(number)


def _form_of(document: JsonObject) -> Form:
    return Form(tuple((int(place), float(factor)) for place, factor in document["form"]))


def _score_of(tables: Sequence[JsonObject]) -> Score:
    return Score(
        tuple(
            (_form_of(table), tuple(map(float, table["cuts"])), tuple(map(float, table["weights"]))) for table in tables
        )
    )


def features(outputs: Outputs) -> list[str]:
    """Return the names of the numbers that outputs have.

    >>> import numpy as np
    >>> features(Vectors(np.zeros((5, 2))))
    ['coordinate 1', 'coordinate 2', 'sum', 'largest', 'smallest', 'place of the largest']
    """
    if isinstance(outputs, DrawnNumbers):
        return ["output"]
    if isinstance(outputs, Labels):
        return []
    size = min(outputs.values.shape[1], _MOST_COORDINATES)
    names = [f"coordinate {place + 1}" for place in range(size)]
    return [*names, "sum", "largest", "smallest", "place of the largest"] if size > 1 else names


def feature_of(outputs: Outputs, name: Feature) -> "Array":
    """Return a number of every run. Raises `ModelError` unless outputs have it."""
    import numpy as np

    if isinstance(outputs, Labels) and outputs.width:
        outputs = outputs.vectors()
    if isinstance(outputs, DrawnNumbers) and name == "output":
        return outputs.values
    if isinstance(outputs, Vectors) and isinstance(name, Form | Score):
        return name.of(outputs.values)
    if isinstance(outputs, Vectors) and isinstance(name, str) and name != "output":
        return _of_vectors(outputs, name)
    if isinstance(outputs, Labels) and outputs.kind is None and name == "output":
        return np.full(outputs.count, -np.inf)  # None, among numbers
    kind = outputs.kind or "None"
    raise ModelError(f"outputs are {kind}, expected {_asked(name)} as before")


def _asked(name: Feature) -> str:
    return "numbers" if name == "output" else "lists of numbers"


def _of_vectors(outputs: Vectors, name: str) -> "Array":
    import numpy as np

    rows = outputs.values
    if name.startswith("coordinate ") and int(name.split()[1]) <= rows.shape[1]:
        return rows[:, int(name.split()[1]) - 1]
    known = {
        "sum": lambda: Form(tuple((place + 1, 1.0) for place in range(rows.shape[1]))).of(rows),
        "largest": lambda: rows.max(axis=1),
        "smallest": lambda: rows.min(axis=1),
        "place of the largest": lambda: rows.argmax(axis=1).astype(np.int64) + 1,
    }
    if name not in known:
        raise ModelError(f"outputs are {outputs.kind}, without {name}")
    made: Any = known[name]
    found: Array = made()
    return found


def _interval_text(low: float, high: float) -> str:
    if low == -math.inf and high == math.inf:
        return "anything"
    if low == -math.inf:
        return f"below {high!r}"
    if high == math.inf:
        return f"at least {low!r}"
    if low == round(low) and high == low + 1:
        return f"{int(low)} up to below {int(high)}"
    return f"from {low!r} to below {high!r}"
