"""The methods of Python's `random` as draws from `rng`. Where Python's own code draws nothing but
integers and numbers between 0 and 1 it runs as it is; the others have a law of their own here.
"""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import index
from typing import Any

from pufferproof.verify.programs.drawing.discrete import BITS


class StandardDraws(random.SystemRandom):
    """A generator of `random` that draws from the generator of the call that runs."""

    def __init__(self, rng: Callable[[], Any]) -> None:
        super().__init__()
        self._rng = rng

    def random(self) -> Any:
        """Draw a number between 0 and 1."""
        return self._rng().random()

    def getrandbits(self, k: int) -> int:
        """Draw an integer of so many bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k > BITS:
            self._rng()._run.refuse(
                f"it calls getrandbits({k}), of which at most {BITS} bits are listed"
            )
        return self._randbelow(1 << k)

    def _randbelow(self, n: int) -> int:
        return int(self._rng().integers(n)) if n else 0

    def randbytes(self, n: int) -> bytes:
        """Draw bytes."""
        drawn: bytes = self._rng().bytes(n)
        return drawn

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        """Draw mu + sigma Z, where Z is standard normal."""
        return mu + self._rng().standard_normal() * sigma

    normalvariate = gauss

    def expovariate(self, lambd: Any = 1.0) -> Any:
        """Draw E / lambda, where E is exponential of scale 1."""
        rate = Fraction(lambd)
        drawn = self._rng().exponential(abs(1 / rate))
        return drawn if rate > 0 else -drawn

    def gammavariate(self, alpha: Any, beta: Any) -> Any:
        """Draw a sum of alpha exponential draws of scale beta."""
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        return self._rng().gamma(alpha, beta)

    def betavariate(self, alpha: Any, beta: Any) -> Any:
        """Draw x of density x^(alpha - 1) (1 - x)^(beta - 1) over B(alpha, beta)."""
        return self._rng().beta(alpha, beta)

    def weibullvariate(self, alpha: Any, beta: Any) -> Any:
        """Draw alpha W, where W is a Weibull draw of shape beta."""
        return self._rng().weibull(beta) * alpha

    def triangular(self, low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
        """Draw x of a density that rises from one end to the mode, and falls to the other."""
        if low == high:
            return low
        mode = (Fraction(low) + Fraction(high)) / 2 if mode is None else mode
        if not min(low, high) <= mode <= max(low, high):
            self._rng()._run.refuse("it calls random.triangular with a mode that is not between")
        return self._rng().triangular(min(low, high), mode, max(low, high))

    def binomialvariate(self, n: int = 1, p: Any = 0.5) -> Any:
        """Draw how many of n trials succeed."""
        return self._rng().binomial(index(n), p)

    def choices(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> list[Any]:
        """Draw k items with weights, with replacement."""
        if weights is not None and cum_weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if weights is not None:
            cum_weights = accumulate(map(Fraction, weights))
        if cum_weights is None:
            return [population[self._below(len(population))] for _ in range(k)]
        ends = [Fraction(0), *map(Fraction, cum_weights)]
        if len(ends) != len(population) + 1:
            raise ValueError("The number of weights does not match the population")
        if ends[-1] <= 0:
            raise ValueError("Total of weights must be greater than zero")
        shares = [(b - a) / ends[-1] for a, b in pairwise(ends)]
        if min(shares) < 0:
            self._rng()._run.refuse("it calls random.choices with a negative weight")
        return [population[int(self._rng().choice(len(shares), p=shares))] for _ in range(k)]

    def _below(self, count: int) -> int:
        if not count:
            raise IndexError("Cannot choose from an empty sequence")
        return self._randbelow(count)

    def sample(self, population: Sequence[Any], k: int, *, counts: Any = None) -> list[Any]:
        """Draw k items without replacement, of which there are as many as counted."""
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        pool = list(population)
        if counts is not None:
            numbers = list(map(index, counts))
            if len(numbers) != len(pool):
                raise ValueError("The number of counts does not match the population")
            if min(numbers, default=0) < 0:
                self._rng()._run.refuse("it calls random.sample with a negative count")
            if not sum(numbers):
                raise ValueError("Total of counts must be greater than zero")
            pool = [item for item, count in zip(pool, numbers) for _ in range(count)]
        if not 0 <= k <= len(pool):
            raise ValueError("Sample larger than population or is negative")
        return [pool[i] for i in self._rng().choice(len(pool), size=k, replace=False)]
