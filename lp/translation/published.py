"""The published translation of per-record levels: b levels for the hidden records, and the
influence of the others.

If every mechanism spends epsilon_j on record j in all, then for every set H of b records the joint
release leaks at most the sum of its levels (group privacy along changes of one record, which needs
a domain with all sequences) plus what the records outside H tell of the secret. With the least set
for every pair that is at most the b largest levels plus a*(b), the influence curve, computed up to
b = 1,000, and 0 for all records.

Source: bai2026, Section 6.2, whose levels are equal for all records.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.case import Ends, enclosed
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.verify.decision import united
from pufferproof.verify.influence.curves.framework import MOST_SEARCHED, influence_curve, points_along
from pufferproof.verify.influence.curves.point import CurvePoint, orders_of
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("general.translate", "general.group-privacy-paths", "bai2026.translate-repaired")
_FIRST = 64  # points of a curve that are computed at first, and how many more each time
_MOST = 1_000
# of networks with loops: points, and what a search may take
_FIRST_SEARCHED, _MOST_SEARCHED, _EFFORT, _PER_RECORD = 8, 32, 20_000, 32
UNTRIED = f"between {_MOST:,} and all hidden not tried"


@dataclass(frozen=True)
class PublishedTranslation:
    """A bound of the leakage with b records hidden: `leakage` has rational bounds of e to it, and
    `ends` levels that are its ends, None if the influence of the other records adds to them. It
    rests on `claims`.
    """

    hidden: int
    leakage: Leakage
    ends: Ends = (None, None)
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, compare=False, repr=False)

    def enclosure(self) -> Enclosure:
        """Return the bound in nats."""
        return enclosed(self.leakage, self.ends)


def published_bounds(framework: Framework, levels: RecordLevels) -> list[PublishedTranslation]:
    """Return the finite bounds for b = 1, 2, .. as far as a larger b may give a smaller one; where
    that is beyond 1,000 the last one is that of all records, and `some_untried` says so.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> secrets = {"zero": (10, "0"), "one": (10, "1")}
    >>> framework = Framework.of_records(Records(20, ("0", "1")), secrets, [("zero", "one")], {"theta": chain})
    >>> bounds = published_bounds(framework, RecordLevels.uniform(20, ["0.2"]))
    >>> least(bounds).hidden
    7

    Raises `ModelError` as `influence_curve`.
    """
    count, largest = framework.expect_records().count, _Largest(levels)
    searched = _searched(framework)
    most, last = (_FIRST_SEARCHED, _MOST_SEARCHED) if searched else (_FIRST, _MOST)
    while True:
        most = min(most, count, last)
        points = _quick_points(framework, most) if searched else influence_curve(framework, most)
        bounds = [bound for point in points[1:] if (bound := _bound(point, largest)) is not None]
        enough = bool(bounds) and largest.first(most).bounds()[0] >= (least(bounds).leakage.upper or 0)
        if most == count or enough or (searched and most == last):
            return bounds
        if most == _MOST:
            total = largest.first(count)
            return [*bounds, PublishedTranslation(count, Leakage(*total.bounds()), (total, total))]
        most *= 2


def _searched(framework: Framework) -> bool:
    """Whether separators of networks of many records are searched."""
    networks = framework.networks if framework.by_records else {}
    return bool(networks) and framework.expect_records().count > MOST_SEARCHED


@lru_cache(maxsize=4)  # the search for a level asks again and again, and no level changes them
def _quick_points(framework: Framework, most: int) -> list[CurvePoint]:
    records, asked = framework.expect_records(), orders_of(framework)
    points = points_along(framework.priors, records, asked, most, _EFFORT, _PER_RECORD)
    return influence_curve(framework, most) if points is None else points


def some_untried(bounds: Sequence[PublishedTranslation]) -> bool:
    """Say whether numbers of hidden records were left out that may have a smaller bound: those
    between 1,000 and all.
    """
    return bool(bounds) and bounds[-1].hidden > _MOST + 1


def least(bounds: Sequence[PublishedTranslation]) -> PublishedTranslation:
    """Return the least bound. Raises `ModelError` if there is none."""
    if not bounds:
        raise ModelError("no set of records leaves a finite influence", "priors")
    return min(bounds, key=lambda bound: bound.leakage.upper or Fraction(0))


def _bound(point: CurvePoint, largest: "_Largest") -> PublishedTranslation | None:
    if point.lower is None or point.upper is None:
        return None
    total = largest.first(point.b)
    low, high = total.bounds()
    ends = (None if point.lower > 1 else total, None if point.upper > 1 else total)
    leakage = Leakage(low * point.lower, high * point.upper)
    return PublishedTranslation(point.b, leakage, ends, claims=united(RESTS_ON, point.claims))


class _Largest:
    """The largest levels of records, summed."""

    def __init__(self, levels: RecordLevels) -> None:
        lengths = Counter[int]()
        for length, total in levels.runs:
            lengths[id(total)] += length
        runs = [(lengths[key], total) for key, total in levels.distinct.items()]
        self._runs = sorted(runs, key=lambda run: run[1].bounds()[1], reverse=True)

    def first(self, count: int) -> Total:
        """Return the sum of the largest `count` levels."""
        total, left = Total(Fraction(1), Fraction(0)), count
        for length, level in self._runs:
            taken = min(left, length)
            total, left = total + level.times(taken), left - taken
            if not left:
                break
        return total
