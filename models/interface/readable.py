"""What computations answer: an object whose text is a line or two for a person, instead of the
fields that it has.

>>> class Sum(Readable):
...     def __str__(self) -> str:
...         return "2 + 2 = 4"
>>> Sum(), Sum()._repr_html_()
(<Sum: 2 + 2 = 4>, '<strong>2 + 2 = 4</strong>')
"""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from html import escape

from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.text import brief, rounded, shown

_DIGITS = 7
_LISTED = 4


class Readable:
    """Shows itself by its text. A dataclass that is one says `repr=False`."""

    @abstractmethod
    def __str__(self) -> str:
        """Say the answer, for a person."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        """Show the text in a notebook, a part of it a line, the first one bold."""
        first, *others = [
            escape(part) for line in str(self).splitlines() for part in line.split("; ")
        ]
        return "<br>".join([f"<strong>{first}</strong>", *others])


def between(lower: Fraction, upper: Fraction) -> str:
    """Write what is known of a number: exactly where it is short, else the digits that its bounds
    share, else both.

    >>> between(Fraction(1, 3), Fraction(1, 3)), between(Fraction(1, 3), Fraction(1, 2))
    ('1/3', 'between 0.3333333 and 0.5')
    """
    if lower == upper and "~" not in brief(lower):
        return brief(lower)
    ends = enclose(lower, upper)
    low, high = rounded(ends.lower, _DIGITS), rounded(ends.upper, _DIGITS)
    return f"≈ {low}" if low == high else f"between {low} and {high}"


def listed(labels: Sequence[str], quote: bool = True) -> str:
    """Name the first few of some labels, each shortened: `'u', 'v' and 3 more`."""
    names = ", ".join(shown(label) if quote else label for label in labels[:_LISTED])
    return names + (f" and {len(labels) - _LISTED} more" if len(labels) > _LISTED else "")
