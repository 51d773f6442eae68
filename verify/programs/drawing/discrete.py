"""Discrete draws of a generator: numbers become known when they are looked at, what is drawn in
arrays and lists at once.
"""

from collections.abc import Hashable, Sequence
from copy import copy
from functools import cache
from math import comb, prod
from operator import index
from typing import Any

import numpy as np
from flint import fmpq

from pufferproof.verify.programs.drawing.arrays import Symbol
from pufferproof.verify.programs.drawing.draws import Draw
from pufferproof.verify.programs.drawing.parameters import Parameters, shape_of
from pufferproof.verify.programs.drawing.values.laws import Geometric, NegativeBinomial, Poisson

_ONE = fmpq(1)
_MOST = 100_000  # integers in a draw
_DIGITS = 10**9  # squared bits of the probabilities of a draw
BITS = 12  # of what is drawn bit by bit: more are too many branches


class DiscreteDraws(Parameters):
    """The methods of a generator whose draws have countably many values."""

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64", endpoint: bool = False
    ) -> Any:
        """Draw an integer from low to high - 1, or to high."""
        low, high = (0, low) if high is None else (low, high)
        kind = dtype if dtype in (bool, int) and size is None else np.dtype(dtype).type
        ends = _ends(np.dtype(dtype))

        def one(a: Any, b: Any) -> Any:
            least = self._integer(a)
            count = self._integer(b) - least + endpoint
            if count <= 0:
                raise ValueError("low >= high")
            if least < ends[0] or least + count - 1 > ends[1]:
                raise ValueError(f"low or high is out of bounds for {np.dtype(dtype)}")
            if count > _MOST:
                self._run.refuse(f"it draws one of {count} integers: at most {_MOST} are listed")
            values = [kind(least + i) for i in range(count)]
            return self._run.atoms.draw(values, [fmpq(1, count)] * count, "integers")

        return self._each(one, size, low, high)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw how many of n trials succeed."""
        return self._each(lambda n, p: self._successes(n, self._probability(p)), size, n, p)

    def _integer(self, value: Any) -> int:
        """Return an integer, which NumPy takes as a float as well."""
        if isinstance(value, float) and not isinstance(value, Symbol):
            if not value.is_integer():
                self._run.refuse(f"it draws with {value} where an integer is needed")
            return int(value)
        return index(value)

    def _successes(self, n: Any, p: Any) -> Any:
        n = self._integer(n)
        if n < 0:
            raise ValueError("n < 0")
        if n > _MOST or n * n * int(p.q).bit_length() > _DIGITS:
            self._run.refuse(f"it draws one of {n + 1} integers with too long probabilities")
        weights = _binomial(n, int(p.p), int(p.q))
        return self._run.atoms.draw(range(n + 1), weights, f"binomial({n}, {p})")

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Draw the number of trials up to the first success: a branch for each."""
        return self._each(lambda p: self._trials(self._probability(p)), size, p)

    def _trials(self, p: Any) -> Any:
        if not p:
            raise ValueError("p <= 0, p > 1 or p contains NaNs")
        q = 1 - p
        return self._run.counts.draw(Geometric(int(q.p), int(q.q))) if q else 1

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Draw k with probability e^-lam lam^k / k!: a branch for each."""

        def one(lam: Any) -> Any:
            rate = self._number(lam)
            if type(rate) is Draw:
                self._run.refuse("a rate is a draw")
            if rate < 0:
                raise ValueError("lam < 0 or lam is NaN")
            return self._run.counts.draw(Poisson(int(rate.p), int(rate.q))) if rate else 0

        return self._each(one, size, lam)

    def _probability(self, value: object) -> Any:
        p = self._number(value)
        if type(p) is Draw:
            self._run.refuse("a probability is a draw")
        if not 0 <= p <= 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        return p

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
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
        places = [self._ways(trials, shares) for _ in range(_count(size))]
        return np.array(places[0] if size is None else places).reshape(_shape(size, len(shares)))

    def _ways(self, trials: int, shares: list[Any]) -> list[int]:
        ways, rest = [], _ONE
        for share in shares[:-1]:
            p = min(share / rest, _ONE) if rest > 0 else fmpq(0)
            ways.append(self._successes(trials, p).resolved())
            trials, rest = trials - ways[-1], rest - share
        return [*ways, trials]

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """Draw how many of a sample without replacement are good."""

        def one(good: Any, bad: Any, sample: Any) -> Any:
            good, bad, sample = map(self._integer, (good, bad, sample))
            if good < 0 or bad < 0 or not 0 <= sample <= good + bad:
                raise ValueError("ngood < 0, nbad < 0 or nsample > ngood + nbad")
            ways = [comb(good, k) * comb(bad, sample - k) for k in range(sample + 1)]
            weights = [fmpq(each, sum(ways)) for each in ways]
            return self._run.atoms.draw(range(sample + 1), weights, "hypergeometric")

        return self._each(one, size, ngood, nbad, nsample)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw the number of failures before n successes, n an integer."""

        def one(n: Any, p: Any) -> Any:
            count, success = self._number(n), self._probability(p)
            if type(count) is Draw or count.q != 1:
                self._run.refuse("it calls negative_binomial with n that is not an integer")
            if count <= 0 or not success:
                raise ValueError("n <= 0, p <= 0, p > 1, or one of them is NaN")
            q = 1 - success
            law = NegativeBinomial(int(count.p), int(q.p), int(q.q))
            return self._run.counts.draw(law) if q else 0

        return self._each(one, size, n, p)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, shuffle: bool = True) -> Any:
        """Draw from a list, or from 0 .. a - 1, with weights, with or without replacement: a branch
        for each value, where equal ones are one.
        """
        values = list(range(index(a))) if not np.shape(a) else np.asarray(a)
        weights, count = self._weights(p, len(values)), _count(size)
        if not len(values) and count:
            raise ValueError("'a' cannot be empty unless no samples are taken")
        if size is None:  # with replacement or without
            return self._of(values, weights)
        if replace:
            drawn = [_known(self._of(values, weights)) for _ in range(count)]
        else:
            drawn = [values[i] for i in self._chosen(weights, count, p is not None, shuffle)]
        return np.array(drawn).reshape(_shape(size, *np.shape(values)[1:]))

    def _chosen(self, weights: list[Any], count: int, weighted: bool, shuffle: bool) -> Sequence[int]:
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

    def _of(self, values: Any, weights: list[Any]) -> Any:
        total = sum(weights, fmpq(0))  # NumPy divides by the sum, too
        shares = [weight / total for weight in weights]
        if np.ndim(values) > 1 or not all(isinstance(value, Hashable) for value in values):
            value = values[self._run.atoms.draw(range(len(values)), shares, "choice").resolved()]
            return copy(value) if np.ndim(values) > 1 else value  # a row, not a view of it
        drawn = self._run.atoms.draw(list(values), shares, "choice")
        numeric = all(isinstance(value, int | float | np.number | np.bool) for value in values)
        return self._run.shown(drawn) if numeric else drawn.resolved()

    def _weights(self, p: Any, count: int) -> list[Any]:
        if p is None:
            return [_ONE] * count
        weights = [self._probability(x) for x in p]
        if len(weights) != count:
            raise ValueError("'a' and 'p' must have same size")
        if abs(sum(weights, fmpq(0)) - 1) > fmpq(1, 10**8):
            raise ValueError("probabilities do not sum to 1")
        return weights

    def permutation(self, x: Any) -> Any:
        """Return a list, or 0 .. x - 1, in a random order."""
        if isinstance(x, np.ndarray) and not x.shape:
            raise np.exceptions.AxisError(0, 0)
        values = np.arange(index(x)) if not np.shape(x) else np.array(x)
        return values[self._order(len(values))]

    def permuted(self, x: Any) -> Any:
        """Return the elements of an array in a random order."""
        values = np.array(x)
        if not values.shape:
            raise TypeError("len() of unsized object")
        return values.flat[self._order(values.size)].reshape(values.shape)

    def shuffle(self, x: Any) -> None:
        """Bring a list into a random order."""
        if isinstance(x, np.ndarray):
            x[:] = x[self._order(len(x))].copy()
            return
        for i in range(len(x) - 1, 0, -1):  # NumPy swaps items, which may be views of the list
            place = self._run.atoms.draw(range(i + 1), [fmpq(1, i + 1)] * (i + 1), "place")
            j = place.resolved()
            x[i], x[j] = x[j], x[i]

    def bytes(self, length: Any) -> Any:
        """Draw bytes: a branch for each value."""
        count = self._integer(length)
        if not 0 <= 8 * count <= BITS:
            self._run.refuse(f"it draws {length} bytes: at most {BITS} bits are listed")
        return bytes(int(byte) for byte in self.integers(256, size=count))

    def _order(self, length: int, count: int | None = None) -> list[int]:
        """Draw places without replacement, all or as many as are wanted."""
        pool, order = list(range(length)), []
        for left in range(length, length - (length if count is None else count), -1):
            place = self._run.atoms.draw(range(left), [fmpq(1, left)] * left, "place")
            order.append(pool.pop(place.resolved()))
        return order


@cache
def _binomial(n: int, above: int, below: int) -> tuple[Any, ...]:
    """Return the probabilities of 0 .. n successes, each with probability above / below."""
    p = fmpq(above, below)
    return tuple(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))


def _ends(dtype: Any) -> tuple[int, int]:
    """Return the least and the largest number of a type of integers."""
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind not in "iu":
        raise TypeError(f"Unsupported dtype {dtype!r} for integers")
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def _known(value: object) -> Any:
    return value.resolved() if isinstance(value, Symbol) else value


def _count(size: object) -> int:
    return 1 if size is None else prod(shape_of(size))


def _shape(size: object, *rest: int) -> tuple[int, ...]:
    return rest if size is None else (*shape_of(size), *rest)
