"""The law of what one block of records of a chain counts, whatever the noise.

A block is a stretch of records that some queries are about, those of overlapping segments together.
F is what its records add to all numbers, packed into one integer, so that

    P(F = n, last = y | first = x)    and    P(F = n, X_p = v, last = y | first = x)

are computed by two passes, and products of polynomials in z^F. States are hidden ones if the chain
is hidden: then a record adds what one of the values that its state shows does. All terms are
positive, so that floats have a proven relative error, but for numbers that are too small for them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.noise.laws.packing import Packing
from pufferproof.verify.noise.ratio.blocks.cones import Long

if TYPE_CHECKING:
    from flint import arb

MOST_CELLS = 24_000_000  # numbers of all tables of a block: 400 MB
_MOST_WORK = 2_000_000_000  # products of laws, in floats: a few seconds
_BITS = 192  # working precision of balls
_LEAST_EXPONENT = int(np.finfo(np.longdouble).minexp)


def long_float(number: "arb") -> np.longdouble:
    """Return the middle of a ball, 0 if it is too small."""
    middle = number.mid()
    digits, exponent = middle.man_exp()
    if int(digits).bit_length() + int(exponent) < _LEAST_EXPONENT:
        return np.longdouble(0)
    return np.longdouble(middle.str(30, radius=False))


def number_float(number: Fraction) -> np.longdouble:
    """Return a rational number as a long float."""
    from flint import ctx

    with ctx.workprec(_BITS):
        return long_float(ball(number))


@dataclass(frozen=True)
class Block:
    """Records `first` to `last`, and the queries about them; none of a record between blocks."""

    first: int
    last: int
    queries: tuple[RecordQuery, ...] = ()

    @property
    def size(self) -> int:
        """The number of records."""
        return self.last - self.first + 1

    @cached_property
    def counted(self) -> Any:
        """What blocks share whose records add the same."""
        return self.size, tuple((query.query, query.counted, self._inside(query)) for query in self.queries)

    @cached_property
    def shape(self) -> Any:
        """What blocks share that differ by their place only."""
        return self.counted, tuple(query.noise for query in self.queries)

    def _inside(self, query: RecordQuery) -> tuple[int, int]:
        first, last = query.ends
        return first - self.first, last - self.first

    @cached_property
    def decays(self) -> dict[Any, tuple[RecordQuery, Power]]:
        """The distinct queries, with the product of the decays of their noise."""
        decays: dict[Any, tuple[RecordQuery, Power]] = {}
        for query in self.queries:
            _, decay = decays.get(query.asked, (query, ONE))
            decays[query.asked] = query, decay.times(query.noise.decay or ONE)
        return decays

    @cached_property
    def packing(self) -> Packing | None:
        """What the distinct queries count, None without a query."""
        asked = [query for query, _ in self.decays.values()]
        return Packing.of(asked) if asked else None


class CountLaw:
    """The law of what a block counts, by first state x, last state y and count n: `whole[x, y, n]`,
    and `given[row, v, x, y, n]` with the value v of the record at a position, `rows[position]`;
    positions are counted from 0. `vectors` are the numbers of all queries at the counts `reached`.
    """

    def __init__(self, chain: Chain, block: Block, positions: Sequence[int]) -> None:
        shows = _shows(chain)
        self.states, self.values, self.size = len(chain.step), len(shows[0]), block.size
        self.terms = 1 if block.packing is None else block.packing.terms
        self.rows = {position: row for row, position in enumerate(positions)}
        self._refuse_large()
        self.step = np.array([[number_float(p) for p in row] for row in chain.step])
        self.shows = np.array([[number_float(p) for p in row] for row in shows])
        self.moves = np.array([[p > 0 for p in row] for row in chain.step])
        self.shown = np.array([[p > 0 for p in row] for row in shows])
        self.adds = [_adds(block, p, self.values) for p in range(self.size)]
        self.reached = self._reached()
        self.vectors = [() if block.packing is None else block.packing.vector(n) for n in self.reached]
        heads, tails = self._heads({*positions, self.size - 1}), self._tails(set(positions))
        self.whole = self._joined(heads[self.size - 1])
        self.given = np.zeros((len(positions), self.values, *self.whole.shape), self.whole.dtype)
        for position, row in self.rows.items():
            for value in range(self.values):
                self._fill(self.given[row, value], heads[position], tails[position], position, value)

    def _refuse_large(self) -> None:
        numbers, size, secret = self.terms * self.states**2, self.size, len(self.rows)
        tables = numbers * (secret * self.values + 1)
        if tables > MOST_CELLS:
            raise TooLargeError(
                f"{size} records of {self.terms} values, {secret} of them secret, {tables} numbers "
                f"in tables: expected at most {MOST_CELLS}, of shorter segments"
            )
        beside = sum(Fraction((p + 1) * (size - p), size**2) for p in self.rows)
        work = numbers * size // 2 + int(self.states**3 * self.terms**2 * beside)
        if work > _MOST_WORK:
            raise TooLargeError(
                f"{size} records of {self.terms} values, {secret} of them secret, {work} products: "
                f"expected at most {_MOST_WORK}, of shorter segments"
            )

    def _counted(self, table: Long, position: int) -> Long:
        """Return numbers by the state of a record (last axis but one) and a count (last axis), with
        what this record adds.
        """
        adds, terms = self.adds[position], table.shape[-1]
        counted = np.zeros((*table.shape[:-1], terms + max(adds)), dtype=table.dtype)
        for value, add in enumerate(adds):
            counted[..., add : add + terms] += table * self.shows[:, value, None]
        return counted

    def _heads(self, wanted: set[int]) -> dict[int, Long]:
        """Return P(n of the records before, X_p = h | first = x), by x, h and n."""
        now, kept = np.eye(self.states, dtype=np.longdouble)[:, :, None], {}
        for p in range(max(wanted) + 1):
            if p in wanted:
                kept[p] = now
            now = np.einsum("xhn,hy->xyn", self._counted(now, p), self.step)
        return kept

    def _tails(self, wanted: set[int]) -> dict[int, Long]:
        """Return P(n of the records after, last = y | X_p = h), by y, h and n."""
        now, kept = np.eye(self.states, dtype=np.longdouble)[:, :, None], {}
        for p in range(self.size - 1, min(wanted, default=self.size) - 1, -1):
            if p in wanted:
                kept[p] = now
            now = np.einsum("yhn,xh->yxn", self._counted(now, p), self.step)
        return kept

    def _joined(self, head: Long) -> Long:
        joined = np.zeros((self.states, self.states, self.terms), dtype=head.dtype)
        counted = self._counted(head, self.size - 1)
        joined[..., : counted.shape[-1]] = counted
        return joined

    def _fill(self, joined: Long, head: Long, tail: Long, position: int, value: int) -> None:
        own, add = head * self.shows[:, value, None], self.adds[position][value]
        for x, h, y in product(range(self.states), repeat=3):
            if own[x, h].any() and tail[y, h].any():
                both = np.convolve(own[x, h], tail[y, h])
                joined[x, y, add : add + len(both)] += both

    def _reached(self) -> list[int]:
        """Return the counts of positive probability; sets of counts are bits of integers."""
        now = [1] * self.states
        for p, adds in enumerate(self.adds):
            if p:
                now = [_either(bits for bits, move in zip(now, column) if move) for column in self.moves.T]
            now = [_either(bits << add for add, shows in zip(adds, row) if shows) for bits, row in zip(now, self.shown)]
        return [n for n, bit in enumerate(bin(_either(now))[:1:-1]) if bit == "1"]

    def possible(self, position: int, value: int | None = None) -> Any:
        """Return which first and last states are possible together, with a value of a record."""
        before = np.linalg.matrix_power(self.moves, position)
        if value is not None:
            before = before & self.shown[:, value]
        return before @ np.linalg.matrix_power(self.moves, self.size - 1 - position)


def _either(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _adds(block: Block, position: int, values: int) -> list[int]:
    """Return what a record adds to the packed count, for each of its values."""
    return [0] * values if block.packing is None else block.packing.adds(block.first + position)


def _shows(chain: Chain) -> Sequence[Sequence[Fraction]]:
    """Return the probability that every state shows a value."""
    if chain.emission is not None:
        return chain.emission
    size = range(len(chain.step))
    return [[Fraction(int(x == y)) for y in size] for x in size]
