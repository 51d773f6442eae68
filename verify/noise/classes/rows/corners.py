"""Chains of boxes that leak much at outputs beyond all values, where a record of each value changes
the density of the noise by one factor: from some chains, the best vertex of one row at a time.

What is found is looked at afterwards: nothing here is a bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import inf
from typing import TYPE_CHECKING

from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.rows.cells import vertex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Pair = tuple[int, int, int]  # a record with two values
_MOST_SIDE = 40  # records on a side of a record that are looked at
_MOST_RECORDS = 3  # that are looked at
_MOST_CORNERS = 64
_MOST_ORDERS = 120  # of values, by which vertices of a row are found
_SHARES = 8  # of a first law with two values
_SWEEPS = 6
_BETTER = 1e-9  # in nats


@dataclass(frozen=True)
class CornerChain:
    """A matrix and a first law, the pair that they tell apart, and about how much in nats."""

    nats: float
    pair: Pair
    matrix: "Floats"
    start: "Floats"


def corner_chain(
    box: IntervalChain, queries: Sequence[RecordQuery], pairs: Sequence[Pair], count: int
) -> CornerChain | None:
    """Return the best chain that is found, None if there is none to look at."""
    import numpy as np

    low, high = (np.array(side, dtype=float) for side in (box.lower, box.upper))
    vertices = [_vertices(*row) for row in zip(low, high)]
    middle = np.array([row.mean(axis=0) for row in vertices])
    best = None
    records = sorted({record for record, _, _ in pairs}, key=lambda t: abs(2 * t - count - 1))
    for record in records[:_MOST_RECORDS]:
        first = max(1, record - _MOST_SIDE)
        span = range(first, min(count, record + _MOST_SIDE) + 1)
        own = [pair for pair in pairs if pair[0] == record]
        for tilts in _corners(queries, span):
            told = _told(box.initial, tilts, record - first, own)
            best = _climbed(told, vertices, middle, best)
    return best


Told = Callable[["Floats"], list[CornerChain]]


def _climbed(
    told: Told, vertices: "list[Floats]", matrix: "Floats", best: CornerChain | None
) -> CornerChain | None:
    """Return the best chain, by the best vertex of one row at a time."""
    import numpy as np

    reached = -inf
    for _ in range(_SWEEPS):
        before = reached
        for x, row in enumerate(vertices):
            tried = np.repeat(matrix[None], len(row), axis=0)
            tried[:, x] = row
            top = max(told(tried), key=lambda one: one.nats)
            if top.nats > reached:
                reached, matrix = top.nats, top.matrix
                if best is None or reached > best.nats:
                    best = top
        if reached <= before + _BETTER:
            break
    return best


def _told(initial: object, tilts: "Floats", at: int, pairs: Sequence[Pair]) -> Told:
    """Return what matrices leak at most at a corner, by matrix, with the first law that does."""
    import numpy as np

    size = tilts.shape[1]
    starts = _starts(initial, size)

    def told(matrices: "Floats") -> list[CornerChain]:
        if initial == "stationary":
            laws = np.linalg.matrix_power(matrices, 1 << 12)[:, :1]
        else:
            laws = np.broadcast_to(starts, (len(matrices), *starts.shape))
        law = weight = laws
        for tilt in tilts[:at]:
            law, weight = law @ matrices, (weight * tilt) @ matrices
        later = np.ones((len(matrices), size, 1))
        for tilt in tilts[:at:-1]:
            later = matrices @ (tilt[:, None] * later)
        with np.errstate(all="ignore"):
            means = np.log(weight / law * tilts[at] * later.transpose(0, 2, 1))
        found = []
        for _, v, w in pairs:
            apart = np.nan_to_num(abs(means[..., v] - means[..., w]), nan=0, posinf=0)
            found += [(apart[k].max(), k, int(apart[k].argmax()), v, w) for k in range(len(apart))]
        nats, k, start, v, w = max(found)
        if means[k, start, v] < means[k, start, w]:
            v, w = w, v
        return [CornerChain(float(nats), (pairs[0][0], v, w), matrices[k], laws[k, start])]

    return told


def _starts(initial: object, size: int) -> "Floats":
    """Return first laws: the one that is given, or some of two values."""
    import numpy as np

    if isinstance(initial, tuple | list):
        return np.array([initial], dtype=float)
    ends = np.eye(size)
    shares = np.arange(1, _SHARES + 1)[:, None] / _SHARES
    return np.concatenate([a * shares + b * (1 - shares) for a in ends for b in ends])


def _vertices(low: "Floats", high: "Floats") -> "Floats":
    """Return vertices of a row between bounds, all of them unless they are many."""
    import numpy as np

    orders = np.array(list(permutations(range(len(low)))), dtype=float)
    orders = orders[:: -(-len(orders) // _MOST_ORDERS)]
    found: Floats = vertex(np.tile(low, (len(orders), 1)), np.tile(high, (len(orders), 1)), orders)
    return np.unique(found.round(14), axis=0)


def _corners(queries: Sequence[RecordQuery], span: range) -> "list[Floats]":
    """Return the factors of the records of a span by value, at corners that differ."""
    import numpy as np

    adds = [np.array(contributions(query), dtype=float) for query in queries]
    rates = [
        -np.log(query.noise.decay.to(Fraction(1)).ends()[1])
        for query in queries
        if query.noise.decay
    ]
    covers = [[float(query.covers(record)) for record in span] for query in queries]
    signs = product(*(product((1, -1), repeat=added.shape[1]) for added in adds))
    found = {}
    for _, sign in zip(range(_MOST_CORNERS), signs):
        steps = np.zeros((len(span), adds[0].shape[0]))
        for cover, rate, added, one in zip(covers, rates, adds, sign):
            steps += np.outer(cover, rate * (added @ np.array(one)))
        steps = steps - steps.mean(axis=1, keepdims=True)
        found[steps.round(9).tobytes()] = np.exp(steps)
    return list(found.values())
