"""Influences along chains as `quilt_search` asks for them: many pairs of distances at once, in
floats with a proven error.

For one record, or for all records of a segment together, those from one to another in steps of the
period of the chain: then bounds from above, and the influences themselves where laws do not change.
Far along a chain, laws are near a multiple of the stationary one on each cyclic class, and bounds
of that quotient replace them. Exact influences are in `pufferproof.verify.influence.chain`.
"""

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain, stationary_law
from pufferproof.models.priors.structure import cyclic_classes, is_irreducible, period
from pufferproof.models.sequences.arithmetic import Rounded, relative_error
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.floats import largest_quotients_approx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Floats = NDArray[np.float64]

RESTS_ON = ("influence.any-start", "influence.far-laws")
_LEAST = 2.0**-300
_CACHED = 1 << 24  # floats
_WORK = 1 << 22  # floats worked on at a time
_MOST_LAWS = 1 << 25  # floats: laws of single records that are kept
_SETTLED, _NEARLY = 2.0**-44, 2.0**-28
_LOGARITHM = 2.0**-49


class SegmentOdds(NamedTuple):
    """The values a record of a segment can have, bounds of the largest m(w) / m(v) for them,
    and roundings behind these.
    """

    values: tuple[int, ...]
    ratios: "Floats"
    roundings: int


