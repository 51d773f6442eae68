"""Outputs of a program as labels, by value: 0, 0.0 and -0.0 are one output, lists and arrays are
tuples, the items of a set have no order. Objects of other types are refused: they may have names,
an order or a shape that no label tells.

The label is the text that a person reads, as `estimate` writes it. A truth value is no number, and
all text is quoted if one reads like another output: different values have different labels.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Releases
from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.models.priors.records import separator
from pufferproof.verify.programs.drawing.arrays import Run, Symbol
from pufferproof.verify.programs.drawing.values.counts import Count
from pufferproof.verify.programs.repeating import (
    DRAWN,
    LIST,
    NUMBER,
    RELEASES,
    SET,
    TABLE,
    TEXT,
    Value,
    number_of,
    value_of,
)

SOME_NUMBER: Value = (DRAWN, "number")


class Forms(NamedTuple):
    """The forms of all outputs by database, in which a number that is drawn stands for any value;
    of a database some of whose paths were not run, None. If `whole`, some of them are integers.
    """

    values: Mapping[str, frozenset[Value] | None]
    whole: bool

    def without(self, value: Value) -> frozenset[str]:
        """Return the databases on which an output has probability 0.

        >>> forms = Forms({"": frozenset([(LIST, ())]), "0": frozenset([(LIST, (SOME_NUMBER,))])}, False)
        >>> forms.without((LIST, (SOME_NUMBER,)))
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
    if DRAWN in (kind, kind_of_other):
        return kind == kind_of_other or (whole and NUMBER in (kind, kind_of_other))
    if kind != kind_of_other:
        return False
    if kind in (LIST, RELEASES):
        parts, parts_of_other = content, content_of_other
    elif kind == TABLE:
        parts, parts_of_other = (sum(each, ()) for each in (content, content_of_other))
    else:  # what is drawn in a set may be any of its items
        return content == content_of_other or (whole and kind == SET)
    return len(parts) == len(parts_of_other) and all(meet(a, b, whole) for a, b in zip(parts, parts_of_other))


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
        parts = {value: [_text(part, quoted) for part in value[1]] for value in self._seen if value[0] == RELEASES}
        joint = separator([part for each in parts.values() for part in each])
        return {value: joint.join(parts[value]) if value in parts else _text(value, quoted) for value in self._seen}


def has_numbers(output: Value) -> bool:
    """Whether an output of a law has a number with a density, which is in no set."""
    kind, content = output
    if kind == TABLE:
        content = [part for pair in content for part in pair]
    if kind not in (LIST, RELEASES, TABLE):
        return kind == DRAWN
    return any(map(has_numbers, content))


def _value(output: object, run: Run) -> Value:
    return value_of(output, partial(_kept, run), run.refuse)


def _kept(run: Run, output: object) -> Value | None:
    """Return a draw, an argument that is remembered, and the releases of an object as values; None
    of anything else.
    """
    if type(output) is ExactFloat:
        return (NUMBER, number_of(output))
    if type(output) is Count and output.kept():
        return SOME_NUMBER
    if isinstance(output, Symbol):
        known = output.resolved()
        return _drawn(known, run) if isinstance(known, Symbol) else _value(known, run)
    if isinstance(output, Releases):
        return (RELEASES, tuple(_value(each, run) for each in output))
    return None


def _drawn(output: Any, run: Run) -> Value:
    if output.parts:
        run.release(output.parts, output.constant)
        return SOME_NUMBER
    return (NUMBER, number_of(float(output)))


def value_of_drawn(output: object) -> Value:
    """Return an output of a program that drew from a generator of NumPy. Raises `ModelError` of
    what can be no label.
    """
    try:
        return value_of(output, _releases)
    except ValueError as error:
        raise ModelError(str(error)) from None


def _releases(output: object) -> Value | None:
    if isinstance(output, Releases):
        return (RELEASES, tuple(map(value_of_drawn, output)))
    return None


def _text(value: Value, quoted: bool = False) -> str:
    kind, content = value
    if kind == NUMBER and isinstance(content, Fraction):
        near = float(content)
        return repr(near) if Fraction(near) == content else str(content)
    if kind == TEXT:
        return repr(content) if quoted else content
    if kind == LIST:
        return "(" + ",".join(_text(each, quoted) for each in content) + ")"
    if kind == TABLE:
        return "{" + ",".join(f"{_text(k, quoted)}: {_text(v, quoted)}" for k, v in content) + "}"
    if kind == SET and not content:
        return "set()"  # as {} is the text of an empty table
    if kind == SET:
        return "{" + ",".join(sorted(_text(each, quoted) for each in content)) + "}"
    return str(content)
