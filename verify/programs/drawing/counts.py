"""Integers without a bound that are drawn: geometric, two-sided geometric, negative binomial and
Poisson, and what a continuous draw is rounded to; they are known by the interval that they lie in.

A comparison with a number cuts the interval, and the probability of an interval has a closed form,

    P(K >= k) = q^(k - 1) of geometric draws, k >= 1,
    P(K >= k) = q^k / (1 + q) of a difference of two of them, k >= 1, and symmetric,

so that a count with such noise, clipped or compared, has finitely many paths. Where a program needs
the integer itself, there is a branch for each value: one choice for a block of them.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import cast

import numpy as np
from flint import arb, ctx, fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial
from pufferproof.verify.programs.drawing.arrays import Binary, Late, Operand, Run, Symbol, is_numpys, known, operations
from pufferproof.verify.programs.drawing.draws import Draw

_ALL = ExponentialPolynomial.constant(fmpq(1))


class _Intervals:
    """How probable an interval of integers is, given P(K >= k)."""

    def from_on(self, k: int) -> ExponentialPolynomial:
        """Return P(K >= k)."""
        raise NotImplementedError

    def between(self, low: int | None, high: int | None) -> ExponentialPolynomial:
        """Return P(low <= K <= high), an end None for none."""
        above = _ALL if low is None else self.from_on(low)
        return above if high is None else above - self.from_on(high + 1)


@dataclass(frozen=True)
class Geometric(_Intervals):
    """P(K >= k) = q^(k - 1), k = 1, 2, ..; q = above / below.

    >>> Geometric(1, 2).between(2, 3).value()
    Fraction(3, 8)
    """

    above: int
    below: int

    least = start = 1

    def from_on(self, k: int) -> ExponentialPolynomial:
        return ExponentialPolynomial.constant(fmpq(self.above, self.below) ** max(k - 1, 0))


@dataclass(frozen=True)
class TwoSided(_Intervals):
    """P(K = k) = (1 - q) / (1 + q) q^|k|: the difference of two geometric draws.

    >>> TwoSided(1, 2).between(0, 0).value(), TwoSided(1, 2).between(None, -1).value()
    (Fraction(1, 3), Fraction(1, 3))
    """

    above: int
    below: int

    least = None
    start = 0

    def from_on(self, k: int) -> ExponentialPolynomial:
        q = fmpq(self.above, self.below)
        tail = q ** (k if k > 0 else 1 - k) / (1 + q)
        return ExponentialPolynomial.constant(tail if k > 0 else 1 - tail)


@dataclass(frozen=True)
class Poisson(_Intervals):
    """P(K = k) = e^-r r^k / k!, k = 0, 1, ..; r = above / below."""

    above: int
    below: int

    least = 0
    first = fmpq(1)  # of the terms r^k / k!

    @property
    def start(self) -> int:
        """Where the search for a value begins."""
        return self.above // self.below

    def growth(self, k: int) -> fmpq:
        """Return the factor from the term of k to the next."""
        return fmpq(self.above, self.below * (k + 1))

    def from_on(self, k: int) -> ExponentialPolynomial:
        total = _sum_below(self, max(k, 0))
        return _ALL - ExponentialPolynomial(0, {(-self.above,): total}, self.below)


@dataclass(frozen=True)
class NegativeBinomial(_Intervals):
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
    def first(self) -> fmpq:
        """The probability of 0."""
        return (1 - fmpq(self.above, self.below)) ** self.successes

    def growth(self, k: int) -> fmpq:
        """Return the factor from the probability of k to the next."""
        return fmpq(self.above * (self.successes + k), self.below * (k + 1))

    def from_on(self, k: int) -> ExponentialPolynomial:
        return ExponentialPolynomial.constant(1 - _sum_below(self, max(k, 0)))


@cache
def _sums(law: "Poisson | NegativeBinomial") -> tuple[list[fmpq], list[fmpq]]:
    return [law.first], [fmpq(0)]


def _sum_below(law: "Poisson | NegativeBinomial", k: int) -> fmpq:
    """Return the sum of the terms of 0 .. k - 1."""
    terms, sums = _sums(law)
    while len(sums) <= k:
        sums.append(sums[-1] + terms[-1])
        terms.append(terms[-1] * law.growth(len(terms) - 1))
    return sums[k]


@dataclass(frozen=True, eq=False)
class Floor:
    """The integer below a continuous draw: K > k iff the draw is above k + 1."""

    form: Draw
    start: int

    least = None


Listed = Geometric | TwoSided | Poisson | NegativeBinomial  # with probabilities of their own
CountLaw = Listed | Floor


_INTEGERS = (int, bool)
_BLOCK = 64  # integers of one choice
_TINY = 1e-300  # of an order of search
_PRECISION = 1200  # bits, of which floats have the least ones
_ORIGIN = arb(0)
Cell = tuple[int | None, int | None]  # the integers from an end to the other; None for none
_PYTHON: dict[str, Callable[[Operand, Operand], Operand]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "maximum": max,
    "minimum": min,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}


def words_of_cell(cell: "Cell") -> str:
    """Return in words which integers an interval has.

    >>> [words_of_cell(cell) for cell in [(2, 2), (None, 3), (4, None), (4, 6)]]
    ['= 2', '<= 3', '>= 4', 'from 4 to 6']
    """
    low, high = cell
    if low == high:
        return f"= {low}"
    if low is None or high is None:
        return f">= {low}" if high is None else f"<= {high}"
    return f"from {low} to {high}"


class Counts:
    """The integers that a run draws, and the intervals that they lie in."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.laws: list[CountLaw] = []
        self.ends: list[tuple[int | None, int | None]] = []
        self._part: set[int] = set()  # of differences

    def draw(self, law: CountLaw) -> "Count":
        self.laws.append(law)
        self.run.noted.append((law.form.parts, law.form.constant) if type(law) is Floor else law)
        self.ends.append((law.least, None))
        return Count(self, len(self.laws) - 1, 1, 0)

    def above(self, v: int, k: int) -> bool:
        """Return whether K > k: a choice if both are possible."""
        if v in self._part:
            self.run.refuse("it looks at a draw again of which it took a difference")
        low, high = self.ends[v]
        if (low is not None and k < low) or (high is not None and k >= high):
            return low is not None and k < low
        law = self.laws[v]
        if isinstance(law, Floor):
            answer = law.form >= k + 1
        elif (answer := self.run.replay(("count", v, law, k))) is None:
            whole, more = (law.between(a, high).approx() for a in (low, k + 1))
            share = min(max(more / whole, 1e-9), 1 - 1e-9) if whole > 0 else 0.5
            name = type(law).__name__
            words = f"{name} draw <= {k}", f"{name} draw > {k}"
            answer = self.run.branch(("count", v, law, k), (True, True), (1 - share, share), words.__getitem__)
        self.ends[v] = (k + 1, high) if answer else (low, k)
        return bool(answer)

    def value(self, v: int) -> int:
        """Return the integer: a branch for each that it may be, in blocks of many."""
        if v in self._part:
            self.run.refuse("it looks at a draw again of which it took a difference")
        law = self.laws[v]
        if isinstance(law, Floor) and not self.run.apart(law.form.parts):
            (low, high), start = self.ends[v], self.laws[v].start
            if low is None and (high is None or high >= start) and self.above(v, start - 1):
                low = start
            if low is None:  # downwards
                k = start - 1 if high is None else min(high, start - 1)
                while not self.above(v, k - 1):
                    k -= 1
                return k
            k = low
            while self.above(v, k):
                k += 1
            return k
        while self.ends[v][0] is None or self.ends[v][0] != self.ends[v][1]:
            self._narrow(v, law)
        (value, _) = self.ends[v]
        return cast(int, value)

    def _narrow(self, v: int, law: CountLaw) -> None:
        """Choose one of a block of integers, or what lies below or above all of them."""
        low, high = self.ends[v]
        middle = law.start if low is None else max(law.start, low)
        bottom = (middle if high is None else min(middle, high)) - _BLOCK // 2
        bottom = bottom if low is None else max(bottom, low)
        top = bottom + _BLOCK - 1 if high is None else min(bottom + _BLOCK - 1, high)
        cells: list[Cell] = [(k, k) for k in range(bottom, top + 1)]
        cells = [*cells, (low, bottom - 1)] if low is None or low < bottom else cells
        cells = [*cells, (top + 1, high)] if high is None or high > top else cells
        if isinstance(law, Floor):
            self.ends[v] = self.run.cell(law.form, cells)
            return
        asked = "counts", v, law, bottom, top, low, high
        if (answer := self.run.replay(asked)) is None:
            with ctx.workprec(_PRECISION):  # far out, 1 - P(K < k) cancels
                parts = [float(law.between(*cell).ball(_ORIGIN)) for cell in cells]
            whole = max(sum(parts), _TINY)
            shares = [max(part / whole, _TINY) for part in parts]
            texts = [f"{type(law).__name__} draw {words_of_cell(cell)}" for cell in cells]
            answer = self.run.branch(asked, [True] * len(cells), shares, texts.__getitem__)
        self.ends[v] = cells[answer]

    def floor(self, form: Draw, start: int) -> "Count":
        """Return the integer below a continuous draw; the search for it begins at `start`."""
        self.run.expect_density(form.parts, "it rounds Gumbel noise")
        return self.draw(Floor(form, start))

    def difference(self, first: "Count", second: "Count") -> "Count | None":
        v, w = first.draw, second.draw
        law = self.laws[v]
        if not isinstance(law, Geometric) or v == w or self.laws[w] != law:
            return None
        fresh = all(self.ends[x] == (1, None) and x not in self._part for x in (v, w))
        if not fresh or first.slope + second.slope:
            return None
        self._part |= {v, w}
        self.run.noted.append((v, w))
        made = self.draw(TwoSided(law.above, law.below))
        return Count(self, made.draw, first.slope, first.shift + second.shift, first.of_numpy)

    def mass(self) -> ExponentialPolynomial:
        """Return the probability of all intervals."""
        whole = _ALL
        for v, law in enumerate(self.laws):
            if isinstance(law, Floor) or v in self._part:
                continue
            if self.ends[v] != (law.least, None):
                whole *= law.between(*self.ends[v])
        return whole


