"""The worst of the two-valued chains of a box with a + b <= 1 at the ends of noisy numbers, and
what chains leak at most through mechanisms of per-record levels.

At an end record j counts w_j times as much with value 1 (`steps`). A mechanism that has level e_j
for record j tells most through such weights, w_j = e^e_j, under a chain with a + b <= 1, as its law
is TP2: the quotient of any likelihood by the product of weights falls in every record. A chain with
a + b >= 1 is one with a + b <= 1 once every second record has its values exchanged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log
from typing import Any

from pufferproof.models.numbers.intervals import Interval, above, below
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.chains.gap import ChainClass, GapChains
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.noise.classes.search import EndsQuestion, FoundChain, search_approx
from pufferproof.verify.noise.classes.steps import ChainCells

RESTS_ON = ("classes.extremes", "classes.corner", "classes.columns", "worst.power-closed")
_SNAP = Fraction(1, 10**12)  # within which a number of a chain is an end of the box
_DENOMINATOR = 10**9  # of the numbers of a chain that is shown
_NEAR = 1e-8  # of 0, for chains that come near a limit
_ROOM = 1e-12  # of a logarithm in floats
Decided = Callable[[float, float, int], bool]  # as in `search`
Weights = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class ColumnBound:
    """What no chain of a box exceeds in nats, and chains that leak about as much."""

    upper: float
    members: dict[str, MarkovChain]


def column_bound(box: IntervalChain, weights: Weights, records: Sequence[int]) -> ColumnBound:
    """Return what mechanisms of per-record levels tell at most of some records under the chains of
    a box of two values, from a given law or any.

    Args:
        weights: spans of e to the level of every record.
        records: those that are secret, both of whose values are possible.
    """
    flipped = IntervalChain(box.initial, [row[::-1] for row in box.lower], [row[::-1] for row in box.upper])
    upper, members = 0.0, {}
    for half, alternating in ((box, False), (flipped, True)):
        if sum(least(half)) > 1:
            continue
        asked = EndsQuestion(weights, records, alternating)
        for swapped in (False, True):
            worst = search_box_approx(half, asked, swapped, upper, lambda *_: False)
            a, b, t = worst.member
            if alternating:
                a, b = 1 - a, 1 - b
            chain = member_near(box, (a, b, t), 1 in records)
            upper, members[named(chain)] = max(upper, worst.upper), chain
    return ColumnBound(upper, members)


def search_box_approx(
    box: IntervalChain, asked: EndsQuestion, swapped: bool, floor: float, decided: Decided
) -> FoundChain:
    """Return the worst chain of a box at one end of the query: of the stationary ones that of the
    least a and b; `swapped`: with the two values exchanged.
    """
    ends = [box.lower[0][1], box.lower[1][0]], [box.upper[0][1], box.upper[1][0]]
    if box.initial == "stationary":
        return _corner(box, asked.weights, asked.records, swapped)
    starts = (Fraction(0), Fraction(1))
    if not isinstance(box.initial, str):
        starts = (box.initial[1], box.initial[1])
    if swapped:
        ends = ends[0][::-1], ends[1][::-1]
        starts = 1 - starts[1], 1 - starts[0]
    low = tuple(below(end) for end in (*ends[0], starts[0]))
    high = tuple(above(end) for end in (*ends[1], starts[1]))
    worst = search_approx(asked, (low, high), floor, decided)
    a, b, t = worst.member
    return replace(worst, member=(b, a, 1 - t)) if swapped else worst


def _corner(
    box: IntervalChain, weights: Sequence[tuple[float, float]], records: Sequence[int], swapped: bool
) -> FoundChain:
    """Return the corner of the least a and b: its stationary chain or, where one is 0, what chains
    near it come to; reversed it is the same chain.
    """
    import numpy as np

    a, b = least(box)
    if a and b and not turns(box):
        return FoundChain(0.0, (float(a), float(b), 0.5), 0.0, 0)
    corner = Interval.around([[b, a] if swapped else [a, b]])
    low, high = (np.insert(x, 2, 0.5, axis=1) for x in (corner.low, corner.high))
    after, before = (
        [cell.value[1] for cell in ChainCells(low, high, side, False).later()][::-1]
        for side in (weights, weights[::-1])
    )
    values = [float(np.log(after[r - 1] * before[len(weights) - r])[0]) + log(weights[r - 1][1]) for r in records]
    top = max(values) + _ROOM
    tops = box.upper[0][1], box.upper[1][0]
    member = [max(float(x), min(_NEAR, float(most) / 2)) for x, most in zip((a, b), tops)]
    return FoundChain(max(values), (member[0], member[1], 0.5), top, 0)


def member_near(box: ChainClass, member: Sequence[float], first: bool) -> MarkovChain:
    """Return a chain of a class near some numbers a, b and t; `first`: record 1 is secret, so that
    both of its values are to be possible.
    """
    if isinstance(box, GapChains):
        share = _within(member[2], box.pi_min, 1 - box.pi_min)
        return box.of_law([1 - share, share])
    a, b = (_within(member[x], box.lower[x][1 - x], box.upper[x][1 - x]) for x in (0, 1))
    start: Any = box.initial
    if box.initial == "any":
        least = Fraction(int(first), _DENOMINATOR)
        t = _within(member[2], least, 1 - least)
        start = [1 - t, t]
    return MarkovChain(start, [[1 - a, a], [b, 1 - b]])


def _within(value: float, low: Fraction, high: Fraction) -> Fraction:
    """Return a number of an interval, an end of it if that is near."""
    rounded = Fraction(value).limit_denominator(_DENOMINATOR)
    for end in (low, high):
        if abs(Fraction(value) - end) < _SNAP:
            return end
    return min(max(rounded, low), high)


def named(chain: MarkovChain) -> str:
    """Return a chain of a class in words."""
    rows = ", ".join(" ".join(map(text_of, row)) for row in chain.transition)
    if isinstance(chain.initial, str):
        return rows
    return f"{rows} from {' '.join(map(text_of, chain.initial))}"


def least(box: IntervalChain) -> tuple[Fraction, Fraction]:
    """Return the least a and b of a box."""
    return box.lower[0][1], box.lower[1][0]


def turns(box: ChainClass) -> bool:
    """Whether some chain of a class has a + b > 1."""
    return isinstance(box, GapChains) or box.upper[0][1] + box.upper[1][0] > 1
