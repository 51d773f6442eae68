"""Numbers that Gaussian draws of programs make: polynomials in tails of the standard normal law and
in probabilities of stars, with exponential polynomials as coefficients
(`pufferproof.models.noise.tables.tails`).

The probabilities of both sides of a comparison add up to exactly 1; those of stars do so as far as
their enclosures tell.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from pufferproof.models.noise.tables.tails import InTails, NormalSum, Tails
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.pieces import End, ExponentialPolynomial
from pufferproof.verify.programs.regions.stars import Star

_FEW_BITS = 256


class NormalPolynomial(InTails, ExponentialPolynomial):
    """A number with exponential polynomials of no variables as coefficients.

    >>> ahead, behind = (NormalPolynomial.between(fmpq(1), None, 1), NormalPolynomial.between(None, fmpq(1), 1))
    >>> round(ahead.approx(), 6), (ahead + behind).value()
    (0.158655, Fraction(1, 1))
    """

    def __init__(self, of: Mapping[Tails, ExponentialPolynomial]) -> None:
        self._of = {tails: value for tails, value in of.items() if value.terms}
        super().__init__(0, {})
        self.terms = dict(self._of)

    def _made(self, of: Mapping[Tails, Any]) -> "NormalPolynomial":
        return NormalPolynomial(of)

    @classmethod
    def between(cls, low: End, high: End, variance: int) -> "NormalPolynomial":
        """Return P(low < X < high) of a Gaussian draw of mean 0 and a variance."""
        above = cls({(): ExponentialPolynomial.constant(fmpq(1))})
        above = above if low is None else cls._above(low, variance)
        return above if high is None else above - cls._above(high, variance)

    @classmethod
    def _above(cls, cut: Any, variance: int) -> "NormalPolynomial":
        if not cut:
            return cls({(): ExponentialPolynomial.constant(fmpq(1, 2))})
        t = Fraction(int(cut.p), int(cut.q)) ** 2 / variance
        tail = cls({(t,): ExponentialPolynomial.constant(fmpq(1))})
        whole = ExponentialPolynomial.constant(fmpq(1))
        return tail if cut > 0 else whole - tail

    def sum(self) -> ExponentialSum:
        """Return the number with exponential sums as coefficients."""
        return NormalSum.of({tails: value.sum() for tails, value in self._of.items()})

    def value(self) -> Fraction | None:
        """Return the value if it is rational by its form, else None."""
        if self._of.keys() - {()}:
            return None
        return self._of[()].value() if self._of else Fraction(0)

    @classmethod
    def of_star(cls, star: Star) -> "NormalPolynomial":
        """Return the probability of a star."""
        return cls({(star,): ExponentialPolynomial.constant(fmpq(1))})

    @property
    def vanishes(self) -> bool:
        """Whether the value may be 0, as far as the enclosures of stars tell."""
        stars = any(isinstance(each, Star) for tails in self._of for each in tails)
        with ctx.workprec(_FEW_BITS):
            return stars and bool(self.near(arb(0)).contains(0))

    def ball(self, y: Any) -> Any:
        """Enclose the value."""
        return self.enclosed(y)
