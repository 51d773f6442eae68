"""Influence under truncated Gaussian priors on a few records: enclosures from the definition.

A lower bound of an influence is one log-ratio of densities at one place of the shown records, an
enclosed integral. An upper one is certified over the whole box.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pufferproof.models.priors.continuous.gaussian import TruncatedGaussian
from pufferproof.models.priors.continuous.windows import Between, Window
from pufferproof.verify.influence.gaussian.definition import GaussianPoint, PairCurve
from pufferproof.verify.influence.gaussian.law import GaussianLaw, Hidden
from pufferproof.verify.influence.gaussian.published import farthest, recipe

LENGTHS = tuple(Fraction(length) for length in ("1/2", "1", "2", "3", "5"))  # as printed
_RELATIVE = 1e-3
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
    def ends(self) -> tuple[Window, Window]:
        """The windows at the upper and at the lower end of the box."""
        return self.window(self.box - self.box / 50), self.window(-self.box)


@cache
def law_of(at: Setting) -> GaussianLaw:
    """Return the prior in numbers."""
    return GaussianLaw(TruncatedGaussian([-at.box, at.box], length=at.length), at.count)


def pair_curve(at: Setting, record: int, windows: Sequence[Window]) -> PairCurve:
    """Return what computes the curve of an ordered pair of windows of a record."""
    one, other = (Between(record, window) for window in windows)
    return PairCurve({"theta": law_of(at)}, ("s", "t"), one, other, _RELATIVE, _CELLS)


@cache
def least(at: Setting, record: int, hidden: int, windows: tuple[Window, Window]) -> GaussianPoint:
    """Enclose the least supremum over all sets of so many hidden records, for one ordered pair."""
    if hidden >= at.count:
        return GaussianPoint(0.0, 0.0)
    return pair_curve(at, record, windows).least(hidden)


def at_place(
    at: Setting, record: int, windows: tuple[Window, Window], hidden: Hidden, x: Sequence[Fraction]
) -> tuple[float, float]:
    """Enclose log p(x_L | s) / p(x_L | t) for hidden records, from 1, and a place of the others."""
    law, kept = law_of(at), tuple(k - 1 for k in hidden)
    found = [law.log_given(w, record - 1, kept, tuple(x), 1e-9) for w in windows]
    ball = found[0] - found[1] + law.odds(record - 1, *windows, 1e-9)
    return float(ball.lower()), float(ball.upper())


def of_set(
    at: Setting, record: int, hidden: Hidden, enough: float = float("inf")
) -> tuple[float, float]:
    """Enclose the supremum for one set of hidden records, from 1, and the windows at the ends; only
    from below where it exceeds `enough`.
    """
    known = pair_curve(at, record, at.ends).of_set(tuple(k - 1 for k in hidden), enough)
    return known.lower, known.upper


def exceeds(
    at: Setting, record: int, hidden: Hidden, windows: tuple[Window, Window], level: float
) -> bool:
    """Whether a place of the shown records has a log-ratio above a level."""
    kept = tuple(k - 1 for k in hidden)
    return pair_curve(at, record, windows).of_set(kept, enough=level).lower > level


def stays_below(
    at: Setting, record: int, hidden: Hidden, windows: tuple[Window, Window], level: float
) -> bool:
    """Whether the supremum for one set of hidden records is certified below a level."""
    kept = tuple(k - 1 for k in hidden)
    found = pair_curve(at, record, windows).of_set(kept, enough=level, below=level)
    return found.upper < level


def recipe_of(at: Setting, record: int, hidden: Hidden) -> tuple[float, float]:
    """Enclose the recipe for one set of hidden records, from 1, and the windows at the ends, with
    mu where x_L in the box can bring it.
    """
    ball = recipe(law_of(at), record - 1, *at.ends, tuple(k - 1 for k in hidden))
    return float(ball.lower()), float(ball.upper())


def farthest_sets(at: Setting, record: int, hidden: int) -> list[Hidden]:
    """Return the sets of hidden records, from 1, that leave those farthest from the record."""
    return [tuple(k + 1 for k in each) for each in farthest(law_of(at), record - 1, hidden)]
