"""The least noise with which numbers of two-valued records keep a level under classes of chains.

Chains of the classes leak more than the level with the lesser noise that is returned; with the
greater one no chain does (`pufferproof.verify.noise.classes.ends`). Both are proved, and as
close as bounds of a class are.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import exp

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import root_approx
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage
from pufferproof.verify.noise.accounts.corners import ends_of, largest_corner, queries_of
from pufferproof.verify.noise.classes.ends import Ratio, at_class_ends
from pufferproof.verify.noise.largest import NoiseQuestion, at_attractive_ends, between_bounds
from pufferproof.verify.noise.ratio.bounds import places_to_check
from pufferproof.verify.noise.scale.calibration import Comparisons, Progress, enclosed

# The least scale of Laplace noise that keeps a level on sequences too long for exact laws, between bounds.
#
# Below it a ratio of likelihoods at a corner exceeds the level (`pufferproof.verify.noise.ratio.bounds`); above it
# tilts or the law of a window bound the leakage by the level (`pufferproof.verify.noise.ratio.bounds`, `.window`), or
# the ends of the query do on networks of bits that attract one another (`pufferproof.verify.noise.classes.bounds`).
# Both are proved at the scales that are returned. Of counts they are closer than 10^-9; of histograms within a tenth,
# and if they are not there is no answer.

BETWEEN_RESTS_ON = ("noise.monotone", "noise.attained")
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
        corner, _ = largest_corner(framework, [replace(query, noise=Noise.laplace(scale))], places)
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


def _bounds(framework: Framework, query: RecordQuery, scale: Fraction) -> LargestRatio:
    noisy = replace(query, noise=Noise.laplace(scale))
    question = NoiseQuestion(framework, NoisyQueries((noisy,)), None)
    return ask((at_attractive_ends, between_bounds), question).expect()


RESTS_ON = ("noise.monotone", "classes.extremes")
_EXACT, _BOUNDED = Fraction(1, 10**10), Fraction(4, 10**6)  # of a factor, and of it times nats
_FAR = 30  # log of a factor
_ROUNDS = 8
Leaked = Callable[[Framework, NoisyQueries], Leakage]


def factor_at_ends(
    framework: Framework, mechanism: NoisyQueries, level: Level, listed: Ratio, progress: Progress | None = None
) -> tuple[Fraction, Fraction] | None:
    """Return a factor on all scales with which a level above 0 is exceeded, and a larger one, about
    4e-6 / epsilon from it, with which it is kept, or None if none are found, or ends do not tell.

    `listed`: as in `at_class_ends`. `progress`: called with the number of every search and the
    width that it is to prove.
    """
    if level.ratio == 1:
        return None
    ratio = at_class_ends(framework, mechanism, level, listed)
    if ratio is None:
        return None
    members, width = ratio.framework, _EXACT
    leaked = _at_ends if ratio.ends_tell else partial(_everywhere, listed)
    if ratio.cells:
        width = _BOUNDED / Fraction(level.enclosure().lower)
    for step in range(1, _ROUNDS):
        near = _least_approx(members, mechanism, level, leaked)
        if near is None:
            return None
        low, high = near * (1 - _EXACT), near * (1 + width)
        if progress is not None:
            progress(step, float(width))
        proved = at_class_ends(framework, scaled(mechanism, high), level, listed)
        least = leaked(members, scaled(mechanism, low)).lower or Fraction(1)
        if proved is None or level.compare(least) <= 0:
            return None
        if (proved.compare(level) or 0) <= 0 and proved.compare(level) is not None:
            return low, high
        members, width = members.with_priors({**members.priors, **proved.framework.priors}), 2 * width
    return None


def scaled(mechanism: NoisyQueries, factor: Fraction) -> NoisyQueries:
    """Return queries with all scales times a factor."""
    return NoisyQueries(tuple(replace(query, noise=query.noise.times(factor)) for query in mechanism.queries))


def _at_ends(members: Framework, mechanism: NoisyQueries) -> Leakage:
    """Return what chains leak at the ends."""
    places, _ = places_to_check(members)
    ratio, _ = largest_corner(members, queries_of(mechanism), places, ends_of(mechanism))
    return ratio


def _everywhere(listed: Ratio, members: Framework, mechanism: NoisyQueries) -> Leakage:
    """Return what chains leak, of which some have a + b > 1."""
    return listed(members, mechanism).leakage


def _least_approx(members: Framework, mechanism: NoisyQueries, level: Level, leaked: Leaked) -> Fraction | None:
    """Return about the least factor with which chains keep a level, or None if they keep or exceed
    it with all that are tried.
    """
    nats = float(level.enclosure().upper)

    def beyond(exponent: float) -> float:
        tried = scaled(mechanism, Fraction(exp(exponent)).limit_denominator(10**15))
        return float(leaked(members, tried).enclosure().lower) - nats

    low = high = 0.0
    while beyond(high) > 0 and high < _FAR:
        low, high = high, high + 1
    while beyond(low) < 0 and low > -_FAR:
        low, high = low - 1, low
    try:
        root = root_approx(beyond, low, high)
    except ModelError:
        return None
    return None if root is None else Fraction(exp(root))
