"""What noisy queries of blocks of a chain leak together about a record: between the ratio at an
output and a bound of all outputs (`around`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from sys import float_info
from typing import ClassVar

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.leakage.largest import EnclosedRatio
from pufferproof.verify.leakage.ratio import Leakage, Scope
from pufferproof.verify.noise.ratio.blocks.around import RESTS_ON as AROUND_REST_ON
from pufferproof.verify.noise.ratio.blocks.around import ChainOfBlocks, Laws, ReachedRatio
from pufferproof.verify.noise.ratio.blocks.cones import RESTS_ON as CONES_REST_ON
from pufferproof.verify.noise.ratio.blocks.counts import Block
from pufferproof.verify.noise.ratio.blocks.kernels import RESTS_ON as KERNELS_REST_ON
from pufferproof.verify.noise.ratio.bounds import places_to_check

_MOST_BLOCKS = 200_000
_MOST_STATES = 6  # of a chain: hulls of points are of one dimension less
_CLOSE = Fraction(1, 10**6)
_FEW = 64  # outputs that are evaluated


@dataclass(frozen=True)
class BlocksLeakage(EnclosedRatio):
    """What releases of blocks leak together, enclosed, and by record; `outputs` of all blocks that
    differ.
    """

    closest: ClassVar[bool] = False

    by_record: tuple[tuple[str, int, float], ...] = ()  # prior, record, e^leakage at most
    outputs: int = 0
    claims: tuple[str, ...] = field(
        default=united(AROUND_REST_ON, CONES_REST_ON, KERNELS_REST_ON), kw_only=True, repr=False
    )

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
    return BlocksLeakage(leakage, best.witness(queries), _scope(scope, ratios), shown, outputs)


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


def _scope(scope: Scope, ratios: Sequence[ReachedRatio]) -> Scope:
    return Scope(len(ratios), scope.excluded, scope.never_checked)


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
