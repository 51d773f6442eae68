"""Numbers that Gaussian noise makes: polynomials in tails of the standard normal law and in
probabilities of stars, with exponential sums as coefficients.

    sum_i c_i prod_j Q(t_ij),    Q(t) = P(Z > sqrt(t)) = erfc(sqrt(t / 2)) / 2,    t > 0 rational

P(Z > -x) is 1 - Q(x^2) and P(Z > 0) is 1/2, so that the probabilities of both sides of a comparison
add up to exactly 1; those of stars do so as far as their enclosures tell. Equal polynomials are
equal numbers. Whether different ones are equal is not decided: an enclosure is refined until it
excludes 0, and what none excludes is refused.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.pieces import End, ExponentialPolynomial, rational
from pufferproof.verify.programs.regions.stars import Star

Tails = tuple[Fraction | Star, ...]  # the t of every factor, or a star
_FEW_BITS, _MOST_BITS = 256, 1 << 14


class _InTails:
    """What polynomials in tails have in common: coefficients are added and multiplied."""

    _of: Mapping[Tails, Any]

    def _made(self, of: Mapping[Tails, Any]) -> Any:
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        of = dict(self._of)
        for tails, value in _parts(other):
            of[tails] = of[tails] + value if tails in of else value
        return self._made(of)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + other.scaled(_minus(other))

    def __rsub__(self, other: Any) -> Any:
        return self.scaled(_minus(self)) + other

    def __mul__(self, other: Any) -> Any:
        of: dict[Tails, Any] = {}
        for tails, value in self._of.items():
            for more, factor in _parts(other):
                place = tuple(sorted((*tails, *more), key=repr))
                product = value * factor
                of[place] = of[place] + product if place in of else product
        return self._made(of)

    __rmul__ = __mul__

    def scaled(self, *factor: Any) -> Any:
        """Return this number times others."""
        return self._made({tails: value.scaled(*factor) for tails, value in self._of.items()})

    def _ball(self, *point: Any) -> Any:
        """Enclose the value to at least half of the working precision, and tell it from 0."""
        bits, enough = ctx.prec, ctx.prec // 2
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                total = self._near(*point)
            if not self._of or total.rel_accuracy_bits() >= enough:
                return +total
            bits *= 2
        raise TooLargeError(
            "a probability of Gaussian draws is too small to enclose, or two are too close to tell "
            "apart"
        )

    def _near(self, *point: Any) -> Any:
        """Enclose the value at the present working precision."""
        total = arb(0)
        for tails, value in self._of.items():
            product = value.ball(*point)
            for each in tails:
                product *= each.ball() if isinstance(each, Star) else _tail(each)
            total += product
        return total


def _tail(t: Fraction) -> Any:
    return (arb(rational(t)) / 2).sqrt().erfc() / 2


def _parts(value: Any) -> Iterator[tuple[Tails, Any]]:
    yield from value._of.items() if isinstance(value, _InTails) else [((), value)]


def _minus(value: Any) -> Any:
    return Fraction(-1) if isinstance(value, ExponentialSum) else fmpq(-1)


class NormalPolynomial(_InTails, ExponentialPolynomial):
    """A number with exponential polynomials of no variables as coefficients.

    >>> ahead, behind = (
    ...     NormalPolynomial.between(fmpq(1), None, 1),
    ...     NormalPolynomial.between(None, fmpq(1), 1),
    ... )
    >>> round(ahead.approx(), 6), (ahead + behind).value()
    (0.158655, Fraction(1, 1))
    """

    def __init__(self, of: Mapping[Tails, ExponentialPolynomial]) -> None:
        self._of = {tails: value for tails, value in of.items() if value.terms}
        super().__init__(0, {})
        self.terms = dict(self._of)  # type: ignore[arg-type]

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
            return stars and bool(self._near(arb(0)).contains(0))

    def ball(self, y: Any) -> Any:
        """Enclose the value."""
        return self._ball(y)


class NormalSum(_InTails, ExponentialSum):
    """A number with exponential sums as coefficients."""

    def __init__(self, of: Mapping[Tails, ExponentialSum]) -> None:
        super().__init__([])
        self._of = {tails: value for tails, value in of.items() if value.terms}

    @classmethod
    def of(cls, of: Mapping[Tails, ExponentialSum]) -> ExponentialSum:
        """Return a number: a plain exponential sum if no tail is left in it."""
        made = cls(of)
        return made if made._of.keys() - {()} else made._of.get((), ExponentialSum([]))

    def _made(self, of: Mapping[Tails, Any]) -> ExponentialSum:
        return NormalSum.of(of)

    def scaled(self, factor: Fraction, power: Power = ONE) -> ExponentialSum:
        """Return this number times a rational and a power."""
        scaled: ExponentialSum = super().scaled(factor, power)
        return scaled

    @property
    def terms(self) -> Mapping[Any, Any]:
        """The coefficient of every product of tails."""
        return self._of

    @property
    def rational(self) -> None:
        """None: that the value is rational is not known."""
        return

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NormalSum) and self._of == other._of

    def __hash__(self) -> int:
        return hash(frozenset(self._of.items()))

    def ball(self) -> Any:
        """Enclose the value, so closely that it is told from 0."""
        return self._ball()

    def sign(self) -> int:
        """Return 1 or -1. Raises `TooLargeError` for what no enclosure tells from 0."""
        return 1 if self.ball() > 0 else -1

    def __repr__(self) -> str:
        return f"NormalSum({len(self._of)} terms)"
