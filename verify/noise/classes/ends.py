"""What noisy numbers of two-valued records leak under classes of chains, to 1e-6.

Where a + b <= 1, a = P(0, 1) and b = P(1, 0), the law of the records of a chain is TP2, and the
largest ratio is that of an output at one end of the query, where likelihoods are products
(classes.extremes). The stationary chains of a box leak most at its corner of the least a and b
(classes.corner); for other starts the box is searched. At the other end the same holds with the
two values exchanged. Where a + b > 1, what one record leaks is a bound, and where that is not
reached, all outputs are searched (`turning`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import log, prod
from typing import TYPE_CHECKING

import numpy as np
from flint import ctx
from numpy.typing import NDArray

from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.intervals import Interval, above, below
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.chains import ChainClass, GapChains, IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage, Witness, least_of, nothing_to_check
from pufferproof.verify.noise.accounts.corners import (
    contributions,
    ends_of,
    largest_corner,
    queries_of,
    weight_of,
    weights_of,
)
from pufferproof.verify.noise.classes.bounds import member_json
from pufferproof.verify.noise.classes.outputs import AtOutputs, Outputs
from pufferproof.verify.noise.classes.steps import (
    CLOSE,
    MOST_CELLS,
    ChainCells,
    EndsQuestion,
    FoundChain,
    search_approx,
    told_of,
)
from pufferproof.verify.noise.ratio.bounds import places_to_check

if TYPE_CHECKING:
    from pufferproof.verify.noise.classes.bounds import ClassBounds

# The largest of w_i u_i v_i (`steps`) over two-valued chains with pi(x) >= p and an eigenvalue c of size at most r,
# and a bound of what is leaked where c < 0.
#
# For c >= 0 it falls in a = pi (1 - c) and b = (1 - pi) (1 - c), so that c = r, and an interval of pi is bounded at
# its least a and b. Chains with c < 0 leak at most as of one record that all queries cover, and as mechanisms of the
# same levels per record: with the values of every second record exchanged the law is TP2, of steps 1 - a, 1 - b.

Floats = NDArray[np.float64]

Span = tuple[Floats, ...]

RESTS_ON = ("classes.extremes", "classes.corner", "classes.turning", "classes.columns")
_BATCH, _MOST_CELLS, _START = 512, 40_000, 16
_UP, _DOWN = 1 + 2.0**-48, 1 - 2.0**-48
_LOG_ERROR, _SLACK = 1e-12, 1e-12
_FEW = 64  # intervals, up to which slopes are not worth their time
Weights = Sequence[tuple[float, float]]


def search_gap_approx(
    chains: GapChains, weights: Weights, records: Sequence[int], floor: float, turned: float
) -> FoundChain:
    """Return the largest over a class, `upper` being a bound; of the member, a, b and pi. `turned`:
    what chains with c < 0 leak at most, as of one record.

    The bound is at most 1e-6 above the largest of `floor`, the best, and the lesser of `turned` and
    what mechanisms of the levels per record leak where c < 0.
    """
    least, change = float(chains.pi_min), float(chains.eigengap)
    curve = _LeakageByStart(change, weights, records)
    best, place, upper, cells = _largest(curve.leaked, least, floor)
    member = (place * change, (1 - place) * change, place)
    if turned > max(upper, floor):
        turning = _largest(_Turning(change, weights, records).leaked, least, max(upper, floor))
        turned, cells = min(turned, turning[2]), cells + turning[3]
    return FoundChain(best, member, max(upper, turned), cells)


@dataclass(frozen=True)
class _LeakageByStart:
    """Chains with c = 1 - `change`, by pi: bounds of what is leaked of any of the records."""

    change: float
    weights: Weights
    records: Sequence[int]

    def leaked(self, low: Floats, high: Floats) -> Floats:
        """Return bounds by interval of pi; of points the number, but for its rounding."""
        a, b = low * self.change * _DOWN, (1 - high) * self.change * _DOWN
        start = a / (a + b)
        value, _ = self._at((a, b, start * _DOWN), (a, b, np.minimum(start * _UP, 1)))
        logs = np.log(value[1])
        if len(low) > _FEW and (high > low).any():
            # log f in the middle plus the radius times the largest slope along pi, for which a rises, b falls, and
            # the start is pi
            middle, change = (low + high) / 2, self.change
            at = middle * change, (1 - middle) * change, middle
            point, _ = self._at(tuple(x * _DOWN for x in at), tuple(np.minimum(x * _UP, 1) for x in at))
            least = low * change * _DOWN, (1 - high) * change * _DOWN, low
            most = high * change * _UP, (1 - low) * change * _UP, high
            _, slopes = self._at(least, tuple(np.minimum(x, 1) for x in most), True)
            with np.errstate(all="ignore"):
                up = change * (slopes[0, 1] - slopes[1, 0]) + slopes[2, 1]
                down = change * (slopes[0, 0] - slopes[1, 1]) + slopes[2, 0]
                steep = np.maximum(abs(up), abs(down)) + _SLACK * abs(slopes).max(axis=(0, 1))
                radius = ((high - low) / 2 * (1 + _SLACK))[:, None]
                form = np.log(point[1]) + radius * steep * (1 + _SLACK)
            logs = np.fmin(logs, np.where(np.isnan(form), np.inf, form))
        largest: Floats = np.where(np.isnan(logs), np.inf, logs).max(axis=1)
        return largest

    def _at(self, low: Span, high: Span, slopes: bool = False) -> tuple[Floats, Floats]:
        cells = ChainCells(np.stack(low, axis=1), np.stack(high, axis=1), self.weights, slopes)
        return told_of(EndsQuestion(self.weights, self.records), cells)


@dataclass(frozen=True)
class _Turning:
    """What mechanisms with the levels log w_j tell at most of records where c < 0, by pi."""

    change: float
    weights: Weights
    records: Sequence[int]

    def leaked(self, low: Floats, high: Floats) -> Floats:
        """Return bounds by interval of pi, the larger of both orders of the values."""
        # -c is at most r, pi/(1 - pi) and (1 - pi)/pi
        memory = np.minimum((1 - self.change) * _UP, np.minimum(high / (1 - high), (1 - low) / low))
        stays = (1 + memory * _UP) * _UP
        a = np.maximum(1 - high * stays * _UP, 0) * _DOWN
        b = np.maximum(1 - (1 - low) * _UP * stays * _UP, 0) * _DOWN
        most: Floats = np.maximum(self._told(a, b), self._told(b, a))
        return most

    def _told(self, a: Floats, b: Floats) -> Floats:
        """Return the largest log of w_i u_i v_i, of steps a, b from odd records and b, a from even
        ones; back from record i they are those from it, as the chain is reversible.
        """
        count = len(self.weights)
        ends = [(a, b), (a, b) if count % 2 else (b, a)]
        after, before = (
            [likelihood.value[1] for likelihood in self._cells(*steps, weights).later()]
            for steps, weights in zip(ends, (self.weights, self.weights[::-1]))
        )
        most = np.zeros_like(a)
        for record in self.records:
            likelihood = after[count - record] * before[record - 1] * self.weights[record - 1][1]
            most = np.maximum(most, np.log(likelihood * _UP))
        return most

    def _cells(self, a: Floats, b: Floats, weights: Weights) -> ChainCells:
        points = np.stack([a, b, a * 0], axis=1)
        return ChainCells(points, points, weights, False, alternating=True)


def _largest(bound: Callable[[Floats, Floats], Floats], least: float, floor: float) -> tuple[float, float, float, int]:
    """Return the largest value over pi from `least` to 1 - `least`, where it is, a bound of all,
    and how many intervals were looked at. `bound`: of intervals; of points it is the value.
    """
    ends = np.linspace(least * _DOWN, min(1.0, (1 - least) * _UP), _START + 1)
    low, high = ends[:-1], ends[1:]
    uppers, done, cells = bound(low, high), -np.inf, 0
    points = np.concatenate([ends, (low + high) / 2])
    values = bound(points, points)
    best, place = float(values.max()), float(points[values.argmax()])
    while len(low) and cells < _MOST_CELLS:
        open_ = uppers > max(best, floor) + CLOSE
        done = max(done, float(uppers[~open_].max(initial=-np.inf)))
        low, high, uppers = low[open_], high[open_], uppers[open_]
        order = np.argsort(-uppers, kind="stable")
        chosen, left = order[:_BATCH], order[_BATCH:]
        middle = (low[chosen] + high[chosen]) / 2
        parts = np.concatenate([low[chosen], middle]), np.concatenate([middle, high[chosen]])
        fresh = bound(*parts)
        cells += len(fresh)
        if len(middle):
            values = bound(middle, middle)
            if values.max() > best:
                best, place = float(values.max()), float(middle[values.argmax()])
        low, high, uppers = (
            np.concatenate([kept[left], more]) for kept, more in zip((low, high, uppers), (*parts, fresh))
        )
    upper = max(best, done, float(uppers.max(initial=-np.inf))) + _LOG_ERROR
    return best, place, upper, cells


# The worst two-valued chains of a box with a + b > 1, where values tend to change, for noisy numbers: by all outputs
# (`outputs`), record by record, the worst ones first.
#
# What one record leaks of which all numbers count bounds it at once: draw the records given 1 and given 0 in opposite
# order while they differ, by 1, -1, 1, .., from the secret record both ways. Sums over records that follow each other
# then differ by at most 1.

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
    assert query.noise.decay is not None
    ends = [query.noise.decay.to(step * d).ends() for d in range(most + 1)]
    low, high = np.array(ends[:0:-1] + ends).T
    return Interval(low, high)


def ends_of_box(box: IntervalChain) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return floats below the least a and b of a box, and above the largest ones."""
    low, high = ((side[0][1], side[1][0]) for side in (box.lower, box.upper))
    return (below(low[0]), below(low[1])), (above(high[0]), above(high[1]))


