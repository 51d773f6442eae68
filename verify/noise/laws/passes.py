"""Sums of products of weights along a chain, or on a forest: one pass each way, to all records that
are asked about. On a chain (`both_ways`), with q the law of record 1, P its steps and D_t =
diag(u_t) the weights of the values of record t,

    before_t = q D_1 P D_2 P .. D_(t-1) P,     after_t = P D_(t+1) P .. D_T 1,

so that before_t(x) u_t(x) after_t(x) is the sum over all sequences with x_t = x. Stretches of equal
weights are powers of a matrix: chains are as long as they like. What the numbers are is said below.

On a forest messages pass along the arrows, whatever they are: `ForestPasses`. With loops records
are summed out one by one (`pufferproof.models.priors.bayesian_network`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import matmul, mul
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from flint import arb_mat

from pufferproof.models.priors.forest import Forest, Kernel

# What matrices of a pass are made of: numbers that are added and multiplied, without a minus.
#
# `BALLS` are enclosures (Arb), for weights of an output. `GREATEST` is (max, +): a sum of products over paths is then
# the greatest sum along one of them, and what is 0 a path that is impossible. Tables that are summed over
# (`pufferproof.models.priors.bayesian_network.Bag`) take any such numbers.

Rows = Sequence[Sequence[Any]]


class Ring(NamedTuple):
    """How matrices are made of rows and multiplied, and the neutral numbers of both operations."""

    matrix: Callable[[Rows], Any]
    times: Callable[[Any, Any], Any]
    zero: Any
    one: Any


@dataclass(frozen=True, slots=True)
class Greatest:
    """A number of (max, +), None for minus infinity.

    >>> Greatest(2) * Greatest(3) + Greatest(4)
    Greatest(value=5)
    >>> Greatest(2) * Greatest(None) + Greatest(4)
    Greatest(value=4)
    """

    value: int | None

    def __add__(self, other: "Greatest") -> "Greatest":
        if self.value is None or other.value is None:
            return other if self.value is None else self
        return max(self, other, key=lambda each: each.value or 0)

    def __mul__(self, other: "Greatest") -> "Greatest":
        if self.value is None or other.value is None:
            return Greatest(None)
        return Greatest(self.value + other.value)


def _balls(rows: Rows) -> Any:
    return arb_mat([list(row) for row in rows])


def _objects(rows: Rows) -> Any:
    import numpy as np

    return np.array(rows, dtype=object)


BALLS = Ring(_balls, mul, 0, 1)
GREATEST = Ring(_objects, matmul, Greatest(None), Greatest(0))


# A walk along records that takes the same step again and again, until it stops changing.
#
# A step depends on what is known before it, on the weight of a record, and, of alternating chains, on whether the
# record is odd. Where records have one weight and the same was known 12 steps before, the next steps are those 12
# again, to the last bit.

State = TypeVar("State")
PERIOD = 12  # floats that settle repeat themselves after 1, 2, 3 or 4 steps


def walked(
    records: Sequence[int],
    weights: Sequence[object],
    state: State,
    move: Callable[[int, State], State],
    same: Callable[[State], bytes],
    settled: Callable[[Sequence[int], Sequence[State]], Sequence[State] | None],
) -> Iterator[State]:
    """Yield the first state, and that after every step.

    Args:
        records: of the steps, consecutive.
        weights: of the steps.
        move: returns the state after the step of a record.
        same: returns what decides, with the weight and whether the record is odd, about the next
            step, but for what `settled` bounds.
        settled: returns 12 states that hold instead of the last 12, and of all that repeat them;
            None if these are to be taken as they are.

    >>> list(walked(range(5), "aaaaa", 64, lambda record, x: x // 2, lambda x: b"", lambda *_: None))
    [64, 32, 16, 8, 4, 2]
    """
    yield state
    place, before, cycle = 0, b"", list[State]()
    while place < len(records):
        if place and weights[place] != weights[place - 1]:
            before, cycle = b"", []
        if len(cycle) == PERIOD:
            now = same(state)
            if now == before:
                done = records[place - PERIOD : place]
                cycle = list(settled(done, cycle) or cycle)
                first = place
                while place < len(records) and weights[place] == weights[first]:
                    state = cycle[(place - first) % PERIOD]
                    yield state
                    place += 1
                before, cycle = b"", []
                continue
            before, cycle = now, []
        state = move(records[place], state)
        cycle.append(state)
        yield state
        place += 1


Stretches = Sequence[tuple[int, int, Sequence[Any]]]
Vectors = dict[int, list[Any]]


def both_ways(
    ring: Ring, start: Sequence[Any], step: Rows, stretches: Stretches, wanted: Sequence[int]
) -> tuple[Vectors, Vectors]:
    """Return before_t and after_t of the wanted records, which increase.

    Args:
        ring: what the numbers are.
        start: the law of record 1.
        step: that of record t + 1 for each value of record t.
        stretches: the first and the last record of stretches, in order, and the weights of the
            values of all their records; empty ones count for nothing.

    >>> from pufferproof.verify.noise.laws.passes import GREATEST, Greatest
    >>> zeros, weights = [Greatest(0)] * 2, [Greatest(0), Greatest(3)]
    >>> before, after = both_ways(GREATEST, zeros, [zeros] * 2, [(1, 1000, weights)], [400])
    >>> before[400][0].value, after[400][0].value
    (1197, 1800)
    """
    end = 1 + max(last for _, last, _ in stretches)
    turned = [(end - last, end - first, weights) for first, last, weights in reversed(stretches)]
    ones, back = [ring.one] * len(start), [end - record for record in reversed(wanted)]
    after = _before(ring, ones, list(zip(*step)), turned, back)  # after_t, seen from the end
    before = _before(ring, start, step, stretches, wanted)
    return before, {end - record: vector for record, vector in after.items()}


def _before(ring: Ring, start: Sequence[Any], step: Rows, stretches: Stretches, wanted: Sequence[int]) -> Vectors:
    moves, row, at, vectors = ring.matrix(step), ring.matrix([start]), 1, {}
    squares = []
    for _, _, weights in stretches:
        size = range(len(weights))
        diagonal = [[weights[x] if x == y else ring.zero for y in size] for x in size]
        squares.append([ring.times(ring.matrix(diagonal), moves)])
    for record in wanted:
        for (first, last, _), known in zip(stretches, squares):
            exponent = max(0, min(last, record - 1) - max(first, at) + 1)
            for place in range(exponent.bit_length()):
                if place == len(known):
                    known.append(ring.times(known[-1], known[-1]))
                if exponent >> place & 1:
                    row = ring.times(row, known[place])
        at, vectors[record] = record, row.tolist()[0]
    return vectors


Message = TypeVar("Message")


class Passing(Protocol[Message]):
    """What passes along the arrows of a forest, and how arrows and products change it."""

    one: Message
    """What shows nothing; it is never multiplied."""

    def times(self, one: Message, other: Message) -> Message:
        """Return what two messages to one record show together."""

    def start(self, kernel: Kernel) -> Message:
        """Return the law of a root."""

    def moved(self, message: Message, kernel: Kernel, upward: bool) -> Message:
        """Return what a message to a record shows of the one that it hangs on, or the other way."""


class ForestPasses(Generic[Message]):
    """What is shown of each record of a forest from below it, `after` it, and from all others.

        after_j = prod_c up_c,     up_c = moved(own_c after_c),
        before_c = moved(before_j own_j prod_(d != c) up_d)

    over the records c and d that hang on j, with `own` what each record itself shows, or None if
    that is nothing.
    """

    def __init__(self, forest: Forest, passing: Passing[Message], own: Sequence[Message] | None) -> None:
        self.forest, self.passing = forest, passing
        self.own = [passing.one] * len(forest.parents) if own is None else own
        self.after = [passing.one] * len(forest.parents)
        self._up: dict[int, Message] = {}  # what records show of those that they hang on
        for record in reversed(forest.downward if own is not None else ()):
            below, kernel = forest.children[record - 1], forest.kernels[record - 1]
            after = passing.one
            for child in below:
                after = self._times(after, self._up[child])
            self.after[record - 1] = after
            if forest.parents[record - 1] is not None:
                known = self._times(self.own[record - 1], after)
                self._up[record] = passing.moved(known, kernel, upward=True)

    def before(self, records: Iterable[int]) -> dict[int, Message]:
        """Return what is shown of some records, and those that they hang on, by all that is not
        below them, themselves left out.
        """
        asked, before = self.forest.with_above(records), dict[int, Message]()
        for record in (each for each in self.forest.downward if each in asked):
            if self.forest.parents[record - 1] is None:
                before[record] = self.passing.start(self.forest.kernels[record - 1])
            here = self._times(before[record], self.own[record - 1])
            children = self.forest.children[record - 1]
            for child, others in self._without_each(children, asked):
                known, kernel = self._times(here, others), self.forest.kernels[child - 1]
                before[child] = self.passing.moved(known, kernel, upward=False)
        return before

    def _without_each(self, children: Sequence[int], asked: set[int]) -> Iterator[tuple[int, Message]]:
        """Yield the children that are asked about, with what their siblings show together."""
        if not self._up or len(children) == 1:
            yield from ((child, self.passing.one) for child in children if child in asked)
        elif not asked.isdisjoint(children):
            after = [self.passing.one]
            for child in reversed(children[1:]):
                after.append(self._times(self._up[child], after[-1]))
            before = self.passing.one
            for child, others in zip(children, reversed(after)):
                if child in asked:
                    yield child, self._times(before, others)
                before = self._times(before, self._up[child])

    def _times(self, one: Message, other: Message) -> Message:
        if one is self.passing.one or other is self.passing.one:
            return other if one is self.passing.one else one
        return self.passing.times(one, other)
