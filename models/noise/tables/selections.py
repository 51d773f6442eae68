"""Numbers that selections are made of and that are not written out: integrals of products of coins,
as factors of powers.

    I(M) = integral over t from 0 to 1 of prod over m in M of (1 - t u^m) = E[1 / (1 + K)],

K how many of independent coins with probabilities u^m show heads. In permute-and-flip a candidate
whose coin shows heads is chosen with probability I of the others. A sum with such factors is 0 if
its terms cancel; else enclosures tell its sign, and where they do not it is written out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power

if TYPE_CHECKING:
    from flint import arb

_GUARD = 64  # bits more than the working precision
_FEW = 12  # coins of which all subsets are written out
_MOST_STEPS = 20_000_000  # of coefficients of polynomials that are written out


class Coins:
    """Independent coins with probabilities u^m, for integers m >= 0; `unit` is u, and 0 < u < 1.

    >>> from pufferproof.models.numbers.exponential_sums import ONE
    >>> coins = Coins(Power.exp(Fraction(-1)), (0, 0, 1))
    >>> round(float(coins.others(1).ball()), 6), len(coins.others(0).written().terms)
    (0.333333, 2)
    """

    def __init__(self, unit: Power, losses: Sequence[int]) -> None:
        self.unit, self.losses = unit, tuple(sorted(losses))
        self._balls: dict[int, dict[int, arb]] = {}  # by working precision

    def others(self, loss: int) -> "Integral":
        """Return I of all coins but one with that m."""
        place = self.losses.index(loss)
        rest = (*self.losses[:place], *self.losses[place + 1 :])
        step = gcd(*rest) or 1
        unit, rest = self.unit.to(Fraction(step)), tuple(m // step for m in rest)
        return Integral(unit if any(rest) else Power(), rest, self, loss)

    def ball(self, loss: int) -> "arb":
        """Enclose I of all coins but one with that m, at the working precision."""
        from flint import ctx

        if ctx.prec not in self._balls:
            if len(self._balls) > 1:
                self._balls.clear()
            self._balls[ctx.prec] = self._enclosed()
        return self._balls[ctx.prec][loss]

    def _enclosed(self) -> "dict[int, arb]":
        """Enclose I for every m that is left out.

        K has the generating function prod (1 - p + p s), whose coefficients are at least 0. One
        factor is divided out from the end at which errors do not grow. Coins whose probabilities
        add up to a tiny r are tossed apart: I of all is between I of the others times 1 - r, and
        that.
        """
        from flint import arb, arb_poly, ctx, fmpz

        prec = ctx.prec
        with ctx.workprec(prec + _GUARD):
            least = arb(fmpz(2)) ** -(prec + _GUARD)
            chances = {m: self.unit.to(Fraction(m)).ball() for m in set(self.losses)}
            tossed = [m for m in self.losses if not chances[m] < least]
            missing = arb(0).union((len(self.losses) - len(tossed)) * least)
            sure = tossed.count(0)  # coins that show heads
            factors = [arb_poly([1 - chances[m], chances[m]]) for m in tossed[sure:]]
            while len(factors) > 1:
                factors = [
                    factors[k] * factors[k + 1] if k + 1 < len(factors) else factors[k]
                    for k in range(0, len(factors), 2)
                ]
            law = factors[0].coeffs() if factors else [arb(1)]
            shares = [1 / arb(k) for k in range(1, len(tossed) + 2)]  # 1 / (1 + K)
            found = dict.fromkeys(chances, _mean(law, shares[sure:]))
            for m in set(tossed):
                if not m:
                    found[m] = _mean(law, shares[sure - 1 :])
                    continue
                # the factor of the coin is divided out of the law
                chance, rest = chances[m], shares[sure:]
                pairs = list(zip(law[:-1], rest))
                if not chance < arb(0.5):  # from the other end
                    pairs, chance = list(zip(law[:0:-1], rest[len(law) - 2 :: -1])), 1 - chance
                scale, total, last = 1 / (1 - chance), arb(0), arb(0)
                ratio = chance * scale
                for p, share in pairs:
                    last = p * scale - ratio * last
                    total += last * share
                found[m] = total
            return {m: value * (1 - missing) for m, value in found.items()}


def _mean(law: "Sequence[arb]", shares: "Sequence[arb]") -> "arb":
    """Return the sum of P(k) times the share of k."""
    return sum((p * share for p, share in zip(law[1:], shares[1:])), law[0] * shares[0])


@dataclass(frozen=True)
class Integral:
    """I(M), as a factor of a power; equal where M and u^m are, in lowest terms.

    With 0 < u < 1 transcendental, c u^a I(M) = c' u^b I(M') of multisets of one size only for a =
    b, M = M' and c = c'. As power series in u, with k zeros in M, I(M) = 1 / (k + 1) - .., and
    I(M)(1) = 1 / (1 + |M|), so that k = k'; then the first power of u whose multiplicities differ
    has different coefficients. So a ratio of two probabilities of permute-and-flip is a rational
    times a power of u iff terms cancel.
    """

    unit: Power
    losses: tuple[int, ...] = field(repr=False)
    coins: Coins = field(compare=False, repr=False)
    left_out: int = field(compare=False, repr=False)

    @cached_property
    def _hash(self) -> int:
        return hash((self.unit, self.losses))

    def __hash__(self) -> int:
        return self._hash

    def ball(self) -> "arb":
        """Enclose I(M) at the working precision."""
        return self.coins.ball(self.left_out)

    def written(self) -> ExponentialSum:
        """Return I(M) as a sum of powers. Raises `TooLargeError` where it is long."""
        if len(self.losses) ** 2 * (1 + sum(self.losses)) <= _MOST_STEPS:
            from flint import fmpq_poly, fmpz_poly

            nothing, whole = fmpz_poly([]), [fmpz_poly([1])]
            for loss in self.losses:
                shift = fmpz_poly([0] * loss + [1])
                shifted = [nothing, *(each * shift for each in whole)]
                whole = [one - other for one, other in zip([*whole, nothing], shifted)]
            integral = fmpq_poly([])
            for degree, each in enumerate(whole, start=1):
                integral += fmpq_poly(each) / degree
            return ExponentialSum(
                (Fraction(int(c.p), int(c.q)), self.unit.to(Fraction(k))) for k, c in enumerate(integral.coeffs()) if c
            )
        if len(self.losses) > _FEW:
            raise TooLargeError(
                f"whether two numbers of {len(self.losses) + 1} candidates are equal takes sums of "
                f"{sum(self.losses)} powers of e, which are not written out: expected fewer "
                "candidates, or a level that is not met so closely",
                "utility",
            )
        terms = {(0, 0): 1}  # power of u, degree of t -> coefficient
        for loss in self.losses:
            longer = Counter(terms)
            for (power, degree), c in terms.items():
                longer[power + loss, degree + 1] -= c
            terms = dict(longer)
        return ExponentialSum(
            (Fraction(c, degree + 1), self.unit.to(Fraction(power))) for (power, degree), c in terms.items()
        )


def weights_of(losses: Sequence[int], unit: Power, written: bool) -> dict[int, ExponentialSum]:
    """Return for every m its probability u^m I(the others) of being chosen by permute-and-flip.

    >>> found = weights_of((0, 1), Power.of(Fraction(2), Fraction(-1)), written=True)
    >>> found[0].rational, found[1].rational
    (Fraction(3, 4), Fraction(1, 4))
    """
    coins, found = Coins(unit, losses), {}
    for loss in set(losses):
        others = coins.others(loss)
        if not any(others.losses):
            found[loss] = ExponentialSum([(Fraction(1, len(losses)), unit.to(Fraction(loss)))])
        elif written:
            found[loss] = others.written().scaled(Fraction(1), unit.to(Fraction(loss)))
        else:
            factor = Power(factors=frozenset([(others, 1)]))
            found[loss] = ExponentialSum([(1, unit.to(Fraction(loss)).times(factor))])
    return found
