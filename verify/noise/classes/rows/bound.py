"""What channels and noisy queries leak at most under boxes of Markov chains, by `search`, and a
chain that leaks about as much.

Any first law is one with two values: of a quotient of means over laws q of X_1,

    (N_s q / D_s q) / (N_t q / D_t q),
    N_s(x) = P(w, X_i = s | X_1 = x),    D_s(x) = P(X_i = s | X_1 = x),

fix D_s q / D_t q. What is left is a quotient of linear functions under one linear constraint, so
the largest one has at most two values. A stationary law of many values is bounded as any law.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import exp_bounds, log_approx
from pufferproof.models.numbers.intervals import Interval
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.rows.diagram import RESTS_ON as DIAGRAM_RESTS_ON
from pufferproof.verify.noise.classes.rows.diagram import diagram_of, one_record_pairs, vertex, walked_ratio
from pufferproof.verify.noise.classes.rows.search import (
    MOST_ROOTED,
    BoxQuestion,
    FoundMatrices,
    RecordValue,
    WorstChain,
)

Floats = NDArray[np.float64]


WALKS = "steps that may each have a matrix of their own"
WORK = 100_000_000  # of the least effort: seconds
_WORK_BESIDE = 40_000_000  # beside the bound of walks
_CLOSER = 1e-9  # in nats, by which a chain leaks more than is known
_ROOM = 1e-9  # between a level and a bound in floats that decides it
_DENOMINATOR = 10**9  # of the rows of a chain that is shown
_SNAP = 1e-12  # within which an entry is an end of the box
_BITS = 128  # to which e^upper is rounded up
Row = tuple[Fraction, ...]
Corner = tuple[float, tuple[str, MarkovChain]]  # about what a chain leaks, in nats, its class, it


@dataclass(frozen=True)
class TreeBound:
    """What is leaked at most, as e to it, or None if infinite, the cells that show it, and what of
    them does; a chain that leaks about the most, by the name of its class, or None if none does
    more than what was known.
    """

    upper: Fraction | None
    cells: int
    by: str = "branch and bound"
    member: tuple[str, MarkovChain] | None = None
    claims: tuple[str, ...] = ()  # that a bound of noise rests on, beside a definition

    def within(self, kept: Callable[[Fraction], bool]) -> bool:
        """Whether the bound is finite and keeps a level."""
        return self.upper is not None and kept(self.upper)


def tree_bound(
    framework: Framework,
    mechanism: Channel | NoisyQueries,
    leaked: Fraction | None,
    level: Level | None = None,
    effort: int = 1,
    corner: Corner | None = None,
) -> TreeBound | None:
    """Return a bound for all boxes of a framework of boxes, or None if its diagram is too large.

    Args: mechanism: a channel on all databases of the records, or queries with noise. leaked: what
    some chains leak, or None if it is infinite: then there is no bound. level: what is to be
    decided: then no closer. effort: how much work may be done, from 1, twice as much with each
    step; more leaves no bound larger. corner: what `best_corner` finds, if it was asked.
    """
    if leaked is None:
        return TreeBound(None, 0)
    walked = None
    if isinstance(mechanism, NoisyQueries):
        corner = corner or best_corner(framework, mechanism)
        if corner is not None and corner[0] <= log_approx(leaked) + _CLOSER:
            corner = None
        known = log_approx(leaked) if corner is None else corner[0]
        walked = walked_ratio(framework, mechanism, known, effort)
    diagram = diagram_of(mechanism, framework.expect_records())
    if diagram is None:
        return None if walked is None else TreeBound(walked, 0, WALKS, corner and corner[1])
    search = WorstChain(diagram, log_approx(leaked))
    questions = [one for name, box in framework.boxes.items() for one in _asked(framework, name, box)]
    decided, enough = _decided(level, log(diagram.error))
    work = WORK if walked is None else _WORK_BESIDE
    search.run(questions, decided, enough, work << (effort - 1))
    worst = search.found
    member = _member(framework, worst)
    if corner is not None and corner[0] > search.best:
        member = corner[1]
    upper = max(worst.upper, search.best) if questions else 0.0
    bounds = [diagram.largest, None if upper == inf else exp_bounds(Fraction(upper), _BITS)[1]]
    top = min((bound * diagram.error for bound in bounds if bound is not None), default=None)
    if walked is not None and (top is None or walked < top):
        return TreeBound(walked, worst.cells, WALKS, member)
    claims = DIAGRAM_RESTS_ON if isinstance(mechanism, NoisyQueries) else ()
    return TreeBound(top, worst.cells, member=member, claims=claims)


def best_corner(framework: Framework, mechanism: NoisyQueries) -> Corner | None:
    """Return the best chain at outputs beyond all values; None if none is found that leaks."""
    queries = [query for query in mechanism.queries if isinstance(query, RecordQuery)]
    if len(queries) < len(mechanism.queries) or any(q.noise.decay is None for q in queries):
        return None
    count, best, leaked = framework.expect_records().count, None, 0.0
    for name, box in framework.boxes.items():
        found = corner_chain(box, queries, one_record_pairs(framework, box) or [], count)
        if found is not None and found.nats > leaked:
            entries = [*found.matrix.tolist(), found.start.tolist()]
            best, leaked = (name, _chain(box, entries)), found.nats
    return None if best is None else (leaked, best)


def _member(framework: Framework, worst: FoundMatrices) -> tuple[str, MarkovChain] | None:
    """Return the best chain that was found, by the name of its class."""
    if worst.question is None or worst.member is None:
        return None
    name = worst.question.name
    return name, _chain(framework.boxes[name], worst.member.tolist())


def _asked(framework: Framework, name: str, box: IntervalChain) -> Iterator[BoxQuestion]:
    """Yield the questions of a box: an ordered pair of secrets each, both of them possible."""
    rows = Interval(Interval.around(box.lower).low, Interval.around(box.upper).high)
    secrets = {place: RecordValue(*place) for place in framework.places.values() if place[1] in box.possible(place[0])}
    for pair in framework.pairs:
        places = [framework.places[secret] for secret in pair]
        if not all(place in secrets for place in places):
            continue
        # Bounds of the law of X_1; `first`: both secrets are of it, so that any law will do
        if not isinstance(box.initial, str):
            start = Interval.around([box.initial])
        else:
            rooted = box.initial == "stationary" and box.states <= MOST_ROOTED
            zero = np.zeros((1, box.states))
            start = (
                Interval.point(zero + 1 / box.states)
                if all(record == 1 for record, _ in places) or rooted
                else Interval(zero, zero + 1)
            )
        whole = Interval.concatenate([rows, start])
        stationary = box.initial == "stationary" and box.states <= MOST_ROOTED
        edges = bool((start.high > start.low + 0.5).any())
        for one, other in (places, places[::-1]):
            yield BoxQuestion(name, whole.low, whole.high, stationary, (secrets[one], secrets[other]), edges)


def _decided(level: Level | None, error: float) -> tuple[Callable[[float, float], bool], float]:
    """Return whether bounds of the leakage are enough for a level, and the bound that is."""
    if level is None:
        return lambda *_: False, -inf
    nats = float(level.enclosure().lower)
    enough = nats - error - _ROOM
    return lambda lower, upper: lower > nats + _ROOM or upper < enough, enough


def _chain(box: IntervalChain, entries: Sequence[Sequence[float]]) -> MarkovChain:
    """Return a chain of a box near some entries."""
    *rows, first = entries
    matrix = [_row(*row) for row in zip(rows, box.lower, box.upper)]
    start: str | Sequence[Fraction] = box.initial
    if start == "any":
        zero, one = (Fraction(0),) * box.states, (Fraction(1),) * box.states
        start = _row(first, zero, one)
    return MarkovChain(start, matrix)


def _row(entries: Sequence[float], lower: Row, upper: Row) -> Row:
    """Return a row of a polytope near some entries, at its ends where they are near."""
    row = []
    for value, low, high in zip(entries, lower, upper):
        near = Fraction(value).limit_denominator(_DENOMINATOR)
        ends = [end for end in (low, high) if abs(value - float(end)) < _SNAP]
        row.append(ends[0] if ends else min(max(near, low), high))
    rest = 1 - sum(row)
    inner = sorted(range(len(row)), key=lambda y: row[y] in (lower[y], upper[y]))
    for y in inner:
        moved = min(max(row[y] + rest, lower[y]), upper[y])
        row[y], rest = moved, rest - (moved - row[y])
    return tuple(row)


# Corners ------------------------------------------------------------------------------------------
#
# Chains of boxes that leak much at outputs beyond all values, where a record of each value changes
# the density of the noise by one factor: from some chains, the best vertex of one row at a time.
#
# What is found is looked at afterwards: nothing here is a bound.

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
    matrix: Floats
    start: Floats


def corner_chain(
    box: IntervalChain, queries: Sequence[RecordQuery], pairs: Sequence[Pair], count: int
) -> CornerChain | None:
    """Return the best chain that is found, None if there is none to look at."""
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


def _climbed(told: Told, vertices: list[Floats], matrix: Floats, best: CornerChain | None) -> CornerChain | None:
    """Return the best chain, by the best vertex of one row at a time."""
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


def _told(initial: object, tilts: Floats, at: int, pairs: Sequence[Pair]) -> Told:
    """Return what matrices leak at most at a corner, by matrix, with the first law that does."""
    size = tilts.shape[1]
    # First laws: the one that is given, or some of two values
    if isinstance(initial, tuple | list):
        starts = np.array([initial], dtype=float)
    else:
        ends = np.eye(size)
        shares = np.arange(1, _SHARES + 1)[:, None] / _SHARES
        starts = np.concatenate([a * shares + b * (1 - shares) for a in ends for b in ends])

    def told(matrices: Floats) -> list[CornerChain]:
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


def _vertices(low: Floats, high: Floats) -> Floats:
    """Return vertices of a row between bounds, all of them unless they are many."""
    orders = np.array(list(permutations(range(len(low)))), dtype=float)
    orders = orders[:: -(-len(orders) // _MOST_ORDERS)]
    found: Floats = vertex(np.tile(low, (len(orders), 1)), np.tile(high, (len(orders), 1)), orders)
    return np.unique(found.round(14), axis=0)


def _corners(queries: Sequence[RecordQuery], span: range) -> list[Floats]:
    """Return the factors of the records of a span by value, at corners that differ."""
    adds = [np.array(contributions(query), dtype=float) for query in queries]
    rates = [-np.log(query.noise.decay.to(Fraction(1)).ends()[1]) for query in queries if query.noise.decay]
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
