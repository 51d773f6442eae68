"""The likelihoods of the outputs of one block of records of a chain, by its first and last state.

For states x and y of the first and last record, F what the records add (`counts`), and noise of
decays t_k,

    K_w(x, y) = sum_n P(F = n, last = y | first = x) prod_k t_k^|w_k - n_k|,

as far as outputs differ in more than a factor, w_k is a value of F_k (noise.attained). Numbers that
are affine functions of one another are merged (noise.parallel). In floats, of a proven relative
error, as all terms are positive: two sweeps along every axis of the values.
"""

from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Vector
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.noise.laws.of_framework import LawPair, MergedLaws, merged
from pufferproof.verify.noise.ratio.blocks.cones import EPS, MOST_CELLS, Block, CountLaw, Long, expect_large, long_float

RESTS_ON = ("noise.attained", "noise.parallel")


class Kernel:
    """The likelihoods of a block: `whole[w, x, y]` is K_w(x, y), `given(p, v)` the same over the
    sequences whose record p, counted from 0, has the value v. `outputs` counts the outputs of the
    numbers that are kept, and `error` is a relative error of all likelihoods.
    """

    def __init__(self, block: Block, law: CountLaw) -> None:
        self.block, self.law = block, law
        self._merged, columns = _kept(block, law)
        self.axes = [sorted({vector[k] for vector in law.vectors}) for k in columns]
        self.outputs = prod(map(len, self.axes))
        numbers = self.outputs * (law.whole[..., 0].size + law.given[..., 0].size)
        if numbers > MOST_CELLS:
            raise TooLargeError(
                f"{self.outputs} outputs of {law.size} records, {len(law.rows)} of them secret, "
                f"{numbers} numbers in tables: expected at most {MOST_CELLS}, of shorter segments"
            )
        self._shape = [len(axis) for axis in self.axes] or [1]
        places = [{number: n for n, number in enumerate(axis)} for axis in self.axes]
        self._index = [[place[vector[k]] for vector in law.vectors] for k, place in zip(columns, places)] or [[0]]
        self._steps = [
            [_weight(decay, after - before) for before, after in pairwise(axis)]
            for decay, axis in zip(self._merged.decays, self.axes)
        ]
        self.whole = self._smoothed(law.whole)
        expect_large(self.whole[:, law.possible(0)])
        self._given = self._smoothed(law.given)
        for p, row in law.rows.items():
            for value in range(law.values):
                expect_large(self._given[row, value][:, law.possible(p, value)])

    def _smoothed(self, table: Long) -> Long:
        """Return likelihoods by output, x and y, of laws by x, y and count."""
        law = self.law
        terms = np.zeros((*table.shape[:-1], *self._shape), dtype=table.dtype)
        places: Any = (..., *self._index)
        np.add.at(terms, places, table[..., law.reached])
        for k, steps in enumerate(self._steps):
            axis = k - len(self._steps)
            rows = np.moveaxis(terms, axis, 0)
            up, down = rows.copy(), np.zeros_like(rows)
            for n, step in enumerate(steps, 1):
                up[n] += step * up[n - 1]
            for n, step in reversed(list(enumerate(steps))):
                down[n] = step * (down[n + 1] + rows[n + 1])
            terms = np.moveaxis(up + down, 0, axis)
        flat = terms.reshape(*table.shape[:-1], self.outputs)
        return np.ascontiguousarray(np.moveaxis(flat, -1, -3))

    def given(self, position: int, value: int) -> Long:
        """Return K_w over the sequences with a value of a record, by w, x and y."""
        likely: Long = self._given[self.law.rows[position], value]
        return likely

    @property
    def error(self) -> float:
        """A relative error of all numbers of tables."""
        law = self.law
        one = 2 * law.states + 2 * law.values + 8  # of a record
        sweeps = sum(map(len, self.axes))
        return 2 * EPS * (law.size * one + 3 * law.terms + 4 * sweeps + 32)

    def shown(self, output: int) -> list[Vector]:
        """Return the numbers of the distinct queries at an output, in their order."""
        at = np.unravel_index(output, self._shape)
        whole = self._merged.whole(tuple(axis[n] for axis, n in zip(self.axes, at)))
        outputs = []
        for query, _ in self.block.decays.values():
            outputs.append(whole[: query.dimension])
            whole = whole[query.dimension :]
        return outputs


def _kept(block: Block, law: CountLaw) -> tuple[MergedLaws, list[int]]:
    """Return how numbers are merged, and a coordinate of each that is kept."""
    if not block.queries:
        return MergedLaws((), (), ()), []
    every = dict.fromkeys(law.vectors, Fraction(1))
    decays = [decay for query, decay in block.decays.values() for _ in range(query.dimension)]
    fewer = merged(decays, [LawPair("", ("", ""), every, every)])
    first = {k: n for n, (k, ratio, _) in reversed(list(enumerate(fewer.places))) if ratio}
    return fewer, [first.get(k, 0) for k in range(len(fewer.decays))]


def _weight(decay: Power, distance: Fraction) -> Any:
    from flint import ctx

    with ctx.workprec(128):
        return long_float(decay.to(distance).ball())
