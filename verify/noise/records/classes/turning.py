"""The worst two-valued chains of a box with a + b > 1, where values tend to change, for noisy
numbers: by all outputs (`outputs`), record by record, the worst ones first.

What one record leaks of which all numbers count bounds it at once: draw the records given 1 and
given 0 in opposite order while they differ, by 1, -1, 1, .., from the secret record both ways. Sums
over records that follow each other then differ by at most 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, nextafter, prod
from typing import TYPE_CHECKING

from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.noise.bounds import contributions
from pufferproof.verify.noise.records.classes.bridges import Outputs
from pufferproof.verify.noise.records.classes.outputs import AtOutputs
from pufferproof.verify.noise.records.classes.search import MOST_CELLS, Found, search_approx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MOST_ENTRIES = 100_000  # of V, for one cell
MOST_WORK = 25_000_000  # entries of V times records, of all cells of a record
_RECORDS = 3  # so many of them may take all that work
_BITS = 256
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
    return Outputs([_decays(*each) for each in spans], list(zip(*adds)) or [()] * count)


def _decays(query: RecordQuery, step: Fraction, most: int) -> "tuple[Floats, Floats]":
    """Return spans of decay^|step d| for d = -most .. most."""
    import numpy as np
    from flint import ctx

    decay, ends = query.noise.decay, []
    assert decay is not None
    with ctx.workprec(_BITS):
        for d in range(most + 1):
            ball = decay.to(step * d).ball()
            low, high = (float(dyadic(end)) for end in (ball.lower(), ball.upper()))
            ends.append((max(nextafter(low, -inf), 0.0), nextafter(high, inf)))
    both = ends[:0:-1] + ends
    return np.array([low for low, _ in both]), np.array([high for _, high in both])


def search_turned_approx(
    box: IntervalChain,
    outputs: Outputs,
    records: Sequence[int],
    known: tuple[float, float],
    deciding: Deciding,
    turning: bool = True,
    effort: int = 1,
) -> list[Found]:
    """Return the worst chains of a box with a + b >= 1, of each record; of a member, a, b and t.

    `known`: what is leaked anyhow, and what no such chain exceeds. `deciding`: of the work of a
    cell, when bounds are enough. Without `turning`, all chains of the box. `effort`: each step
    doubles the work.
    """
    floor, most = known
    ends = ends_of_box(box)
    most_work, most_cells = MOST_WORK << (effort - 1), MOST_CELLS << (effort - 1)
    left, found = _RECORDS * most_work, []
    asked = [asked_of(box, outputs, record) for record in records]
    import numpy as np

    corners = np.array([[*a_b, 0.5] for a_b in zip(*ends)])
    asked.sort(key=lambda each: -float(each.values(corners).max()))
    for each in asked:
        if most <= floor:
            break
        free = box.initial == "any" and each.record > 1
        share = (0.0, 1.0) if free else (0.5, 0.5)
        limited = replace(
            each, most_work=min(left, most_work), most_cells=most_cells, turning=turning
        )
        cells = tuple((*side, u) for side, u in zip(ends, share))
        one = search_approx(limited, (cells[0], cells[1]), floor, deciding(each.work))
        left -= one.cells * each.work
        floor = max(floor, one.best)
        found.append(replace(one, member=member_of(box, each, one), upper=min(one.upper, most)))
    return found


def ends_of_box(box: IntervalChain) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return floats below the least a and b of a box, and above the largest ones."""
    low, high = ((side[0][1], side[1][0]) for side in (box.lower, box.upper))
    a, b = (max(0.0, nextafter(float(x), -inf)) for x in low)
    most_a, most_b = (min(1.0, nextafter(float(x), inf)) for x in high)
    return (a, b), (most_a, most_b)


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
    t = float(box.initial[1])
    given = max(0.0, nextafter(t, -inf)), min(1.0, nextafter(t, inf))
    if box.initial[1] in (0, 1):
        given = t, t
    return AtOutputs(outputs, record, "given", base, MOST_WORK, given=given)


def member_of(box: IntervalChain, asked: AtOutputs, found: Found) -> tuple[float, float, float]:
    """Return a, b and t = P(X_1 = 1) of the chain with P(X_1 = 1 | X_i = s) = u."""
    a, b, u = found.member
    if box.initial != "any" or asked.record == 1:
        return a, b, 0.5
    n = asked.record - 1
    whole = sum((1 - a - b) ** k for k in range(n))
    moves = (a * whole, 1 - b * whole) if asked.base else (1 - a * whole, b * whole)
    above, below = u * max(moves[0], 0.0), (1 - u) * max(moves[1], 0.0)
    return a, b, above / (above + below) if above + below else 0.5
