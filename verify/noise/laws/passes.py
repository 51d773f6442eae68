"""Sums of products of weights along a chain, or on a forest: one pass each way, to all records that
are asked about. On a chain, with q the law of record 1, P its steps and D_t = diag(u_t) the weights
of the values of record t,

    before_t = q D_1 P D_2 P .. D_(t-1) P,     after_t = P D_(t+1) P .. D_T 1,

so that before_t(x) u_t(x) after_t(x) is the sum over all sequences with x_t = x. Stretches of equal
weights are powers of a matrix: chains are as long as they like. What the numbers are, `rings` says.

On a forest messages pass along the arrows, whatever they are: `ForestPasses`. With loops records
are summed out one by one (`pufferproof.models.priors.elimination`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from pufferproof.models.priors.forest import Forest, Kernel
from pufferproof.verify.noise.laws.rings import Ring, Rows


class Powers:
    """Powers of a matrix by repeated squaring, each square found once, applied to vectors."""

    def __init__(self, matrix: Any, times: Callable[[Any, Any], Any]) -> None:
        self.squares, self.times = [matrix], times

    def row(self, row: Any, exponent: int) -> Any:
        """Return row M^exponent."""
        for square in self._bits(exponent):
            row = self.times(row, square)
        return row

    def column(self, column: Any, exponent: int) -> Any:
        """Return M^exponent column."""
        for square in self._bits(exponent):
            column = self.times(square, column)
        return column

    def _bits(self, exponent: int) -> Iterator[Any]:
        for place in range(exponent.bit_length()):
            if place == len(self.squares):
                self.squares.append(self.times(self.squares[-1], self.squares[-1]))
            if exponent >> place & 1:
                yield self.squares[place]


class Walk:
    """The vectors before_t and after_t of a chain.

    Args:
        ring: what the numbers are.
        start: the law of record 1.
        step: that of record t + 1 for each value of record t.
        stretches: the first and the last record of stretches, in order, and the weights of the
            values of all their records; empty ones count for nothing.

    >>> from pufferproof.verify.noise.laws.rings import GREATEST, Greatest
    >>> likely = [Greatest(0)] * 2
    >>> walk = Walk(GREATEST, likely, [likely] * 2, [(1, 1000, [Greatest(0), Greatest(3)])])
    >>> walk.before([400])[400]
    [Greatest(value=1197), Greatest(value=1197)]
    """

    def __init__(
        self,
        ring: Ring,
        start: Sequence[Any],
        step: Rows,
        stretches: Iterable[tuple[int, int, Sequence[Any]]],
    ) -> None:
        self._start, self._end = ring.matrix([start]), ring.matrix([[ring.one]] * len(start))
        moves = ring.matrix(step)
        self._stretches = []
        for first, last, weights in stretches:
            diagonal = ring.matrix(
                [
                    [w if x == y else ring.zero for y in range(len(start))]
                    for x, w in enumerate(weights)
                ]
            )
            left, right = ring.times(diagonal, moves), ring.times(moves, diagonal)
            powers = Powers(left, ring.times), Powers(right, ring.times)
            self._stretches.append((first, last, *powers))

    def before(self, wanted: Sequence[int]) -> dict[int, list[Any]]:
        """Return before_t of the wanted records, which increase."""
        rows, row, at = {}, self._start, 1
        for record in wanted:
            for first, last, powers, _ in self._stretches:
                row = powers.row(row, max(0, min(last, record - 1) - max(first, at) + 1))
            at = record
            rows[record] = row.tolist()[0]
        return rows

    def after(self, wanted: Sequence[int]) -> dict[int, list[Any]]:
        """Return after_t of the wanted records, which increase."""
        columns, column, at = {}, self._end, max(last for _, last, *_ in self._stretches)
        for record in reversed(wanted):
            for first, last, _, powers in reversed(self._stretches):
                column = powers.column(column, max(0, min(last, at) - max(first, record + 1) + 1))
            at = record
            columns[record] = [entry for (entry,) in column.tolist()]
        return columns


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

    over the records c and d that hang on j, with `own` what each record itself shows, None if that
    is nothing.
    """

    def __init__(
        self, forest: Forest, passing: Passing[Message], own: Sequence[Message] | None
    ) -> None:
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

    def _without_each(
        self, children: Sequence[int], asked: set[int]
    ) -> Iterator[tuple[int, Message]]:
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
