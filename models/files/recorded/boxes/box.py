"""A box of transition matrices that holds the true one with a stated probability: every entry has
an interval that misses it with probability at most

    r = (1 - confidence) / intervals.

Every state has an interval per state, or one in all where there are two; one that is absorbing has
none. Intervals are `fixed`, for recordings whose lengths were fixed beforehand, or `lasting`, which
hold whenever a recording ended. The law of the first record may be any; the states must be known.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes import fixed, lasting
from pufferproof.models.files.recorded.boxes.fixed import chosen, fixed_interval
from pufferproof.models.files.recorded.boxes.lasting import lasting_interval
from pufferproof.models.priors.chains.box import IntervalChain

RESTS_ON = ("general.confidence-box",)
FIXED_RESTS_ON = fixed.RESTS_ON
LASTING_RESTS_ON = (*RESTS_ON, *lasting.RESTS_ON)
Start = Literal["any", "stationary"]
Stopping = Literal["fixed", "any"]
Rows = Sequence[Sequence[int]]


def risk_of_each(confidence: Fraction, size: int, absorbing: Collection[int] = ()) -> Fraction:
    """Return the probability r with which each interval may miss."""
    left = max(1, size - len(absorbing))
    return (1 - confidence) / (left if size == 2 else left * size)


def confidence_box(
    counts: Rows,
    confidence: Fraction,
    initial: Start = "any",
    absorbing: Collection[int] = (),
    recordings: Sequence[Rows] = (),
) -> IntervalChain:
    """Return the box for steps counted from each state (rows) to each. An absorbing state stays.

    Args: recordings: the steps of each recording whose length was fixed beforehand, of which
    intervals then are; none: lasting intervals of `counts`.

    >>> counts = [[633, 204], [204, 419]]
    >>> box = confidence_box(counts, Fraction(19, 20))
    >>> [[float(entry) for entry in row] for row in box.lower]
    [[0.696898, 0.190264], [0.259433, 0.599306]]
    >>> [[float(entry) for entry in row] for row in box.upper]
    [[0.809736, 0.303102], [0.400694, 0.740567]]
    >>> box = confidence_box(counts, Fraction(19, 20), recordings=[counts])
    >>> [[float(entry) for entry in row] for row in box.lower]
    [[0.721312, 0.211071], [0.285646, 0.628664]]
    """
    size = len(counts)
    risk = risk_of_each(confidence, size, absorbing)
    lower: list[list[Fraction]] = []
    upper: list[list[Fraction]] = []
    for place, row in enumerate(counts):
        if place in absorbing:
            bounds = [(Fraction(y == place),) * 2 for y in range(size)]
        elif recordings:
            rows = [each[place] for each in recordings]
            bounds = [
                fixed_interval([(each[y], sum(each) - each[y]) for each in rows], risk)
                for y in range(size)
            ]
        else:
            bounds = [lasting_interval(count, sum(row) - count, risk) for count in row]
        if any(low > high for low, high in bounds):
            raise ModelError(
                "the recordings are not alike: no probability of a step is left by all of them "
                "(kinds box is a box around all groups; stopping any takes all as one chain)",
                "confidence",
            )
        lower.append([low for low, _ in bounds])
        upper.append([high for _, high in bounds])
    return IntervalChain(initial, lower, upper)


def fixed_recordings(
    sequences: Sequence[Sequence[int]],
    size: int,
    confidence: Fraction,
    absorbing: Collection[int] = (),
) -> tuple[int, ...]:
    """Return the recordings that closer intervals are of, if all lengths were fixed beforehand;
    nothing if lasting intervals are to be taken. Several that may end with an absorbing state have
    lengths that depend on what was recorded.
    """
    steps = [max(0, len(each) - 1) for each in sequences]
    if absorbing and sum(map(bool, steps)) > 1:
        return ()
    return chosen(steps, size, risk_of_each(confidence, size, absorbing))
