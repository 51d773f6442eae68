"""Noise by translation: how large the level per record may be, and so how small the noise, for an
influence curve to promise a level.

A mechanism that is epsilon_DP differentially private per record leaks at most b epsilon_DP + a(b)
for every point of an influence curve, so that epsilon_DP = (epsilon - a(b)) / b keeps epsilon where
a(b) < epsilon. Laplace noise of scale L / epsilon_DP has this level for every query that one record
changes by at most L (L1). Two rules are published for several points: `printed` is Algorithm 1,
whose loop Algorithm 2 repeats, `best` the text below it.

Source: bai2026, Section 6.4 and Algorithms 1 and 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.noise.scale import INFINITE_SCALE, NO_NOISE, Scale, quotient
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.curves.point import CurvePoint

RESTS_ON = ("bai2026.translate-repaired", "bai2026.alg1-repaired")
GROUP_RESTS_ON = ("general.group-privacy-paths",)
_ROUNDED = Fraction(1, 2**60)  # more than the relative width of a scale


@dataclass(frozen=True)
class Translated:
    """A noise scale and the curve point that asks for it, or None."""

    scale: Scale
    point: CurvePoint | None = None


def group_privacy(count: int, level: Level, lipschitz: Fraction = Fraction(1)) -> Scale:
    """Return the scale n L / epsilon, which keeps epsilon however n records are correlated:
    epsilon / n for every record, epsilon for all together.

    >>> group_privacy(100, Level("0.5")).text
    '200'
    """
    return quotient(count * lipschitz, level)


def printed(points: Sequence[CurvePoint], level: Level, count: int, lipschitz: Fraction = Fraction(1)) -> Translated:
    """Return what Algorithm 1 returns as it is printed: the largest scale over the points, that of
    group privacy for points with a(b) >= epsilon, none at all without points.

    It takes the *least* epsilon_DP, and epsilon / n for points with a(b) >= epsilon, n being the
    number of records. Every point alone keeps the level, so that it wastes: one more point can only
    raise its noise, and on a whole curve it is at least that of group privacy. Without points it
    returns epsilon_DP = infinity: no noise.

    Args: points: those of the collection, a(b) being their upper bounds, which are on a curve as
        well. count: the number of records. lipschitz: L.

    >>> point = CurvePoint(3, Bounds(Fraction(2), Fraction(2)))
    >>> printed([point], Level("log(8)"), 10).scale.text
    '3/log(4)'
    >>> printed([point, CurvePoint(0, Bounds.infinite())], Level("log(8)"), 10).scale.text
    '10/log(8)'
    >>> printed([], Level("log(8)"), 10).scale.text
    '0'
    """
    chosen = Translated(NO_NOISE)
    for point in points:
        alone = Translated(_scale(point, level, lipschitz), point)
        if alone.scale.infinite:  # a_l >= epsilon
            alone = Translated(group_privacy(count, level, lipschitz))
        if exceeds(alone.scale, chosen.scale):
            chosen = alone
    return chosen


def best(points: Sequence[CurvePoint], level: Level, lipschitz: Fraction = Fraction(1)) -> Translated | None:
    """Return the least scale over the points, or None if a(b) >= epsilon at each of them: then no
    level per record is shown to keep epsilon.

    It is the text below Algorithm 1, "the maximum over all b".

    >>> near, far = (CurvePoint(b, Bounds(Fraction(r), Fraction(r))) for b, r in [(1, 4), (3, 2)])
    >>> best([near, far], Level("log(8)")).scale.text
    '1/log(2)'
    >>> best([near, far], Level("log(2)")) is None
    True
    """
    chosen: Translated | None = None
    for point in points:
        scale = _scale(point, level, lipschitz)
        if not scale.infinite and (chosen is None or exceeds(chosen.scale, scale)):
            chosen = Translated(scale, point)
    return chosen


def settled(point: CurvePoint, level: Level, count: int) -> bool:
    """Say whether the points of a curve after this one, b = m + 1 .. n, change neither rule on the
    whole curve, n being the number of records.

    As a(b) falls they have b / (epsilon - a(b)) <= (n - 1) / (epsilon - a(m)) for b < n, and n /
    epsilon for b = n. If both are at most n / epsilon, `printed` has that from b = 0; and then
    a(m) <= epsilon / n, so that (epsilon - a(m)) / m >= epsilon / (m + 1), and `best` has m.

    >>> settled(CurvePoint(3, Bounds(Fraction(1), Fraction(2))), Level("log(8)"), 10)
    False
    >>> settled(CurvePoint(3, Bounds(Fraction(1), Fraction(8, 7))), Level("log(8)"), 10)
    True
    """
    last = _scale(CurvePoint(count - 1, point.ratio), level, Fraction(1)).upper
    group = group_privacy(count, level).lower
    return last is not None and group is not None and last * (1 + _ROUNDED) <= group


def _scale(point: CurvePoint, level: Level, lipschitz: Fraction) -> Scale:
    """Return L b / (epsilon - a(b)), infinite unless a(b) < epsilon."""
    if point.upper is None or level.compare(point.upper) >= 0:
        return INFINITE_SCALE
    return quotient(point.b * lipschitz, level, Bounds(point.upper, point.upper))


def exceeds(one: Scale, other: Scale) -> bool:
    """Say whether a scale is larger than another one, by what is known of both."""
    if one.upper is None or other.upper is None:
        return other.upper is not None
    return one.upper > other.upper
