"""A stand-in for `numpy.random.Generator`: programs that draw from it run unchanged.

A continuous draw is a symbol, a discrete one a choice. Parameters are numbers or arrays, broadcast
as NumPy does. `signatures` says which parameters a method uses; what has no exact law here is
refused by name.
"""

from collections.abc import Hashable, Sequence
from copy import copy
from functools import cache
from math import comb, prod
from operator import index
from typing import NoReturn

import numpy as np
from flint import fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, rational
from pufferproof.verify.programs.drawing.arrays import Array, Operand, Symbol, known
from pufferproof.verify.programs.drawing.counts import Geometric, NegativeBinomial, Poisson
from pufferproof.verify.programs.drawing.draws import Draw, Parameters, shape_of
from pufferproof.verify.programs.drawing.signatures import GENERATOR, signed
from pufferproof.verify.programs.regions.normal import NORMAL, StandardNormal

# Discrete draws of a generator: numbers become known when they are looked at, what is drawn in arrays and lists at
# once.

_ONE_OF_DISCRETE = fmpq(1)
_MOST_OF_DISCRETE = 100_000  # integers in a draw
_DIGITS = 10**9  # squared bits of the probabilities of a draw
BITS = 12  # of what is drawn bit by bit: more are too many branches


class DiscreteDraws(Parameters):
    """The methods of a generator whose draws have countably many values."""

    def integers(
        self, low: Operand, high: Operand = None, size: object = None, dtype: Operand = "int64", endpoint: bool = False
    ) -> Operand:
        """Draw an integer from low to high - 1, or to high."""
        low, high = (0, low) if high is None else (low, high)
        kind = dtype if dtype in (bool, int) and size is None else np.dtype(dtype).type
        if np.dtype(dtype).kind not in "biu":
            raise TypeError(f"Unsupported dtype {np.dtype(dtype)!r} for integers")
        whole = np.iinfo(dtype) if np.dtype(dtype).kind != "b" else None
        ends = (0, 1) if whole is None else (int(whole.min), int(whole.max))

        def one(a: object, b: object) -> object:
            least = self._integer(a)
            count = self._integer(b) - least + endpoint
            if count <= 0:
                raise ValueError("low >= high")
            if least < ends[0] or least + count - 1 > ends[1]:
                raise ValueError(f"low or high is out of bounds for {np.dtype(dtype)}")
            if count > _MOST_OF_DISCRETE:
                self._run.refuse(f"it draws one of {count} integers: at most {_MOST_OF_DISCRETE} are listed")
            values = [kind(least + i) for i in range(count)]
            return self._run.atoms.draw(values, [fmpq(1, count)] * count, "integers")

        return self._each(one, size, low, high)

    def binomial(self, n: object, p: object, size: object = None) -> Operand:
        """Draw how many of n trials succeed."""
        return self._each(lambda n, p: self._successes(n, self._probability(p)), size, n, p)

    def _integer(self, value: Operand) -> int:
        if isinstance(value, float) and not isinstance(value, Symbol):
            if not value.is_integer():
                self._run.refuse(f"it draws with {value} where an integer is needed")
            return int(value)
        return index(value)

    def _successes(self, n: object, p: fmpq) -> Operand:
        n = self._integer(n)
        if n < 0:
            raise ValueError("n < 0")
        if n > _MOST_OF_DISCRETE or n * n * int(p.q).bit_length() > _DIGITS:
            self._run.refuse(f"it draws one of {n + 1} integers with too long probabilities")
        weights = _binomial(n, int(p.p), int(p.q))
        return self._run.atoms.draw(range(n + 1), weights, f"binomial({n}, {p})")

    def geometric(self, p: object, size: object = None) -> Operand:
        """Draw the number of trials up to the first success: a branch for each."""

        def one(p: object) -> object:
            q = 1 - self._probability(p)
            if q == 1:
                raise ValueError("p <= 0, p > 1 or p contains NaNs")
            return self._run.counts.draw(Geometric(int(q.p), int(q.q))) if q else 1

        return self._each(one, size, p)

    def poisson(self, lam: object = 1.0, size: object = None) -> Operand:
        """Draw k with probability e^-lam lam^k / k!: a branch for each."""

        def one(lam: object) -> object:
            rate = self._number(lam)
            if type(rate) is Draw:
                self._run.refuse("a rate is a draw")
            if rate < 0:
                raise ValueError("lam < 0 or lam is NaN")
            return self._run.counts.draw(Poisson(int(rate.p), int(rate.q))) if rate else 0

        return self._each(one, size, lam)

    def _probability(self, value: object) -> fmpq:
        number = self._number(value)
        if type(number) is Draw:
            self._run.refuse("a probability is a draw")
        p: fmpq = number
        if not 0 <= p <= 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        return p

    def multinomial(self, n: Operand, pvals: Operand, size: object = None) -> Array:
        """Draw how many of n trials end in each of some ways: one binomial draw after another, with
        what is left of trials and of probability; the last way has the rest.
        """
        if np.ndim(pvals) != 1 or np.ndim(n):
            self._run.refuse("it calls multinomial with arrays of numbers")
        shares = [self._probability(p) for p in pvals]
        if sum(shares[:-1], fmpq(0)) > 1 + fmpq(1, 10**12):
            raise ValueError("sum(pvals[:-1]) > 1.0")
        trials = self._integer(n)
        if trials < 0:
            raise ValueError("n < 0")
        rows = []
        for _ in range(_count(size)):
            ways, left, rest = list[int](), trials, _ONE_OF_DISCRETE
            for share in shares[:-1]:
                p = min(share / rest, _ONE_OF_DISCRETE) if rest > 0 else fmpq(0)
                ways.append(self._successes(left, p).resolved())
                left, rest = left - ways[-1], rest - share
            rows.append([*ways, left])
        return np.array(rows[0] if size is None else rows).reshape(_shape(size, len(shares)))

    def hypergeometric(self, ngood: object, nbad: object, nsample: object, size: object = None) -> Operand:
        """Draw how many of a sample without replacement are good."""

        def one(good: object, bad: object, sample: object) -> object:
            good, bad, sample = map(self._integer, (good, bad, sample))
            if good < 0 or bad < 0 or not 0 <= sample <= good + bad:
                raise ValueError("ngood < 0, nbad < 0 or nsample > ngood + nbad")
            ways = [comb(good, k) * comb(bad, sample - k) for k in range(sample + 1)]
            weights = [fmpq(each, sum(ways)) for each in ways]
            return self._run.atoms.draw(range(sample + 1), weights, "hypergeometric")

        return self._each(one, size, ngood, nbad, nsample)

    def negative_binomial(self, n: object, p: object, size: object = None) -> Operand:
        """Draw the number of failures before n successes, n an integer."""

        def one(n: object, p: object) -> object:
            count, success = self._number(n), self._probability(p)
            if type(count) is Draw or count.q != 1:
                self._run.refuse("it calls negative_binomial with n that is not an integer")
            if count <= 0 or not success:
                raise ValueError("n <= 0, p <= 0, p > 1, or one of them is NaN")
            q = 1 - success
            law = NegativeBinomial(int(count.p), int(q.p), int(q.q))
            return self._run.counts.draw(law) if q else 0

        return self._each(one, size, n, p)

    def choice(
        self, a: Operand, size: object = None, replace: bool = True, p: Operand = None, shuffle: bool = True
    ) -> Operand:
        """Draw from a list, or from 0 .. a - 1, with weights, with or without replacement: a branch
        for each value, where equal ones are one.
        """
        values = list(range(index(a))) if not np.shape(a) else np.asarray(a)
        count = _count(size)
        weights = [_ONE_OF_DISCRETE] * len(values) if p is None else [self._probability(x) for x in p]
        if len(weights) != len(values):
            raise ValueError("'a' and 'p' must have same size")
        if p is not None and abs(sum(weights, fmpq(0)) - 1) > fmpq(1, 10**8):
            raise ValueError("probabilities do not sum to 1")
        if not len(values) and count:
            raise ValueError("'a' cannot be empty unless no samples are taken")
        if size is None:  # with replacement or without
            return self._of(values, weights)
        if replace:
            drawn = [known(self._of(values, weights)) for _ in range(count)]
        else:
            drawn = [values[i] for i in self._chosen(weights, count, p is not None, shuffle)]
        return np.array(drawn).reshape(_shape(size, *np.shape(values)[1:]))

    def _chosen(self, weights: list[fmpq], count: int, weighted: bool, shuffle: bool) -> Sequence[int]:
        """Draw places without replacement: each next one as probable as its share of the weights
        that are left.
        """
        if count > len(weights):
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if sum(map(bool, weights)) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        if not weighted and not shuffle and count > 1:
            self._run.refuse("it calls choice with shuffle=False, whose order is not random")
        if not weighted:
            return self._order(len(weights), count)
        places: list[int] = []
        for _ in range(count):
            pool = [i for i in range(len(weights)) if i not in places]
            total = sum((weights[i] for i in pool), fmpq(0))
            shares = [weights[i] / total for i in pool]
            places.append(self._run.atoms.draw(pool, shares, "place").resolved())
        return places

    def _of(self, values: Operand, weights: list[fmpq]) -> Operand:
        total = sum(weights, fmpq(0))  # NumPy divides by the sum, too
        shares = [weight / total for weight in weights]
        if np.ndim(values) > 1 or not all(isinstance(value, Hashable) for value in values):
            value = values[self._run.atoms.draw(range(len(values)), shares, "choice").resolved()]
            return copy(value) if np.ndim(values) > 1 else value  # a row, not a view of it
        drawn = self._run.atoms.draw(list(values), shares, "choice")
        numeric = all(isinstance(value, int | float | np.number | np.bool) for value in values)
        return self._run.shown(drawn) if numeric else drawn.resolved()

    def permutation(self, x: Operand) -> Array:
        """Return a list, or 0 .. x - 1, in a random order."""
        if isinstance(x, np.ndarray) and not x.shape:
            raise np.exceptions.AxisError(0, 0)
        values = np.arange(index(x)) if not np.shape(x) else np.array(x)
        return values[self._order(len(values))]

    def permuted(self, x: object) -> Array:
        """Return the elements of an array in a random order."""
        values = np.array(x)
        if not values.shape:
            raise TypeError("len() of unsized object")
        return values.flat[self._order(values.size)].reshape(values.shape)

    def shuffle(self, x: Operand) -> None:
        """Bring a list into a random order."""
        if isinstance(x, np.ndarray):
            x[:] = x[self._order(len(x))].copy()
            return
        for i in range(len(x) - 1, 0, -1):  # NumPy swaps items, which may be views of the list
            place = self._run.atoms.draw(range(i + 1), [fmpq(1, i + 1)] * (i + 1), "place")
            j = place.resolved()
            x[i], x[j] = x[j], x[i]

    def bytes(self, length: object) -> bytes:
        """Draw bytes: a branch for each value."""
        count = self._integer(length)
        if not 0 <= 8 * count <= BITS:
            self._run.refuse(f"it draws {length} bytes: at most {BITS} bits are listed")
        return bytes(int(byte) for byte in self.integers(256, size=count))

    def _order(self, length: int, count: int | None = None) -> list[int]:
        pool, order = list(range(length)), []
        for left in range(length, length - (length if count is None else count), -1):
            place = self._run.atoms.draw(range(left), [fmpq(1, left)] * left, "place")
            order.append(pool.pop(place.resolved()))
        return order


