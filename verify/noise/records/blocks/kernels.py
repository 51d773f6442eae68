"""The likelihoods of the outputs of one block of records of a chain, by its first and last state.

A block is a stretch of records that some queries are about, those of overlapping segments together.
For states x and y of its first and last record, F what its records add, and noise of decays t_k,

    K_w(x, y) = sum_n P(F = n, last = y | first = x) prod_k t_k^|w_k - n_k|,

as far as outputs differ in more than a factor, w_k is a value of F_k (noise.attained). Numbers that
are affine functions of one another are merged (noise.parallel). States are hidden ones if the chain
is hidden: then a record adds what one of the values that its state shows does. In floats, of a
proven relative error, as all terms are positive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import log10
from typing import Any

import numpy as np

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.noise.laws import LawPair, Merged, merged
from pufferproof.verify.noise.records.blocks.cones import EPS, Long
from pufferproof.verify.noise.records.packing import Packing
from pufferproof.verify.noise.records.segments import long_float, number_float

RESTS_ON = ("noise.attained", "noise.parallel")
_MOST_CELLS = 6_000_000  # outputs times values of the query; and numbers of one table
_LEAST_DIGITS = 1_500  # of the probability of a block, and of the noise


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
    def shape(self) -> Any:
        """What blocks share that differ by their place only."""
        return self.size, tuple(
            (query.query, query.counted, self._inside(query), query.noise) for query in self.queries
        )

    def _inside(self, query: RecordQuery) -> tuple[int, int]:
        first, last = query.segment or (1, query.records.count)
        return first - self.first, last - self.first

    @cached_property
    def decays(self) -> dict[Any, tuple[RecordQuery, Power]]:
        """The distinct queries, with the product of the decays of their noise."""
        found: dict[Any, tuple[RecordQuery, Power]] = {}
        for query in self.queries:
            _, decay = found.get(query.asked, (query, ONE))
            found[query.asked] = query, decay.times(query.noise.decay or ONE)
        return found


class Kernel:
    """The likelihoods of a block: `whole[w]` K_w, and `given(p, v)` the same over the sequences
    whose record p, counted from 0, has the value v; `error` is a relative error of all numbers.
    """

    def __init__(self, chain: Chain, block: Block) -> None:
        self.chain, self.block = chain, block
        self.states, self.values = len(chain.step), _values(chain)
        self.step = np.array([[number_float(p) for p in row] for row in chain.step])
        self.shows = np.array([[number_float(p) for p in row] for row in _shows(chain)])
        asked = [query for query, _ in block.decays.values()]
        self.packing = Packing.of(asked) if asked else None
        self.terms = 1 if self.packing is None else self.packing.terms
        self._refuse_large()
        self._heads, self._tails = self._passes()
        self._known: dict[tuple[int, int], Long] = {}

    def _refuse_large(self) -> None:
        size, numbers = self.block.size, self.terms * self.states**2
        least = min(
            p for rows in (self.chain.step, _shows(self.chain)) for r in rows for p in r if p
        )
        if numbers * size > _MOST_CELLS:
            raise TooLargeError(
                f"{size} records of {self.terms} values, {numbers * size} numbers in a table: "
                f"expected at most {_MOST_CELLS}, of shorter segments"
            )
        if -log10(least) * 2 * size > _LEAST_DIGITS:
            longest = int(_LEAST_DIGITS / (-2 * log10(least)))
            raise TooLargeError(
                f"{size} records with probabilities too small for floats: expected segments of at "
                f"most {longest}"
            )

    def _adds(self, position: int) -> list[int]:
        if self.packing is None:
            return [0] * self.values
        return self.packing.adds(self.block.first + position)

    def _passes(self) -> tuple[list[Long], list[Long]]:
        """Return P(n of the records before, X_p = h | first = x) and P(n of the records after,
        last = y | X_p = h), for every p.
        """
        size, k = self.block.size, self.states
        one = np.zeros((k, k, self.terms), dtype=np.longdouble)
        one[range(k), range(k), 0] = 1
        heads, tails = [one], [one]
        for p in range(size - 1):
            heads.append(np.einsum("xhn,hy->xyn", self._counted(heads[-1], p), self.step))
        for p in range(size - 1, 0, -1):
            later = self._counted(tails[-1].transpose(1, 0, 2), p).transpose(1, 0, 2)
            tails.append(np.einsum("hx,xyn->hyn", self.step, later))
        return heads, tails[::-1]

    def _counted(self, table: Long, position: int) -> Long:
        """Return numbers by the state of a record, with what this record adds."""
        found = np.zeros_like(table)
        for value, add in enumerate(self._adds(position)):
            found += _shifted(table, add) * self.shows[:, value, None]
        return found

    def law(self, position: int, value: int) -> Long:
        """Return P(F = n, X_p = v, last = y | first = x), by x, y and n."""
        own = self._heads[position] * self.shows[:, value, None]
        own = _shifted(own, self._adds(position)[value])
        k, after = self.states, self._tails[position]
        found = np.zeros((k, k, self.terms), dtype=np.longdouble)
        for x, h, y in product(range(k), repeat=3):
            if own[x, h].any() and after[h, y].any():
                found[x, y] += np.convolve(own[x, h], after[h, y])[: self.terms]
        return found

    @cached_property
    def _reached(self) -> list[int]:
        last = self._counted(self._heads[-1], self.block.size - 1)
        return [int(n) for n in np.flatnonzero((last > 0).any(axis=(0, 1)))]

    @cached_property
    def _merged(self) -> tuple[Merged, list[Vector]]:
        """The numbers that are kept, and their values, by what is counted."""
        if self.packing is None:
            return Merged((), (), ()), [()] * len(self._reached)
        vectors = [self.packing.known_vector(n) for n in self._reached]
        every = dict.fromkeys(vectors, Fraction(1))
        decays = [d for q, d in self.block.decays.values() for _ in range(q.dimension)]
        fewer = merged(decays, [LawPair("", ("", ""), every, every)])
        first = {k: n for n, (k, ratio, _) in reversed(list(enumerate(fewer.places))) if ratio}
        columns = [first.get(k, 0) for k in range(len(fewer.decays))]
        return fewer, [tuple(vector[n] for n in columns) for vector in vectors]

    @cached_property
    def outputs(self) -> list[Vector]:
        """The outputs of the numbers that are kept."""
        _, kept = self._merged
        return list(product(*(sorted(set(column)) for column in zip(*kept)))) or [()]

    @cached_property
    def _noise(self) -> Long:
        """prod_k t_k^|w_k - n_k|, by w and n."""
        fewer, kept = self._merged
        if len(self.outputs) * max(len(kept), self.states**2) > _MOST_CELLS:
            raise TooLargeError(
                f"{len(self.outputs)} outputs of {len(kept)} values: expected at most "
                f"{_MOST_CELLS // max(len(kept), self.states**2)} outputs, of shorter segments"
            )
        noise = np.ones((len(self.outputs), len(kept)), dtype=np.longdouble)
        for k, decay in enumerate(fewer.decays):
            far = {abs(w[k] - n[k]) for w in self.outputs for n in kept}
            known = {each: _weight(decay, each) for each in far}
            noise *= np.array([[known[abs(w[k] - n[k])] for n in kept] for w in self.outputs])
        if not (noise > 10.0**-_LEAST_DIGITS).all():
            raise TooLargeError("noise too small for floats: expected noise of a larger scale")
        return noise

    def _likely(self, law: Long) -> Long:
        found: Long = np.einsum("wn,xyn->wxy", self._noise, law[:, :, self._reached])
        return found

    @cached_property
    def whole(self) -> Long:
        """K_w, by w, x and y."""
        return self._likely(self._counted(self._heads[-1], self.block.size - 1))

    def given(self, position: int, value: int) -> Long:
        """Return K_w over the sequences with a value of a record, by w, x and y."""
        if (position, value) not in self._known:
            self._known[position, value] = self._likely(self.law(position, value))
        return self._known[position, value]

    @property
    def error(self) -> float:
        """A relative error of all numbers of tables."""
        one = 2 * self.states + 2 * self.values + 8  # of a record
        numbers = 0 if self.packing is None else len(self._merged[0].decays)
        return 2 * EPS * (self.block.size * one + 3 * self.terms + 4 * numbers + 32)

    def shown(self, output: int) -> list[Vector]:
        """Return the numbers of the distinct queries at an output, in their order."""
        found, whole = [], self._merged[0].whole(self.outputs[output])
        for query, _ in self.block.decays.values():
            found.append(whole[: query.dimension])
            whole = whole[query.dimension :]
        return found


def _shifted(table: Long, add: int) -> Long:
    """Return numbers of counts with something added to the count, along the last axis."""
    found = np.zeros_like(table)
    if add < table.shape[-1]:
        found[..., add:] = table[..., : table.shape[-1] - add]
    return found


def _weight(decay: Power, distance: Fraction) -> object:
    from flint import ctx

    with ctx.workprec(128):
        return long_float(decay.to(distance).ball())


def _values(chain: Chain) -> int:
    return len(chain.step) if chain.emission is None else len(chain.emission[0])


def _shows(chain: Chain) -> Sequence[Sequence[Fraction]]:
    """Return the probability that every state shows a value."""
    if chain.emission is not None:
        return chain.emission
    size = range(len(chain.step))
    return [[Fraction(int(x == y)) for y in size] for x in size]
