"""Both likelihoods of noise on the integers, of a step with a sample: as many of them as matter."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    from flint import arb

_MOST_ATOMS = 200_000


def on_integers(
    noise: Noise, rate: Fraction, left: int, right: int, tail: float
) -> "list[tuple[arb, arb]]":
    """Return both likelihoods of all integers but some of a mass of about `tail`."""
    q, reach = ball(rate), _reach(noise, tail)
    low, high = min(0, left, right) - reach, max(0, left, right) + reach
    if high - low > _MOST_ATOMS:
        raise TooLargeError(f"expected at most {_MOST_ATOMS} outputs, found {high - low}", "noise")
    mass = _masses(noise, reach + high - low)
    pairs = []
    for z in range(low, high + 1):
        alone = (1 - q) * mass[abs(z)]
        pairs.append((alone + q * mass[abs(z - left)], alone + q * mass[abs(z - right)]))
    return pairs


def _reach(noise: Noise, tail: float) -> int:
    """Return how far from 0 all integers lie but some of a mass of about `tail`."""
    if noise.kind == "discrete_gaussian":
        return math.ceil(math.sqrt(_variance(noise)) * quantile(tail)) + 1
    assert noise.decay is not None
    return math.ceil(math.log(tail) / float(noise.decay.ball().log().mid())) + 1


def _masses(noise: Noise, reach: int) -> "list[arb]":
    """Return the probabilities of 0 .. reach."""
    if noise.kind == "discrete_gaussian":
        return LatticeGaussian(_variance(noise)).probabilities(range(reach + 1))
    assert noise.decay is not None
    decay = noise.decay.ball()
    first = (1 - decay) / (1 + decay)
    return [first * decay**z for z in range(reach + 1)]


def _variance(noise: Noise) -> Fraction:
    """The square of sigma of discrete Gaussian noise."""
    assert noise.sigma2 is not None
    return noise.sigma2


def quantile(tail: float) -> float:
    """Return about the place that normal noise exceeds with the probability `tail`."""
    return math.sqrt(-2 * math.log(tail))