@cache
def _binomial(n: int, above: int, below: int) -> tuple[fmpq, ...]:
    """Return the probabilities of 0 .. n successes, each with probability above / below."""
    p = fmpq(above, below)
    return tuple(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))


def _count(size: object) -> int:
    return 1 if size is None else prod(shape_of(size))


def _shape(size: object, *rest: int) -> tuple[int, ...]:
    return rest if size is None else (*shape_of(size), *rest)


# Polynomial ---------------------------------------------------------------------------------------
#
# Draws between two numbers whose density is a polynomial: beta and power draws with integers for
# parameters, and triangular ones.

_MOST = 50  # degree of a density
_ZERO, _ONE = fmpq(0), fmpq(1)


class PolynomialDraws(Parameters):
    """The methods of a generator whose densities are polynomials on intervals."""

    def beta(self, a: object, b: object, size: object = None) -> Operand:
        """Draw x of density x^(a - 1) (1 - x)^(b - 1) over B(a, b), a and b integers here."""
        return self._each(lambda a, b: self._beta(self._power(a), self._power(b)), size, a, b)

    def power(self, a: object, size: object = None) -> Operand:
        """Draw x of density a x^(a - 1) between 0 and 1, a an integer here."""
        return self._each(lambda a: self._beta(self._power(a), 1), size, a)

    def triangular(self, left: object, mode: object, right: object, size: object = None) -> Operand:
        """Draw x of a density that rises from the left to the mode, and falls to the right."""

        def one(left: object, mode: object, right: object) -> object:
            a, c, b = (self._number(each) for each in (left, mode, right))
            if any(isinstance(each, Draw) for each in (a, b, c)):
                self._run.refuse("an end of a triangular distribution is a draw")
            if not a <= c <= b or a == b:
                raise ValueError("left > mode, mode > right or left == right")
            peak = (c - a) / (b - a)
            name = ("triangular", int(peak.p), int(peak.q))
            draw: Draw = self._run.draw(name, "triangular", lambda: _triangle(peak))
            return draw * (b - a) + a

        return self._each(one, size, left, mode, right)

    def _power(self, value: object) -> int:
        number = self._number(value)
        if isinstance(number, Draw):
            self._run.refuse("a parameter is a draw")
        if number <= 0:
            raise ValueError("a <= 0")
        if int(number.q) != 1 or number > _MOST:
            self._run.refuse(f"a parameter is {number}: an integer up to {_MOST} is needed")
        return int(number)

    def _beta(self, a: int, b: int) -> object:
        if a == b == 1:
            return self._run.draw(("uniform",), "uniform", Piecewise.uniform)
        return self._run.draw(("beta", a, b), f"beta({a}, {b})", lambda: _beta(a, b))


