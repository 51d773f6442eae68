"""What a sampler gave, in one of three forms: numbers, vectors of numbers, or labels with counts.

Text and truth values are labels, and bytes, sets, dicts and dataclasses by their text (see
below). Lists of numbers are vectors, and so are dicts and dataclasses with numbers under the
same keys that are not all whole. Lists of integers of which there are few are labels, and so are
lists of other things. `None` is a label of its own, and among numbers minus infinity. Fractions in
lists that also have text, or other lengths, are rounded down. Each of these is a function of the
output, so that what is shown of it is shown of the output.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from numbers import Integral, Real
from types import UnionType
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import JsonObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One text of an output that is no plain number or text: bytes, dicts, sets, dataclasses, lists.
#
# Outputs that are equal have one text: dicts are in the order of their keys' texts, and sets in that of their
# members'. Numbers inside that are not whole are rounded down, as the texts would else all differ. What has no such
# text, such as an object that is known by its address, is refused by name.

SUPPORTED = "a number, text, a truth value, bytes, None, or a list, tuple, array, dict, set or dataclass of these"


def kind_of(cls: type) -> str | None:
    """Return what outputs of a type are, None for `None`. Raises `ModelError` for other types."""
    if cls is type(None):
        return None
    for known, kind in _KINDS:
        if issubclass(cls, known):
            return kind
    if cls.__name__ == "ndarray":
        return "lists"
    if is_dataclass(cls):
        return "dataclasses"
    module = "" if cls.__module__ == "builtins" else f"{cls.__module__}."
    raise ModelError(
        f"expected {SUPPORTED}, found {module}{cls.__qualname__}: return what is released "
        "of it, such as str(..) if that has no address in it"
    )


_KINDS: tuple[tuple[type | UnionType, str], ...] = (
    (bool, "truth values"),
    (str | Enum, "text"),
    (Real | Decimal, "numbers"),
    (bytes | bytearray | memoryview, "bytes"),
    (Mapping, "dicts"),
    (set | frozenset, "sets"),
    (list | tuple, "lists"),
)


def named_entries(value: object) -> tuple[str, dict[str, object]] | None:
    """Return the name of a dataclass, or "" of a dict, and what is in it by the texts of its keys,
    in order; None for other outputs.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, {
            each.name: getattr(value, each.name) for each in sorted(fields(value), key=lambda each: each.name)
        }
    if not isinstance(value, Mapping):
        return None
    texts = {text_of(key): held for key, held in value.items()}
    if len(texts) < len(value):
        raise ModelError("a dict has two keys with one text, expected keys that differ in it")
    return "", dict(sorted(texts.items()))


def text_of(value: Any) -> str:
    """Return the text of an output. Raises `ModelError` for NaN, and what is not supported.

    >>> text_of({"b": 2.5, "a": b"x"}), text_of({3, 1}), text_of(("x", [1, None]))
    ("{a: b'x', b: 2}", '{1, 3}', '(x,(1,None))')
    """
    kind = kind_of(type(value))
    if kind == "numbers":
        if isinstance(value, int):
            return str(value)
        if value != value:
            raise ModelError("an output is NaN, expected numbers")
        return str(math.floor(value)) if math.isfinite(value) else str(float(value))
    if kind == "bytes":
        return repr(bytes(value))
    if kind == "sets":
        return "{" + ", ".join(sorted(map(text_of, value))) + "}"
    if kind == "lists":
        return "(" + ",".join(map(text_of, value)) + ")"
    if (known := named_entries(value)) is not None:
        name, held = known
        return f"{name}{{{', '.join(f'{key}: {text_of(each)}' for key, each in held.items())}}}"
    return str(value)


if TYPE_CHECKING:
    Array = NDArray[np.float64] | NDArray[np.int64]
    Rows = NDArray[Any]  # of floats, integers or truth values

MOST_LABELS = 512  # of lists of integers: more are vectors
_LOOKED_AT = 4096  # rows, to see whether there are many
_WHOLE = 1 << 53  # integers that are exact in floats


