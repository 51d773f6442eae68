"""Polynomials in named parameters: the grammar people write, and their exact values.

Grammar: numbers as `3/4` or `0.25`, names, `+ - *`, parentheses, powers `^2` with small exponents,
and division by numbers. No float is ever produced. Polynomials are those of python-flint.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import quoted, shown

if TYPE_CHECKING:
    from flint import fmpq_mpoly

MAX_DEGREE = 20
_LONGEST = 1_000  # characters of an expression
_DEEPEST = 50  # parentheses inside one another
_TOKEN = re.compile(
    r"\s*(?:([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?)|([A-Za-z_][A-Za-z_0-9]*)|([-+*/^()]))"
)


class Polynomials:
    """The polynomials in some parameters, with rational coefficients.

    >>> ring = Polynomials(["p", "q"])
    >>> ring.value(ring.read("(1 - p)^2 / 2 + q"), {"p": Fraction(1, 3), "q": Fraction(0)})
    Fraction(2, 9)

    Raises `ModelError` unless parameters have names of letters, digits and `_`.
    """

    def __init__(self, names: Sequence[str]) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        for name in names:
            if not (name.isascii() and name.isidentifier()):
                raise ModelError(f"expected a name such as p or p_1, found {shown(name)}")
        self.names = tuple(names)
        self._ring = fmpq_mpoly_ctx.get(list(names) or ["unused"], Ordering.lex)

    def read(self, given: object) -> "fmpq_mpoly":
        """Return the polynomial of a number or a text. Raises `ModelError` unless it is one."""
        if not isinstance(given, str):
            return self.constant(exact(given))
        if len(given) > _LONGEST:
            raise ModelError(f"expected at most {_LONGEST} characters, found {len(given)}")
        read = _ExpressionReader(self, given)
        value = read.sum(0)
        if read.tokens or value.total_degree() > MAX_DEGREE:
            raise read.error()
        return value

    def constant(self, value: Fraction) -> "fmpq_mpoly":
        """Return a number as a polynomial."""
        from flint import fmpq

        return self._ring.constant(fmpq(value.numerator, value.denominator))

    def generator(self, name: str) -> "fmpq_mpoly":
        """Return a parameter. Raises `ModelError` unless it is one."""
        if name not in self.names:
            known = ", ".join(self.names) or "none"
            raise ModelError(f'unknown parameter "{name}", expected one of: {known}')
        return self._ring.gens()[self.names.index(name)]

    def value(self, polynomial: "fmpq_mpoly", point: Mapping[str, Fraction]) -> Fraction:
        """Return the exact value at a point."""
        from flint import fmpq

        numbers = [point[name] for name in self.names] or [Fraction(0)]
        value = polynomial(*(fmpq(number.numerator, number.denominator) for number in numbers))
        return Fraction(int(value.p), int(value.q))

    def on_unit_box(
        self, polynomial: "fmpq_mpoly", box: Sequence[tuple[Fraction, Fraction]]
    ) -> "fmpq_mpoly":
        """Return the polynomial of t in [0, 1]^n that has its values at low + (high - low) t."""
        if not box:
            return polynomial
        gens = self._ring.gens()
        moved = [
            self.constant(low) + self.constant(high - low) * gen
            for (low, high), gen in zip(box, gens)
        ]
        return polynomial.compose(*moved)


class _ExpressionReader:
    """Recursive descent over the tokens of a text, the next one last."""

    def __init__(self, ring: Polynomials, text: str) -> None:
        self.ring, self.text = ring, text
        self.tokens: list[str] = []
        place, stripped = 0, text.rstrip()
        while place < len(stripped):
            match = _TOKEN.match(stripped, place)
            if match is None:
                raise self.error()
            self.tokens.append(match[0].strip())
            place = match.end()
        self.tokens.reverse()

    def error(self) -> ModelError:
        return ModelError(
            f'expected a number, or a polynomial in parameters such as "(1 - p)/2" of degree at '
            f"most {MAX_DEGREE}, found {quoted(self.text)}"
        )

    def next(self, *expected: str) -> str:
        """Return the next token and go on where it is one of those, else ""."""
        return self.tokens.pop() if self.tokens and self.tokens[-1] in expected else ""

    def sum(self, depth: int) -> "fmpq_mpoly":
        value = self.product(depth)
        while sign := self.next("+", "-"):
            term = self.product(depth)
            value = value + term if sign == "+" else value - term
        return value

    def product(self, depth: int) -> "fmpq_mpoly":
        value: fmpq_mpoly = self.factor(depth)
        while sign := self.next("*", "/"):
            factor = self.factor(depth)
            if sign == "/" and (not factor.is_constant() or factor == 0):
                raise self.error()
            value = value * factor if sign == "*" else value / factor
        return value

    def factor(self, depth: int) -> Any:
        negative = False
        while self.next("-"):
            negative = not negative
        value = self.power(depth)
        return -value if negative else value

    def power(self, depth: int) -> "fmpq_mpoly":
        value = self.atom(depth)
        if not self.next("^"):
            return value
        exponent = self.tokens.pop() if self.tokens else ""
        if not exponent.isdigit() or int(exponent) * max(value.total_degree(), 1) > MAX_DEGREE:
            raise self.error()
        return value ** int(exponent)

    def atom(self, depth: int) -> "fmpq_mpoly":
        if self.next("("):
            if depth == _DEEPEST:
                raise self.error()
            value = self.sum(depth + 1)
            if not self.next(")"):
                raise self.error()
            return value
        token = self.tokens.pop() if self.tokens else ""
        if token[:1].isdigit():
            return self.ring.constant(exact(token))
        if not (token[:1].isalpha() or token[:1] == "_"):
            raise self.error()
        return self.ring.generator(token)