def _beta(a: int, b: int) -> Piecewise:
    scale = a * comb(a + b - 1, a)  # 1 / B(a, b)
    terms: dict[tuple[int, ...], fmpq] = {(a - 1 + k, 0, 0): fmpq(scale * (-1) ** k * comb(b - 1, k)) for k in range(b)}
    return Piecewise(((_ZERO, _ONE, ExponentialPolynomial(1, terms)),))


def _triangle(peak: fmpq) -> Piecewise:
    """Return 2 x / peak below the peak, and 2 (1 - x) / (1 - peak) above it."""
    parts = []
    if peak:
        parts.append((_ZERO, peak, ExponentialPolynomial(1, {(1, 0, 0): 2 / peak})))
    if peak != 1:
        slope = 2 / (1 - peak)
        falling = ExponentialPolynomial(1, {(0, 0, 0): slope, (1, 0, 0): -slope})
        parts.append((peak, _ONE, falling))
    return Piecewise(tuple(parts))


# Generator ----------------------------------------------------------------------------------------

# Gumbel -------------------------------------------------------------------------------------------
#
# Gumbel and logistic draws: noisy scores that race each other.
#
# A Gumbel draw is -log E for an exponential E, and a logistic draw the difference of two of them.
# They are linear forms as other draws are, but compared with each other only:
# `pufferproof.verify.programs.regions.region` has the probabilities.


