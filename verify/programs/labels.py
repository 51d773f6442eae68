"""Outputs of a program as labels, by value: 0, 0.0 and -0.0 are one output, lists and arrays are
tuples, the items of a set have no order.

The label is the text that a person reads, as `estimate` writes it. A truth value is no number, and
all text is quoted if one reads like another output: different values have different labels.
"""

from collections.abc import Mapping, Set
from fractions import Fraction
from math import isfinite
from typing import Any, NoReturn

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs.program import Releases
from pufferproof.models.priors.records import separator
from pufferproof.verify.programs.drawing.arrays import Run, Symbol
from pufferproof.verify.programs.drawing.values.counts import Count

_NUMBER, _TEXT, _LIST, _TABLE, _SET, _BYTES, _OTHER, _RELEASES, _DRAWN = range(9)
_CLOSE, _CLOSE_TO_0 = Fraction(1, 10**9), Fraction(1, 10**12)  # of numbers that floats round
Value = tuple[int, Any]


class Labels:
    """The values that were put out, in the order of their first appearance."""

    def __init__(self) -> None:
        self._seen: dict[Value, None] = {}

    def value(self, output: object, run: Run) -> Value:
        """Return an output in the form in which outputs are compared; the run keeps a number that
        is drawn. It refuses what can be no label.
        """
        value = _value(output, run)
        self._seen.setdefault(value)
        return value

    def texts(self) -> dict[Value, str]:
        """Return the labels of all values: distinct ones. Releases of one object are joined as the
        records of a database are.
        """
        texts = self._written(quoted=False)
        return texts if len(set(texts.values())) == len(texts) else self._written(quoted=True)

    def _written(self, quoted: bool) -> dict[Value, str]:
        parts = {
            value: [_text(part, quoted) for part in value[1]]
            for value in self._seen
            if value[0] == _RELEASES
        }
        joint = separator([part for each in parts.values() for part in each])
        return {
            value: joint.join(parts[value]) if value in parts else _text(value, quoted)
            for value in self._seen
        }


class _NoRun:
    """What keeps nothing of an output, as there is no draw in it."""

    def refuse(self, why: str) -> NoReturn:
        raise ModelError(why)


def value_of_drawn(output: Any) -> Value:
    """Return an output of a program that drew from a generator of NumPy. Raises `ModelError` of
    what can be no label.
    """
    none: Any = _NoRun()
    return _value(output, none)


def numbers_in(output: Value, drawn: Value) -> list[int | float] | None:
    """Return the numbers that a generator drew where an output of a law has numbers with a density;
    None if it is another output. Other numbers are equal up to rounding.

    >>> numbers_in((_LIST, ((_TEXT, "a"), (_DRAWN, "number"))), value_of_drawn(["a", 0.5]))
    [0.5]
    >>> numbers_in((_NUMBER, Fraction(1, 3)), value_of_drawn(1 / 3))
    []
    """
    (kind, content), (other, given) = output, drawn
    if kind == _DRAWN:
        finite = other == _NUMBER and not isinstance(given, str)
        return [given if isinstance(given, int) else float(given)] if finite else None
    if kind != other:
        return None
    if kind == _NUMBER and str not in (type(content), type(given)):  # texts are not finite
        room = max(abs(content), abs(given)) * _CLOSE + _CLOSE_TO_0
        return [] if abs(content - given) <= room else None
    if kind == _SET:
        same = all(any(numbers_in(a, b) == [] for b in given) for a in content)
        return [] if same and len(content) == len(given) else None
    if kind not in (_LIST, _RELEASES, _TABLE):
        return [] if content == given else None
    if kind == _TABLE:  # keys and values
        content, given = ([part for pair in each for part in pair] for each in (content, given))
    if len(content) != len(given):
        return None
    parts = [numbers_in(one, two) for one, two in zip(content, given)]
    return None if None in parts else [number for part in parts for number in part or ()]


def has_numbers(output: Value) -> bool:
    """Whether an output of a law has a number with a density. Raises `ModelError` if it stands in a
    set, where no place is its own.
    """
    kind, content = output
    if kind == _TABLE:
        content = [part for pair in content for part in pair]
    if kind not in (_LIST, _RELEASES, _TABLE, _SET):
        return kind == _DRAWN
    parts = [has_numbers(part) for part in content]
    if kind == _SET and any(parts):
        raise ModelError("a number that is drawn stands in a set")
    return any(parts)


def _value(output: Any, run: Run) -> Value:
    if type(output) is Count and output.kept():
        return (_DRAWN, "number")
    if isinstance(output, Symbol):
        output = output.resolved()
    if isinstance(output, Symbol):
        return _drawn(output, run)
    if hasattr(output, "dtype") and hasattr(output, "tolist"):
        output = output.tolist()  # numbers of NumPy as Python's own
    if output is None or isinstance(output, bool):
        return (_OTHER, output)
    if isinstance(output, int | float | Fraction):
        return (_NUMBER, _number(output))
    if isinstance(output, str):
        return (_TEXT, str(output))
    if isinstance(output, bytes | bytearray):
        return (_BYTES, bytes(output))
    if isinstance(output, Mapping):
        return (_TABLE, tuple((_value(k, run), _value(v, run)) for k, v in output.items()))
    if isinstance(output, Set):
        return (_SET, frozenset(_value(each, run) for each in output))
    if isinstance(output, Releases):
        return (_RELEASES, tuple(_value(each, run) for each in output))
    if isinstance(output, list | tuple):
        return (_LIST, tuple(_value(each, run) for each in output))
    kind = type(output).__name__
    return run.refuse(f"its output is of type {kind}: return text, numbers, or lists of these")


def _drawn(output: Any, run: Run) -> Value:
    if output.parts:
        run.release(output.parts, output.constant)
        return (_DRAWN, "number")
    return (_NUMBER, _number(float(output)))


def _number(value: Any) -> Any:
    """Return a number in a form that is equal for equal ones."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


def _text(value: Value, quoted: bool = False) -> str:
    kind, content = value
    if kind == _NUMBER and isinstance(content, Fraction):
        near = float(content)
        return repr(near) if Fraction(near) == content else str(content)
    if kind == _TEXT:
        return repr(content) if quoted else content
    if kind == _LIST:
        return "(" + ",".join(_text(each, quoted) for each in content) + ")"
    if kind == _TABLE:
        return "{" + ",".join(f"{_text(k, quoted)}: {_text(v, quoted)}" for k, v in content) + "}"
    if kind == _SET and not content:
        return "set()"  # as {} is the text of an empty table
    if kind == _SET:
        return "{" + ",".join(sorted(_text(each, quoted) for each in content)) + "}"
    return str(content)
