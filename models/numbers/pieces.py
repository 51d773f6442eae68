"""Exponential polynomials, and densities that consist of them on intervals, integrated exactly.

    f(x) = sum_i q_i x_1^(n_i1) .. x_m^(n_im) e^(k_i . x + r_i),    q_i, k_i, r_i rational

Sums, products, antiderivatives and substitutions of linear forms are of this form again; without
variables (m = 0) it is an exponential sum. A density of Laplace, exponential, uniform or gamma
noise is such a function on each of finitely many intervals, and so is the integral of a density
between bounds that are linear in another variable. `pufferproof.verify.programs` integrates draws
of programs with these; which sums are 0 is decided in `exponential_sums`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import factorial, lcm
from operator import add
from typing import Any

from flint import arb, ctx, fmpq

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.models.numbers.text import brief

End = Any  # an fmpq, or None at infinity
Line = tuple[fmpq, fmpq]  # (a, b) for a y + b
_ZERO, _ONE = fmpq(0), fmpq(1)


def rational(value: Fraction | int) -> fmpq:
    """Return a rational as `flint.fmpq`, in which pieces compute."""
    return fmpq(value.numerator, value.denominator)


def fraction(value: End) -> Fraction:
    """Return a `flint.fmpq` as a `Fraction`."""
    return Fraction(int(value.p), int(value.q))


class ExponentialPolynomial:
    """A sum of terms in m variables: {(n_1, .., n_m, K_1, .., K_m, R): q}, with k = K / unit and
    r = R / unit, so that exponents are integers.

    >>> x = ExponentialPolynomial(1, {(1, 0, 0): fmpq(1)})
    >>> (x * x).antiderivative(0).at(0, [fmpq(0), fmpq(3)]).value()
    Fraction(9, 1)
    """

    __slots__ = ("terms", "unit", "variables")

    def __init__(self, variables: int, terms: dict[tuple[int, ...], fmpq], unit: int = 1) -> None:
        self.variables, self.unit = variables, unit
        self.terms = {key: q for key, q in terms.items() if q}

    @classmethod
    def constant(cls, value: fmpq, variables: int = 0) -> "ExponentialPolynomial":
        """Return the constant function of a rational value."""
        return cls(variables, {(0,) * (2 * variables + 1): value})

    @classmethod
    def of_sum(cls, value: ExponentialSum) -> "ExponentialPolynomial":
        """Return an exponential sum of powers of e as a function without variables. Raises
        `ModelError` for other powers.
        """
        if type(value) is not ExponentialSum or any(power.primes or power.factors for power in value.terms):
            raise ModelError("expected powers of e alone, found others", "mechanism")
        unit = lcm(*(power.nats.denominator for power in value.terms))
        terms: dict[tuple[int, ...], fmpq] = {
            (int(power.nats * unit),): rational(c) for power, c in value.terms.items()
        }
        return cls(0, terms, unit)

    def _in(self, unit: int) -> dict[tuple[int, ...], fmpq]:
        if unit == self.unit:
            return self.terms
        m, factor = self.variables, unit // self.unit
        return {(*key[:m], *(factor * k for k in key[m:])): q for key, q in self.terms.items()}

    def __add__(self, other: "ExponentialPolynomial") -> "ExponentialPolynomial":
        unit = lcm(self.unit, other.unit)
        terms = dict(self._in(unit))
        for key, q in other._in(unit).items():
            terms[key] = terms[key] + q if key in terms else q
        return ExponentialPolynomial(self.variables, terms, unit)

    def __sub__(self, other: "ExponentialPolynomial") -> "ExponentialPolynomial":
        return self + other.scaled(-_ONE)

    def __mul__(self, other: "ExponentialPolynomial") -> "ExponentialPolynomial":
        unit = lcm(self.unit, other.unit)
        terms: dict[tuple[int, ...], fmpq] = {}
        others = other._in(unit).items()
        for key, q in self._in(unit).items():
            for more, p in others:
                place = tuple(map(add, key, more))
                terms[place] = terms[place] + q * p if place in terms else q * p
        return ExponentialPolynomial(self.variables, terms, unit)

    def scaled(self, factor: fmpq) -> "ExponentialPolynomial":
        """Return this function times a rational."""
        terms = {key: factor * q for key, q in self.terms.items()}
        return ExponentialPolynomial(self.variables, terms, self.unit)

    def antiderivative(self, variable: int) -> "ExponentialPolynomial":
        """Return an antiderivative: by parts, without a constant where the exponent has the
        variable.
        """
        terms: dict[tuple[int, ...], fmpq] = {}
        for key, q in self.terms.items():
            n, k = key[variable], key[self.variables + variable]
            # the integral of x^n e^(kx) is x^n e^(kx) / k - n/k of the next
            factor, degrees = (fmpq(self.unit, k), range(n, -1, -1)) if k else (fmpq(1, n + 1), [n + 1])
            for degree in degrees:
                place = (*key[:variable], degree, *key[variable + 1 :])
                terms[place] = terms.get(place, _ZERO) + q * factor
                if k:
                    factor *= fmpq(-degree * self.unit, k)
        return ExponentialPolynomial(self.variables, terms, self.unit)

    def derivative(self, variable: int) -> "ExponentialPolynomial":
        """Return the derivative."""
        m, v = self.variables, variable
        terms: dict[tuple[int, ...], fmpq] = {}
        for key, q in self.terms.items():
            lower = (*key[:v], key[v] - 1, *key[v + 1 :])
            for place, factor in ((key, fmpq(key[m + v], self.unit)), (lower, fmpq(key[v]))):
                if factor:
                    terms[place] = terms.get(place, _ZERO) + q * factor
        return ExponentialPolynomial(m, terms, self.unit)

    def at(self, variable: int, form: Sequence[End]) -> "ExponentialPolynomial":
        """Put a linear form for a variable: coefficients of all variables, and the constant."""
        m, v = self.variables, variable
        scale = lcm(*(int(c.q) for c in form))
        whole = [int((c * scale).p) for c in form]
        terms: dict[tuple[int, ...], fmpq] = {}
        for key, q in self.terms.items():
            n, k = key[v], key[m + v]
            rates = [scale * each for each in key[m:]]
            rates[v] = 0
            moved = tuple(rate + k * c for rate, c in zip(rates, whole))
            powers = (*key[:v], 0, *key[v + 1 : m])
            for power, p in _power(form, n).items():
                place = (*map(add, powers, power), *moved)
                terms[place] = terms.get(place, _ZERO) + q * p
        return ExponentialPolynomial(m, terms, self.unit * scale)

    def limit(self, variable: int, sign: int) -> "ExponentialPolynomial":
        """Return the limit at plus or minus infinity of an antiderivative that has one."""
        m, v = self.variables, variable
        terms = {key: q for key, q in self.terms.items() if key[m + v] * sign >= 0}
        if any(key[v] or key[m + v] for key in terms):
            raise ArithmeticError("an integral diverges")
        return ExponentialPolynomial(m, terms, self.unit)

    def narrowed(self) -> "ExponentialPolynomial":
        """Return this function, which has no variable in it, as one of no variables."""
        m = self.variables
        return ExponentialPolynomial(0, {key[2 * m :]: q for key, q in self.terms.items()}, self.unit)

    def sum(self) -> ExponentialSum:
        """Return a function without variables as an exponential sum."""
        return ExponentialSum((fraction(q), Power.exp(Fraction(key[-1], self.unit))) for key, q in self.terms.items())

    def value(self) -> Fraction | None:
        """Return the value of a constant if it is rational, else None."""
        if not self.terms:
            return Fraction(0)
        only = self.terms.get((0,) * (2 * self.variables + 1))
        return fraction(only) if only is not None and len(self.terms) == 1 else None

    def ball(self, y: arb) -> arb:
        """Enclose the values of a function of at most one variable at a ball."""
        total = arb(0)
        for key, q in self.terms.items():
            n, k = (key[0], key[1]) if self.variables else (0, 0)
            total += arb(q) * y**n * ((y * k + key[-1]) / self.unit).exp()
        return total

    def approx(self, point: float = 0.0) -> float:
        """Return the value of a function of at most one variable, to about nine digits."""
        with ctx.workprec(128):
            return float(self.ball(arb(point)))


def _power(form: Sequence[End], n: int) -> dict[tuple[int, ...], fmpq]:
    """Return the monomials of (sum c_u x_u + c)^n."""
    m = len(form) - 1
    terms = {(0,) * m: _ONE}
    for _ in range(n):
        grown: dict[tuple[int, ...], fmpq] = {}
        for powers, q in terms.items():
            for u, c in enumerate(form):
                if c:
                    place = powers if u == m else (*powers[:u], powers[u] + 1, *powers[u + 1 :])
                    grown[place] = grown.get(place, _ZERO) + q * c
        terms = grown
    return terms


Segment = tuple[End, End, ExponentialPolynomial]


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A function of one variable that is an exponential polynomial on each of some intervals, and 0
    elsewhere: (low, high, function), in ascending order, None for an infinite end.

    >>> exponential, laplace = Piecewise.gamma(1, Fraction(2)), Piecewise.laplace(Fraction(1))
    >>> exponential.clipped(fmpq(2), None).total()  # P(X > 2), e^-1
    ExponentialSum(1 terms)
    >>> below = laplace.between([], [(fmpq(1), fmpq(0))])  # y -> P(Z < y)
    >>> (laplace * below).total().rational
    Fraction(1, 2)
    """

    segments: tuple[Segment, ...]

    @classmethod
    def laplace(cls, scale: Fraction) -> "Piecewise":
        """Return e^(-|x| / scale) / (2 scale). Raises `ModelError` unless the scale is positive."""
        b = _positive(scale)
        left, right = (_decay(0, sign / b, 1 / (2 * b)) for sign in (_ONE, -_ONE))
        return cls(((None, _ZERO, left), (_ZERO, None, right)))

    @classmethod
    def gamma(cls, shape: int, scale: Fraction) -> "Piecewise":
        """Return x^(n - 1) e^(-x / scale) / (scale^n (n - 1)!) for x > 0, n = shape; the density of
        the sum of n exponential draws. Raises `ModelError` unless both are positive.
        """
        b, n = _positive(scale), shape
        if n < 1:
            raise ModelError(f"expected a positive integer, found {n}", "shape")
        return cls(((_ZERO, None, _decay(n - 1, -1 / b, 1 / (b**n * factorial(n - 1)))),))

    @classmethod
    def uniform(cls, low: Fraction = Fraction(0), high: Fraction = Fraction(1)) -> "Piecewise":
        """Return 1 / (high - low) between low and high. Raises `ModelError` unless low < high."""
        width = _positive(high - low)
        return cls(((rational(low), rational(high), _decay(0, _ZERO, 1 / width)),))

    @property
    def support(self) -> tuple[End, End]:
        """The least interval that has all of the mass."""
        return self.segments[0][0], self.segments[-1][1]

    def __mul__(self, other: "Piecewise") -> "Piecewise":
        out, mine, theirs = [], self.segments, other.segments
        i = j = 0
        while i < len(mine) and j < len(theirs):
            low = highest(mine[i][0], theirs[j][0])
            high = lowest(mine[i][1], theirs[j][1])
            if before(low, high):
                out.append((low, high, mine[i][2] * theirs[j][2]))
            if high is None:
                break
            step_mine, step_theirs = mine[i][1] == high, theirs[j][1] == high
            i, j = i + step_mine, j + step_theirs
        return Piecewise(tuple(out))

    def __add__(self, other: "Piecewise") -> "Piecewise":
        return summed([*self.segments, *other.segments])

    def clipped(self, low: End, high: End) -> "Piecewise":
        """Return this function between two ends, 0 elsewhere."""
        ends = [(highest(a, low), lowest(b, high), f) for a, b, f in self.segments]
        return Piecewise(tuple((a, b, f) for a, b, f in ends if before(a, b)))

    def scaled(self, factor: ExponentialPolynomial) -> "Piecewise":
        """Return this function times a constant, given as a function of no variables."""
        lifted = ExponentialPolynomial(1, {(0, 0, *key): q for key, q in factor.terms.items()}, factor.unit)
        return Piecewise(tuple((a, b, f * lifted) for a, b, f in self.segments))

    def moved(self, slope: End, shift: End) -> "Piecewise":
        """Return the density of slope X + shift, where this is the density of X, slope not 0."""
        inverse = [1 / slope, -shift / slope]
        out = []
        for low, high, f in self.segments:
            a, b = (None if x is None else slope * x + shift for x in (low, high))
            ends = (a, b) if slope > 0 else (b, a)
            out.append((*ends, f.at(0, inverse).scaled(1 / abs(slope))))
        return Piecewise(tuple(out if slope > 0 else reversed(out)))

    def mass(self) -> ExponentialPolynomial:
        """Return the integral as a function of no variables."""
        whole = ExponentialPolynomial(1, {})
        for low, high, f in self.segments:
            integral = f.antiderivative(0)
            whole += integral.limit(0, 1) if high is None else integral.at(0, [_ZERO, high])
            whole -= integral.limit(0, -1) if low is None else integral.at(0, [_ZERO, low])
        return whole.narrowed()

    def total(self) -> ExponentialSum:
        """Return the integral, exactly."""
        return self.mass().sum()

    def between(self, lowers: Sequence[Line], uppers: Sequence[Line]) -> "Piecewise":
        """Return y -> the integral of this function from the largest of some lines a y + b to the
        smallest of others, 0 where that is empty.
        """
        marks = [end for low, high, _ in self.segments for end in (low, high) if end is not None]
        # where lines meet each other or a mark, in ascending order
        lines = [*lowers, *uppers]
        cuts = [(d - b) / (a - c) for i, (a, b) in enumerate(lines) for c, d in lines[:i] if a != c]
        cuts += [(mark - b) / a for a, b in lines if a for mark in marks]
        grid = [None, *_ascending(cuts), None]
        integrals = [f.antiderivative(0) for _, _, f in self.segments]
        out = []
        for left, right in pairwise(grid):
            y = inside(left, right)
            low = max(lowers, key=lambda line: line[0] * y + line[1], default=None)
            high = min(uppers, key=lambda line: line[0] * y + line[1], default=None)
            value = self._integral(integrals, y, low, high)
            if value.terms:
                out.append((left, right, value))
        return Piecewise(tuple(out))

    def _integral(
        self, integrals: Sequence[ExponentialPolynomial], y: fmpq, low: Line | None, high: Line | None
    ) -> ExponentialPolynomial:
        value = ExponentialPolynomial(1, {})
        for (a, b, _), integral in zip(self.segments, integrals):
            bottom = None if a is None else (_ZERO, a)
            top = None if b is None else (_ZERO, b)
            if low is not None and (a is None or low[0] * y + low[1] > a):
                bottom = low
            if high is not None and (b is None or high[0] * y + high[1] < b):
                top = high
            if bottom and top and bottom[0] * y + bottom[1] >= top[0] * y + top[1]:
                continue
            value += integral.limit(0, 1) if top is None else integral.at(0, top)
            value -= integral.limit(0, -1) if bottom is None else integral.at(0, bottom)
        return value