class ChainInfluences:
    """Bounds of influences of one chain over any records; `laws` are its float laws.

    For a segment m_i(w) / m_i(v) is replaced by the largest m_i(w) over the least positive m_i(v),
    and what X_(i-a) can be by what any record that many steps before one of a segment can be. That
    bounds the influence at every record of it from above, and is the influence itself where laws do
    not change.
    """

    def __init__(self, chain: MarkovChain, length: int) -> None:
        self.laws = Along(chain, length, "float")
        self._forward: dict[tuple[int, tuple[int, ...]], Floats] = {}
        self.odds = lru_cache(maxsize=64)(self._odds_within)
        self._columns: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Floats] = {}

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds (lower, upper) of an e in nats that no e_i of a segment exceeds; of e_i
        itself if it is one record.

        Distances may be 0 for no record on that side.
        """
        import numpy as np

        odds = self.odds(first, last)
        if len(odds.values) < 2:
            return np.zeros(len(lefts)), np.zeros(len(lefts))
        left, before = np.unique(lefts, return_inverse=True)
        right, after = np.unique(rights, return_inverse=True)
        columns = np.array([self._left(int(distance), first, last, odds) for distance in left])
        forward = np.array([self._right(int(distance), odds.values) for distance in right])
        ratios = np.empty(len(lefts))
        step = max(1, _WORK // columns.shape[1])
        for start in range(0, len(lefts), step):
            part = slice(start, start + step)
            ratios[part] = (columns[before[part]] * forward[after[part]]).max(axis=1)
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(ratios, 1.0))
        both, after_only = (self._error(int(left[-1]), int(right[-1]), odds), self._error(0, int(right[-1]), odds))
        error = np.where(lefts > 0, both, np.where(rights > 0, after_only, 0.0))
        return np.maximum(logs * (1 - _LOGARITHM) - error, 0.0), logs * (1 + _LOGARITHM) + error

    def _error(self, left: int, right: int, odds: SegmentOdds) -> float:
        """Return a bound of logarithms' errors: twice the one at the largest distances."""
        powers = sum(readable(self.laws.power_matrix(distance)).roundings for distance in (left, right) if distance)
        return 2 * float(relative_error(2 * (odds.roundings * (left > 0) + powers) + 8))

    def _right(self, distance: int, values: tuple[int, ...]) -> "Floats":
        import numpy as np

        if not distance:
            return np.ones(len(values) ** 2)
        key = distance, values
        if key not in self._forward:
            self._make_room(len(values) ** 2)
            power = readable(self.laws.power_matrix(distance)).values
            self._forward[key] = largest_quotients_approx(power[list(values)]).ravel()
        return self._forward[key]

    def _left(self, distance: int, first: int, last: int, odds: SegmentOdds) -> "Floats":
        import numpy as np

        if not distance:
            return np.ones(len(odds.values) ** 2)
        rows = self._rows(first, last, distance)
        key = distance, rows, odds.values
        if key not in self._columns:
            self._make_room(len(odds.values) ** 2)
            power = readable(self.laws.power_matrix(distance)).values
            self._columns[key] = largest_quotients_approx(power[np.ix_(rows, odds.values)].T).ravel()
        return self._columns[key] * odds.ratios.ravel()

    @cached_property
    def period(self) -> int:
        """The period p of an irreducible chain, else 1."""
        return period(self.laws.transition) if is_irreducible(self.laws.transition) else 1

    @cached_property
    def _classes(self) -> "Indices":
        """The cyclic class of every state, 0 for all unless the chain is irreducible."""
        import numpy as np

        classes = cyclic_classes(self.laws.transition) if self.period > 1 else (0,) * self.laws.states
        return np.array(classes, dtype=np.int64)

    def _make_room(self, size: int) -> None:
        """Forget tables and the powers that they came from where there are too many."""
        if (len(self._forward) + len(self._columns)) * size > _CACHED:
            self._forward.clear()
            self._columns.clear()
            self.laws = Along(self.laws.chain, self.laws.length, "float")

    def _rows(self, first: int, last: int, distance: int) -> tuple[int, ...]:
        """Return the values that the record so many steps before one of a segment can have."""
        if first == last:
            return tuple(self.laws.possible(first - distance))
        return self._ever[(first - distance) % self.period]

    @cached_property
    def _ever(self) -> list[tuple[int, ...]]:
        """The values that some record t can have, by the remainder of t by the period."""
        now = {(x, 1 % self.period) for x in self.laws.possible(1)}
        seen = set(now)
        while now:
            steps = ((y, x, rest) for x, rest in now for y in range(self.laws.states))
            now = {(y, (rest + 1) % self.period) for y, x, rest in steps if self.laws.transition[x][y]} - seen
            seen |= now
        return [tuple(sorted(x for x, rest in seen if rest == wanted)) for wanted in range(self.period)]

    def _odds_within(self, first: int, last: int) -> SegmentOdds:
        import numpy as np

        if first == last or self.laws.stationary:
            law = readable(self.laws.law_matrix(first))
            least = most = law.values[0]
            roundings = law.roundings
        else:
            least, most, roundings = self._range(first, last)
        values = np.flatnonzero(most)
        with np.errstate(divide="ignore"):
            ratios = most[None, values] / least[values, None]
        np.fill_diagonal(ratios, 1.0)
        return SegmentOdds(tuple(int(v) for v in values), ratios, roundings)

    def _range(self, first: int, last: int) -> "tuple[Floats, Floats, int]":
        """Return the least positive and largest m_i(v) over a segment, and their roundings."""
        import numpy as np

        known = self._marginals
        rows, roundings = known[first - 1 : last : self.period], last * (self.laws.states + 1)
        most = rows.max(axis=0, initial=0.0)
        least = np.min(rows, axis=0, where=rows > 0, initial=np.inf)
        if last > len(known):
            # the last law known of a record in the same class
            base = len(known) - (len(known) - first) % self.period
            ratios = known[base - 1] / self._pi  # later ones lie between (influence.far-laws)
            for each in range(self.period):
                inside = self._classes == each
                most[inside] = np.maximum(most[inside], self._pi[inside] * ratios[inside].max())
                if ratios[inside].max() > 0:
                    least[inside] = np.minimum(least[inside], self._pi[inside] * ratios[inside].min())
            roundings = len(known) * (self.laws.states + 1) + 4
        least[most == 0] = 1.0
        return least, most, roundings

    @cached_property
    def _pi(self) -> "Floats":
        import numpy as np

        return np.array([float(p) for p in stationary_law(self.laws.transition)])

    @cached_property
    def _marginals(self) -> "Floats":
        """The laws of X_1 .. X_H: of all records, or up to p records whose laws have settled."""
        import numpy as np

        laws, settled, before = self.laws, 0, math.inf
        laws_by_record: list[Floats] = []
        settles = is_irreducible(laws.transition)
        now, step = laws.law_matrix(1), laws.power_matrix(1)
        while len(laws_by_record) < laws.length and settled < self.period:
            laws_by_record.append(readable(now).values[0])
            spread = self._spread(laws_by_record[-1]) if settles else math.inf
            if len(laws_by_record).bit_count() == 1 and settled == 0:
                settled, before = (int(before / 2 <= spread <= _NEARLY), spread)  # rounding errors are all that is left
            settled += settled > 0 or spread <= _SETTLED
            if len(laws_by_record) * laws.states > _MOST_LAWS:
                raise ModelError(
                    f"laws of {len(laws_by_record)} records differ from each other: expected a "
                    "shorter chain, or one that mixes faster",
                    "length",
                )
            now = laws.arithmetic.times(now, step)
        return np.array(laws_by_record)

    def _spread(self, law: "Floats") -> float:
        """Return how far a law is, on cyclic classes, from a multiple of the stationary law."""
        ratios = law / self._pi
        parts = [ratios[self._classes == each] for each in range(self.period)]
        return max(float(1 - part.min() / part.max()) if part.max() > 0 else 0.0 for part in parts)


def largest_of(parts: "Sequence[tuple[Floats, Floats]]") -> "tuple[Floats, Floats]":
    """Return bounds of the largest influence over several chains."""
    import numpy as np

    return np.max([low for low, _ in parts], axis=0), np.max([high for _, high in parts], axis=0)


def readable(matrix: Rounded) -> Rounded:
    """Return a matrix. Raises `ModelError` unless its entries are 0 or large enough for
    quotients of them.
    """
    if matrix.least < _LEAST:
        raise ModelError(
            "probabilities below 2^-300 are met within the chain, too small to search quilts with", "transition"
        )
    return matrix
