"""A box of transition matrices that holds the true one with a stated probability: every entry has
an interval that misses it with probability at most

    r = (1 - confidence) / intervals.

Every state has an interval for each state that may follow it, or one in all where two may; where
one alone may, it has none. Intervals are `fixed`, for recordings whose lengths were fixed
beforehand, or `lasting`, which hold whenever a recording ended. The law of the first record may be
any; the states must be known.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes import fixed, lasting
from pufferproof.models.files.recorded.boxes.fixed import chosen, fixed_interval
from pufferproof.models.files.recorded.boxes.lasting import lasting_interval
from pufferproof.models.priors.chains import IntervalChain

RESTS_ON = ("general.confidence-box",)
FIXED_RESTS_ON = fixed.RESTS_ON
LASTING_RESTS_ON = (*RESTS_ON, *lasting.RESTS_ON)
Start = Literal["any", "stationary"]
Stopping = Literal["fixed", "any"]
Rows = Sequence[Sequence[int]]


def risk_of_each(confidence: Fraction, free: Rows) -> Fraction:
    """Return the probability r with which each interval may miss, where the states `free[x]` may
    follow state x.

    >>> risk_of_each(Fraction(9, 10), [(0, 1), (0, 1)])
    Fraction(1, 20)
    >>> risk_of_each(Fraction(9, 10), [(0, 1, 2), (0, 1), (2,)])
    Fraction(1, 40)
    """
    intervals = sum(1 if len(states) == 2 else len(states) for states in free if len(states) > 1)
    return (1 - confidence) / max(1, intervals)


def confidence_box(
    counts: Rows,
    confidence: Fraction,
    initial: Start = "any",
    free: Rows | None = None,
    recordings: Sequence[Rows] = (),
) -> IntervalChain:
    """Return the box for steps counted from each state (rows) to each.

    Args:
        free: the states that may follow each state, all if left out.
        recordings: the steps of each recording whose length was fixed beforehand, of which
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
    free = [range(size)] * size if free is None else free
    risk = risk_of_each(confidence, free)
    lower: list[list[Fraction]] = []
    upper: list[list[Fraction]] = []
    for place, row in enumerate(counts):
        bounds = [(Fraction(0),) * 2] * size
        rows = [each[place] for each in recordings]
        for y in free[place]:
            if len(free[place]) == 1:
                bounds[y] = (Fraction(1),) * 2
            elif recordings:
                runs = [(each[y], sum(each) - each[y]) for each in rows]
                bounds[y] = fixed_interval(runs, risk)
            else:
                bounds[y] = lasting_interval(row[y], sum(row) - row[y], risk)
        if any(low > high for low, high in bounds):
            raise ModelError(
                "the recordings are not alike: no probability of a step is left by all of them "
                "(kinds box is a box around all groups; stopping any takes all as one chain)",
                "confidence",
            )
        lower.append([low for low, _ in bounds])
        upper.append([high for _, high in bounds])
    return IntervalChain(initial, lower, upper)


def fixed_recordings(sequences: Sequence[Sequence[int]], confidence: Fraction, free: Rows) -> tuple[int, ...]:
    """Return the recordings that closer intervals are of, if all lengths were fixed beforehand and
    the states `free[x]` may follow x; nothing if lasting intervals are to be taken. Several that
    may end with an absorbing state have lengths that depend on what was recorded.
    """
    steps = [max(0, len(each) - 1) for each in sequences]
    absorbing = any(tuple(states) == (x,) for x, states in enumerate(free))
    if absorbing and sum(map(bool, steps)) > 1:
        return ()
    return chosen(steps, len(free), risk_of_each(confidence, free))