class GumbelDraws(Parameters):
    """The methods of a generator whose draws are compared with draws of their own kind."""

    def gumbel(self, loc: object = 0.0, scale: object = 1.0, size: object = None) -> Operand:
        """Draw x with P(x <= t) = exp(-e^(-(t - loc) / scale))."""
        return self._each(lambda a, b: self._gumbel(b) + a, size, loc, scale)

    def logistic(self, loc: object = 0.0, scale: object = 1.0, size: object = None) -> Operand:
        """Draw x with P(x <= t) = 1 / (1 + e^(-(t - loc) / scale))."""

        def one(loc: object, scale: object) -> object:
            first = self._gumbel(scale)
            return first - self._gumbel(scale) + loc

        return self._each(one, size, loc, scale)

    def _gumbel(self, scale: object) -> Operand:
        b = rational(self._scale(scale))
        return self._run.gumbel() * b


# Generator ----------------------------------------------------------------------------------------

_METHODS = frozenset(name for name in dir(np.random.Generator) if not name.startswith("_"))


@signed(GENERATOR)
class Generator(GumbelDraws, PolynomialDraws, DiscreteDraws):
    """What a program draws from, in one run.

    >>> from pufferproof.verify.programs.paths import Run
    >>> from pufferproof.verify.programs.regions.integrals import Integrals
    >>> run = Run(None, Integrals(), None)
    >>> x, y = Generator(run).laplace(size=2)
    >>> x > y, run.mass().value()
    (np.False_, Fraction(1, 2))
    """

    def laplace(self, loc: object = 0.0, scale: object = 1.0, size: object = None) -> Operand:
        """Draw Laplace noise of density e^(-|x - loc| / scale) / (2 scale)."""

        def one(loc: object, scale: object) -> object:
            b = self._scale(scale)
            if not b:
                return Draw(self._run, fmpq(0), {}) + loc
            return self._run.draw(("laplace", b), f"Laplace({b})", lambda: Piecewise.laplace(b)) + loc

        return self._each(one, size, loc, scale)

    def exponential(self, scale: object = 1.0, size: object = None) -> Operand:
        """Draw x > 0 with density e^(-x / scale) / scale."""
        return self._each(lambda b: self._gamma(1, b), size, scale)

    def standard_exponential(self, size: object = None, dtype: Operand = "float64") -> Operand:
        """Draw x > 0 with density e^-x."""
        self._expect_float64(dtype)
        return self.exponential(1.0, size)

    def gamma(self, shape: object, scale: object = 1.0, size: object = None) -> Operand:
        """Draw a sum of exponential draws: the shape must be an integer here."""
        return self._each(lambda n, b: self._gamma(self._whole(n), b), size, shape, scale)

    def standard_gamma(self, shape: object, size: object = None, dtype: Operand = "float64") -> Operand:
        """Draw a sum of exponential draws of scale 1."""
        self._expect_float64(dtype)
        return self.gamma(shape, 1.0, size)

    def weibull(self, a: object, size: object = None) -> Operand:
        """Draw x > 0 with density e^-x: the shape must be 1 here."""

        def one(a: object) -> object:
            shape = self._number(a)
            if type(shape) is Draw or shape != 1:
                self._run.refuse("it draws from a Weibull distribution whose shape is not 1")
            return self._gamma(1, 1)

        return self._each(one, size, a)

    def chisquare(self, df: object, size: object = None) -> Operand:
        """Draw a sum of squares of normal draws: an even number of them here."""
        return self._each(lambda n: self._gamma(self._whole(self._number(n) / 2), 2), size, df)

    def random(self, size: object = None, dtype: Operand = "float64") -> Operand:
        """Draw a number between 0 and 1."""
        self._expect_float64(dtype)
        return self._each(self._uniform, size)

    def normal(self, loc: object = 0.0, scale: object = 1.0, size: object = None) -> Operand:
        """Draw Gaussian noise of a mean and a standard deviation."""

        def one(loc: object, scale: object) -> object:
            draw = self._run.draw(NORMAL, "standard normal", StandardNormal)
            return draw * rational(self._scale(scale)) + loc

        return self._each(one, size, loc, scale)

    def standard_normal(self, size: object = None, dtype: Operand = "float64") -> Operand:
        """Draw Gaussian noise of standard deviation 1."""
        self._expect_float64(dtype)
        return self.normal(0.0, 1.0, size)

    def _expect_float64(self, dtype: Operand) -> None:
        """Refuse floats that are rounded further: the law is that of real numbers."""
        if np.dtype(dtype) == np.float32:
            self._run.refuse("it draws floats of type float32: draw float64, the default")
        if np.dtype(dtype) != np.float64:
            raise TypeError(f"Unsupported dtype {np.dtype(dtype)!r}")

    def _whole(self, shape: object) -> int:
        number = self._number(shape)
        if type(number) is Draw:
            self._run.refuse("a shape is a draw")
        if number < 0:
            raise ValueError("shape < 0")
        if int(number.q) != 1 or not number:
            self._run.refuse(f"it draws from a gamma distribution whose shape {number} is no integer")
        return int(number)

    def uniform(self, low: Operand = 0.0, high: Operand = 1.0, size: object = None) -> Operand:
        """Draw a number between two others."""
        if np.any(np.less(high, low)):
            raise ValueError("high - low < 0")
        return self.between(low, high, size)

    def between(self, low: Operand = 0.0, high: Operand = 1.0, size: object = None) -> Operand:
        """Draw a number between two others, the larger of which may be the first."""

        def one(low: object, high: object) -> object:
            a, b = self._number(low), self._number(high)
            return a + (b - a) * self._uniform()

        return self._each(one, size, low, high)

    def _uniform(self) -> Draw:
        draw: Draw = self._run.draw(("uniform",), "uniform", Piecewise.uniform)
        return draw

    def _gamma(self, shape: int, scale: object) -> Draw:
        b = self._scale(scale)
        if not b:
            return Draw(self._run, fmpq(0), {})
        words = f"exponential({b})" if shape == 1 else f"gamma({shape}, {b})"
        name = ("gamma", shape, b)
        draw: Draw = self._run.draw(name, words, lambda: Piecewise.gamma(shape, b))
        return draw

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return np.random.Generator

    def __copy__(self) -> "Generator":
        return self  # a copy in NumPy draws from the same bits

    def __deepcopy__(self, _: object) -> NoReturn:
        self._run.refuse("it copies rng, which would draw the same again: draw from rng itself")

    def __reduce_ex__(self, _: object) -> NoReturn:
        self._run.refuse("it pickles rng, which would draw the same again: draw from rng itself")

    def __getattr__(self, name: str) -> NoReturn:
        if name not in _METHODS:
            raise AttributeError(f"'Generator' object has no attribute '{name}'")
        self._run.refuse(f"rng.{name} has no exact law here")
