"""The Markov quilt mechanism on classes of chains: any law of the first record, and two-state
matrices in a box; and reversible chains with bounds of the stationary law and the eigengap.

    sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - e_Theta(X_Q | X_i))

with the class-wide influence e_Theta, the supremum over the class, of every quilt (wang2016,
Section 4.2). Over all laws of X_1 it falls in i: a segment of records is bounded by its first. Over
a box of two states it is attained at one of two corners for every quilt alike
(`pufferproof.verify.influence.box.largest`). Boxes with more states or with a given law of X_1 have
upper bounds of influences, of the quilts in `pufferproof.verify.influence.box.quilts`: a scale that
keeps the level, which need not be the least.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.noise.scale import quotient
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.priors.chains.box import IntervalChain, Rows
from pufferproof.models.priors.chains.gap import ChainClass, GapChains
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.box.largest import class_rests_on
from pufferproof.verify.influence.box.quilts import RESTS_ON as BOXES_REST_ON
from pufferproof.verify.influence.box.quilts import Quilt, nearby, quilts_of
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.floats import RESTS_ON as FLOATS_REST_ON
from pufferproof.verify.influence.floats import largest_quotients_approx
from pufferproof.verify.influence.quilts.exact import ChainSource, markov_quilt
from pufferproof.verify.influence.quilts.tables import ChainInfluences, SegmentOdds, readable
from pufferproof.verify.influence.quilts.worst_record import ActiveQuilt, QuiltScale, worst_record

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESTS_ON = ("influence.any-start", "influence.two-states", "wang2016.thm-4.4")


def markov_quilt_of_class(
    box: ChainClass, length: int, level: LevelLike, records: Sequence[int] | None = None, lipschitz: Fraction | int = 1
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism on a class of chains; arguments as for
    `markov_quilt`.

    >>> rows = [["9/10", "1/10"], ["1/10", "9/10"]]
    >>> worst = markov_quilt_of_class(IntervalChain("any", rows, rows), 100, "1")
    >>> worst.scale.enclosure().lower[:6], worst.quilt.left, worst.quilt.right
    ('33.629', None, 12)

    Raises `ModelError` unless the class is one matrix with any law of X_1, or a box; of two-state
    matrices with any or the stationary law, all probabilities of change must be positive; and as
    `markov_quilt` does.
    """
    box = check_type(box, ChainClass, "box")
    length = check_type(length, int, "length")
    records = check_type(records, Sequence[int] | None, "records")
    lipschitz = check_type(lipschitz, Fraction | int, "lipschitz")
    if isinstance(box, GapChains):
        return _bounded(box, length, Level.coerce(level, "level"), records, Fraction(lipschitz))
    if not box.single and (box.states > 2 or not isinstance(box.initial, str)):
        return _bounded(box, length, Level.coerce(level, "level"), records, Fraction(lipschitz))
    corners = _corners(box)
    if box.initial == "stationary":
        chosen = [box.chain(corner) for corner in corners]
        found = markov_quilt(chosen, length, level, records, lipschitz)
        return replace(found, claims=(*RESTS_ON, *found.claims))
    chains = [MarkovChain([Fraction(1, box.states)] * box.states, corner) for corner in corners]
    epsilon = Level.coerce(level, "level")
    return worst_record(_AnyStart(chains, length), length, epsilon, records, lipschitz)


def _bounded(
    box: ChainClass, length: int, level: Level, records: Sequence[int] | None, lipschitz: Fraction
) -> QuiltScale:
    """Return the scale of the record that asks for most noise, by upper bounds of influences."""
    if level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "epsilon")
    quilts, epsilon = quilts_of(box, length), float(exact(level.enclosure().lower))
    worst: QuiltScale | None = None
    places = quilts.places(records)
    for record in places:

        def cost(quilt: Quilt, influence: float, record: int = record) -> float:
            first, last = nearby(record, quilt, length)
            return (last - first + 1) / (epsilon - influence) if influence < epsilon else inf

        chosen = quilts.best(record, cost)
        influence = quilts.influence(chosen)
        first, last = nearby(record, chosen, length)
        count = last - first + 1
        # L card(N) / (epsilon - e_Theta), with an upper bound of e_Theta
        scale = quotient(lipschitz * count, level, Bounds(influence.upper, influence.upper))
        quilt = ActiveQuilt(record, *chosen, count, influence)
        if worst is None or (scale.upper or 0) > (worst.scale.upper or 0):
            claims = (*BOXES_REST_ON, *class_rests_on(box))
            worst = QuiltScale(scale, quilt, len(places), claims=claims)
    if worst is None:
        raise ModelError("expected at least one record, found none", "records")
    return worst


def _corners(box: IntervalChain) -> list[Rows]:
    """Return the matrices one of which has the largest influence, for every quilt."""
    if box.single:
        if isinstance(box.initial, str):
            return [box.lower]
        raise ModelError("expected a chain, found a class of one", "initial")
    least, most = (box.lower[0][1], box.lower[1][0]), (box.upper[0][1], box.upper[1][0])
    if not all(least):
        raise ModelError(
            "expected positive probabilities of change throughout the box: influence is infinite", "transition"
        )
    chosen = [least] * (sum(least) <= 1) + [most] * (sum(most) >= 1)
    return [((1 - p, p), (r, 1 - r)) for p, r in chosen]


class _AnyStart(ChainSource):
    """Influences over all laws of X_1, the largest over some matrices."""

    claims: tuple[str, ...] = (*RESTS_ON, *ChainSource.claims, *FLOATS_REST_ON)

    def __init__(self, chains: Sequence[MarkovChain], length: int) -> None:
        super().__init__(chains, length, [_Influences(chain, length) for chain in chains])
        self.position_free, self.period = False, 1

    def exactly(self, influence: ChainInfluence, record: int, left: int | None, right: int | None) -> Bounds:
        """Return the supremum over the laws of X_1."""
        return influence.any_start(record, left, right)


class _Influences(ChainInfluences):
    """Bounds of the supremum over all laws of X_1; of a segment that of its first record."""

    def _odds_within(self, first: int, last: int) -> SegmentOdds:
        import numpy as np

        values = self._reached(first)
        power = readable(self.laws.power_matrix(first - 1))
        ratios: NDArray[np.float64] = largest_quotients_approx(power.values[:, list(values)].T).T.copy()
        np.fill_diagonal(ratios, 1.0)
        return SegmentOdds(values, ratios, power.roundings)

    def _rows(self, first: int, last: int, distance: int) -> tuple[int, ...]:
        return self._reached(first - distance)

    def _reached(self, record: int) -> tuple[int, ...]:
        """Return the values that a record can have from some start: fewer as records go on."""
        import numpy as np

        return tuple(int(v) for v in np.flatnonzero(self.laws.pattern(record - 1).any(axis=0)))