def asked_of(box: IntervalChain, outputs: Outputs, record: int) -> AtOutputs:
    """Return the question of a record: of stationary chains, which are reversible, from the end that is nearer."""
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


# The worst of the two-valued chains of a box with a + b <= 1 at the ends of noisy numbers, and what chains leak at
# most through mechanisms of per-record levels.
#
# At an end record j counts w_j times as much with value 1 (`steps`). A mechanism that has level e_j for record j tells
# most through such weights, w_j = e^e_j, under a chain with a + b <= 1, as its law is TP2: the quotient of any
# likelihood by the product of weights falls in every record. A chain with a + b >= 1 is one with a + b <= 1 once every
# second record has its values exchanged.

WORST_RESTS_ON = ("classes.extremes", "classes.corner", "classes.columns", "worst.power-closed")
_SNAP = Fraction(1, 10**12)  # within which a number of a chain is an end of the box
_DENOMINATOR = 10**9  # of the numbers of a chain that is shown
_NEAR = 1e-8  # of 0, for chains that come near a limit
_WORST_ROOM = 1e-12  # of a logarithm in floats


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
    top = max(values) + _WORST_ROOM
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
    start: str | Sequence[Fraction] = box.initial
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


MOST_RECORDS = 20_000
_BITS = 256  # working precision of balls
_PATIENCE = 200_000  # records times cells that are looked at whatever the level
_LEAST = Fraction(1, 10**6)  # stationary probability of a class that is searched
_WIDE = 2e-6  # of bounds, in nats, that are tried in another way
_FAR_APART = Fraction(3, 10**6)  # of a bound that was not reached
_ROOM = 1e-9  # between a level and a bound in floats that decides it
Ratio = Callable[[Framework, NoisyQueries], LargestRatio]
Chosen = dict[str, dict[str, MarkovChain]]  # chains of every class, by what they are


