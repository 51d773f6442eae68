"""The least level that follows for t releases at a given shift, if every step may have a share of
its own.

    eps(delta_t) + sum over j < t of gamma(delta_j),  sum over j of delta_j = delta

eps and gamma are the least levels at which one release keeps a shift, given the same later blocks
or any two values of them. Between two corners of the shift as a function of e^level the level is
concave in it, so that the sum is least where all steps but one are at corners: shares of the first
steps are kept in increasing order, those alone that no other one betters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.verify.leakage.trade_off import Errors, turns_of, upper_hull

RESTS_ON = ("streaming_cw.thm4-repaired",)
MOST_STEPS, MOST_KEPT = 60, 300  # beyond these shares are no longer searched
_ONE = Fraction(1)
Laws = Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]
Share = tuple[Fraction, Fraction]  # what is spent, and e to the level so far


@dataclass(frozen=True)
class ShiftCurve:
    """The smallest shift at every ratio e^level of at least 1, of the worst of some pairs of laws,
    and its inverse.

    >>> half, whole = Fraction(1, 2), Fraction(1)
    >>> curve = ShiftCurve.of([((whole, Fraction(0)), (half, half))])
    >>> str(curve.ratio(Fraction(1, 4))), [(str(d), str(r)) for d, r in curve.corners()]
    ('3/2', [('0', '2'), ('1/2', '1')])
    """

    hull: tuple[Errors, ...]

    @classmethod
    def of(cls, pairs: Laws) -> "ShiftCurve":
        """Return the curve of pairs of laws, all in one order."""
        return cls(tuple(upper_hull(list(zip(top, bottom)) for top, bottom in pairs)))

    def shift(self, ratio: Fraction) -> Fraction:
        """Return the smallest shift at a ratio."""
        return max(above - ratio * below for below, above in self.hull)

    def ratio(self, shift: Fraction) -> Fraction | None:
        """Return the least ratio that a shift allows, None if there is none."""
        if any(above > shift for below, above in self.hull if not below):
            return None
        known = ((above - shift) / below for below, above in self.hull if below)
        return max(_ONE, *known)

    def corners(self) -> list[Share]:
        """Return the shifts and ratios of all corners and of the ratio 1, the least shift first."""
        ratios = {_ONE, *(turn.ratio for turn in turns_of(list(self.hull)))}
        return sorted((self.shift(ratio), ratio) for ratio in ratios)


def least_ratios(own: ShiftCurve, across: ShiftCurve, shift: Fraction, steps: int) -> Iterator[Fraction | None]:
    """Yield e to the least level at a shift for t = 1 .. `steps`, None for an infinite one; no
    longer than shares are searched.

    >>> half, whole = Fraction(1, 2), Fraction(1)
    >>> curve = ShiftCurve.of([((whole, Fraction(0)), (half, half))])
    >>> [str(each) for each in least_ratios(curve, curve, half, 3)]
    ['1', '2', '4']
    """
    before: list[Share] = []
    now: list[Share] = [(Fraction(0), _ONE)]
    for _ in range(min(steps, MOST_STEPS)):
        yield min(_last(own, across, shift, before, now), default=None)
        before, now = (
            now,
            _undominated(
                (spent + more, level * ratio)
                for spent, level in now
                for more, ratio in across.corners()
                if spent + more <= shift
            ),
        )
        if len(now) > MOST_KEPT:
            return


def _last(
    own: ShiftCurve, across: ShiftCurve, shift: Fraction, before: list[Share], now: list[Share]
) -> Iterator[Fraction]:
    """Yield the levels of all shares: the last step has what is left, or one before has."""
    for spent, level in now:
        if (ratio := own.ratio(shift - spent)) is not None:
            yield level * ratio
    for spent, level in before:
        for more, ratio in own.corners():
            left = shift - spent - more
            if left >= 0 and (growth := across.ratio(left)) is not None:
                yield level * ratio * growth


def _undominated(shares: Iterator[Share]) -> list[Share]:
    """Return the shares that no other one betters in both, by what is spent."""
    kept: list[Share] = []
    for spent, level in sorted(shares):
        if not kept or level < kept[-1][1]:
            kept.append((spent, level))
    return kept