class _Runs:
    """Outputs as an array, a row per run."""

    values: "Array"

    @property
    def count(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class DrawnNumbers(_Runs):
    """Numbers, one per run; `whole` if all are integers."""

    values: "Array"
    whole: bool
    kind: str = "numbers"


@dataclass(frozen=True)
class Vectors(_Runs):
    """Rows of numbers, one per run; `whole` if all are integers. `names` are the class of a
    dataclass or "" of a dict, and its keys.
    """

    values: "NDArray[np.float64]"
    whole: bool = False
    names: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        if self.names:
            return "dataclasses" if self.names[0] else "dicts"
        return "lists"

    def labelled(self) -> "Labels":
        """Return them as labels, rounded down."""
        if self.names:
            name, *keys = self.names
            rows = (", ".join(f"{key}: {text_of(x)}" for key, x in zip(keys, row)) for row in self.values.tolist())
            return Labels(Counter(f"{name}{{{text}}}" for text in rows), self.kind)
        if self.whole:
            import numpy as np

            return _labels_of(self.values.astype(np.int64))
        return Labels(Counter(map(_label_of, self.values.tolist())), "lists")


@dataclass(frozen=True)
class Labels:
    """How often each output came; `kind` is None if all were None, and `width` the length of
    lists that all are integers, as exact in floats.
    """

    counts: Counter[str]
    kind: str | None
    width: int | None = field(default=None, repr=False)

    def vectors(self) -> Vectors:
        """Return lists of integers as rows, in another order."""
        import numpy as np

        known = [list(map(int, label[1:-1].split(","))) for label in self.counts]
        rows = np.array(known, dtype=np.float64).reshape(len(known), self.width or 0)
        return Vectors(np.repeat(rows, list(self.counts.values()), axis=0), True)

    @property
    def count(self) -> int:
        return self.counts.total()


Outputs = DrawnNumbers | Vectors | Labels


def alike(outputs: Sequence[Outputs]) -> list[Outputs]:
    """Return outputs of one kind in one form: None alone, among numbers, is minus infinity, lists
    of integers are vectors where there are many or fractions elsewhere, and vectors are labels
    where their lengths differ.
    """
    import numpy as np

    if len({_shape(output) for output in outputs}) == 1 and _many(outputs):
        return [output.vectors() if isinstance(output, Labels) else output for output in outputs]
    if len({_shape(output) if isinstance(output, Vectors) else None for output in outputs}) > 1:
        return [output.labelled() if isinstance(output, Vectors) else output for output in outputs]
    if not any(isinstance(output, DrawnNumbers) for output in outputs):
        return list(outputs)
    return [
        DrawnNumbers(np.full(output.count, -np.inf), False) if isinstance(output, Labels) else output
        for output in outputs
    ]


def _shape(outputs: Outputs) -> tuple[int, tuple[str, ...]] | None:
    if isinstance(outputs, Vectors):
        return int(outputs.values.shape[1]), outputs.names
    return (outputs.width, ()) if isinstance(outputs, Labels) and outputs.width else None


def _many(outputs: Sequence[Outputs]) -> bool:
    """Whether some outputs are vectors, or labels that are lists of integers, and many."""
    if any(isinstance(output, Vectors) for output in outputs):
        return True
    lists = [output.counts for output in outputs if isinstance(output, Labels) and output.width]
    return len(set().union(*lists)) > MOST_LABELS


def outputs_of(values: Any) -> Outputs:
    """Read the outputs of several runs. Raises `ModelError` for NaN, and what is not supported.

    >>> outputs_of(["yes", "no", "yes"])
    Labels(counts=Counter({'yes': 2, 'no': 1}), kind='text')
    >>> outputs_of([1, 2.5]).values.tolist()
    [1.0, 2.5]
    """
    import numpy as np

    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return _of_array(values)
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    items = [item.item() if isinstance(item, np.generic) else item for item in items]
    kinds = {kind_of(each) for each in set(map(type, items))} - {None}
    if len(kinds) > 1:
        raise ModelError(f"outputs are {' and '.join(sorted(map(str, kinds)))}, expected one kind")
    kind = kinds.pop() if kinds else None
    if kind == "numbers":
        return _of_numbers(items)
    if kind == "lists":
        return _of_lists(items)
    if kind in ("dicts", "dataclasses"):
        return _of_entries(items, kind)
    return Labels(Counter(map(text_of if kind in ("bytes", "sets") else str, items)), kind)


def joined(parts: Sequence[Any]) -> Any:
    """Return the outputs of several calls as one array or list, in order."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]
    kinds = {part.dtype.kind if isinstance(part, np.ndarray) else None for part in parts}
    shapes = {part.shape[1:] if isinstance(part, np.ndarray) else None for part in parts}
    if len(kinds) == 1 and len(shapes) == 1 and None not in kinds:
        return np.concatenate(parts)
    return [value for part in parts for value in part]


def _of_array(values: "Rows") -> Outputs:
    import numpy as np

    if values.ndim > 1:
        rows = values.reshape(len(values), -1)
        return _of_rows(rows) if rows.dtype.kind in "biu" else Vectors(_no_nan(rows))
    if values.dtype.kind == "b":
        true = int(np.count_nonzero(values))
        return Labels(+Counter({"True": true, "False": len(values) - true}), "truth values")
    if values.dtype.kind == "f":
        return DrawnNumbers(_no_nan(values), False)
    if values.dtype == np.uint64 and len(values) and values.max() >= 1 << 63:
        return DrawnNumbers(values.astype(np.float64), False)
    return DrawnNumbers(values.astype(np.int64, copy=False), True)


def _of_rows(rows: "Rows") -> Outputs:
    """Count rows of integers, or take them as vectors where there are many."""
    import numpy as np

    if not _exact(rows) or (int(rows.max()) - int(rows.min()) + 1) ** rows.shape[1] <= MOST_LABELS:
        return _labels_of(rows)
    factors = np.random.default_rng(0).integers(-(1 << 62), 1 << 62, rows.shape[1])
    mixed = rows[:_LOOKED_AT].astype(np.int64) @ factors  # no more values than rows
    if len(np.unique(mixed)) > MOST_LABELS:
        return Vectors(rows.astype(np.float64), True)
    return _labels_of(rows)


def _exact(rows: "Rows") -> bool:
    """Whether rows have integers that are exact in floats, and at least one of them."""
    if rows.dtype.kind == "b" or not rows.size:
        return False
    return bool(rows.max() <= _WHOLE and rows.min() >= -_WHOLE)


def _labels_of(rows: "Rows") -> Labels:
    """Count rows of integers, as numbers in a mixed radix where that fits 63 bits."""
    import numpy as np

    width = rows.shape[1] if _exact(rows) else None
    codes = _codes(rows)
    if codes is None:
        return Labels(Counter(f"({','.join(map(str, row))})" for row in rows.tolist()), "lists", width)
    if codes.max(initial=0) < _LOOKED_AT:
        where = np.zeros(_LOOKED_AT, dtype=np.int64)
        where[codes] = np.arange(len(codes))
        counts = np.bincount(codes, minlength=_LOOKED_AT)
        first, counts = where[counts > 0], counts[counts > 0]
    else:
        _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    labels = (f"({','.join(map(str, row))})" for row in rows[first].tolist())
    return Labels(Counter(dict(zip(labels, counts.tolist()))), "lists", width)


def _codes(rows: "Rows") -> "NDArray[np.int64] | None":
    """Return a number for every row, another one for each, or None if that takes 63 bits."""
    import numpy as np

    low, sizes = [int(rows.min())] * rows.shape[1], [(int(rows.max()) - int(rows.min()) + 1)] * rows.shape[1]
    if math.prod(sizes) >= 1 << 63:
        low, high = ([int(x) for x in each] for each in (rows.min(axis=0), rows.max(axis=0)))
        sizes = [above - below + 1 for below, above in zip(low, high)]
    if math.prod(sizes) >= 1 << 63:
        return None
    codes = np.zeros(len(rows), dtype=np.int64)
    for column, (least, size) in enumerate(zip(low, sizes)):
        own = rows[:, column]
        if rows.dtype == np.uint64:
            own, least = own - np.uint64(least), 0
        codes = codes * size + (own.astype(np.int64) - least)
    return codes


def _of_numbers(items: Sequence[object]) -> DrawnNumbers:
    import numpy as np

    if all(type(item) is int and -(1 << 63) <= item < 1 << 63 for item in items):
        return DrawnNumbers(np.array(items, dtype=np.int64), True)
    floats = (-math.inf if item is None else _float(item) for item in items)
    return DrawnNumbers(_no_nan(np.fromiter(floats, dtype=np.float64, count=len(items))), False)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _of_lists(items: Sequence[object]) -> Outputs:
    import numpy as np

    rows = [() if item is None else tuple(_flat(item)) for item in items]
    numeric = all(_numeric(entry) for row in rows for entry in row)
    fractions = any(not isinstance(entry, Integral) for row in rows for entry in row)
    even = numeric and len(set(map(len, rows))) == 1
    if even and fractions:
        return Vectors(_no_nan(np.array(rows, dtype=np.float64)))
    if even and rows[0] and all(abs(entry) <= _WHOLE for row in rows for entry in row):
        return _of_rows(np.array(rows, dtype=np.int64))
    return Labels(Counter(map(_label_of, rows)), "lists")


def _of_entries(items: Sequence[object], kind: str) -> Outputs:
    """Read dicts or dataclasses: as vectors where all have numbers under the same keys."""
    import numpy as np

    known = [named_entries(item) for item in items]
    names = {None if each is None else (each[0], *each[1]) for each in known}
    rows = [[] if each is None else list(each[1].values()) for each in known]
    even = len(names) == 1 and all(_numeric(entry) for row in rows for entry in row)
    if even and any(not isinstance(entry, Integral) for row in rows for entry in row):
        values = _no_nan(np.array(rows, dtype=np.float64))
        return Vectors(values, names=names.pop() or ())
    return Labels(Counter(map(text_of, items)), kind)


def _label_of(row: Sequence[object]) -> str:
    return "(" + ",".join(map(text_of, row)) + ")"


def _flat(value: Any) -> list[Any]:
    items = value.tolist() if hasattr(value, "tolist") else list(value)
    flat: list[object] = []
    for item in items:
        flat.extend(_flat(item) if isinstance(item, list | tuple) else [item])
    return flat


def _numeric(value: object) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _no_nan(values: "Rows") -> "NDArray[np.float64]":
    import numpy as np

    with np.errstate(invalid="ignore"):
        suspect = np.isnan(values.sum())  # of infinities with both signs, too
    if suspect and np.isnan(values).any():
        raise ModelError("an output is NaN, expected numbers")
    return values.astype(np.float64, copy=False)


# Events of outputs: a set of labels, or a union of intervals of a number that the output has.
#
# An interval [low, high) has its lower end and not its upper one, but for infinity. Of vectors the number is a
# coordinate, the largest one, its place, or the sum. An event is fixed before the samples are drawn on which its
# probability is estimated; how it was found matters for power alone.

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


def _feature_of(number: str | JsonObject | list[JsonObject]) -> Feature:
    if isinstance(number, str):
        return number
    if isinstance(number, dict):
        return _form_of(number)
    return Score(
        tuple(
            (_form_of(table), tuple(map(float, table["cuts"])), tuple(map(float, table["weights"]))) for table in number
        )
    )


def _form_of(document: JsonObject) -> Form:
    return Form(tuple((int(place), float(factor)) for place, factor in document["form"]))


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
    expected = "numbers" if name == "output" else "lists of numbers"
    raise ModelError(f"outputs are {outputs.kind or 'None'}, expected {expected} as before")


def _of_vectors(outputs: Vectors, name: str) -> "Array":
    import numpy as np

    rows = outputs.values
    if name.startswith("coordinate ") and int(name.split()[1]) <= rows.shape[1]:
        return rows[:, int(name.split()[1]) - 1]
    known: dict[str, Callable[[], Array]] = {
        "sum": lambda: Form(tuple((place + 1, 1.0) for place in range(rows.shape[1]))).of(rows),
        "largest": lambda: rows.max(axis=1),
        "smallest": lambda: rows.min(axis=1),
        "place of the largest": lambda: rows.argmax(axis=1).astype(np.int64) + 1,
    }
    if name not in known:
        raise ModelError(f"outputs are {outputs.kind}, without {name}")
    return known[name]()


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
