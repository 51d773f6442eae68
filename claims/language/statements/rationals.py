"""The exact numbers of statements that run: `Fraction` of quicktions, that of the standard library
compiled, ten times as fast.

Both compare, hash and print alike, and either takes the other in sums. Sympy takes what it does not
know for a float; it is told what this is, should one reach a formula.

Texts of one character are read by `listed`, never by `Fraction`: quicktions 1.24 writes that
character into the object `bytes([0])`, which all of Python shares.
"""

from typing import TYPE_CHECKING

from sympy import Rational
from sympy.core.sympify import converter

if TYPE_CHECKING:
    from fractions import Fraction
else:
    from quicktions import Fraction

__all__ = ["Fraction", "listed"]


def listed(texts: str) -> list[Fraction]:
    """Read fractions that are separated by spaces."""
    return [Fraction(each if len(each) > 1 else f"{each}/1") for each in texts.split()]


converter[Fraction] = lambda value: Rational(value.numerator, value.denominator)
