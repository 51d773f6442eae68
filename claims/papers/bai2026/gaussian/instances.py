"""Influence under truncated Gaussian priors on a few records: enclosures from the definition.

A lower bound of an influence is one log-ratio of densities at one place of the shown records, an
enclosed integral. An upper one is certified over the whole box. What computes them has its bounds
as floats, rounded outward; here these are the fractions that they are, so that no float is
compared elsewhere.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import inf, isfinite
from typing import Any, NamedTuple

from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import Between, Window
from pufferproof.verify.influence.gaussian import law as published
from pufferproof.verify.influence.gaussian.definition import KnownSet, PairCurve
from pufferproof.verify.influence.gaussian.law import GaussianLaw

LENGTHS = tuple(Fraction(length) for length in ("1/2", "1", "2", "3", "5"))
Windows = tuple[Window, Window]
Hidden = tuple[int, ...]

_RELATIVE, _TOLERANCE = 1e-3, 1e-9
_CELLS = 100


@dataclass(frozen=True)
class Setting:
    """Records with the kernel exp(-(j - k)^2 / length) in [-box, box]; windows are box/50 wide, as
    the printed 1/10 is for the printed box 5.
    """

    count: int
    length: Fraction
    box: Fraction = Fraction(5)

    @property
    def centre(self) -> int:
        """The record i* = ceil(n/2), from 1."""
        return (self.count + 1) // 2

    def window(self, start: Fraction) -> Window:
        """Return the window that begins here."""
        return start, start + self.box / 50

    @property
    def ends(self) -> Windows:
        """The windows at the upper and at the lower end of the box."""
        return self.window(self.box - self.box / 50), self.window(-self.box)


class Bounds(NamedTuple):
    """An enclosure; `upper` is None if there is no upper bound."""

    lower: Fraction
    upper: Any


@cache
def law_of(at: Setting) -> GaussianLaw:
    """Return the prior in numbers."""
    return GaussianLaw(TruncatedGaussian([-at.box, at.box], length=at.length), at.count)


@cache
def least(at: Setting, record: int, hidden: int, windows: Windows) -> Bounds:
    """Enclose the least supremum over all sets of so many hidden records, for one ordered pair."""
    if hidden >= at.count:
        return _bounds(0, 0)
    found = _pair_curve(at, record, windows).least(hidden)
    return _bounds(found.lower, found.upper)


def at_place(at: Setting, record: int, windows: Windows, hidden: Hidden, x: tuple[Fraction, ...]) -> Bounds:
    """Enclose log p(x_L | s) / p(x_L | t) for hidden records, from 1, and a place of the others."""
    law, kept = law_of(at), tuple(k - 1 for k in hidden)
    found = [law.log_given(w, record - 1, kept, tuple(x), _TOLERANCE) for w in windows]
    ball = found[0] - found[1] + law.odds(record - 1, *windows, _TOLERANCE)
    return _bounds(float(ball.lower()), float(ball.upper()))


def of_set(at: Setting, record: int, hidden: Hidden, enough: Fraction | None = None) -> Bounds:
    """Enclose the supremum for one set of hidden records, from 1, and the windows at the ends; only
    from below where it exceeds `enough`.
    """
    known = _of_set(at, record, hidden, at.ends, inf if enough is None else float(enough))
    return _bounds(known.lower, known.upper)


def exceeds(at: Setting, record: int, hidden: Hidden, windows: Windows, level: Fraction) -> bool:
    """Whether a place of the shown records has a log-ratio above a level."""
    return _of_set(at, record, hidden, windows, float(level)).lower > level


def stays_below(at: Setting, record: int, hidden: Hidden, windows: Windows, level: Fraction) -> bool:
    """Whether the supremum for one set of hidden records is certified below a level."""
    return _of_set(at, record, hidden, windows, float(level), float(level)).upper < level


def recipe_of(at: Setting, record: int, hidden: Hidden) -> Bounds:
    """Enclose the recipe for one set of hidden records, from 1, and the windows at the ends, with
    mu where x_L in the box can bring it.
    """
    kept = tuple(k - 1 for k in hidden)
    ball = published.recipe(law_of(at), record - 1, *at.ends, kept)
    return _bounds(float(ball.lower()), float(ball.upper()))


def farthest_sets(at: Setting, record: int, hidden: int) -> list[Hidden]:
    """Return the sets of hidden records, from 1, that leave those farthest from the record."""
    found = published.farthest(law_of(at), record - 1, hidden)
    return [tuple(k + 1 for k in each) for each in found]


def _pair_curve(at: Setting, record: int, windows: Windows) -> PairCurve:
    """Return what computes the curve of an ordered pair of windows of a record."""
    one, other = (Between(record, window) for window in windows)
    return PairCurve({"theta": law_of(at)}, ("s", "t"), one, other, _RELATIVE, _CELLS)


def _of_set(at: Setting, record: int, hidden: Hidden, windows: Windows, enough: float, below: float = -inf) -> KnownSet:
    kept = tuple(k - 1 for k in hidden)
    return _pair_curve(at, record, windows).of_set(kept, enough, below)


def _bounds(lower: float, upper: float) -> Bounds:
    return Bounds(Fraction(lower), Fraction(upper) if isfinite(upper) else None)
