"""The probability that standard normal draws lie in a star: all of them are compared with one, the
centre, as the largest is with the others, or a noisy threshold with noisy answers.

    P = integral of phi(z) prod_j P(a_j z + b_j < Z_j < c_j z + d_j),    low < z < high

Given the centre the others are independent, so that one integral is left: over those z for which
every interval is one, in pieces if a draw has several bounds on one side. Arb encloses it; where
|z| > r the integrand is at most phi(z), which bounds what is cut off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from flint import acb, arb, ctx

from pufferproof.models.numbers.pieces import End, fraction, rational
from pufferproof.verify.programs.regions.region import Direction

_BITS = 320  # at first; they double
_PAIR = 2
_Ends = tuple[End, End]


class Slope(NamedTuple):
    """A bound that is linear in the centre: rise z + start."""

    rise: Fraction
    start: Fraction

    def of(self, z: Fraction) -> Fraction:
        """Return the bound for a rational z."""
        return self.rise * z + self.start

    def at(self, z: Any) -> Any:
        """Enclose the bound for a ball z."""
        return z * arb(rational(self.rise)) + arb(rational(self.start))


class Ray(NamedTuple):
    """The bounds of a draw, given the centre; None for one that there is not."""

    low: Slope | None = None
    high: Slope | None = None


@dataclass(frozen=True)
class Star:
    """The interval of the centre, and the draws that are compared with it.

    >>> below = Ray(high=Slope(Fraction(1), Fraction(0)))
    >>> first = Star(None, None, (below, below))
    >>> round(float(first.ball()), 9)  # the first of three is the largest
    0.333333333
    """

    low: Fraction | None
    high: Fraction | None
    rays: tuple[Ray, ...]

    def ball(self) -> Any:
        """Enclose the probability, at the present working precision or a higher one."""
        bits = _BITS
        while bits < ctx.prec:
            bits *= 2
        return _ball(self, bits)


@lru_cache(maxsize=10_000)
def _ball(star: Star, bits: int) -> Any:
    with ctx.workprec(bits):
        far = (arb(2).log() * (2 * bits)).sqrt().upper() + 1  # phi(far) < 2^-bits
        low, high = (near if end is None else arb(rational(end)) for end, near in ((star.low, -far), (star.high, far)))
        low, high = low.max(-far), high.min(far)
        if not low < high:  # beyond what is integrated, or too close to tell
            return arb(0).union(arb(1))
        inside = acb.integral(lambda z, _: _integrand(star, z), acb(low), acb(high)).real
        cut = arb(0).union(2 * _above(far))
        return inside / (2 * arb.pi()).sqrt() + cut


def _integrand(star: Star, z: Any) -> Any:
    value = (-z * z / 2).exp()
    for low, high in star.rays:
        if low is None and high is not None:
            value *= _above(-high.at(z))
        elif low is not None:
            value *= _above(low.at(z)) - (0 if high is None else _above(high.at(z)))
    return value


def _above(z: Any) -> Any:
    """Return P(Z > z)."""
    return (z / arb(2).sqrt()).erfc() / 2


def stars_of(ends: Mapping[Direction, _Ends]) -> list[Star]:
    """Return forms and their intervals as stars that exclude each other; none if no draw is in all
    comparisons of two, or a form has more than two.
    """
    pairs = [{v for v, _ in direction} for direction in ends if len(direction) == _PAIR]
    common = set.intersection(*pairs) if pairs else set()
    if not common or any(len(direction) > _PAIR for direction in ends):
        return []
    centre = min(common, key=lambda v: (((v, 1),) not in ends, v))
    low, high = (_fraction(end) for end in ends.get(((centre, 1),), (None, None)))
    bounds: dict[int, tuple[list[Slope], list[Slope]]] = {}
    for direction, own in ends.items():
        for v, sides in _bounds(centre, direction, *own):
            for kept, bound in zip(bounds.setdefault(v, ([], [])), sides):
                kept += [] if bound is None else [bound]
    return _pieces(low, high, list(bounds.values()))


def _pieces(
    low: Fraction | None, high: Fraction | None, bounds: Sequence[tuple[list[Slope], list[Slope]]]
) -> list[Star]:
    """Return a star for each interval of the centre in which the closest bounds are the same."""
    cuts = {
        (other.start - one.start) / (one.rise - other.rise)
        for lows, highs in bounds
        for one, other in combinations([*lows, *highs], 2)
        if one.rise != other.rise
    }
    inner = sorted(z for z in cuts if (low is None or low < z) and (high is None or z < high))
    found: list[Star] = []
    for left, right in pairwise([low, *inner, high]):
        z = _inside(left, right)
        rays = [
            Ray(
                max(lows, key=lambda each: each.of(z), default=None),
                min(highs, key=lambda each: each.of(z), default=None),
            )
            for lows, highs in bounds
        ]
        if any(ray.low and ray.high and ray.low.of(z) >= ray.high.of(z) for ray in rays):
            continue
        star = Star(left, right, tuple(sorted(rays, key=repr)))
        if found and found[-1].high == left and found[-1].rays == star.rays:
            star = Star(found.pop().low, right, star.rays)
        found.append(star)
    return found


def _inside(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Return a number between two others."""
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def _bounds(centre: int, direction: Direction, low: End, high: End) -> Iterator[tuple[int, Sequence[Slope | None]]]:
    """Yield the draw beside the centre in a form, and its bounds."""
    at = dict(direction).get(centre, 0)
    for v, d in direction:
        if v != centre:
            bounds = [None if end is None else Slope(Fraction(-at, d), fraction(end) / d) for end in (low, high)]
            yield v, bounds if d > 0 else bounds[::-1]


def _fraction(end: End) -> Fraction | None:
    return None if end is None else fraction(end)
