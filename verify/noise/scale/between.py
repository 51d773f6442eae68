"""The least scale of Laplace noise that keeps a level on sequences too long for exact laws, between
bounds.

Below it a ratio of likelihoods at a corner exceeds the level
(`pufferproof.verify.noise.ratio.bounds`); above it tilts or the law of a window bound the leakage
by the level (`pufferproof.verify.noise.ratio.tilts`, `.window`), or the ends of the query do on
networks of bits that attract one another (`pufferproof.verify.noise.classes.attractive`). Both are
proved at the scales that are returned. Of counts they are closer than 10^-9; of histograms within
a tenth, and if they are not there is no answer.
"""

from dataclasses import replace
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.noise.accounts.corners import largest_corner
from pufferproof.verify.noise.largest import NoiseQuestion, at_attractive_ends, between_bounds
from pufferproof.verify.noise.ratio.bounds import places_to_check
from pufferproof.verify.noise.scale.calibration import Comparisons, Progress, enclosed

RESTS_ON = ("noise.monotone", "noise.attained")
_CLOSE = Fraction(21, 20)  # an upper bound of nats by a lower one
# less than 10^-9, with a search's
_MARGINS = tuple(Fraction(4 * 4**k, 10**11) for k in range(3))
_WIDER = tuple(Fraction(2**k, 1000) for k in range(7))  # of histograms, halved `_HALVED` times
_HALVED = 5
_LEAST = Fraction(1, 2**40)  # of where the search begins


def leakage_between(framework: Framework, query: RecordQuery, scale: Fraction) -> LargestRatio | None:
    """Return bounds of the leakage of Laplace noise of a scale, or None if the upper one has more
    than a twentieth more nats.
    """
    bounds = _bounds(framework, query, scale)
    if bounds.leakage.upper is None:
        return None
    nats = bounds.leakage.enclosure()
    return bounds if exact(nats.upper) <= _CLOSE * exact(nats.lower) else None


def scale_between(
    framework: Framework,
    query: RecordQuery,
    level: Level,
    start: Fraction = Fraction(1),
    progress: Progress | None = None,
) -> tuple[Fraction, Fraction]:
    """Return a scale of Laplace noise that leaks more than a level, and a larger one that does
    not.

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

    def keeps(scale: Fraction) -> bool:
        upper = _bounds(framework, query, scale).leakage.upper
        return upper is not None and level.compare(upper) <= 0

    low, near = enclosed(exceeds, start, Fraction(1), Comparisons(progress))
    for margin in _MARGINS:
        if keeps(near * (1 + margin)):
            return low, near * (1 + margin)
    wide = next((margin for margin in _WIDER if keeps(near * (1 + margin))), None)
    if wide is None:
        raise ModelError("bounds of the leakage are too far apart", "query")
    _, margin = least(lambda each: keeps(near * (1 + each)), (Fraction(0), wide), within=wide / 2**_HALVED)
    return low, near * (1 + margin)


def _noisy(query: RecordQuery, scale: Fraction) -> RecordQuery:
    return replace(query, noise=Noise.laplace(scale))


def _bounds(framework: Framework, query: RecordQuery, scale: Fraction) -> LargestRatio:
    noisy = _noisy(query, scale)
    question = NoiseQuestion(framework, NoisyQueries((noisy,)), None)
    return ask((at_attractive_ends, between_bounds), question).expect()
