"""What Laplace noise of a calibrated scale really leaks, and the smallest scale that would have
kept the level.

More noise never leaks more: Laplace noise of scale c > b is Laplace noise of scale b plus
independent noise that is 0 with probability (b/c)^2 and else Laplace of scale c, since

    1 / (1 + c^2 t^2) = 1 / (1 + b^2 t^2) * [ (b/c)^2 + (1 - (b/c)^2) / (1 + c^2 t^2) ]

for the characteristic functions. So the exact leakage falls in the scale, and the least scale that
keeps a level lies between one that does not and one that does. Floats propose two that are close;
exact comparisons decide about both, and bisect where floats were wrong. Scale 0 is no noise.
Mechanisms are in `pufferproof.models.mechanisms`.
"""

from collections.abc import Callable
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.wasserstein import Conditional, Wasserstein, wasserstein_of
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.level import Level
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage, nothing_to_check
from pufferproof.verify.noise.laws.of_framework import QueryLaws
from pufferproof.verify.noise.ratio.listed import NoiseLeakage, claims_about, largest_ratio
from pufferproof.verify.noise.scale.level import RESTS_ON as LEVELS_REST_ON
from pufferproof.verify.noise.scale.level import LaplaceLevel

RESTS_ON = ("noise.monotone",)
SMALLEST_RESTS_ON = united(RESTS_ON, LEVELS_REST_ON)
# the number of a comparison, and the relative width that is left (infinite: unknown)
Progress = Callable[[int, float], None]

_WIDTH = Fraction(1, 10**10)  # relative
_MARGIN = _WIDTH * Fraction(2, 5)  # on either side of a guess
_GROWTH = 8  # of the margin, where the guess was wrong


def wasserstein_scale(laws: QueryLaws, level: Level) -> Wasserstein:
    """Return the scale of the Wasserstein mechanism for the laws of a query. Raises
    `ModelError` as the mechanism does.
    """
    return wasserstein_of((Conditional(pair.prior, pair.pair, pair.above, pair.below) for pair in laws.pairs), level)


def leakage_at(laws: QueryLaws, scale: Fraction) -> Leakage:
    """Return the exact leakage of Laplace noise of some scale on every coordinate, without
    noise for scale 0.
    """
    return _noiseless(laws) if not scale else _noisy(laws, scale).leakage


def leakage_rests_on(laws: QueryLaws, scale: Fraction) -> tuple[str, ...]:
    """Return the claims that `leakage_at` rests on."""
    noise = Noise.laplace(1)  # any scale
    return united(laws.claims, claims_about([noise] * len(laws.noises)) if scale else ())


def smallest_scale(
    laws: QueryLaws, level: Level, start: Fraction = Fraction(1), progress: Progress | None = None
) -> tuple[Fraction, Fraction]:
    """Return bounds of the least scale b whose noise leaks at most epsilon, of relative width
    10^-10; both 0 if none is needed.

    The upper one keeps the level and the lower one does not, decided exactly.

    Args:
        start: where the search begins.
        progress: called before every comparison of a leakage with the level, those in floats
            included.

    Raises `ModelError` where there is no pair to check, noise is needed and the level is 0, or
    noise is too small for enclosures, and `TooLargeError` where a pair of secrets has more than
    200,000 candidates.
    """
    if not laws.pairs:
        raise nothing_to_check()
    bare = _noiseless(laws).lower
    if bare is not None and level.compare(bare) <= 0:
        return Fraction(0), Fraction(0)
    if level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "level")
    question = LaplaceLevel(laws, level)
    told = Comparisons(progress)
    guess = question.guess(start, told)
    if guess is None:
        return enclosed(question.exceeds, start, Fraction(1), told)
    return enclosed(question.exceeds, guess, told=told)


def enclosed(
    exceeds: Callable[[Fraction], bool],
    guess: Fraction,
    margin: Fraction = _MARGIN,
    told: Callable[[float], None] = lambda width: None,
) -> tuple[Fraction, Fraction]:
    """Return a scale that exceeds the level and a larger one that does not, of relative width
    10^-10.

    Outwards from the guess, by a factor of 1 + `margin` first, until both are at hand; then by
    bisection. `exceeds` must not be true above a scale where it is false; `told` is called with the
    relative width that is left, before each scale.

    >>> low, high = enclosed(lambda scale: scale**2 < 2, Fraction(7, 5))
    >>> f"{float(low):.8f}", f"{float(high):.8f}"
    ('1.41421356', '1.41421356')
    """

    def keeps(scale: Fraction) -> bool:
        return not exceeds(scale)

    def kept(scale: Fraction) -> bool:
        told(float(2 * margin))
        return keeps(scale)

    low = guess / (1 + margin)
    if kept(low):
        high, margin = low, _GROWTH * margin
        while kept(low := guess / (1 + margin)):
            high, margin = low, _GROWTH * margin
    else:
        while not kept(high := guess * (1 + margin)):
            low, margin = high, _GROWTH * margin
    return least(keeps, (low, high), relative=_WIDTH, told=told)


class Comparisons:
    """Counts comparisons, and tells how many there were and which relative width is left."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress, self._number = progress, 0

    def __call__(self, width: float) -> None:
        self._number += 1
        if self._progress is not None:
            self._progress(self._number, width)


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
