"""The worst two-valued chains of a box with a + b > 1, where values tend to change, for noisy
numbers: by all outputs (`outputs`), record by record, the worst ones first.

What one record leaks of which all numbers count bounds it at once: draw the records given 1 and
given 0 in opposite order while they differ, by 1, -1, 1, .., from the secret record both ways. Sums
over records that follow each other then differ by at most 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.intervals import Interval, above, below
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.bridges import Outputs
from pufferproof.verify.noise.classes.outputs import AtOutputs
from pufferproof.verify.noise.classes.search import MOST_CELLS, FoundChain, search_approx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MOST_ENTRIES = 100_000  # of V, for one cell
MOST_WORK = 25_000_000  # entries of V times records, of all cells of a record
_RECORDS = 3  # so many of them may take all that work
Decided = Callable[[float, float, int], bool]
Deciding = Callable[[int], Decided]


def outputs_of(queries: Sequence[RecordQuery], count: int) -> Outputs | None:
    """Return the outputs of queries of two-valued records, or None if they are too many."""
    spans, adds = [], []
    for query in queries:
        for low, high in zip(*contributions(query)):
            if low == high:
                continue
            covered = [query.covers(record) for record in range(1, count + 1)]
            adds.append([int(high > low) if inside else None for inside in covered])
            spans.append((query, abs(high - low), sum(covered)))
    if prod(2 * most + 1 for *_, most in spans) > _MOST_ENTRIES:
        return None
    return Outputs([_decays(*span) for span in spans], list(zip(*adds)) or [()] * count)


def _decays(query: RecordQuery, step: Fraction, most: int) -> Interval:
    """Return decay^|step d| for d = -most .. most."""
    import numpy as np

    assert query.noise.decay is not None
    ends = [query.noise.decay.to(step * d).ends() for d in range(most + 1)]
    low, high = np.array(ends[:0:-1] + ends).T
    return Interval(low, high)


def search_turned_approx(
    box: IntervalChain,
    outputs: Outputs,
    records: Sequence[int],
    bounds: tuple[float, float],
    deciding: Deciding,
    turning: bool = True,
    effort: int = 1,
) -> list[FoundChain]:
    """Return the worst chains of a box with a + b >= 1, of each record; of a member, a, b and t.

    `bounds`: what is leaked anyhow, and what no such chain exceeds. `deciding`: of the work of a
    cell, when bounds are enough. Without `turning`, all chains of the box. `effort`: each step
    doubles the work.
    """
    floor, most = bounds
    ends = ends_of_box(box)
    most_work, most_cells = MOST_WORK << (effort - 1), MOST_CELLS << (effort - 1)
    left, chains = _RECORDS * most_work, []
    asked = [asked_of(box, outputs, record) for record in records]
    import numpy as np

    corners = np.array([[*a_b, 0.5] for a_b in zip(*ends)])
    asked.sort(key=lambda question: -float(question.values(corners).max()))
    for question in asked:
        if most <= floor:
            break
        free = box.initial == "any" and question.record > 1
        share = (0.0, 1.0) if free else (0.5, 0.5)
        limited = replace(question, most_work=min(left, most_work), most_cells=most_cells, turning=turning)
        cells = tuple((*side, u) for side, u in zip(ends, share))
        one = search_approx(limited, (cells[0], cells[1]), floor, deciding(question.work))
        left -= one.cells * question.work
        floor = max(floor, one.best)
        chains.append(replace(one, member=member_of(box, question, one), upper=min(one.upper, most)))
    return chains


def ends_of_box(box: IntervalChain) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return floats below the least a and b of a box, and above the largest ones."""
    low, high = ((side[0][1], side[1][0]) for side in (box.lower, box.upper))
    return (below(low[0]), below(low[1])), (above(high[0]), above(high[1]))


def asked_of(box: IntervalChain, outputs: Outputs, record: int) -> AtOutputs:
    """Return the question of a record: of stationary chains, which are reversible, from the end
    that is nearer.
    """
    after = outputs.count - record + 1
    if box.initial == "stationary" and after < record:
        turned = Outputs(outputs.decays, outputs.adds[::-1])
        return AtOutputs(turned, after, "stationary", 1, MOST_WORK)
    low, base = box.lower, record % 2
    apart = record == 2 and (low[0][1] == 1 or low[1][0] == 1)
    if isinstance(box.initial, str):
        return AtOutputs(outputs, record, box.initial, base, MOST_WORK, apart=apart)
    given = below(box.initial[1]), above(box.initial[1])
    return AtOutputs(outputs, record, "given", base, MOST_WORK, given=given)


def member_of(box: IntervalChain, asked: AtOutputs, chain: FoundChain) -> tuple[float, float, float]:
    """Return a, b and t = P(X_1 = 1) of the chain with P(X_1 = 1 | X_i = s) = u."""
    a, b, u = chain.member
    if box.initial != "any" or asked.record == 1:
        return a, b, 0.5
    n = asked.record - 1
    whole = sum((1 - a - b) ** k for k in range(n))
    moves = (a * whole, 1 - b * whole) if asked.base else (1 - a * whole, b * whole)
    above, below = u * max(moves[0], 0.0), (1 - u) * max(moves[1], 0.0)
    return a, b, above / (above + below) if above + below else 0.5
