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
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.noise.scale import quotient
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.priors.chains import ChainClass, GapChains
from pufferproof.models.priors.markov import MarkovChain, cyclic_classes, is_irreducible, period, stationary_law
from pufferproof.models.sequences.arithmetic import Bounds, Rounded, relative_error
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.box.largest import QUILTS_RESTS_ON as BOXES_REST_ON
from pufferproof.verify.influence.box.largest import Quilt, class_rests_on, nearby, quilts_of
from pufferproof.verify.influence.chain import RESTS_ON as INFLUENCES_REST_ON
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.network import ENUMERATION_RESTS_ON as FLOATS_REST_ON
from pufferproof.verify.influence.network import largest_quotients_approx
from pufferproof.verify.influence.quilts.worst_record import ActiveQuilt, QuiltScale, worst_record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Influences along chains as `quilt_search` asks for them: many pairs of distances at once, in floats with a proven
# error.
#
# For one record, or for all records of a segment together, those from one to another in steps of the period of the
# chain: then bounds from above, and the influences themselves where laws do not change. Far along a chain, laws are
# near a multiple of the stationary one on each cyclic class, and bounds of that quotient replace them. Exact
# influences are in `pufferproof.verify.influence.chain`.

if TYPE_CHECKING:
    Indices = NDArray[np.int64]

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

TABLES_RESTS_ON = ("influence.any-start", "influence.far-laws")
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
            spread = math.inf
            if settles:  # how far the law is, on cyclic classes, from a multiple of the stationary law
                ratios = laws_by_record[-1] / self._pi
                parts = [ratios[self._classes == each] for each in range(self.period)]
                spread = max(float(1 - part.min() / part.max()) if part.max() > 0 else 0.0 for part in parts)
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


def readable(matrix: Rounded) -> Rounded:
    """Return a matrix. Raises `ModelError` unless its entries are 0 or large enough for
    quotients of them.
    """
    if matrix.least < _LEAST:
        raise ModelError(
            "probabilities below 2^-300 are met within the chain, too small to search quilts with", "transition"
        )
    return matrix


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

    claims: tuple[str, ...] = (*RESTS_ON, *TABLES_RESTS_ON, *INFLUENCES_REST_ON)

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
        parts = [influence.within(first, last, lefts, rights) for influence in self.influences]
        import numpy as np

        return np.max([low for low, _ in parts], axis=0), np.max([high for _, high in parts], axis=0)

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of the largest influence over the class, each exact where it
        is a short number.
        """
        bounds = []
        for index, laws in enumerate(influence.laws for influence in self.influences):
            steps = (left or 0) + (right or 0) + (laws.states if laws.stationary else record)
            known = 0 if steps * laws.denominator.bit_length() <= _SHORT else bits
            if known not in self._rigorous:
                exactly = [Along(chain, self.length, "enclosed" if known else "exact", bits) for chain in self.chains]
                self._rigorous[known] = [ChainInfluence(each) for each in exactly]
            bounds.append(self.exactly(self._rigorous[known][index], record, left, right))
        return _largest(bounds)

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


# The Markov quilt mechanism on classes of chains: any law of the first record, and two-state matrices in a box; and
# reversible chains with bounds of the stationary law and the eigengap.
#
#     sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - e_Theta(X_Q | X_i))
#
# with the class-wide influence e_Theta, the supremum over the class, of every quilt (wang2016, Section 4.2). Over all
# laws of X_1 it falls in i: a segment of records is bounded by its first. Over a box of two states it is attained at
# one of two corners for every quilt alike (`pufferproof.verify.influence.box.largest`). Boxes with more states or with
# a given law of X_1 have upper bounds of influences, of the quilts in `pufferproof.verify.influence.box.largest`: a
# scale that keeps the level, which need not be the least.

CLASSES_RESTS_ON = ("influence.any-start", "influence.two-states", "wang2016.thm-4.4")


def markov_quilt_of_class(
    box: ChainClass, length: int, level: LevelLike, records: Sequence[int] | None = None, lipschitz: Fraction | int = 1
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism on a class of chains; arguments as for
    `markov_quilt`.

    >>> rows = [["9/10", "1/10"], ["1/10", "9/10"]]
    >>> from pufferproof.models.priors.chains import IntervalChain
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
    # matrices one of which has the largest influence, for every quilt
    if box.single:
        if not isinstance(box.initial, str):
            raise ModelError("expected a chain, found a class of one", "initial")
        corners = [box.lower]
    else:
        least, most = (box.lower[0][1], box.lower[1][0]), (box.upper[0][1], box.upper[1][0])
        if not all(least):
            raise ModelError(
                "expected positive probabilities of change throughout the box: influence is infinite", "transition"
            )
        changes = [least] * (sum(least) <= 1) + [most] * (sum(most) >= 1)
        corners = [((1 - p, p), (r, 1 - r)) for p, r in changes]
    if box.initial == "stationary":
        chosen = [box.chain(corner) for corner in corners]
        found = markov_quilt(chosen, length, level, records, lipschitz)
        return replace(found, claims=(*CLASSES_RESTS_ON, *found.claims))
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


class _AnyStart(ChainSource):
    """Influences over all laws of X_1, the largest over some matrices."""

    claims: tuple[str, ...] = (*CLASSES_RESTS_ON, *ChainSource.claims, *FLOATS_REST_ON)

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
