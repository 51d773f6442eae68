"""Probabilities of Gaussian noise: polynomials in tails of the standard normal law and in other
probabilities that are enclosed, with exponential sums as coefficients.

    sum_i c_i prod_j Q(t_ij),    Q(t) = P(Z > sqrt(t)) = erfc(sqrt(t / 2)) / 2,    t > 0 rational

P(Z > -x) is 1 - Q(x^2) and P(Z > 0) is 1/2, so that the probabilities of both sides of a comparison
add up to exactly 1. In place of a t may stand what has a `ball`: a tail of discrete Gaussian noise
(`LatticeTail`), or a region of several draws (`pufferproof.verify.programs.regions`). Equal
polynomials are equal numbers. Whether different ones are equal is not decided: an enclosure is
refined until it excludes 0, and what none excludes is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from flint import arb, ctx, fmpq

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.pieces import rational

Tails = tuple[Any, ...]  # the t of every factor, or what has a ball
Coefficient = Any  # an exponential sum, or a polynomial of them
_MOST_BITS = 1 << 14
_NOTHING, _WHOLE = ExponentialSum([]), ExponentialSum([(1, ONE)])


class InTails:
    """What polynomials in tails have in common: coefficients are added and multiplied."""

    _of: Mapping[Tails, Coefficient]

    def _made(self, of: Mapping[Tails, Coefficient]) -> Coefficient:
        raise NotImplementedError

    def __add__(self, other: Coefficient) -> Coefficient:
        of = dict(self._of)
        for tails, value in _parts(other):
            of[tails] = of[tails] + value if tails in of else value
        return self._made(of)

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Coefficient:
        return self + other.scaled(Fraction(-1) if isinstance(other, ExponentialSum) else fmpq(-1))

    def __rsub__(self, other: Coefficient) -> Coefficient:
        return self.scaled(Fraction(-1) if isinstance(self, ExponentialSum) else fmpq(-1)) + other

    def __mul__(self, other: Coefficient) -> Coefficient:
        of: dict[Tails, Coefficient] = {}
        for tails, value in self._of.items():
            for more, factor in _parts(other):
                place = tuple(sorted((*tails, *more), key=repr))
                product = value * factor
                of[place] = of[place] + product if place in of else product
        return self._made(of)

    __rmul__ = __mul__

    def scaled(self, *factor: Any) -> Coefficient:
        """Return this number times others."""
        return self._made({tails: value.scaled(*factor) for tails, value in self._of.items()})

    def enclosed(self, *point: object) -> arb:
        """Enclose the value to at least half of the working precision, and tell it from 0."""
        bits, enough = ctx.prec, ctx.prec // 2
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                total = self.near(*point)
            if not self._of or total.rel_accuracy_bits() >= enough:
                return +total
            bits *= 2
        raise TooLargeError(
            "a probability of Gaussian noise is too small to enclose, or two are too close to tell apart"
        )

    def near(self, *point: object) -> arb:
        """Enclose the value at the present working precision."""
        total = arb(0)
        for tails, value in self._of.items():
            product = value.ball(*point)
            for each in tails:
                product *= (arb(rational(each)) / 2).sqrt().erfc() / 2 if isinstance(each, Fraction) else each.ball()
            total += product
        return total


def _parts(value: object) -> Iterator[tuple[Tails, Coefficient]]:
    yield from value._of.items() if isinstance(value, InTails) else [((), value)]


class NormalSum(InTails, ExponentialSum):
    """A number with exponential sums as coefficients."""

    def __init__(self, of: Mapping[Tails, ExponentialSum]) -> None:
        super().__init__([])
        self._of = {tails: value for tails, value in of.items() if value.terms}

    @classmethod
    def of(cls, of: Mapping[Tails, ExponentialSum]) -> ExponentialSum:
        """Return a number: a plain exponential sum if no tail is left in it."""
        made = cls(of)
        return made if made._of.keys() - {()} else made._of.get((), ExponentialSum([]))

    def _made(self, of: Mapping[Tails, Coefficient]) -> ExponentialSum:
        return NormalSum.of(of)

    def scaled(self, factor: Fraction, power: Power = ONE) -> ExponentialSum:
        """Return this number times a rational and a power."""
        scaled: ExponentialSum = super().scaled(factor, power)
        return scaled

    @property
    def terms(self) -> Mapping[Any, Coefficient]:
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

    def ball(self) -> arb:
        """Enclose the value, so closely that it is told from 0."""
        return self.enclosed()

    def sign(self) -> int:
        """Return 1 or -1. Raises `TooLargeError` for what no enclosure tells from 0."""
        return 1 if self.ball() > 0 else -1

    def __repr__(self) -> str:
        return f"NormalSum({len(self._of)} terms)"


@dataclass(frozen=True)
class LatticeTail:
    """P(Z >= place) of discrete Gaussian noise of a variance sigma^2, at a positive integer."""

    variance: Fraction
    place: int

    def ball(self) -> arb:
        """Enclose the probability."""
        return LatticeGaussian(self.variance).tail(self.place)


def gaussian_tail(variance: Fraction, distance: Fraction, on_integers: bool) -> ExponentialSum:
    """Return P(Z >= distance) of Gaussian noise; of noise on integers, variance is sigma^2.

    >>> one = Fraction(1)
    >>> tails = [gaussian_tail(one, distance, False) for distance in (one, -one)]
    >>> (tails[0] + tails[1]).rational, round(float(tails[0].ball()), 6)
    (Fraction(1, 1), 0.158655)
    """
    if on_integers:
        place = ceil(distance)
        if place <= 0:
            return _WHOLE - gaussian_tail(variance, Fraction(1 - place), True)
        return NormalSum.of({(LatticeTail(variance, place),): _WHOLE})
    if distance <= 0:
        opposite = gaussian_tail(variance, -distance, False) if distance else None
        return _WHOLE.scaled(Fraction(1, 2)) if opposite is None else _WHOLE - opposite
    return NormalSum.of({(distance * distance / variance,): _WHOLE})
