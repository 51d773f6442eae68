"""The Markov quilt mechanism on chains, with exact influences.

    F(X) + sigma L Z,  Z Laplace of scale 1,
    sigma = max over i, min over quilts Q of X_i of card(N) / (epsilon - e(X_Q | X_i))

for a query that changes by at most L (in L1) when one record does. Source: song2017, Algorithm 1
with exact influences (MQMExact), for one chain; for a class of chains wang2016, Section 4.2, where
e is the largest influence over the class. How the worst record is found is in
`pufferproof.verify.influence.quilts.worst_record`.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import RESTS_ON as INFLUENCES_REST_ON
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.quilts.tables import RESTS_ON as TABLES_REST_ON
from pufferproof.verify.influence.quilts.tables import ChainInfluences, largest_of
from pufferproof.verify.influence.quilts.worst_record import QuiltScale, worst_record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Floats = NDArray[np.float64]

RESTS_ON = ("song2017.mqm-private-repaired", "song2017.lem-A2")
_SHORT = 256  # bits of an influence that is also written exactly


def markov_quilt(
    chains: MarkovChain | Sequence[MarkovChain],
    length: int,
    level: LevelLike,
    records: Sequence[int] | None = None,
    lipschitz: Fraction | int = 1,
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism on one chain, or on a class of chains
    with class-wide influence.

    Args:
        chains: the chain, or the class; k states each.
        length: T, up to 10^6.
        level: epsilon > 0, as `audit` takes it.
        records: the records whose values are secret, increasing; all if None.
        lipschitz: L, how much the query changes at most (in L1) when one record does.

    Returns: the scale to a relative width of 10^-9 or less, exact where it can be written; the
    first record of those searched that asks for it (the first of all with stationary chains), and
    its best quilt.

    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> worst = markov_quilt(chain, 100, "1")
    >>> worst.scale.enclosure().lower[:6], worst.quilt.left, worst.quilt.right
    ('31.737', 12, 12)

    Raises `ModelError` unless epsilon > 0, records are on the chains, and influences can be told
    apart in floats.
    """
    chains = check_type(chains, MarkovChain | Sequence[MarkovChain], "chains")
    length = check_type(length, int, "length")
    records = check_type(records, Sequence[int] | None, "records")
    lipschitz = check_type(lipschitz, Fraction | int, "lipschitz")
    classes = [chains] if isinstance(chains, MarkovChain) else list(chains)
    source = ChainSource(classes, length)
    return worst_record(source, length, Level.coerce(level, "level"), records, lipschitz)


class ChainSource:
    """Exact influences of a class of chains, the largest over the class."""

    claims: tuple[str, ...] = (*RESTS_ON, *TABLES_REST_ON, *INFLUENCES_REST_ON)

    def __init__(
        self, chains: Sequence[MarkovChain], length: int, influences: Sequence[ChainInfluences] | None = None
    ) -> None:
        if not chains:
            raise ModelError("expected at least one chain, found none", "chains")
        self.chains, self.length = chains, length
        self.influences = influences or [ChainInfluences(chain, length) for chain in chains]
        self.position_free = all(influence.laws.stationary for influence in self.influences)
        self.period = math.lcm(*(influence.period for influence in self.influences))
        self._rigorous: dict[int, list[ChainInfluence]] = {}

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of the largest influence over the class."""
        return largest_of([influence.within(first, last, lefts, rights) for influence in self.influences])

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of the largest influence over the class, each exact where it
        is a short number.
        """
        return _largest([self._one(index, record, left, right, bits) for index in range(len(self.chains))])

    def _one(self, index: int, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        laws = self.influences[index].laws
        steps = (left or 0) + (right or 0) + (laws.states if laws.stationary else record)
        known = 0 if steps * laws.denominator.bit_length() <= _SHORT else bits
        if known not in self._rigorous:
            exactly = [Along(chain, self.length, "enclosed" if known else "exact", bits) for chain in self.chains]
            self._rigorous[known] = [ChainInfluence(each) for each in exactly]
        return self.exactly(self._rigorous[known][index], record, left, right)

    def exactly(self, influence: ChainInfluence, record: int, left: int | None, right: int | None) -> Bounds:
        """Return the influence under one chain."""
        return influence.of(record, left, right)


def _largest(influences: Sequence[Bounds]) -> Bounds:
    finite = [
        (influence.lower, influence.upper)
        for influence in influences
        if influence.lower is not None and influence.upper is not None
    ]
    if len(finite) < len(influences):
        return Bounds.infinite()
    return Bounds(max(lower for lower, _ in finite), max(upper for _, upper in finite))