@dataclass(frozen=True)
class ClassRatio(EnclosedRatio):
    """What is leaked under the classes `of` a framework: `framework` has the chains that leak the
    lower bound in their place, and no chain of `cells` that cover them leaks more than the upper
    one.
    """

    of_classes = True

    of: Framework
    framework: Framework
    cells: int
    upper: Theorems

    @property
    def theorems(self) -> Theorems:
        """What the upper bound rests on."""
        return self.upper

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return f"{self.cells} parts of the class" if self.cells else "the worst corner of the class"

    @property
    def member(self) -> MarkovChain | None:
        """The chain of the witness, or None if it is no chain of a class."""
        prior = self.framework.priors[str(self.witness.prior)]
        return prior if isinstance(prior, MarkovChain) else None

    @property
    def ends_tell(self) -> bool:
        """Whether the worst outputs are at the two ends, as none of the chains has a + b > 1."""
        chains = [x for x in self.framework.priors.values() if isinstance(x, MarkovChain)]
        rows = [chain.transition for chain in chains if len(chain.transition) == 2]
        return all(a + b <= 1 for (_, a), (b, _) in rows)

    @property
    def wide(self) -> bool:
        """Whether bounds are further apart than a search leaves them where it ends."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper > lower * (1 + _FAR_APART)

    def narrowed(self, bounds: "ClassBounds") -> "ClassRatio":
        """Return the same with the upper bound of accounts or trees, if that is closer."""
        upper = bounds.bounded
        lower, high = self.leakage.lower, self.leakage.upper
        if upper is None or lower is None or high is None or upper >= high:
            return self
        return replace(
            self, leakage=Leakage(lower, max(lower, upper)), upper=bounds.theorems, claims=bounds.upper_claims
        )

    def beside(self, framework: Framework, chain: LargestRatio) -> "ClassRatio":
        """Return the same with the leakage of one more chain of `framework`, if it leaks more."""
        lower, more, upper = self.leakage.lower, chain.leakage.lower, self.leakage.upper
        if lower is None or more is None or upper is None or more <= lower:
            return self
        leakage = Leakage(more, max(more, upper))
        return replace(self, leakage=leakage, witness=chain.witness, framework=framework)

    def met(self, other: "ClassRatio") -> "ClassRatio":
        """Return the closer bounds of two, with the chain of the larger lower one."""
        (low, high), (least, most) = ((x.leakage.lower, x.leakage.upper) for x in (self, other))
        best = self if low is None or (least is not None and low >= least) else other
        leakage = Leakage(best.leakage.lower, least_of([high, most]))
        return replace(best, leakage=leakage, cells=other.cells)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: of a chain that breaks a level, enclosures alone."""
        return ("INTERVAL",) if self.exceeds(level) else ("INTERVAL", *self.theorems.trust)

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on: of a chain that breaks a level, none."""
        return () if self.exceeds(level) else self.claims

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats, the witness with its `member`."""
        answer = super().as_json(level)
        answer["witness"] |= member_json(self.member)
        return answer | {"cells": self.cells}