def summed(segments: Iterable[Segment]) -> Piecewise:
    """Return the sum of functions on intervals that may overlap.

    >>> halves = summed([(fmpq(0), fmpq(2), ExponentialPolynomial.constant(fmpq(1, 2), 1))] * 2)
    >>> halves.total().rational
    Fraction(2, 1)
    """
    parts = list(segments)
    ends = [end for low, high, _ in parts for end in (low, high) if end is not None]
    grid: list[End] = [None, *_ascending(ends), None]
    out = []
    for left, right in pairwise(grid):
        there = [
            f
            for a, b, f in parts
            if (a is None or (left is not None and a <= left)) and (b is None or (right is not None and right <= b))
        ]
        if there:
            out.append((left, right, reduce(add, there)))
    return Piecewise(tuple(out))


def highest(a: End, b: End) -> End:
    """Return the larger of two lower ends, None being minus infinity."""
    if a is None or b is None:
        return b if a is None else a
    return max(a, b)


def lowest(a: End, b: End) -> End:
    """Return the smaller of two upper ends, None being infinity."""
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


def before(low: End, high: End) -> bool:
    """Whether an interval is not empty."""
    return low is None or high is None or bool(low < high)


def inside(left: End, right: End) -> End:
    """Return a number between two ends."""
    if left is None:
        return _ZERO if right is None else right - 1
    return left + 1 if right is None else (left + right) / 2


def _positive(value: Fraction) -> fmpq:
    if value <= 0:
        raise ModelError(f"expected a number above 0, found {brief(value)}", "scale")
    return rational(value)


def _decay(n: int, rate: fmpq, factor: fmpq) -> ExponentialPolynomial:
    """Return factor x^n e^(rate x)."""
    return ExponentialPolynomial(1, {(n, int(rate.p), 0): factor}, int(rate.q))


def _ascending(values: Iterable[fmpq]) -> list[fmpq]:
    """Return values in ascending order, equal ones once."""
    out: list[fmpq] = []
    for value in sorted(values):
        if not out or out[-1] != value:
            out.append(value)
    return out
