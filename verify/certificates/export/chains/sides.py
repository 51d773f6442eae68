"""3R designs with one probability on each side: regions, and below which probability a side tells
too much. The integers are those of `Sided.v`, so that hints are known to serve before they are
written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject

from ..bounds import ComparedFraction
from .redaction import Level, fractions
from .walks import ChainSteps, Ray, TooCloseError

PRECISIONS = (64, 160, 400)  # bits of a square root
ONES: tuple[Ray, Ray] = ((1, 0), (0, 1))


@dataclass(frozen=True)
class ExportedSide:
    """How many records are always hidden, sometimes and never, the nearest first; a number of the
    proof that the probability in between is at least.
    """

    near: int
    medium: int
    beyond: int
    least: Fraction


class ThreeR:
    """Mechanisms that follow the regions of a chain and a level."""

    def __init__(self, steps: ChainSteps, length: int, level: Level, entry: JsonObject) -> None:
        self.steps, self.entry = steps, entry
        self.common = int(steps.leave > steps.back)
        ends = steps.before in (0, length - 1)
        self.lows = [*budgets(level, True, ends)]
        self.highs = [*budgets(level, False, ends)]
        lengths = {"left": steps.before, "right": length - steps.before - 1}
        self.told = [*self.influences(max(lengths.values()))]
        self.sides = [self.side(n, Fraction(entry["proof"][key])) for key, n in lengths.items()]
        if entry["name"] == "3r-exact" and any(side.medium > 1 for side in self.sides):
            raise CertificateError(
                "3r-exact: with two medium records or more on a side, that no mechanism releases "
                "more rests on chords of a convex function, about which there is no theorem in Coq "
                "yet; such a bound is not exported"
            )

    def name(self) -> str:
        """Return the class as it is stated."""
        same = "true" if self.entry["name"] == "3r-constant" else "false"
        sides = " ".join(f"(Side {s.near} {s.medium} {s.beyond})" for s in self.sides)
        return f"ThreeR {'true' if self.common else 'false'} {same} {sides}"

    def reason(self) -> str:
        """Return what shows that none of them releases more."""
        low = first(self.lows, lambda b: all(at_most(x, b.fraction) for x in self.inner()))
        for high in self.highs:
            if all(not at_most(x, high.fraction) for x in self.outer()):
                told = [self.told_of(side, high.fraction) for side in self.sides]
                if None not in told:
                    least = (f"(Least {pair(s.least)} {b})" for s, b in zip(self.sides, told))
                    return f"(Kept {low.coq()} {high.coq()} {' '.join(least)})"
        raise TooCloseError("a side is too close to its budget to be exported")

    def influences(self, longest: int) -> Iterator[tuple[Ray, Ray]]:
        """Yield at each distance how much more likely the common value is, and the rare one."""
        common, rare = ONES[self.common], ONES[1 - self.common]
        for _ in range(longest):
            common, rare = self.nearer(common), self.nearer(rare)
            yield (max(common), min(common)), (max(rare), min(rare))

    def nearer(self, v: Ray) -> Ray:
        unit, leave, back = self.steps.unit, self.steps.leave, self.steps.back
        return leave * v[1] + (unit - leave) * v[0], (unit - back) * v[1] + back * v[0]

    def side(self, length: int, least: Fraction) -> ExportedSide:
        """Return a side with its regions."""
        known = self.told[:length]
        near = len([*takewhile(lambda told: self.exceeds(told[0]), known)])
        within = len([*takewhile(lambda told: any(map(self.exceeds, told)), known)])
        return ExportedSide(near, within - near, length - within, least)

    def exceeds(self, told: Ray) -> bool:
        """Decide whether a ratio exceeds the budget of a side."""
        if any(at_most(told, low.fraction) for low in self.lows):
            return False
        if any(not at_most(told, high.fraction) for high in self.highs):
            return True
        raise TooCloseError("a region ends too close to a budget to be exported")

    def inner(self) -> Iterator[Ray]:
        """Yield the ratios that are within the budget."""
        return (x for told in self.told for x in told if not self.exceeds(x))

    def outer(self) -> Iterator[Ray]:
        return (x for told in self.told for x in told if self.exceeds(x))

    def told_of(self, side: ExportedSide, high: Fraction) -> str | None:
        """Return the private value of which a side tells too much below its least probability."""
        if side.medium == 0 or side.least <= 0:
            return "false"
        only, stars = ONES[self.common], self.stars(side)
        for _ in range(side.near + 1):
            only, stars = self.nearer(only), self.nearer(stars)
        n, d = high.as_integer_ratio()
        for b, word in enumerate(("false", "true")):
            if only[b] * d < n * only[1 - b] and n * stars[1 - b] <= stars[b] * d:
                return word
        return None

    def stars(self, side: ExportedSide) -> Ray:
        """Return how likely stars in the medium region are, after each value of its first record,
        if rare values are shown beyond it.
        """
        y, x = side.least.as_integer_ratio()
        stars = self.nearer(ONES[1 - self.common]) if side.beyond else (1, 1)
        for k in range(side.medium):
            stars = self.nearer(stars) if k else stars
            stars = (x * stars[0], y * stars[1]) if self.common else (y * stars[0], x * stars[1])
        return stars


def budgets(level: Level, below: bool, whole: bool) -> Iterator[ComparedFraction]:
    """Yield fractions beside the budget of a side, e^level or its square root."""
    for bound in fractions(level, below):
        if whole:
            yield bound
            continue
        n, d = bound.fraction.as_integer_ratio()
        for bits in PRECISIONS:
            root = math.isqrt((n << 2 * bits) * d)
            near = Fraction(root + (not below and root**2 < (n << 2 * bits) * d), d << bits)
            yield replace(bound, fraction=near)


def first(bounds: Sequence[ComparedFraction], serves: Callable[[ComparedFraction], bool]) -> ComparedFraction:
    found = next(filter(serves, bounds), None)
    if found is None:
        raise TooCloseError("a region ends too close to a budget to be exported")
    return found


def at_most(ratio: Ray, bound: Fraction) -> bool:
    return ratio[0] * bound.denominator <= ratio[1] * bound.numerator


def pair(x: Fraction) -> str:
    return f"({x.numerator}, {x.denominator}%positive)"
