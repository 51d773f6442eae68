"""Exact numbers that noise makes: sums of rationals times powers of e and of rationals, with a
decided sign.

    sum_i c_i e^(x_i) prod_p p^(y_ip),    c_i, x_i, y_ip rational, p prime

In normal form every y_ip lies in [0, 1), whole powers being part of c_i, and equal powers are added
up. Then the sum is 0 iff all coefficients are: products of fractional powers of primes are linearly
independent over the rationals (Besicovitch 1940), and powers of e with different rational exponents
over the algebraic numbers (Lindemann and Weierstrass). So equality is decided before an enclosure
is refined, and refining ends. Powers can have factors that are not written out
(`pufferproof.models.noise.tables.selections`): of these, equal numbers can have different forms.
What noise leaks is in `pufferproof.verify.noise.ratio.listed`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import floor
from operator import add
from typing import TYPE_CHECKING, Protocol

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.numbers.text import brief

if TYPE_CHECKING:
    from flint import arb

_LARGEST_BASE = 10**18  # numerator or denominator of a base that is split into primes
_FIRST_BITS = 64
_BITS = 128  # of a ball whose ends are rounded to floats
_MOST_BITS = 1 << 13  # of factors that are enclosed
_FINE_BITS = 1 << 9  # from which on a power takes longer than to find it again: candidates for one maximum share theirs
_MOST_PRODUCTS = 300_000  # of terms, where factors are written out


class Factor(Protocol):
    """A number above 0 that is not written out as a sum of powers, such as an integral."""

    def ball(self) -> "arb":
        """Enclose it at the present working precision."""
        ...

    def written(self) -> "ExponentialSum":
        """Return it as a sum of powers. Raises `TooLargeError` where that is long."""
        ...


@dataclass(frozen=True)
class Power:
    """e^nats times a product of primes to rational powers, as exponents; and times factors that are
    not written out, each with how often it occurs.

    >>> Power.of(Fraction(9, 2), Fraction(1, 2)).primes
    ((2, Fraction(-1, 2)), (3, Fraction(1, 1)))
    """

    nats: Fraction = Fraction(0)
    primes: tuple[tuple[int, Fraction], ...] = ()
    factors: frozenset[tuple[Factor, int]] = frozenset()

    @classmethod
    def of(cls, base: Fraction, exponent: Fraction) -> "Power":
        """Return base^exponent for a rational base > 0. Raises `ModelError` unless it is small
        enough to be factored.
        """
        primes = {p: exponent * k for p, k in _factors(base)}
        return cls(Fraction(0), tuple(sorted((p, y) for p, y in primes.items() if y)))

    @classmethod
    def exp(cls, nats: Fraction) -> "Power":
        """Return e^nats."""
        return cls(nats)

    def to(self, exponent: Fraction) -> "Power":
        """Return this power, without factors, raised to a rational exponent."""
        if not exponent:
            return ONE
        if self.factors:
            raise ValueError("no power of a factor")
        return Power(self.nats * exponent, tuple((p, y * exponent) for p, y in self.primes))

    def times(self, other: "Power") -> "Power":
        """Return the product of two powers."""
        primes = dict(self.primes)
        for p, y in other.primes:
            primes[p] = primes.get(p, Fraction(0)) + y
        factors = self.factors or other.factors
        if self.factors and other.factors:
            counted = Counter(dict(self.factors))
            counted.update(dict(other.factors))
            factors = frozenset(counted.items())
        named = tuple(sorted((p, y) for p, y in primes.items() if y))
        return Power(self.nats + other.nats, named, factors)

    def split(self) -> tuple[Fraction, "Power"]:
        """Return a rational factor and a power whose exponents of primes lie in [0, 1)."""
        factor, rest = Fraction(1), []
        for p, y in self.primes:
            whole = floor(y)
            factor *= Fraction(p) ** whole
            if y != whole:
                rest.append((p, y - whole))
        return factor, Power(self.nats, tuple(rest), self.factors)

    def ball(self) -> "arb":
        """Enclose this number at the present working precision."""
        from flint import arb, fmpq

        exponent = arb(fmpq(self.nats.numerator, self.nats.denominator))
        for p, y in self.primes:
            exponent += arb(fmpq(y.numerator, y.denominator)) * arb(p).log()
        value = exponent.exp()
        for factor, times in self.factors:
            value *= factor.ball() ** times
        return value

    def ends(self) -> tuple[float, float]:
        """Return the floats on both sides of this number, or of numbers next to it.

        >>> Power.exp(Fraction(0)).ends(), Power.exp(Fraction(1)).ends()
        ((1.0, 1.0), (2.718281828459045, 2.7182818284590455))
        """
        from flint import ctx

        with ctx.workprec(_BITS):
            ball = self.ball()
            return below(dyadic(ball.lower())), above(dyadic(ball.upper()))


ONE = Power()


class _Bounded:
    """What sums and quotients of sums have in common."""

    @property
    def rational(self) -> Fraction | None:
        """The value if it is rational, else None."""
        raise NotImplementedError

    def ball(self) -> "arb":
        """Enclose the value at the present working precision."""
        raise NotImplementedError

    def bounds(self, bits: int = _BITS) -> tuple[Fraction, Fraction]:
        """Return rational bounds of the value, which are equal if it is rational.

        >>> low, high = ExponentialSum([(1, Power.exp(Fraction(1)))]).bounds()
        >>> low < high, float(low)
        (True, 2.718281828459045)
        """
        if (value := self.rational) is not None:
            return value, value
        from flint import ctx

        with ctx.workprec(bits):
            ball = self.ball()
            return dyadic(ball.lower()), dyadic(ball.upper())


class ExponentialSum(_Bounded):
    """A sum in normal form: power -> coefficient, without zeros.

    >>> root = ExponentialSum([(1, Power.of(Fraction(2), Fraction(1, 2)))])
    >>> (root * root).rational, (root - ExponentialSum([(1, Power.exp(Fraction(1, 3)))])).sign()
    (Fraction(2, 1), 1)
    """

    def __init__(self, terms: Iterable[tuple[Fraction | int, Power]]) -> None:
        coefficients: dict[Power, Fraction] = {}
        for coefficient, power in terms:
            factor, rest = power.split() if power.primes else (Fraction(1), power)
            part = factor * coefficient if factor != 1 else Fraction(coefficient)
            coefficients[rest] = coefficients[rest] + part if rest in coefficients else part
        self._terms = {power: coefficient for power, coefficient in coefficients.items() if coefficient}
        self._hash: int | None = None

    @property
    def terms(self) -> Mapping[Power, Fraction]:
        """The coefficient of every power."""
        return self._terms

    @property
    def rational(self) -> Fraction | None:
        """The value if it is rational, else None."""
        if not self._terms:
            return Fraction(0)
        return self._terms.get(ONE) if len(self._terms) == 1 else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExponentialSum) and self._terms == other._terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._terms.items()))
        return self._hash

    def __add__(self, other: "ExponentialSum") -> "ExponentialSum":
        return ExponentialSum((c, p) for terms in (self._terms, other._terms) for p, c in terms.items())

    def __sub__(self, other: "ExponentialSum") -> "ExponentialSum":
        mine, theirs = self._terms.items(), other._terms.items()
        return ExponentialSum([*((c, p) for p, c in mine), *((-c, p) for p, c in theirs)])

    def __mul__(self, other: "ExponentialSum") -> "ExponentialSum":
        return ExponentialSum((c * d, p.times(q)) for p, c in self._terms.items() for q, d in other._terms.items())

    def scaled(self, factor: Fraction, power: Power = ONE) -> "ExponentialSum":
        """Return this sum times a rational and a power."""
        return ExponentialSum((c * factor, p.times(power)) for p, c in self._terms.items())

    def ball(self) -> "arb":
        """Enclose the value at the present working precision. Raises `TooLargeError` at more than
        8,192 bits where factors are not written out: they may cancel.
        """
        from flint import arb, ctx, fmpz

        if ctx.prec > _MOST_BITS and self._opaque:
            raise TooLargeError(
                f"two numbers are the same to {_MOST_BITS} bits, and whether they are equal is not "
                "decided: expected fewer candidates, or a larger scale",
                "mechanism",
            )
        total = arb(0)
        for power, c in self._terms.items():
            # no fraction to reduce once more
            ball = power.ball() if ctx.prec < _FINE_BITS or power.factors else _ball(power, ctx.prec)
            total += arb(fmpz(c.numerator)) / fmpz(c.denominator) * ball
        return total

    def monomial_to(self, other: "ExponentialSum") -> "ExponentialSum | None":
        """Return c p, one power and its coefficient, if another sum is c p times this one by their
        forms; None if not, or of sums with factors.

        >>> one, e = (ExponentialSum([(1, Power.exp(Fraction(k)))]) for k in (0, 1))
        >>> (one + e).monomial_to(e + e * e) == e, one.monomial_to(one + e)
        (True, None)
        """
        if not self._terms or len(self._terms) != len(other._terms):
            return None
        if self._opaque or other._opaque:
            return None
        mine, theirs = (max(each._terms, key=lambda p: p.nats) for each in (self, other))
        ratio = other._terms[theirs] / self._terms[mine]
        monomial = ExponentialSum([(ratio, theirs.times(mine.to(Fraction(-1))))])
        return monomial if self * monomial == other else None

    @property
    def _opaque(self) -> bool:
        return any(power.factors for power in self._terms)

    def written(self) -> "ExponentialSum":
        """Return this sum with all factors written out. Raises `TooLargeError` where it is long."""
        total = ExponentialSum([])
        for power, c in self._terms.items():
            term = ExponentialSum([(c, Power(power.nats, power.primes))])
            for factor, times in power.factors:
                for _ in range(times):
                    other = factor.written()
                    if len(term.terms) * len(other.terms) > _MOST_PRODUCTS:
                        raise TooLargeError(
                            "a product of sums of powers of e has more than "
                            f"{_MOST_PRODUCTS} terms: expected fewer candidates",
                            "mechanism",
                        )
                    term = term * other
            total = total + term
        return total

    def sign(self) -> int:
        """Return -1, 0 or 1, exactly: 0 by the normal form, else by an enclosure refined until
        it excludes 0. Factors that are not written out, and could cancel, are written out where
        8,192 bits do not tell; raises `TooLargeError` where that is long.
        """
        if not self._terms:
            return 0
        signs = {c > 0 for c in self._terms.values()}
        if len(signs) == 1:  # powers are above 0
            return 1 if True in signs else -1
        from flint import ctx

        bits = _FIRST_BITS
        while True:
            if bits > _MOST_BITS and self._opaque:
                return self.written().sign()
            with ctx.workprec(bits):
                value_ball = self.ball()
                if value_ball > 0:
                    return 1
                if value_ball < 0:
                    return -1
            bits *= 2

    def __repr__(self) -> str:
        return f"ExponentialSum({len(self._terms)} terms)"


@lru_cache(maxsize=1 << 12)
def _ball(power: Power, bits: int) -> "arb":
    """Enclose a power at the present working precision, which is `bits`."""
    return power.ball()


def added(sums: Iterable[ExponentialSum]) -> ExponentialSum:
    """Return the sum of some sums.

    >>> added([ExponentialSum([(1, ONE)]), ExponentialSum([(2, ONE)])]).rational
    Fraction(3, 1)
    """
    every = list(sums)
    if any(type(each) is not ExponentialSum for each in every):  # tails of Gaussian noise
        return reduce(add, every, ExponentialSum([]))
    return ExponentialSum((c, p) for each in every for p, c in each.terms.items())


@dataclass(frozen=True)
class Quotient(_Bounded):
    """A quotient of exponential sums, such as e / (1 + e); equal by form only.

    >>> one, e = (ExponentialSum([(1, Power.exp(Fraction(k)))]) for k in (0, 1))
    >>> Quotient(e + e, e).rational, Quotient(e, one + e).rational
    (Fraction(2, 1), None)
    """

    above: ExponentialSum
    below: ExponentialSum

    @property
    def rational(self) -> Fraction | None:
        """The value if it is rational, else None: decided by normal forms, as the two sums are
        equal term by term but for a factor.
        """
        power, coefficient = next(iter(self.below.terms.items()))
        if self.above.terms and len(self.above.terms) != len(self.below.terms):
            return None
        ratio = self.above.terms.get(power, Fraction(0)) / coefficient
        return ratio if self.above == self.below.scaled(ratio) else None

    def __add__(self, other: "Quotient") -> "Quotient":
        if self.below == other.below:
            return Quotient(self.above + other.above, self.below)
        above = self.above * other.below + other.above * self.below
        return Quotient(above, self.below * other.below)

    def ball(self) -> "arb":
        """Enclose the value at the present working precision."""
        return self.above.ball() / self.below.ball()


@lru_cache(maxsize=1024)
def _factors(base: Fraction) -> tuple[tuple[int, int], ...]:
    from flint import fmpz

    if base <= 0 or max(base.numerator, base.denominator) > _LARGEST_BASE:
        raise ModelError(f"expected a number of at most 18 digits above 0 to take powers of, found {brief(base)}")
    above = ((int(p), int(k)) for p, k in fmpz(base.numerator).factor())
    below = ((int(p), -int(k)) for p, k in fmpz(base.denominator).factor())
    return (*above, *below)
