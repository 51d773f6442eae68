"""The smallest box around the chains of all groups."""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes.box import Start, confidence_box
from pufferproof.models.files.recorded.chains.counts import Counts, Recorded
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.groups.kinds import MOST_PRIORS, Fitting, Kind, counts_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.records import preview

_FEW = 20  # steps from a value that say little of what follows it


def box_around(groups: Sequence[Kind], by: Fitting, confidence: Fraction | None) -> IntervalChain:
    """Return the smallest box that holds the estimated rows of every group; or, with a confidence,
    lasting boxes of all groups, each with its part of the risk, so that all hold at once.

    Without one, rows that a group has not left say nothing. Raises `ModelError` if no group has
    left a value.
    """
    if len(groups) > MOST_PRIORS and confidence is not None:
        raise ModelError(f"expected at most {MOST_PRIORS} groups beside a confidence, found {len(groups)}", "kinds")
    size = len(groups[0].recorded.states)
    lower = [[Fraction(2)] * size for _ in range(size)]
    upper = [[Fraction(-1)] * size for _ in range(size)]
    start: Start = "stationary" if by.initial == "stationary" else "any"
    for group in groups:
        if confidence is None and max(map(len, group.recorded.sequences)) < 2:
            continue
        counts = _steps(group.recorded, by)
        for x, (low, high) in enumerate(_bounds(counts, by, confidence, len(groups), start)):
            for y, (least, most) in enumerate(zip(low, high)):
                lower[x][y] = min(lower[x][y], least)
                upper[x][y] = max(upper[x][y], most)
    for x, row in enumerate(upper):
        if row[0] < 0:
            name = groups[0].recorded.states[x]
            raise ModelError(
                f'nothing follows "{name}" in any group: expected a next value, --absorbing or --confidence', "kinds"
            )
    return IntervalChain(start, lower, upper)


def _steps(recorded: Recorded, by: Fitting) -> Counts:
    """Return the counts of a group, none if it has one value alone."""
    if max(map(len, recorded.sequences)) > 1:
        return counts_of(recorded, by)
    size = len(recorded.states)
    contexts, rows = tuple((x,) for x in range(size)), ((0,) * size,) * size
    place = recorded.states.index
    last = frozenset(map(place, by.absorbing))
    never = frozenset((place(left), place(right)) for left, right in by.never)
    return Counts(recorded.states, 1, contexts, rows, (0,) * size, last, never)


def _bounds(
    counts: Counts, by: Fitting, confidence: Fraction | None, groups: int, start: Start
) -> list[tuple[Sequence[Fraction], Sequence[Fraction]]]:
    """Return the lower and upper ends of every row: empty where nothing is known."""
    if confidence is not None:
        share = 1 - (1 - confidence) / groups
        box = confidence_box(counts.rows, share, start, counts.free)
        return list(zip(box.lower, box.upper))
    left = [any(row) or len(counts.free[x]) == 1 for x, row in enumerate(counts.rows)]
    rows = counts.estimates(by.smoothing)
    return [(row, row) if row and seen else ((), ()) for row, seen in zip(rows, left)]


def doubts_of_estimates(groups: Sequence[Kind], by: Fitting) -> list[Doubt]:
    """Return a doubt if groups of a box without a confidence have left some value seldom or never:
    the box is around estimates, and may not hold their true chains.
    """
    never, seldom = [], []
    for group in groups:
        counts = _steps(group.recorded, by)
        unsure = [row for x, row in enumerate(counts.rows) if len(counts.free[x]) > 1]
        fewest = min(map(sum, unsure), default=_FEW)
        if not fewest:
            never.append(group.name)
        elif fewest < _FEW:
            seldom.append(group.name)
    if not never and not seldom:
        return []
    said = []
    if never:
        has = "has" if len(never) == 1 else "have"
        said.append(f"{len(never)} {has} no step from some value, whose row is of other groups")
    if seldom:
        has = "has" if len(seldom) == 1 else "have"
        said.append(f"{len(seldom)} {has} fewer than {_FEW} steps from some value")
    says = (
        f"the box is around estimates, and may not hold the true chains of groups: of "
        f"{len(groups)}, {' and '.join(said)} ({preview([*never, *seldom])}); confidence 95% makes "
        "a box that holds all true chains"
    )
    return [Doubt("groups", says)]