def _sum(mine: int, theirs: int) -> Binary:
    return lambda count, other: count._plus(other, mine, theirs)


def _comparison(function: Binary) -> Binary:
    return lambda count, other: count._compare(other, function)


class Count(Late):
    """slope K + shift for an integer K that is drawn, slope 1 or -1; it behaves as an integer."""

    __slots__ = ("counts", "draw", "of_numpy", "shift", "slope")
    __hash__ = Late.__hash__

    def __init__(self, counts: Counts, draw: int, slope: int, shift: int, of_numpy: bool = False) -> None:
        self.counts, self.draw, self.slope, self.shift = counts, draw, slope, shift
        self.of_numpy = of_numpy

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return np.int64 if self.of_numpy else int

    def kept(self) -> bool:
        """Whether the run keeps this integer, as part of its output, without looking at it."""
        run, law = self.counts.run, self.counts.laws[self.draw]
        plain = self.counts.ends[self.draw] == (None, None) and self.draw not in self.counts._part
        if not run.keeps or not isinstance(law, TwoSided) or not plain:
            return False
        run.release_integer(self.draw, Fraction(law.above, law.below), self.slope, self.shift)
        return True

    @property
    def path(self) -> Run:  # type: ignore[override]
        return self.counts.run

    def as_kind(self, of_numpy: bool) -> "Count":
        return Count(self.counts, self.draw, self.slope, self.shift, of_numpy)

    def resolved(self) -> Operand:
        value = self.slope * self.counts.value(self.draw) + self.shift
        return np.int64(value) if self.of_numpy else value

    def _plus(self, other: Operand, mine: int, theirs: int) -> Operand:
        """Return mine * self + theirs * other, both 1 or -1."""
        of_numpy = self.of_numpy or is_numpys(other)
        if isinstance(other, Count):
            turned = other._times(theirs, of_numpy)
            own = self._times(mine, of_numpy)
            both = self.counts.difference(own, turned)
            return mine * self.resolved() + theirs * other.resolved() if both is None else both
        number = _integer(other)
        if number is None:
            other = other.resolved() if isinstance(other, Symbol) else other
            plain = self.resolved()
            return other * theirs + plain * mine if mine < 0 else plain + theirs * other
        shift = mine * self.shift + theirs * number
        return Count(self.counts, self.draw, mine * self.slope, shift, of_numpy)

    def _times(self, sign: int, of_numpy: bool) -> "Count":
        return Count(self.counts, self.draw, sign * self.slope, sign * self.shift, of_numpy)

    __add__ = __radd__ = _sum(1, 1)
    __sub__, __rsub__ = _sum(1, -1), _sum(-1, 1)

    def __neg__(self) -> "Count":
        return self._times(-1, self.of_numpy)

    def __pos__(self) -> "Count":
        return self

    def __abs__(self) -> "Count":
        return self if self >= 0 else -self

    def _above(self, number: Fraction | int) -> bool:
        if self.slope > 0:
            return self.counts.above(self.draw, math.floor(number - self.shift))
        return not self.counts.above(self.draw, math.ceil(self.shift - number) - 1)

    def _compare(self, other: object, function: Binary) -> Operand:
        other = other.resolved() if isinstance(other, Symbol) else other
        number = _real(other)
        if number is None:
            return function(self.resolved(), other)
        kind = self._truth(other)
        if function in (operator.gt, operator.le):
            return kind(self._above(number) == (function is operator.gt))
        return kind((not self._above(math.ceil(number) - 1)) != (function is operator.ge))

    def _truth(self, other: object) -> type:
        return np.bool if self.of_numpy or is_numpys(other) else bool

    __gt__, __le__ = _comparison(operator.gt), _comparison(operator.le)
    __lt__, __ge__ = _comparison(operator.lt), _comparison(operator.ge)

    def __eq__(self, other: object) -> Operand:
        other = known(other)
        number = _real(other)
        if number is None:
            return self.resolved() == other
        whole = math.floor(number) == number
        return self._truth(other)(whole and self >= number and self <= number)

    def __ne__(self, other: object) -> Operand:
        equal = self.__eq__(other)
        return type(equal)(not equal)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Operand, **options: Operand) -> Operand:
        python = method == "__call__" and not options and ufunc.__name__ in _PYTHON
        if python and all(type(x) is Count or np.ndim(known(x)) == 0 for x in inputs):
            found = _PYTHON[ufunc.__name__](*map(_operand, inputs))
            return np.int64(found) if type(found) is int else found
        values = [x.resolved() if isinstance(x, Count) else x for x in inputs]
        return getattr(ufunc, method)(*values, **options)

    def clip(self, low: Operand = None, high: Operand = None, *_: object, **__: object) -> Operand:
        """Return the integer between two bounds, as NumPy asks for it."""
        if any(bound is not None and _integer(known(bound)) is None for bound in (low, high)):
            return np.clip(self.resolved(), low, high)
        value: Operand = self if low is None or self >= low else low
        value = _operand(high if high is not None and value > high else value)
        return value if type(value) is Count else np.int64(value)


for _name in ("mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "divmod"):
    _plain, _reflected = operations(divmod if _name == "divmod" else getattr(operator, _name))
    setattr(Count, f"__{_name.rstrip('_')}__", _plain)
    setattr(Count, f"__r{_name.rstrip('_')}__", _reflected)


def _operand(value: object) -> Operand:
    """Return a count as a number of NumPy, and a number as one of Python, beside counts."""
    if type(value) is Count:
        return value.as_kind(of_numpy=True)
    number = known(value)
    return number.item() if is_numpys(number) else number


def _integer(value: Operand) -> int | None:
    """Return an integer as Python's own, or None if it is none."""
    if type(value) in _INTEGERS:
        return int(value)
    if hasattr(value, "dtype") and value.shape == () and value.dtype.kind in "biu":
        return int(value)
    return None


def _real(value: object) -> Fraction | int | None:
    """Return a number that integers are compared with, or None if it is none or not finite."""
    if isinstance(value, Symbol):
        return None
    number = _integer(value)
    if number is None and isinstance(value, float | Fraction) and math.isfinite(value):
        return Fraction(value)
    return number
