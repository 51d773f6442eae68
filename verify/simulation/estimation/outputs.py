"""What a sampler gave, in one of three forms: numbers, vectors of numbers, or labels with counts.

Text, truth values and lists of integers are labels; lists that have fractions are vectors. `None`
is a label of its own, and among numbers minus infinity. Fractions in lists that also have text, or
other lengths, are rounded down. Each of these is a function of the output, so that what is shown of
it is shown of the output.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64] | NDArray[np.int64]

_SUPPORTED = "a number, text, a truth value, None, or a list or tuple of these"


@dataclass(frozen=True)
class Numbers:
    """Numbers, one per run; `whole` if all are integers."""

    values: "Array"
    whole: bool
    kind: str = "numbers"

    @property
    def count(self) -> int:
        """How many runs."""
        return len(self.values)


@dataclass(frozen=True)
class Vectors:
    """Rows of numbers, one per run."""

    values: "NDArray[np.float64]"

    @property
    def kind(self) -> str:
        """What outputs are, for a message."""
        return "lists"

    def labelled(self) -> "Labels":
        """Return them as labels, rounded down."""
        return Labels(Counter(map(_label_of, self.values.tolist())), "lists")

    @property
    def count(self) -> int:
        """How many runs."""
        return len(self.values)


@dataclass(frozen=True)
class Labels:
    """How often each output came; `kind` is None where all were None."""

    counts: Counter[str]
    kind: str | None

    @property
    def count(self) -> int:
        """How many runs."""
        return self.counts.total()


Outputs = Numbers | Vectors | Labels


def alike(outputs: Sequence[Outputs]) -> list[Outputs]:
    """Return outputs of one kind in one form: None alone, among numbers, is minus infinity, and
    vectors are labels where their lengths differ.
    """
    import numpy as np

    if len({each.values.shape[1:] if isinstance(each, Vectors) else None for each in outputs}) > 1:
        return [each.labelled() if isinstance(each, Vectors) else each for each in outputs]
    if not any(isinstance(each, Numbers) for each in outputs):
        return list(outputs)
    return [
        Numbers(np.full(each.count, -np.inf), False) if isinstance(each, Labels) else each
        for each in outputs
    ]


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
    items = [each.item() if isinstance(each, np.generic) else each for each in items]
    kinds = {_kind(each) for each in set(map(type, items))} - {None}
    if len(kinds) > 1:
        raise ModelError(f"outputs are {' and '.join(sorted(map(str, kinds)))}, expected one kind")
    kind = kinds.pop() if kinds else None
    if kind == "numbers":
        return _of_numbers(items)
    if kind == "lists":
        return _of_lists(items)
    return Labels(Counter(map(str, items)), kind)


def _kind(cls: type) -> str | None:
    """Return what outputs of a type are. Raises `ModelError` for other types."""
    if cls is type(None):
        return None
    if issubclass(cls, bool):
        return "truth values"
    if issubclass(cls, str):
        return "text"
    if issubclass(cls, Real | Decimal):
        return "numbers"
    if issubclass(cls, list | tuple) or cls.__name__ == "ndarray":
        return "lists"
    raise ModelError(f"expected {_SUPPORTED}, found {cls.__name__}")


def _of_array(values: "NDArray[Any]") -> Outputs:
    import numpy as np

    if values.ndim > 1:
        rows = values.reshape(len(values), -1)
        return _of_rows(rows) if rows.dtype.kind in "biu" else Vectors(_no_nan(rows))
    if values.dtype.kind == "b":
        true = int(np.count_nonzero(values))
        return Labels(+Counter({"True": true, "False": len(values) - true}), "truth values")
    if values.dtype.kind == "f":
        return Numbers(_no_nan(values), False)
    if values.dtype == np.uint64 and len(values) and values.max() >= 1 << 63:
        return Numbers(values.astype(np.float64), False)
    return Numbers(values.astype(np.int64, copy=False), True)


def _of_rows(rows: "NDArray[Any]") -> Labels:
    """Count rows of integers, as numbers in a mixed radix where that fits 63 bits."""
    import numpy as np

    name = "({})".format
    low, high = rows.min(axis=0), rows.max(axis=0)
    sizes = [int(above) - int(below) + 1 for below, above in zip(low, high)]
    if math.prod(sizes) >= 1 << 63:
        return Labels(Counter(name(",".join(map(str, row))) for row in rows.tolist()), "lists")
    codes = np.zeros(len(rows), dtype=np.int64)
    for column, size in enumerate(sizes):
        codes = codes * size + (rows[:, column].astype(np.int64) - int(low[column]))
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    labels = (name(",".join(map(str, row))) for row in rows[first].tolist())
    return Labels(Counter(dict(zip(labels, counts.tolist()))), "lists")


def _of_numbers(items: Sequence[Any]) -> Numbers:
    import numpy as np

    if all(type(each) is int and -(1 << 63) <= each < 1 << 63 for each in items):
        return Numbers(np.array(items, dtype=np.int64), True)
    floats = (-math.inf if each is None else _float(each) for each in items)
    return Numbers(_no_nan(np.fromiter(floats, dtype=np.float64, count=len(items))), False)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _of_lists(items: Sequence[Any]) -> Outputs:
    import numpy as np

    rows = [() if each is None else tuple(_flat(each)) for each in items]
    numeric = all(_numeric(each) for row in rows for each in row)
    fractions = any(isinstance(each, float | Fraction | Decimal) for row in rows for each in row)
    if numeric and fractions and len(set(map(len, rows))) == 1:
        return Vectors(_no_nan(np.array(rows, dtype=np.float64)))
    return Labels(Counter(map(_label_of, rows)), "lists")


def _label_of(row: Sequence[Any]) -> str:
    return "(" + ",".join(map(_label, row)) + ")"


def _flat(value: Any) -> list[Any]:
    items = value.tolist() if hasattr(value, "tolist") else list(value)
    flat: list[Any] = []
    for each in items:
        flat.extend(_flat(each) if isinstance(each, list | tuple) else [each])
    return flat


def _numeric(value: Any) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _label(value: Any) -> str:
    if _kind(type(value)) == "numbers" and not isinstance(value, int):
        if value != value:
            raise _nan()
        return str(math.floor(value)) if math.isfinite(value) else str(float(value))
    return str(value)


def _no_nan(values: "NDArray[Any]") -> "NDArray[np.float64]":
    import numpy as np

    with np.errstate(invalid="ignore"):
        suspect = np.isnan(values.sum())  # of infinities with both signs, too
    if suspect and np.isnan(values).any():
        raise _nan()
    return values.astype(np.float64, copy=False)


def _nan() -> ModelError:
    return ModelError("an output is NaN, expected numbers")