def at_class_ends(
    framework: Framework, mechanism: object, level: Level | None, listed: Ratio, effort: int = 1
) -> ClassRatio | None:
    """Return what noisy numbers leak under classes of two-valued chains, or None unless the ends of
    the query tell it: a + b <= 1 in every box, noise with a decay, secrets about one record each.

    `listed` gives what a mechanism leaks under priors that are no classes. With a level, bounds
    may be wider than 1e-6 where that decides it and the search is long. `effort`: bounds that stay
    wide are searched again, so many times less one, each time with twice the work.
    """
    ratio = _at_class_ends(framework, mechanism, level, listed, 1)
    for more in range(2, effort + 1):
        if ratio is None or not ratio.wide:
            break
        if level is not None and ratio.compare(level) is not None:
            break
        again = _at_class_ends(framework, mechanism, level, listed, more)
        ratio = ratio if again is None else ratio.met(again)
    return ratio


def _at_class_ends(
    framework: Framework, mechanism: object, level: Level | None, listed: Ratio, effort: int
) -> ClassRatio | None:
    alone = framework.alone
    if not isinstance(mechanism, NoisyQueries) or not _fits(alone, mechanism):
        return None
    weights = weights_of(alone, mechanism)
    if weights is None:
        return None
    chosen: Chosen = {}
    inside: Chosen = {}
    upper, cells, decided = 0.0, 0, _decided(level, len(weights))
    for name, box in alone.chain_classes.items():
        records = _records(alone, box)
        if turns(box):
            with ctx.workprec(_BITS):
                _, high = weight_of(mechanism, [True] * len(queries_of(mechanism)))
            turned = float(Interval.point(high).log().high)
        else:
            turned = 0.0
        asked = EndsQuestion(weights, records, effort=effort)
        floor = upper, turned
        at_ends = _searched(box, asked, floor, decided) if records else []
        more = _at_outputs(alone, mechanism, box, floor, at_ends, level, True, effort) if records else []
        bounded = bool(more) or isinstance(box, GapChains)  # of chains with a + b > 1, as well
        chains = [*at_ends, *more]
        bound = max([0.0 if bounded else turned, *(chain.upper for chain in chains)])
        if at_ends and bound > max([upper, *(chain.best for chain in chains)]) + _WIDE:
            whole = _at_outputs(alone, mechanism, box, (upper, bound), at_ends, level, False, effort)
            bound = min(bound, max((chain.upper for chain in whole), default=bound))
            more = [*more, *whole]
        upper = max(upper, bound)
        cells += _cells(at_ends) + _cells(more)
        ends = [member_near(box, chain.member, 1 in records) for chain in at_ends]
        chosen[name] = {named(member): member for member in ends}
        inner = [chain.member for chain in more]
        if records and not ends and not inner:
            inner = [(a, b, 0.5) for a, b in _corners(box)]
        others = [member_near(box, chain, 1 in records) for chain in inner]
        inside[name] = {named(member): member for member in others}
    return _answer(framework, mechanism, (chosen, inside), (upper, cells), listed)


