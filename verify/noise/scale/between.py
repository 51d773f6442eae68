"""The least scale of Laplace noise that keeps a level on sequences too long for exact laws, between
bounds that meet.

Below it a ratio of likelihoods at a corner exceeds the level
(`pufferproof.verify.noise.ratio.bounds`); above it the law of a window bounds the leakage by the
level (`pufferproof.verify.noise.ratio.window`), or the ends of the query do on networks of bits
that attract one another (`pufferproof.verify.noise.classes.attractive`). Both are proved at the
scales that are returned, which are closer than 10^-9; where the bounds do not meet so closely there
is no answer.
"""

from dataclasses import replace
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.noise.largest import NoiseQuestion, at_attractive_ends, between_bounds
from pufferproof.verify.noise.ratio.bounds import largest_corner, places_to_check
from pufferproof.verify.noise.scale.calibration import Comparisons, Progress, enclosed

RESTS_ON = ("noise.monotone", "noise.attained")
_CLOSE = Fraction(1, 10**9)
# less than `_CLOSE`, with a search's
_MARGINS = tuple(Fraction(4 * 4**k, 10**11) for k in range(3))
_LEAST = Fraction(1, 2**40)  # of where the search begins


def leakage_between(
    framework: Framework, query: RecordQuery, scale: Fraction
) -> LargestRatio | None:
    """Return bounds of the leakage of Laplace noise of a scale, or None if they are not within
    10^-9.
    """
    bounds = _bounds(framework, query, scale)
    lower, upper = bounds.leakage.lower, bounds.leakage.upper
    close = lower is not None and upper is not None and upper <= lower * (1 + _CLOSE)
    return bounds if close else None


def scale_between(
    framework: Framework,
    query: RecordQuery,
    level: Level,
    start: Fraction = Fraction(1),
    progress: Progress | None = None,
) -> tuple[Fraction, Fraction]:
    """Return a scale of Laplace noise that leaks more than a level, and a larger one, closer than
    10^-9, that does not.

    Args:
        query: a sum, mean or histogram; its noise is not used.
        start: where the search begins.
        progress: called before every comparison, with its number and the width that is left.

    Raises `ModelError` at level 0, where hardly any noise is needed, and where the bounds do not
    meet.
    """
    if level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "level")
    places, _ = places_to_check(framework)

    def exceeds(scale: Fraction) -> bool:
        if scale < start * _LEAST:
            raise ModelError("no noise is shown to be needed for this level", "level")
        corner, _ = largest_corner(framework, [_noisy(query, scale)], places)
        return level.compare(corner.lower or Fraction(1)) > 0

    low, near = enclosed(exceeds, start, Fraction(1), Comparisons(progress))
    for margin in _MARGINS:
        upper = _bounds(framework, query, high := near * (1 + margin)).leakage.upper
        if upper is not None and level.compare(upper) <= 0:
            return low, high
    raise ModelError("bounds of the leakage are too far apart", "query")


def _noisy(query: RecordQuery, scale: Fraction) -> RecordQuery:
    return replace(query, noise=Noise.laplace(scale))


def _bounds(framework: Framework, query: RecordQuery, scale: Fraction) -> LargestRatio:
    noisy = _noisy(query, scale)
    question = NoiseQuestion(framework, NoisyQueries((noisy,)), None)
    return ask((at_attractive_ends, between_bounds), question).expect()
