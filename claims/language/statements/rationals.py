"""The exact numbers of statements that run: `Fraction` of quicktions, that of the standard library
compiled, ten times as fast.

Both compare, hash and print alike, and either takes the other in sums. Sympy takes what it does not
know for a float; it is told what this is, should one reach a formula.

quicktions 1.24 writes the character of a text of one digit into the object `bytes([0])`, which all
of Python shares, the kernel as well. So no text of one character reaches it.
"""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from sympy import Rational
from sympy.core.sympify import converter

if TYPE_CHECKING:
    from fractions import Fraction
else:
    import quicktions

    _made = quicktions.Fraction

    @lru_cache(maxsize=10_000)
    def _read(numerator: object = 0, denominator: object = None) -> Fraction:
        """Make a fraction: few of them occur, again and again."""
        if denominator is not None:
            return _made(numerator, denominator)
        if isinstance(numerator, str) and len(numerator) == 1:
            numerator = int(numerator)
        return _made(numerator)

    class Reading(type):
        """Makes fractions of quicktions, and takes them for its own."""

        __call__ = staticmethod(_read)

        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, quicktions.Fraction)

        def __getattr__(cls, name: str) -> object:
            return getattr(quicktions.Fraction, name)

    class Fraction(metaclass=Reading):
        """The name that statements use; its values are those of quicktions."""


__all__ = ["Fraction", "listed"]


def listed(texts: str) -> list[Fraction]:
    """Read fractions that are separated by spaces."""
    return [Fraction(each) for each in texts.split()]


converter[type(Fraction(0))] = lambda value: Rational(value.numerator, value.denominator)