def _at_outputs(
    framework: Framework,
    mechanism: NoisyQueries,
    box: ChainClass,
    bounds: tuple[float, float],
    at_ends: Sequence[FoundChain],
    level: Level | None,
    turning: bool,
    effort: int,
) -> list[FoundChain]:
    """Return the worst chains of a box by all outputs, those with a + b >= 1 if `turning`, else all; none if they are
    not searched: there are too many outputs; what one record leaks is their bound, or another chain reaches it; or
    the corner of stationary chains is known.

    `bounds`: what is leaked anyhow, and what no such chain exceeds. `effort`: each step doubles the work.
    """
    floor, most = max([bounds[0], *(chain.best for chain in at_ends)]), bounds[1]
    if not isinstance(box, IntervalChain) or (most <= floor if turning else box.initial == "stationary"):
        return []
    outputs = outputs_of(queries_of(mechanism.alone), framework.expect_records().count)
    if outputs is None:
        return []
    records, deciding = _records(framework, box), partial(_decided, level)
    ends = ends_of_box(box)
    most_work, most_cells = MOST_WORK << (effort - 1), MOST_CELLS << (effort - 1)
    left, chains = _RECORDS * most_work, []
    asked = [asked_of(box, outputs, record) for record in records]
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


def _cells(chains: Sequence[FoundChain]) -> int:
    return sum(chain.cells for chain in chains)


def _fits(framework: Framework, mechanism: NoisyQueries) -> bool:
    """Whether classes are of two values with a + b <= 1 or known by their corner, and queries and
    secrets of records.
    """
    records = framework.expect_records()
    if len(records.alphabet) != 2 or records.count > MOST_RECORDS:
        return False
    for query in mechanism.queries:
        if not isinstance(query, RecordQuery) or query.noise.decay is None:
            return False
    for box in framework.classes.values():
        if isinstance(box, IntervalNetwork | Contacts):
            return False
        if isinstance(box, GapChains):
            if box.pi_min < _LEAST:
                return False
            continue
        most = box.upper[0][1], box.upper[1][0]
        if box.initial == "stationary" and not any(least(box)) and not all(most):
            return False
    place = framework.places
    return all(place[one][0] == place[other][0] for one, other in framework.pairs)


def _corners(box: ChainClass) -> list[tuple[float, float]]:
    """Return a and b at the corners of a box."""
    if not isinstance(box, IntervalChain):
        return []
    low, high = box.lower, box.upper
    return [(float(a), float(b)) for a in (low[0][1], high[0][1]) for b in (low[1][0], high[1][0])]


def _remembers(box: ChainClass) -> bool:
    """Whether some chain of a class has a + b < 1, or none has a + b > 1."""
    return not (isinstance(box, IntervalChain) and sum(least(box)) >= 1 and turns(box))


def _records(framework: Framework, box: ChainClass) -> list[int]:
    """Return the records that pairs are about, and both of whose values are possible."""
    wanted = {framework.places[one][0] for one, _ in framework.pairs}
    return sorted(record for record in wanted if len(box.possible(record)) == 2)


def _decided(level: Level | None, records: int) -> Decided:
    """Return whether bounds of the leakage, and the cells behind them, are enough for a level."""
    nats = None if level is None else float(level.enclosure().lower)

    def enough(lower: float, upper: float, cells: int) -> bool:
        if nats is None or cells * records < _PATIENCE:
            return False
        return lower > nats + _ROOM or upper < nats - _ROOM

    return enough


