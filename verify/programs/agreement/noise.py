"""The probabilities of cells of noise, enclosed: P(Z >= x) of every kind of noise that is read."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    from flint import arb

BITS = 128
_STEPS = 60
_FARTHEST = Fraction(1 << 200)


@lru_cache(maxsize=4096)
def at_least(noise: Noise, x: Fraction) -> "arb":
    """Enclose P(Z >= x) to 128 bits.

    >>> round(float(at_least(Noise.geometric("1/2"), Fraction(1)).mid()), 6)
    0.333333

    Raises `ModelError` unless the kind of noise is one that is compared.
    """
    from flint import ctx

    if noise.kind not in _TAILS:
        raise ModelError(
            f"draws of {noise.kind} noise are not compared with their law: expected one of {', '.join(_TAILS)}",
            "mechanism",
        )
    with ctx.workprec(BITS):
        return _TAILS[noise.kind](noise, x)


def quantile(noise: Noise, chance: float) -> Fraction:
    """Return an x with P(Z >= x) near a probability, an integer if noise lives on integers."""
    if noise.sigma2 is not None:
        return Fraction(math.ceil(_normal_quantile(chance) * math.sqrt(noise.sigma2)))
    low, high = Fraction(-1), Fraction(1)
    while at_least(noise, low) < chance and low > -_FARTHEST:
        low *= 2
    while at_least(noise, high) > chance and high < _FARTHEST:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if noise.on_integers:
            middle = Fraction(middle.__floor__())
            if middle in (low, high):
                break
        if at_least(noise, middle) > chance:
            low = middle
        else:
            high = middle
    return high if noise.on_integers else Fraction(float(high))


def scaled_approx(noise: Noise, factor: Fraction, edges: Sequence[Fraction]) -> list[float]:
    """Return the probabilities of the cells between edges for noise of another scale, in floats."""
    if noise.sigma2 is not None:
        sigma = math.sqrt(noise.sigma2) * float(factor)
        above = [math.erfc((float(edge) - 0.5) / sigma / math.sqrt(2)) / 2 for edge in edges]
    else:
        other = noise.times(factor)
        above = [float(at_least(other, edge).mid()) for edge in edges]
    return [max(one - then, 0.0) for one, then in pairwise([1.0, *above, 0.0])]


def _normal_quantile(chance: float) -> float:
    return -NormalDist().inv_cdf(chance)


def largest_density(noise: Noise) -> float:
    """Return the density at 0, the largest, of noise on real numbers."""
    if noise.variance is not None:
        return 0.4 / math.sqrt(noise.variance)
    assert noise.decay is not None
    return -float(noise.decay.ball().log().mid()) / 2


def _laplace(noise: Noise, x: Fraction) -> "arb":
    assert noise.decay is not None
    outer = noise.decay.to(abs(x)).ball() / 2
    return outer if x >= 0 else 1 - outer


def _geometric(noise: Noise, x: Fraction) -> "arb":
    """P(Z >= k) = q^k / (1 + q) for k >= 1, and 1 - P(Z >= 1 - k) below."""
    assert noise.decay is not None
    k = x.__ceil__()
    outer = noise.decay.to(Fraction(max(k, 1 - k))).ball() / (1 + noise.decay.ball())
    return outer if k >= 1 else 1 - outer


def _gaussian(noise: Noise, x: Fraction) -> "arb":
    assert noise.variance is not None
    return (ball(x) / (2 * ball(noise.variance)).sqrt()).erfc() / 2


def _discrete_gaussian(noise: Noise, x: Fraction) -> "arb":
    assert noise.sigma2 is not None
    return LatticeGaussian(noise.sigma2).tail(x.__ceil__())


_TAILS: dict[str, Callable[[Noise, Fraction], "arb"]] = {
    "discrete_gaussian": _discrete_gaussian,
    "discrete_laplace": _geometric,
    "gaussian": _gaussian,
    "geometric": _geometric,
    "laplace": _laplace,
}
