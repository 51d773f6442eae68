"""The laws of integers without a bound: how probable an interval of them is.

P(K >= k) = q^(k - 1) of geometric draws, k >= 1,
P(K >= k) = q^k / (1 + q) of a difference of two of them, k >= 1, and symmetric.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial

_ALL = ExponentialPolynomial.constant(fmpq(1))


@dataclass(frozen=True)
class Geometric:
    """P(K >= k) = q^(k - 1), k = 1, 2, ..; q = above / below.

    >>> Geometric(1, 2).between(2, 3).value()
    Fraction(3, 8)
    """

    above: int
    below: int

    least = start = 1

    @property
    def q(self) -> Any:
        """The probability of a failure."""
        return fmpq(self.above, self.below)

    def from_on(self, k: int) -> ExponentialPolynomial:
        """Return P(K >= k)."""
        return ExponentialPolynomial.constant(self.q ** max(k - 1, 0))

    def between(self, low: int | None, high: int | None) -> ExponentialPolynomial:
        """Return P(low <= K <= high), an end None for none."""
        return _between(self, low, high)


@dataclass(frozen=True)
class TwoSided:
    """P(K = k) = (1 - q) / (1 + q) q^|k|: the difference of two geometric draws.

    >>> TwoSided(1, 2).between(0, 0).value(), TwoSided(1, 2).between(None, -1).value()
    (Fraction(1, 3), Fraction(1, 3))
    """

    above: int
    below: int

    least = None
    start = 0

    @property
    def q(self) -> Any:
        """The factor from one integer to the next."""
        return fmpq(self.above, self.below)

    def from_on(self, k: int) -> ExponentialPolynomial:
        """Return P(K >= k)."""
        tail = self.q ** (k if k > 0 else 1 - k) / (1 + self.q)
        return ExponentialPolynomial.constant(tail if k > 0 else 1 - tail)

    def between(self, low: int | None, high: int | None) -> ExponentialPolynomial:
        """Return P(low <= K <= high), an end None for none."""
        return _between(self, low, high)


@dataclass(frozen=True)
class Poisson:
    """P(K = k) = e^-r r^k / k!, k = 0, 1, ..; r = above / below."""

    above: int
    below: int

    least = 0
    first = fmpq(1)  # of the terms r^k / k!

    @property
    def start(self) -> int:
        """Where the search for a value begins."""
        return self.above // self.below

    def growth(self, k: int) -> Any:
        """Return the factor from the term of k to the next."""
        return fmpq(self.above, self.below * (k + 1))

    def from_on(self, k: int) -> ExponentialPolynomial:
        """Return P(K >= k)."""
        total = _sum_below(self, max(k, 0))
        return _ALL - ExponentialPolynomial(0, {(-self.above,): total}, self.below)

    def between(self, low: int | None, high: int | None) -> ExponentialPolynomial:
        """Return P(low <= K <= high), an end None for none."""
        return _between(self, low, high)


@dataclass(frozen=True)
class NegativeBinomial:
    """P(K = k) = (k + n - 1 choose k) (1 - q)^n q^k, k = 0, 1, ..; q = above / below: the failures
    before n successes.

    >>> NegativeBinomial(2, 1, 2).between(1, 2).value()  # 2/8 + 3/16
    Fraction(7, 16)
    """

    successes: int
    above: int
    below: int

    least = 0

    @property
    def start(self) -> int:
        """Where the search for a value begins."""
        return self.successes * self.above // (self.below - self.above)

    @property
    def first(self) -> Any:
        """The probability of 0."""
        return (1 - fmpq(self.above, self.below)) ** self.successes

    def growth(self, k: int) -> Any:
        """Return the factor from the probability of k to the next."""
        return fmpq(self.above * (self.successes + k), self.below * (k + 1))

    def from_on(self, k: int) -> ExponentialPolynomial:
        """Return P(K >= k)."""
        return ExponentialPolynomial.constant(1 - _sum_below(self, max(k, 0)))

    def between(self, low: int | None, high: int | None) -> ExponentialPolynomial:
        """Return P(low <= K <= high), an end None for none."""
        return _between(self, low, high)


@cache
def _sums(law: "Poisson | NegativeBinomial") -> tuple[list[Any], list[Any]]:
    return [law.first], [fmpq(0)]


def _sum_below(law: "Poisson | NegativeBinomial", k: int) -> Any:
    """Return the sum of the terms of 0 .. k - 1."""
    terms, sums = _sums(law)
    while len(sums) <= k:
        sums.append(sums[-1] + terms[-1])
        terms.append(terms[-1] * law.growth(len(terms) - 1))
    return sums[k]


@dataclass(frozen=True, eq=False)
class Floor:
    """The integer below a continuous draw: K > k iff the draw is above k + 1."""

    form: Any
    start: int

    least = None


Listed = Geometric | TwoSided | Poisson | NegativeBinomial  # with probabilities of their own
CountLaw = Listed | Floor


def _between(law: Listed, low: int | None, high: int | None) -> ExponentialPolynomial:
    above = _ALL if low is None else law.from_on(low)
    return above if high is None else above - law.from_on(high + 1)