def _searched(box: ChainClass, asked: EndsQuestion, bounds: tuple[float, float], decided: Decided) -> list[FoundChain]:
    """Return the worst chains of a class with a + b < 1 at both ends of the query, given bounds of
    the leakage of other chains, and of those with a + b > 1. A class without such chains gives
    none.
    """
    floor, turned = bounds
    if isinstance(box, GapChains):
        worst = search_gap_approx(box, asked.weights, asked.records, floor, turned)
        a, b, start = worst.member
        return [worst, replace(worst, member=(b, a, 1 - start), cells=0)]
    if not _remembers(box):
        return []
    both = steps((False, True), "ends of the numbers")
    return [search_box_approx(box, asked, swapped, floor, decided) for swapped in both]


def _answer(
    framework: Framework,
    mechanism: NoisyQueries,
    members: tuple[Chosen, Chosen],
    upper_and_cells: tuple[float, int],
    listed: Ratio,
) -> ClassRatio | None:
    """Return the ratio of chains, of the first ones at the ends, and the upper bound of all."""
    chains = {name: {**members[0][name], **members[1][name]} for name in members[0]}
    if not any(chains.values()) and len(chains) == len(framework.priors):
        raise nothing_to_check()
    whole = framework.alone.of_members(chosen=chains)
    places, scope = places_to_check(whole)
    ratios = _at_ends(framework, mechanism, members[0])
    nats, cells = upper_and_cells
    of_all = exp_bounds(Fraction(nats), _BITS)[1]
    upper = max([of_all, *(ratio.upper or Fraction(1) for ratio, _ in ratios)])
    inside, beside = _priors_of(framework, members[1]), []
    if inside and {place for place, _ in places} & set(inside):
        beside.append(listed(framework.with_priors(inside), mechanism))
        ratios.append((beside[-1].leakage, beside[-1].witness))
    if not ratios:
        return None
    others = {name: prior for name, prior in whole.priors.items() if name in framework.priors}
    if others:
        apart = listed(framework.with_priors(others), mechanism)
        if apart.leakage.upper is None or apart.leakage.lower is None:
            return None
        upper = max(upper, apart.leakage.upper)
        ratios.append((apart.leakage, apart.witness))
        beside.append(apart)
    least, witness = max(ratios, key=lambda one: one[0].lower or Fraction(1))
    lower = least.lower or Fraction(1)
    leaked, rests = Leakage(lower, max(lower, upper)), _theorems(framework, mechanism)
    claims = united(rests.claims, *(ratio.claims for ratio in beside))
    return ClassRatio(leaked, witness, scope, framework, whole, cells, rests, claims=claims)


def _priors_of(framework: Framework, chosen: Chosen) -> dict[str, Prior]:
    """Return the chains of classes by the names that they have as priors."""
    if not any(chosen.values()):
        return {}
    priors = framework.alone.of_members(chosen=chosen).priors
    return {name: prior for name, prior in priors.items() if name not in framework.priors}


def _at_ends(framework: Framework, mechanism: NoisyQueries, chosen: Chosen) -> list[tuple[Leakage, Witness]]:
    """Return the largest ratio of chains at the two ends, or nothing without a chain to check."""
    ours = _priors_of(framework, chosen)
    if not ours:
        return []
    members = framework.alone.with_priors(ours)
    places, _ = places_to_check(members)
    return [largest_corner(members, queries_of(mechanism), places, ends_of(mechanism))]


def _theorems(framework: Framework, mechanism: NoisyQueries) -> Theorems:
    """Return what the upper bound rests on. Claims prove it for one number; an argument in words
    covers several coordinates, and boxes where a + b > 1.
    """
    boxes = framework.chain_classes.values()
    remembering = [box for box in boxes if _remembers(box)]
    claims = ["classes.extremes"] if remembering else []
    if any(box.initial == "stationary" for box in remembering):
        claims.append("classes.corner")
    if any(isinstance(box, GapChains) for box in boxes):
        claims += ["classes.turning", "classes.columns"]
    turned = any(turns(box) for box in boxes if not isinstance(box, GapChains))
    several = sum(query.dimension for query in queries_of(mechanism)) != 1
    return Theorems(tuple(claims), in_words=turned or several)
