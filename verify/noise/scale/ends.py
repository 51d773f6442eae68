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
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import root_approx
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.corners import ends_of, largest_corner, queries_of
from pufferproof.verify.noise.classes.ends import ClassRatio, Ratio, at_class_ends
from pufferproof.verify.noise.ratio.bounds import places_to_check
from pufferproof.verify.noise.scale.calibration import Progress

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
        members, width = _with_more(members, proved), 2 * width
    return None


def scaled(mechanism: NoisyQueries, factor: Fraction) -> NoisyQueries:
    """Return queries with all scales times a factor."""
    return NoisyQueries(tuple(replace(query, noise=query.noise.times(factor)) for query in mechanism.queries))


def _with_more(members: Framework, ratio: ClassRatio) -> Framework:
    return members.with_priors({**members.priors, **ratio.framework.priors})


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
