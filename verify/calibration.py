"""What Laplace noise of a calibrated scale really leaks, and the smallest scale that would have kept the level.

More noise never leaks more: Laplace noise of scale c > b is Laplace noise of scale b plus independent noise that is 0 with
probability (b/c)^2 and else Laplace of scale c, since

    1 / (1 + c^2 t^2) = 1 / (1 + b^2 t^2) * [ (b/c)^2 + (1 - (b/c)^2) / (1 + c^2 t^2) ]

for the characteristic functions. So the exact leakage falls in the scale, and bisection finds the least one that keeps a level,
every comparison being exact. Scale 0 is no noise. Mechanisms are in `pufferproof.models.mechanisms`.
"""

from fractions import Fraction

from pufferproof.models.level import Level
from pufferproof.models.mechanisms.wasserstein import Wasserstein, wasserstein_of
from pufferproof.models.noise import Noise
from pufferproof.verify.leakage import Leakage
from pufferproof.verify.noise_laws import QueryLaws
from pufferproof.verify.noise_leakage import NoiseLeakage, largest_ratio

_WIDTH = Fraction(1, 10**10)  # relative


def wasserstein_scale(laws: QueryLaws, level: Level) -> Wasserstein:
    """Return the scale of the Wasserstein mechanism for the laws of a query. Raises `ModelError` as the mechanism does."""
    return wasserstein_of(((each.prior, each.pair, each.above, each.below) for each in laws.pairs), level)


def leakage_at(laws: QueryLaws, scale: Fraction) -> Leakage:
    """Return the exact leakage of Laplace noise of some scale on every coordinate, without noise for scale 0."""
    return _noiseless(laws) if not scale else _noisy(laws, scale).leakage


def smallest_scale(laws: QueryLaws, level: Level, start: Fraction = Fraction(1)) -> tuple[Fraction, Fraction]:
    """Return bounds of the least scale b whose noise leaks at most epsilon, of relative width 10^-10; both 0 if none is needed.

    The upper one keeps the level and the lower one does not, decided exactly. `start` is where the search begins.
    """
    bare = _noiseless(laws).lower
    if bare is not None and level.compare(bare) <= 0:
        return Fraction(0), Fraction(0)
    low, high = start, start
    while _noisy(laws, high).compare(level) > 0:
        low, high = high, 2 * high
    while low == high or _noisy(laws, low).compare(level) <= 0:
        low, high = low / 2, low
    while high - low > _WIDTH * low:
        middle = (low + high) / 2
        if _noisy(laws, middle).compare(level) > 0:
            low = middle
        else:
            high = middle
    return low, high


def _noisy(laws: QueryLaws, scale: Fraction) -> NoiseLeakage:
    noise = Noise.laplace(scale)
    return largest_ratio([noise] * len(laws.noises), laws.pairs, laws.excluded, laws.never)


def _noiseless(laws: QueryLaws) -> Leakage:
    largest = Fraction(1)
    for pair in laws.pairs:
        for value, probability in pair.above.items():
            if value not in pair.below:
                return Leakage.of(None)
            largest = max(largest, probability / pair.below[value])
    return Leakage.of(largest)
