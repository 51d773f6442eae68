"""Sums of quotients of exponential sums: what the probability of a path is if draws race.

    sum_k f_k / (d_k1 d_k2 ..),    f_k an exponential sum, d_kj sums of positive multiples of powers

Denominators are kept as products of factors in normal form, so that equal ones meet: the least
exponent of a factor is 0, and its coefficients are coprime. Sums are brought to one denominator at
the end, once for all paths of a database.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce
from heapq import heapify, heappop, heappush
from math import gcd, lcm
from operator import add, mul
from typing import Any

from flint import arb, ctx, fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial
from pufferproof.verify.programs.regions.region import TooManyError

_MOST = 3_000  # terms of a denominator
_BITS = 128
_ONE = ExponentialPolynomial.constant(fmpq(1))
Factor = tuple[int, tuple[tuple[int, int], ...]]  # unit, ((exponent times unit, coefficient), ..)
Below = tuple[Factor, ...]


class Quotients:
    """A sum of quotients: product of factors -> what is above it.

    >>> one_and_e = Quotients.one_over({fmpq(0): 1, fmpq(1): 1})
    >>> round(one_and_e.approx(), 6)  # 1 / (1 + e)
    0.268941
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Mapping[Below, ExponentialPolynomial]) -> None:
        self.parts = {below: above for below, above in parts.items() if above.terms}

    @classmethod
    def of(cls, value: ExponentialPolynomial) -> "Quotients":
        """Return an exponential sum."""
        return cls({(): value})

    @classmethod
    def one_over(cls, *sums: Mapping[Any, int]) -> "Quotients":
        """Return 1 over a product of sums, exponent -> coefficient, all of them positive."""
        factors, content, least = [], 1, fmpq(0)
        for terms in sums:
            low, common = min(terms), gcd(*terms.values())
            content, least = content * common, least + low
            if len(terms) > 1:
                factors.append(_factor({x - low: c // common for x, c in terms.items()}))
        above: dict[tuple[int, ...], Any] = {(-int(least.p),): fmpq(1, content)}
        return cls({tuple(sorted(factors)): ExponentialPolynomial(0, above, int(least.q))})

    def __add__(self, other: "Quotients") -> "Quotients":
        parts = dict(self.parts)
        for below, above in other.parts.items():
            parts[below] = parts[below] + above if below in parts else above
        return Quotients(parts)

    def __sub__(self, other: "Quotients") -> "Quotients":
        return self + other * Quotients.of(_ONE.scaled(fmpq(-1)))

    def __mul__(self, other: "Quotients") -> "Quotients":
        parts: dict[Below, ExponentialPolynomial] = {}
        for below, above in self.parts.items():
            for more, factor in other.parts.items():
                both = tuple(sorted((*below, *more)))
                product = above * factor
                parts[both] = parts[both] + product if both in parts else product
        return Quotients(parts)

    def approx(self) -> float:
        """Return the value, to about nine digits."""
        total, point = arb(0), arb(0)
        with ctx.workprec(_BITS):
            for below, above in self.parts.items():
                whole = reduce(mul, (_sum(factor).ball(point) for factor in below), arb(1))
                total += above.ball(point) / whole
            return float(total)


class Denominator:
    """The least product of factors that is a denominator of some sums of quotients.

    Raises `TooManyError` if it has more than 3,000 terms.
    """

    def __init__(self, values: Iterable[Quotients]) -> None:
        most: Counter[Factor] = Counter()
        for below in {below for value in values for below in value.parts}:
            most |= Counter(below)
        self.value = reduce(_limited, map(_sum, sorted(most.elements())), _ONE)
        self._others: dict[Below, ExponentialPolynomial] = {(): self.value}

    def above(self, value: Quotients) -> ExponentialPolynomial:
        """Return the numerator of a sum of quotients."""
        parts = [above * self._other(below) for below, above in value.parts.items()]
        return reduce(add, parts) if parts else ExponentialPolynomial(0, {})

    def _other(self, below: Below) -> ExponentialPolynomial:
        """Return the denominator over some of its factors."""
        if below not in self._others:
            *rest, last = below
            self._others[below] = _divided(self._other(tuple(rest)), last)
        return self._others[below]


def _factor(terms: Mapping[Any, int]) -> Factor:
    unit = lcm(*(int(x.q) for x in terms))
    return unit, tuple(sorted((int((x * unit).p), c) for x, c in terms.items()))


def _sum(factor: Factor) -> ExponentialPolynomial:
    unit, terms = factor
    return ExponentialPolynomial(0, {(x,): fmpq(c) for x, c in terms}, unit)


def _limited(one: ExponentialPolynomial, other: ExponentialPolynomial) -> ExponentialPolynomial:
    product = one * other
    if len(product.terms) > _MOST:
        raise TooManyError
    return product


def _divided(value: ExponentialPolynomial, factor: Factor) -> ExponentialPolynomial:
    """Return an exponential sum over one of its factors, from the least exponent on."""
    unit = lcm(value.unit, factor[0])
    left = {x * (unit // value.unit): q for (x,), q in value.terms.items()}
    (_, first), *others = ((x * (unit // factor[0]), fmpq(c)) for x, c in factor[1])
    waiting = [*left]
    found: dict[tuple[int, ...], Any] = {}
    heapify(waiting)
    while waiting:
        x = heappop(waiting)
        q = found[x,] = left.pop(x) / first
        for y, c in others if q else ():
            if x + y not in left:
                heappush(waiting, x + y)
            left[x + y] = left.get(x + y, 0) - c * q
    return ExponentialPolynomial(0, found, unit)
