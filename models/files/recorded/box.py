"""A box of transition matrices that holds the true one with a stated probability.

Let the records be a Markov chain with matrix P. Whenever it is in state x, the next value is y with
probability P(x, y), whatever came before; so `lasting_interval` of how often y followed x, and
something else did, misses P(x, y) with probability at most r, whenever the recording ended. With

    r = (1 - confidence) / intervals

all hold at once with at least the confidence. Every state has an interval per state, or one in all
where there are two.

Sequences count together if each is such a chain given those before it. The law of the first record
may be any; the states must be known.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Literal

from pufferproof.models.numbers.lasting import RESTS_ON as INTERVALS_REST_ON
from pufferproof.models.numbers.lasting import lasting_interval
from pufferproof.models.priors.chains.box import IntervalChain

RESTS_ON = ("general.confidence-box",)
BOX_RESTS_ON = (*RESTS_ON, *INTERVALS_REST_ON)
Start = Literal["any", "stationary"]


def confidence_box(
    counts: Sequence[Sequence[int]],
    confidence: Fraction,
    initial: Start = "any",
    absorbing: Collection[int] = (),
) -> IntervalChain:
    """Return the box for steps counted from each state (rows) to each. An absorbing state stays.

    >>> box = confidence_box([[633, 204], [204, 419]], Fraction(19, 20))
    >>> [[float(entry) for entry in row] for row in box.lower]
    [[0.696898, 0.190264], [0.259433, 0.599306]]
    >>> [[float(entry) for entry in row] for row in box.upper]
    [[0.809736, 0.303102], [0.400694, 0.740567]]
    """
    size = len(counts)
    risk = (1 - confidence) / (size if size == 2 else size * size)
    lower: list[list[Fraction]] = []
    upper: list[list[Fraction]] = []
    for place, row in enumerate(counts):
        if place in absorbing:
            bounds = [(Fraction(y == place),) * 2 for y in range(size)]
        else:
            bounds = [lasting_interval(count, sum(row) - count, risk) for count in row]
        lower.append([low for low, _ in bounds])
        upper.append([high for _, high in bounds])
    return IntervalChain(initial, lower, upper)
