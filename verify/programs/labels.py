"""Outputs of a program as labels, by value: 0, 0.0 and -0.0 are one output, lists and arrays are
tuples, the items of a set have no order.

The label is the text that a person reads, as `estimate` writes it. A truth value is no number, and
all text is quoted if one reads like another output: different values have different labels.
"""

from collections.abc import Mapping, Set
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

from pufferproof.models.files.programs.program import Releases
from pufferproof.models.priors.records import separator
from pufferproof.verify.programs.drawing.arrays import Run, Symbol
from pufferproof.verify.programs.drawing.values.counts import Count

_NUMBER, _TEXT, _LIST, _TABLE, _SET, _BYTES, _OTHER, _RELEASES, _DRAWN = range(9)
NUMBER = (_DRAWN, "number")
Value = tuple[int, Any]


class Forms(NamedTuple):
    """The forms of all outputs by database, in which a number that is drawn stands for any value;
    of a database some of whose paths were not run, None. If `whole`, some of them are integers.
    """

    values: Mapping[str, frozenset[Value] | None]
    whole: bool

    def without(self, value: Value) -> frozenset[str]:
        """Return the databases on which an output has probability 0.

        >>> forms = Forms(
        ...     {"": frozenset([(_LIST, ())]), "0": frozenset([(_LIST, (NUMBER,))])}, False
        ... )
        >>> forms.without((_LIST, (NUMBER,)))
        frozenset({''})
        """
        return frozenset(
            x
            for x, others in self.values.items()
            if others is not None and not any(meet(value, each, self.whole) for each in others)
        )


def meet(one: Value, other: Value, whole: bool) -> bool:
    """Whether outputs of two forms may be equal with positive probability: a real number that is
    drawn is almost surely none that is written, an integer may be any.
    """
    (kind, content), (kind_of_other, content_of_other) = one, other
    if _DRAWN in (kind, kind_of_other):
        return kind == kind_of_other or (whole and _NUMBER in (kind, kind_of_other))
    if kind != kind_of_other:
        return False
    if kind in (_LIST, _RELEASES):
        parts, parts_of_other = content, content_of_other
    elif kind == _TABLE:
        parts, parts_of_other = (sum(each, ()) for each in (content, content_of_other))
    else:  # what is drawn in a set may be any of its items
        return content == content_of_other or (whole and kind == _SET)
    return len(parts) == len(parts_of_other) and all(
        meet(a, b, whole) for a, b in zip(parts, parts_of_other)
    )


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


def _value(output: Any, run: Run) -> Value:
    if type(output) is Count and output.kept():
        return NUMBER
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
        return NUMBER
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
