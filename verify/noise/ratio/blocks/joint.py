"""What noisy queries of blocks of a chain leak together about a record: between the ratio at an
output and a bound of all outputs (`around`).
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, permutations
from math import exp, inf
from sys import float_info
from typing import ClassVar

import numpy as np
from flint import arb, arb_mat, ctx

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.leakage.ratio import EnclosedRatio, Leakage, Scope, Witness
from pufferproof.verify.noise.ratio.blocks.cones import COUNTS_RESTS_ON as KERNELS_REST_ON
from pufferproof.verify.noise.ratio.blocks.cones import (
    EPS,
    Block,
    Cone,
    CountLaw,
    Kernel,
    Long,
    expect_large,
    long_float,
)
from pufferproof.verify.noise.ratio.blocks.cones import RESTS_ON as CONES_REST_ON
from pufferproof.verify.noise.ratio.bounds import places_to_check

# The blocks of a chain, and what lies before a block and after it: by cones.
#
# With a and b what earlier and later blocks leave of the first and last state of a block, and K^v_w the likelihoods of
# its output over the sequences whose record has the value v,
#
#     f(w.. | v) = sum_(x, y) a(x) K^v_w(x, y) b(y) / P(X_i = v).
#
# Quotients of two such sums are linear-fractional in a, and in b: over two cones they are largest at rays. A slack of
# a cone is a factor of the bound. Rays are those of outputs, so that the bound is reached but for slack, and an output
# that nearly does is evaluated: below.

RESTS_ON = ("lemma.mediant", "noise.attained")
_BITS = 192  # working precision of balls
_MOST_WORK = 400_000_000  # numbers of all tables of secret records
Laws = dict[object, CountLaw]  # what blocks count, by chain, block and secret records


@dataclass(frozen=True)
class ReachedRatio:
    """The largest ratio about a record, of a value to another, at most; and the block, with the
    rays of both sides and the output that reach it but for slack.
    """

    around: "ChainOfBlocks"
    record: int
    pair: Pair
    values: tuple[int, int]
    upper: Fraction
    block: int
    at: tuple[int, int, int]

    @property
    def prior(self) -> str:
        """The name of the prior."""
        return self.around.prior

    @cached_property
    def outputs(self) -> tuple[int, ...]:
        """The outputs of all blocks that the rays come from."""
        return self.around.outputs(self.block, self.at)

    @cached_property
    def lower(self) -> Fraction:
        """The ratio at these outputs, at least."""
        return self.around.evaluated(self.record, self.block, self.values, self.outputs)

    def witness(self, queries: Sequence[RecordQuery]) -> Witness:
        """Return the place in the words of an answer."""
        shown: dict[Hashable, tuple[Fraction, ...]] = {}
        for block, output in zip(self.around.blocks, self.outputs):
            shown |= dict(zip(block.decays, self.around.kernel(block).shown(output)))
        numbers = [number for query in queries for number in shown[query.asked]]
        return Witness(self.prior, self.pair, ",".join(map(text_of, numbers)))


class ChainOfBlocks:
    """The blocks of a chain, and the cones that earlier and later ones leave of each."""

    def __init__(
        self, prior: str, chain: Chain, wanted: set[int], blocks: Sequence[Block], laws: Laws | None = None
    ) -> None:
        self.prior, self.chain, self.blocks = prior, chain, blocks
        self._starts = [block.first for block in blocks]
        self._positions: dict[object, set[int]] = {}
        for record in wanted:
            k, position = self._at(record)
            self._positions.setdefault(blocks[k].shape, set()).add(position)
        self._laws: Laws = {} if laws is None else laws
        self._kernels: dict[object, Kernel] = {}
        self._steps: dict[int, arb_mat] = {}
        self._shares: dict[int, list[arb]] = {}
        self._ratios: dict[object, tuple[np.longdouble, tuple[int, int, int]]] = {}
        gaps = [later.first - block.last for block, later in pairwise(blocks)]
        kinds = [(block, gap) for block, gap in zip(blocks, gaps)]
        law = self._law(self.blocks[0].first)
        start = np.array([long_float(p) for p in law])
        expect_large(start[[not p.is_zero() for p in law]])
        self.lefts = self._carried(kinds, Cone.of(list(start)), left=True)
        kinds = [(block, gap) for block, gap in zip(blocks[1:], gaps)][::-1]
        self.rights = self._carried(kinds, Cone.of([1] * len(chain.step)), left=False)[::-1]

    def kernel(self, block: Block) -> Kernel:
        """Return the likelihoods of a block."""
        if block.shape not in self._kernels:
            positions = tuple(sorted(self._positions.get(block.shape, ())))
            key = self.chain.step, self.chain.emission, block.counted, positions
            if key not in self._laws:
                self._laws[key] = CountLaw(self.chain, block, positions)
            self._kernels[block.shape] = Kernel(block, self._laws[key])
        return self._kernels[block.shape]

    def count_outputs(self) -> int:
        """Return the number of outputs of all blocks that differ."""
        return sum(kernel.outputs for kernel in self._kernels.values())

    def _law(self, record: int) -> list[arb]:
        """Return the law of the state of a record."""
        with ctx.workprec(_BITS):
            start = arb_mat([[ball(p) for p in self.chain.start]])
            steps = 0 if self.chain.stationary else record - 1
            law = start * self._power(steps)
            return [law[0, x] for x in range(len(self.chain.step))]

    def _power(self, steps: int) -> arb_mat:
        if steps not in self._steps:
            with ctx.workprec(_BITS):
                step = arb_mat([[ball(p) for p in row] for row in self.chain.step])
                self._steps[steps] = step**steps
        return self._steps[steps]

    def shares(self, record: int) -> list[arb]:
        """Return P(X_i = v) for every value v."""
        key = 0 if self.chain.stationary else record
        if key in self._shares:
            return self._shares[key]
        law, emission = self._law(record), self.chain.emission
        if emission is not None:
            with ctx.workprec(_BITS):
                law = [
                    sum((p * ball(row[v]) for p, row in zip(law, emission)), arb(0)) for v in range(len(emission[0]))
                ]
        self._shares[key] = law
        return law

    def _maps(self, block: Block, gap: int, left: bool) -> tuple[Long, float]:
        """Return the matrices by which a block and the steps beside it multiply likelihoods: from
        the left of the first state of the next block, from the right of the last state of the
        block before.
        """
        kernel = self.kernel(block)
        size = range(len(self.chain.step))
        power = self._power(gap)
        steps = np.array([[long_float(power[x, y]) for y in size] for x in size])
        expect_large(steps[np.linalg.matrix_power(kernel.law.moves, gap)])
        formula = "wxy,yz->wzx" if left else "zx,wxy->wzy"
        both = (kernel.whole, steps) if left else (steps, kernel.whole)
        return np.einsum(formula, *both), kernel.error + 2 * EPS * (len(size) + 4)

    def _carried(self, kinds: Sequence[tuple[Block, int]], start: Cone, left: bool) -> list[Cone]:
        cones, before, same = [start], None, None
        # Of each entry how many there are from it on that are equal, one after the other
        shapes = [(block.shape, gap) for block, gap in kinds]
        lengths: list[int] = []
        for shape, after in zip(shapes[::-1], [None, *shapes[:0:-1]]):
            lengths.append(lengths[-1] + 1 if lengths and shape == after else 1)
        for (block, gap), left_alike in zip(kinds, lengths[::-1]):
            kind = block.shape, gap
            if kind == before and same is not None:
                cones.append(same)
                continue
            maps = self._maps(block, gap, left)
            same = cones[-1].settled(*maps, left_alike) if kind == before else None
            cones.append(same or cones[-1].image(*maps))
            before = kind
        return cones

    def places(self, framework: Framework, pairs: Sequence[Pair]) -> Iterator[ReachedRatio]:
        """Yield the largest ratio of every pair."""
        self._refuse_many([[framework.places[name] for name in pair] for pair in pairs])
        for pair in pairs:
            record = framework.places[pair[0]][0]
            k, position = self._at(record)
            values = [framework.places[name][1] for name in pair]
            shares = self.shares(record)
            ratios = []
            for (one, other), names in zip(permutations(values), (pair, pair[::-1])):
                whole = *self._kind(k), position, one, other
                if whole not in self._ratios:
                    self._ratios[whole] = self._largest(k, position, one, other)
                ratio, at = self._ratios[whole]
                share = _quotient(shares[other], shares[one])
                ratios.append((ratio * share, at, (one, other), names))
            ratio, at, (one, other), names = max(ratios, key=lambda entry: entry[0])
            # A bound of all ratios about a record of block k, of the largest at rays
            error = 2 * self.kernel(self.blocks[k]).error + 16 * EPS * (len(self.chain.step) + 8)
            slack = self.lefts[k].slack + self.rights[k].slack + error
            if slack > 0.01:
                upper = _exact(ratio) * Fraction(exp(slack) * (1 + 1e-12))
            else:
                upper = _exact(ratio) * (1 + Fraction(slack * (1 + slack)) * (1 + Fraction(1, 10**6)))
            yield ReachedRatio(self, record, names, (one, other), upper, k, at)

    def _at(self, record: int) -> tuple[int, int]:
        """Return the block of a record, and its position there."""
        k = bisect_right(self._starts, record) - 1
        return k, record - self.blocks[k].first

    def _kind(self, k: int) -> tuple[Hashable, int, int]:
        """Return what blocks whose tables are the same have in common."""
        return self.blocks[k].shape, id(self.lefts[k]), id(self.rights[k])

    def _refuse_many(self, pairs: Sequence[Sequence[tuple[int, object]]]) -> None:
        """Raise `TooLargeError` where tables of secret records and their values have too many
        numbers, each in both orders.
        """
        spots = {}
        for (record, one), (_, other) in pairs:
            k, position = self._at(record)
            spots[(*self._kind(k), position, frozenset((one, other)))] = k
        work = 0
        for k in spots.values():
            sides = len(self.lefts[k].rays) * len(self.rights[k].rays)
            work += sides * self.kernel(self.blocks[k]).outputs * 4
        if work > _MOST_WORK:
            raise TooLargeError(
                f"{len(spots)} pairs of values of secret records, {work} numbers in tables: "
                f"expected at most {_MOST_WORK}, of fewer secret records"
            )

    def _likely(self, k: int, position: int, value: int) -> Long:
        return self.kernel(self.blocks[k]).between(self.lefts[k].rays, position, value, self.rights[k].rays)

    def _largest(self, k: int, position: int, one: int, other: int) -> tuple[np.longdouble, tuple[int, int, int]]:
        above, below = (self._likely(k, position, value) for value in (one, other))
        expect_large(above)
        expect_large(below)
        ratios = above / below
        a, w, b = map(int, np.unravel_index(int(ratios.argmax()), ratios.shape))
        return ratios[a, w, b], (a, w, b)

    def outputs(self, k: int, at: tuple[int, int, int]) -> tuple[int, ...]:
        """Return the outputs of all blocks that rays of the cones beside block k come from."""
        left, own, right = at
        before, after = [], []
        for j in range(k, 0, -1):
            output, left = self.lefts[j].origins[left]
            before.append(output)
        for j in range(k, len(self.blocks) - 1):
            output, right = self.rights[j].origins[right]
            after.append(output)
        return (*before[::-1], own, *after)

    def evaluated(self, record: int, k: int, values: tuple[int, int], outputs: Sequence[int]) -> Fraction:
        """Return a lower bound of the ratio about a record of block k at an output."""
        position = record - self.blocks[k].first
        left = self.lefts[0].rays[0]
        right = np.ones(len(self.chain.step), dtype=np.longdouble)
        error = 16 * EPS
        shared: dict[Hashable, tuple[Long, float]] = {}

        def pushed(vector: Long, j: int, gap: int, side: bool) -> Long:
            nonlocal error
            key = self.blocks[j].shape, gap, side
            if key not in shared:
                shared[key] = self._maps(self.blocks[j], gap, side)
            maps, off = shared[key]
            error += 2 * off + 4 * EPS * (len(vector) + 2)
            moved = maps[outputs[j]] @ vector
            expect_large(moved[moved > 0])
            scaled: Long = moved / moved.max()
            return scaled

        for j in range(k):
            left = pushed(left, j, self.blocks[j + 1].first - self.blocks[j].last, True)
        for j in range(len(self.blocks) - 1, k, -1):
            right = pushed(right, j, self.blocks[j].first - self.blocks[j - 1].last, False)
        kernel = self.kernel(self.blocks[k])
        sides = left[None], right[None]
        one, other = (kernel.between(sides[0], position, v, sides[1])[0, outputs[k], 0] for v in values)
        shares = self.shares(record)
        expect_large(np.array([one, other]))
        share = _quotient(shares[values[1]], shares[values[0]])
        error += 2 * kernel.error + 32 * EPS * (len(left) + 4)
        return _exact(one / other * share) * (1 - Fraction(2 * error))


def _quotient(one: arb, other: arb) -> np.longdouble:
    with ctx.workprec(_BITS):
        return long_float(one / other)


def _exact(number: np.longdouble) -> Fraction:
    return Fraction(*number.as_integer_ratio())


_MOST_BLOCKS = 200_000
_MOST_STATES = 6  # of a chain: hulls of points are of one dimension less
_CLOSE = Fraction(1, 10**6)
_FEW = 64  # outputs that are evaluated


@dataclass(frozen=True)
class BlocksLeakage(EnclosedRatio):
    """What releases of blocks leak together, enclosed, and by record; `outputs` of all blocks that differ."""

    closest: ClassVar[bool] = False

    by_record: tuple[tuple[str, int, float], ...] = ()  # prior, record, e^leakage at most
    outputs: int = 0
    claims: tuple[str, ...] = field(default=united(RESTS_ON, CONES_REST_ON, KERNELS_REST_ON), kw_only=True, repr=False)

    @property
    def theorems(self) -> Theorems:
        """The theorem on blocks, in words."""
        return Theorems(in_words=True)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures, and the theorem on blocks."""
        return ("INTERVAL", *self.theorems.trust)

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return "every block between all that the others leave"

    @property
    def closes(self) -> bool:
        """Whether both ends are the same but for 10^-6 nats."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper <= lower * (1 + _CLOSE)


def blocks_leakage(
    framework: Framework, queries: Sequence[RecordQuery], laws: Laws | None = None
) -> BlocksLeakage | None:
    """Return what noisy queries of segments leak together, or None unless priors are chains along
    the records, of few values or hidden states, and every pair of secrets is about one record.

    Args:
        laws: what blocks count, which is kept in it for the same queries with other noise.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> records = Records(84, ("0", "1", "2"))
    >>> chain = MarkovChain("stationary", [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    >>> secrets = {"zero": (40, "0"), "two": (40, "2")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "two")], {"theta": chain})
    >>> weeks = [RecordQuery("sum", Noise.laplace(5), records, (7 * k + 1, 7 * k + 7)) for k in range(12)]
    >>> found = blocks_leakage(framework, weeks)
    >>> found.leakage.enclosure().lower[:9], found.leakage.enclosure().upper[:9]
    ('0.6627910', '0.6628134')

    Raises `ModelError` if there is nothing to check, `TooLargeError` if blocks are too long.
    """
    if not framework.along_records or framework.classes or not queries:
        return None
    chains = framework.chains
    if any(chain.rows is not None or len(chain.step) > _MOST_STATES for chain in chains.values()):
        return None
    places = framework.places
    if any(places[one][0] != places[other][0] for one, other in framework.pairs):
        return None
    if any(query.noise.decay is None for query in queries):
        return None
    compared, scope = places_to_check(framework)
    ratios: list[ReachedRatio] = []
    outputs = 0
    for name, chain in chains.items():
        pairs = [pair for prior, pair in compared if prior == name]
        if pairs:
            wanted = {places[one][0] for one, _ in pairs}
            around = ChainOfBlocks(name, chain, wanted, _blocks(queries, wanted), laws)
            ratios += around.places(framework, pairs)
            outputs += around.count_outputs()
    lower, best = _evaluated(ratios)
    upper = max(ratio.upper for ratio in ratios)
    leakage = Leakage(max(lower, Fraction(1)), max(upper, Fraction(1)))
    shown = tuple((ratio.prior, ratio.record, _rounded(ratio.upper)) for ratio in ratios)
    scope = Scope(len(ratios), scope.excluded, scope.never_checked)
    return BlocksLeakage(leakage, best.witness(queries), scope, shown, outputs)


def _evaluated(ratios: Sequence[ReachedRatio]) -> tuple[Fraction, ReachedRatio]:
    """Return the largest ratio at an output, of the places whose bounds are largest: of those that
    have the same bound the first.
    """
    first = {ratio.upper: ratio for ratio in reversed(ratios)}
    lower, best = Fraction(0), ratios[0]
    for ratio in sorted(first.values(), key=lambda place: place.upper, reverse=True)[:_FEW]:
        if ratio.upper <= lower:
            break
        lower, best = max((lower, best), (ratio.lower, ratio), key=lambda pair: pair[0])
    return lower, best


def _blocks(queries: Sequence[RecordQuery], wanted: set[int]) -> list[Block]:
    """Return stretches of records with the queries about them, and of the wanted records beside."""
    ends = sorted((query.ends, number) for number, query in enumerate(queries))
    stretches: list[tuple[int, int, list[RecordQuery]]] = []
    for (first, last), number in ends:
        if stretches and first <= stretches[-1][1]:
            start, end, within = stretches[-1]
            stretches[-1] = start, max(end, last), [*within, queries[number]]
        else:
            stretches.append((first, last, [queries[number]]))
    blocks = [Block(first, last, tuple(within)) for first, last, within in stretches]
    starts = [block.first for block in blocks]
    for record in wanted:
        k = bisect_right(starts, record) - 1
        if k < 0 or record > blocks[k].last:
            blocks.append(Block(record, record))
    if len(blocks) > _MOST_BLOCKS:
        raise TooLargeError(f"{len(blocks)} blocks: expected at most {_MOST_BLOCKS}")
    return sorted(blocks, key=lambda block: block.first)


def _rounded(number: Fraction) -> float:
    return float(number) if number < Fraction(float_info.max) else inf
