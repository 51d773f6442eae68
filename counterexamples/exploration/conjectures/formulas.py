"""Polynomials in parameters, and closed forms: coefficients c_0, .., c_d that are polynomials, with
c_0 + c_1 v + .. + c_d v^d = 0 for a value v. Of degree 1 it is the quotient v = -c_0 / c_1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.counterexamples.exploration.conjectures.quantities import Place, Value

if TYPE_CHECKING:
    from sympy import Basic

Exponents = tuple[int, ...]


@dataclass(frozen=True)
class Polynomial:
    """A polynomial with integer coefficients in variables by name."""

    names: tuple[str, ...]
    terms: Mapping[Exponents, int]

    def at(self, place: Place) -> Fraction:
        """Return its value."""
        total = Fraction(0)
        for powers, factor in self.terms.items():
            total += factor * prod(place[name] ** power for name, power in zip(self.names, powers))
        return total

    def __str__(self) -> str:
        return str(_factored(self))


@dataclass(frozen=True)
class Formula:
    """A closed form of a quantity, by its coefficients from c_0 on."""

    quantity: str
    coefficients: tuple[Polynomial, ...]

    @property
    def unknowns(self) -> int:
        """How many terms it has."""
        return sum(len(coefficient.terms) for coefficient in self.coefficients)

    def holds(self, place: Place, value: Value) -> bool | None:
        """Whether a finite value is a root at a place, or None if every coefficient is 0."""
        values = [coefficient.at(place) for coefficient in self.coefficients]
        if not any(values):
            return None
        return all(sum(c * p for c, p in zip(values, row)) == 0 for row in rows_of(value))

    def __str__(self) -> str:
        """Return the formula as a relation that `Relation.of` reads."""
        first, *others = self.coefficients
        used = [place for place, other in enumerate(others) if other.terms]
        names = [self.quantity, f"{self.quantity}_squared"]
        if len(used) == 1:
            return f"{names[used[0]]} == {_quotient(first, others[used[0]])}"
        terms = [f"({other})*{name}" for other, name in zip(others, names)]
        return " + ".join([*reversed(terms), f"({first})"]) + " == 0"


def rows_of(value: Value) -> list[list[Fraction]]:
    """Return the powers 1, v, v^2 of a finite value, as coordinates over the rationals: one row
    for a rational value, and of a square root a second one for its multiples.
    """
    if value.value is not None:
        return [[value.value**power for power in range(3)]]
    if value.square is None:
        raise ValueError("an infinite value has no powers")
    zero, one = Fraction(0), Fraction(1)
    return [[one, zero, value.square], [zero, one, zero]]


def _factored(polynomial: Polynomial) -> "Basic":
    import sympy

    letters = [sympy.Symbol(name) for name in polynomial.names]
    return sympy.factor(_expression(polynomial, letters))


def _expression(polynomial: Polynomial, letters: "list[Basic]") -> "Basic":
    import sympy

    return sympy.Add(
        *(
            factor * sympy.Mul(*(letter**power for letter, power in zip(letters, powers)))
            for powers, factor in polynomial.terms.items()
        )
    )


def _quotient(above: Polynomial, below: Polynomial) -> str:
    """Return -above / below, what both share left out, with integers alone."""
    import sympy

    letters = [sympy.Symbol(name) for name in above.names]
    shown = sympy.factor(sympy.cancel(-_expression(above, letters) / _expression(below, letters)))
    numerator, denominator = sympy.fraction(shown)
    if denominator == 1:
        return str(numerator)
    return f"({numerator})/({denominator})"
