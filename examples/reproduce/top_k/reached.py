"""What some mechanism of a level per record does tell about a record of a stationary chain: a lower
bound beside the upper one of `pufferproof.lp.records.stationary`.

The column u = prod_j u_j(x_j) with u_j = R on values that are likelier at record j if X_i = v than
if X_i = w, and 1 elsewhere, has the level R per record, and is one of a mechanism
(worst.power-closed). Its expectations are products along the chain. The record is the middle one,
v and w are the values whose worlds stay apart longest.

Numbers are floats, rounded down.
"""

import math
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain, stationary_law

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("worst.power-closed",)
_PAIRS = 8
_STEPS = 512
_DOWN = 1 - 2.0**-30


def reached_nats(chain: MarkovChain, length: int, level: float) -> float:
    """Return a leakage, in nats, that a mechanism of this level per record has about the middle
    record, at least the level itself.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> round(reached_nats(chain, 3, math.log(2)), 6)  # log(98/25), and no mechanism has more
    1.366092

    Raises `ModelError` unless the chain starts from its stationary law and no state is impossible.
    """
    import numpy as np

    law = np.array([float(value) for value in stationary_law(chain.transition)])
    if chain.initial != "stationary" or not law.min() > 0:
        raise ModelError("expected a stationary chain of possible states", "initial")
    step = np.array([[float(value) for value in row] for row in chain.transition])
    back = (step * law[:, None] / law).T
    sides = (step, length - (length + 1) // 2), (back, (length + 1) // 2 - 1)
    apart = sum((_apart(kernel, count) for kernel, count in sides), np.zeros_like(step))
    best = level
    for index in np.argsort(-apart, axis=None)[:_PAIRS]:
        v, w = (int(each) for each in np.unravel_index(index, apart.shape))
        found = level + sum(_side(kernel, count, v, w, level) for kernel, count in sides)
        best = max(best, found * _DOWN)
    return best


def _apart(kernel: "Floats", count: int) -> "Floats":
    """Return the total distance of the worlds of all pairs of values, over up to 512 records."""
    import numpy as np

    total, power = np.zeros_like(kernel), kernel
    for _ in range(min(count, _STEPS)):
        total += 0.5 * np.abs(power[:, None, :] - power[None, :, :]).sum(axis=2)
        power = power @ kernel
    return total


def _side(kernel: "Floats", count: int, v: int, w: int, level: float) -> float:
    """Return log E[u | v] / E[u | w] of the records on one side."""
    import numpy as np

    rows, likelier = kernel[[v, w]], []
    for _ in range(count):
        likelier.append(rows[0] > rows[1])
        rows = rows @ kernel
    message = np.ones(len(kernel))
    for marked in reversed(likelier):
        message = kernel @ (np.where(marked, math.exp(level), 1.0) * message)
        message /= message.max()
    return float(np.log(message[v] / message[w])) if count else 0.0
