"""A stand-in for `numpy.random.Generator`: programs that draw from it run unchanged.

A continuous draw is a symbol, a discrete one a choice. Parameters are numbers or arrays, broadcast
as NumPy does; a method without an exact law here is refused by name.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from operator import index
from typing import Any

import numpy as np
from flint import fmpq

from pufferproof.models.numbers.pieces import Piecewise, fraction
from pufferproof.verify.programs.arrays import settled
from pufferproof.verify.programs.draws import Draw, exact_number
from pufferproof.verify.programs.paths import Run

_ONE = fmpq(1)
_MOST = 100_000  # integers in a draw
_METHODS = frozenset(name for name in dir(np.random.Generator) if not name.startswith("_"))


class Generator:
    """What a program draws from, in one run.

    >>> from pufferproof.verify.programs.integrals import Integrals
    >>> run = Run(None, Integrals(), None)
    >>> x, y = Generator(run).laplace(size=2)
    >>> x > y, run.mass().value()
    (False, Fraction(1, 2))
    """

    def __init__(self, run: Run) -> None:
        self._run = run

    # continuous

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw Laplace noise of density e^(-|x - loc| / scale) / (2 scale)."""
        return self._each(lambda a, b: self._laplace(b) + a, size, loc, scale)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw x > 0 with density e^(-x / scale) / scale."""
        return self._each(lambda b: self._gamma(1, b), size, scale)

    def standard_exponential(self, size: Any = None, *_: Any, **__: Any) -> Any:
        """Draw x > 0 with density e^-x."""
        return self.exponential(1.0, size)

    def random(self, size: Any = None, *_: Any, **__: Any) -> Any:
        """Draw a number between 0 and 1."""
        return self._each(self._uniform, size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw a number between two others."""
        return self._each(lambda a, b: a + (self._number(b) - a) * self._uniform(), size, low, high)

    def _uniform(self) -> Draw:
        return self._run.draw(("uniform",), "uniform", Piecewise.uniform)

    def _laplace(self, scale: Any) -> Draw:
        b = self._scale(scale)
        if not b:
            return Draw(self._run, fmpq(0), {})
        return self._run.draw(("laplace", b), f"Laplace({b})", lambda: Piecewise.laplace(b))

    def _gamma(self, shape: int, scale: Any) -> Draw:
        b = self._scale(scale)
        if not b:
            return Draw(self._run, fmpq(0), {})
        words = f"exponential({b})" if shape == 1 else f"gamma({shape}, {b})"
        return self._run.draw(("gamma", shape, b), words, lambda: Piecewise.gamma(shape, b))

    def _scale(self, value: Any) -> Fraction:
        scale = self._number(value)
        if type(scale) is Draw:
            self._run.refuse("a scale is a draw")
        if scale < 0:
            raise ValueError("scale < 0")
        return fraction(scale)

    def _number(self, value: Any) -> Any:
        number = exact_number(value, self._run)
        if number is NotImplemented:
            raise TypeError(f"expected a number, found {value!r}")
        if type(number) is Draw and not number.parts:
            return number.constant
        return number

    # discrete

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        """Draw an integer from low to high - 1, or to high."""
        low, high = (0, low) if high is None else (low, high)
        kind = bool if dtype is bool else np.dtype(dtype).type

        def one(a: Any, b: Any) -> Any:
            least, count = index(a), index(b) - index(a) + endpoint
            if count <= 0:
                raise ValueError("low >= high")
            if count > _MOST:
                self._run.refuse(f"it draws one of {count} integers: at most {_MOST} are listed")
            values = [kind(least + i) for i in range(count)]
            return self._run.atoms.draw(values, [fmpq(1, count)] * count, "integers")

        return self._each(one, size, low, high)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw how many of n trials succeed."""

        def one(n: Any, p: Any) -> Any:
            n, p = index(n), self._probability(p)
            weights = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
            return self._run.atoms.draw(range(n + 1), weights, f"binomial({n}, {p})")

        return self._each(one, size, n, p)

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Draw the number of trials up to the first success."""

        def one(p: Any) -> int:
            p, trials = self._probability(p), 1
            while not self._run.fork(
                (1 - p, p), lambda i: f"{'success' if i else 'failure'} ({p})"
            ):
                trials += 1
            return trials

        return self._each(one, size, p)

    def _probability(self, value: Any) -> Any:
        p = self._number(value)
        if type(p) is Draw:
            self._run.refuse("a probability is a draw")
        if not 0 <= p <= 1:
            raise ValueError("p < 0, p > 1 or p is NaN")
        return p

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        """Draw from a list, or from 0 .. a - 1, with weights, with or without replacement."""
        values = list(range(index(a))) if not np.shape(a) else np.asarray(a)
        if np.ndim(values) > 1 and axis:
            self._run.refuse("it calls choice with an axis")
        weights = self._weights(p, len(values))
        count = 1 if size is None else int(np.prod(size))
        if not replace and p is not None and count > 1:
            self._run.refuse("it calls choice without replacement but with weights")
        if not replace and count > len(values):
            raise ValueError("Cannot take a larger sample than population when replace is False")
        pool = list(range(len(values)))

        def one() -> Any:
            total = sum((weights[i] for i in pool), fmpq(0))  # NumPy divides by the sum, too
            shares = [weights[i] / total for i in pool]
            place = self._run.fork(shares, lambda i: f"choice {i}")
            return values[pool[place] if replace else pool.pop(place)]

        if size is None:
            return one()
        places = [one() for _ in range(count)]
        shape = np.shape(places[0]) if places else ()
        return np.array(places).reshape((*np.atleast_1d(size), *shape))

    def _weights(self, p: Any, count: int) -> list[Any]:
        if p is None:
            return [_ONE] * count
        weights = [self._probability(x) for x in p]
        if len(weights) != count:
            raise ValueError("'a' and 'p' must have same size")
        if abs(sum(weights, fmpq(0)) - 1) > fmpq(1, 10**8):
            raise ValueError("probabilities do not sum to 1")
        return weights

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return a list, or 0 .. x - 1, in a random order."""
        if axis:
            self._run.refuse("it calls permutation with an axis")
        values = np.arange(index(x)) if not np.shape(x) else np.array(x)
        return values[self._order(len(values))]

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Bring a list into a random order."""
        if axis:
            self._run.refuse("it calls shuffle with an axis")
        order = self._order(len(x))
        x[:] = x[order].copy() if isinstance(x, np.ndarray) else [x[i] for i in order]

    def _order(self, count: int) -> list[int]:
        pool = list(range(count))
        words = "place {}".format
        return [pool.pop(self._run.fork([fmpq(1, k)] * k, words)) for k in range(count, 0, -1)]

    # shapes

    def _each(self, draw: Callable[..., Any], size: Any, *parameters: Any) -> Any:
        """Draw once, or once for each place of an array."""
        if size is None and not any(np.shape(p) for p in parameters if not isinstance(p, Draw)):
            return draw(*(_plain(p) for p in parameters))
        shapes = [np.shape(p) if not isinstance(p, Draw) else () for p in parameters]
        shape = np.broadcast_shapes(*shapes)
        if size is not None:
            shape = tuple(index(n) for n in np.atleast_1d(size)) if size != () else ()
            np.broadcast_shapes(shape, *shapes)
        grids = [np.broadcast_to(_objects(p), shape) for p in parameters]
        out = np.empty(shape, dtype=object)
        for at in np.ndindex(*shape):
            out[at] = draw(*(grid[at] for grid in grids))
        return settled(out)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(f"'Generator' object has no attribute '{name}'")
        self._run.refuse(f"rng.{name} has no exact law here")


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "dtype") else value


def _objects(value: Any) -> Any:
    """Return a parameter as an array of objects, numbers of NumPy as Python's own."""
    array = np.empty((), dtype=object)
    array[()] = value
    return array if isinstance(value, Draw) else np.asarray(value, dtype=object)
