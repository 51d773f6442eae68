"""Relations that somebody guessed, such as "joint <= R**4": two expressions of parameters, of R and
of the quantity, compared. Where its square alone is rational, `joint_squared` stands for that.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne

from pufferproof.counterexamples.exploration.conjectures.quantities import Parameters, Value
from pufferproof.counterexamples.exploration.family import NoQuotientError, evaluated, expect_expression
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown

_SIGNS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {"<=": le, ">=": ge, "==": eq, "!=": ne, "<": lt, ">": gt}
_LONGEST = 10_000  # characters of a side: fitted forms are long
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")  # no exponent, as in 1e-5 and 1.e5
_SIGN = re.compile("<=|>=|==|!=|<|>")


@dataclass(frozen=True)
class Relation:
    """Two expressions and the sign between them; `quantity` is the name that a value has."""

    left: str
    sign: str
    right: str
    quantity: str | None = None

    @classmethod
    def of(cls, text: str, quantity: str | None = None) -> "Relation":
        """Read a relation. Raises `ModelError` unless there is one sign, between expressions."""
        signs = _SIGN.findall(text)
        if len(signs) != 1:
            raise ModelError(f'expected a relation such as "joint <= R**4", found {shown(text)}')
        left, right = (side.strip() for side in _SIGN.split(text))
        for side in (left, right):
            expect_expression(side, _LONGEST)
        return cls(left, signs[0], right, quantity)

    @property
    def names(self) -> set[str]:
        """What parameters, and what else, it names."""
        words = set(_WORD.findall(f"{self.left} {self.right}"))
        return words - {"max", "min"}

    def sides(self, place: Parameters, value: Value | None = None) -> tuple[Fraction, Fraction]:
        """Return both sides at a place. Raises `ModelError`."""
        values = place | self._named(value)
        left, right = (evaluated(each, values, _LONGEST) for each in (self.left, self.right))
        return left, right

    def holds(self, place: Parameters, value: Value | None = None) -> bool | None:
        """Whether it holds at a place, for a finite value, or None if it divides by zero. Raises
        `ModelError`.
        """
        try:
            return _SIGNS[self.sign](*self.sides(place, value))
        except NoQuotientError:
            return None

    def nearly(self, place: Parameters, value: Value | None = None) -> bool:
        """Whether slightly more holds: with one side one percent smaller, or larger."""
        try:
            left, right = self.sides(place, value)
        except NoQuotientError:
            return True
        if self.sign in ("<", "<="):
            return 100 * left <= 99 * right
        if self.sign in (">", ">="):
            return 100 * left >= 101 * right
        return left == right and left == 0 if self.sign == "==" else abs(left - right) > 1

    def _named(self, value: Value | None) -> dict[str, Fraction]:
        if value is None or self.quantity is None:
            return {}
        values = {self.quantity: value.value, f"{self.quantity}_squared": value.squared}
        return {name: each for name, each in values.items() if each is not None}

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"
