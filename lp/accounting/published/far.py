"""Two runs of MQMApprox on segments that are far apart: song2017, Theorem III.3 as repaired.

    max(eps_A, eps_B) if T3 - T2 >= max{T2 - T1, T4 - T3}, and some record of either segment has an
    active quilt with two nodes

with h(d) the term of Lemma II.3, infinite up to its threshold, E(a, b) = 2 h(a) + h(b) the estimate
of a quilt within the own segment and score card(N) / (eps - E). A release with Laplace noise of
scale s is what MQMApprox adds at the least level with max_i min_Q (E(Q) + L card(N) / s) <= eps.
Every chain is irreducible with 1 a simple eigenvalue of P P*: else the theorem is false
(song2017.thm-III3).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.lp.accounting.published.bound import DecidedCondition, PublishedBound, largest_of, unmet
from pufferproof.lp.accounting.published.segments import SegmentReleases, about_two_segments
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic, exp_bounds, log_bounds
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.influence.bounds import EigengapBound, song_bound, spectral_bound
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import RecordRate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("song2017.thm-III3-repaired", "song2017.lem-II3-repaired")
SAID = ("III.3", "song2017.thm-III3-repaired", "song2017.thm-III3")  # theorem, claim it rests on, claim as printed
LONGEST = 400  # records of a segment whose quilts are scored
_BITS, _ACCURACY = 192, 96
Ends = tuple[Fraction, Fraction]  # of a number in nats
ZERO = (Fraction(0), Fraction(0))


def far_segments(framework: Framework, found: Sequence[SegmentReleases]) -> PublishedBound:
    """Return the bound for one Laplace query on either segment, or the condition not met."""
    conditions = list(about_two_segments(framework, found))
    if len(found) == 2:
        conditions += _of_mechanisms(found)
    if all(condition.met for condition in conditions):
        conditions += [_gap(found), *_of_priors(framework)]
    if reason := unmet(conditions):
        return PublishedBound(*SAID, None, tuple(conditions), reason=reason)
    if max(last - first for first, last in (group.span for group in found)) >= LONGEST:
        reason = f"not computed: a segment of more than {LONGEST} records"
        return PublishedBound(*SAID, None, tuple(conditions), reason=reason)
    scored = [_Segment.of(framework, group) for group in found]
    conditions += [each.two_sided(name) for each, name in zip(scored, ("the first segment", "the second"))]
    levels = [_as_ratio(each.level) for each in scored]
    parts = {"eps_A": levels[0], "eps_B": levels[1]}
    if reason := unmet(conditions):
        return PublishedBound(*SAID, None, tuple(conditions), parts, reason)
    return PublishedBound(*SAID, largest_of(levels), tuple(conditions), parts)


def _of_mechanisms(found: Sequence[SegmentReleases]) -> Iterator[DecidedCondition]:
    single = all(len(group.forms) == 1 and _query(group) is not None for group in found)
    yield DecidedCondition("one query with noise on either segment", single)
    if single:
        queries = [query for group in found if (query := _query(group)) is not None]
        yield DecidedCondition("Laplace noise", all(query.noise.kind == "laplace" for query in queries))


def _query(group: SegmentReleases) -> RecordQuery | None:
    form = group.forms[0]
    if isinstance(form, NoisyQueries) and len(form.queries) == 1:
        query = form.queries[0]
        return query if isinstance(query, RecordQuery) else None
    return None


def _gap(found: Sequence[SegmentReleases]) -> DecidedCondition:
    (T1, T2), (T3, T4) = (group.span for group in found)
    spare = (T3 - T2) - max(T2 - T1, T4 - T3)
    unit = "record" if abs(spare) == 1 else "records"
    return DecidedCondition("T3 - T2 >= max{T2 - T1, T4 - T3}", spare >= 0, Fraction(spare), unit)


def _of_priors(framework: Framework) -> Iterator[DecidedCondition]:
    yield DecidedCondition(
        "irreducible chains with 1 a simple eigenvalue of P P*",
        all(_repairs(prior) for prior in framework.priors.values()),
    )


def _repairs(prior: object) -> bool:
    """Whether the repair of Lemma II.3 is about a chain."""
    try:
        _bound(prior)
    except ModelError:
        return False
    return True


def _bound(prior: object) -> EigengapBound:
    """Return the terms of Lemma II.3. Raises `ModelError` unless its repair holds of the chain."""
    if not isinstance(prior, MarkovChain):
        raise ModelError("expected a Markov chain")
    spectral_bound(prior.transition, stationary=False)  # refuses other chains, naming states
    return song_bound(prior.transition)


def _as_ratio(level: Ends) -> Leakage:
    low, high = level
    one = Fraction(1)
    lower = max(one, exp_bounds(low, _ACCURACY)[0]) if low > 0 else one
    return Leakage(lower, exp_bounds(high, _ACCURACY)[1] if high > 0 else one)


@dataclass(frozen=True)
class _Segment:
    """A segment of `size` records: what one nearby record costs, and for every prior the terms h(d)
    for d = 1, 2, .., None up to the threshold; all between two ends in nats.
    """

    size: int
    cost: Ends
    terms: tuple[tuple[Ends | None, ...], ...]

    @classmethod
    def of(cls, framework: Framework, group: SegmentReleases) -> "_Segment":
        query = _query(group)
        if query is None:
            raise TypeError("a query of records")
        first, last = group.span
        size = last - first + 1
        bounds = [_bound(prior) for prior in framework.priors.values()]
        terms = tuple(tuple(_term(bound, d) for d in range(1, size)) for bound in bounds)
        return cls(size, _cost(query, framework), terms)

    @cached_property
    def level(self) -> Ends:
        """The least level at which the mechanism asks for no more noise."""
        levels = [self._level(terms) for terms in self.terms]
        return max(low for low, _ in levels), max(high for _, high in levels)

    def _level(self, terms: Sequence[Ends | None]) -> Ends:
        """Return max over records of min E(Q) + card(N) times the cost, of one prior."""
        ends = []
        for end in (0, 1):
            cost = self.cost[end]
            # 2 h(a) + a cost, and h(b) + b cost, the least up to each distance
            left, right = (
                _least([None if h is None else k * h[end] + d * cost for d, h in _from_1(terms)]) for k in (2, 1)
            )
            ends.append(max(self._of_record(i, left, right, cost) for i in range(self.size)))
        return ends[0], ends[1]

    def _of_record(
        self, before: int, left: Sequence[Fraction | None], right: Sequence[Fraction | None], cost: Fraction
    ) -> Fraction:
        after = self.size - 1 - before
        one, other = left[before], right[after]
        scores = [self.size * cost]  # {}: all records are near
        if one is not None:
            scores.append(one + after * cost)
        if other is not None:
            scores.append(other + before * cost)
        if one is not None and other is not None:
            scores.append(one + other - cost)
        return min(scores)

    def two_sided(self, name: str) -> DecidedCondition:
        """Say whether under every prior some record has an active quilt with two nodes, and by
        which part of the next best score it is better, or is missed.
        """
        says = f"an active quilt with two nodes in {name}"
        margins = [self._margin(terms) for terms in self.terms]
        margins_known = [margin for margin in margins if margin is not None]
        if len(margins_known) < len(margins):
            return DecidedCondition(f"{says}: none is beyond the threshold of Lemma II.3", False)
        least = min(margins_known)
        return DecidedCondition(says, least > 0, 100 * least, "% of the next best score")

    def _margin(self, terms: Sequence[Ends | None]) -> Fraction | None:
        """Return 1 - (least score with two nodes) / (least other score), from below, or None."""
        place = self._most_approx(terms)
        if place is None:
            return None
        before, a, b = place
        after, known = self.size - 1 - before, [ZERO if h is None else h for h in terms]
        two = self._score(a + b - 1, 2 * known[a - 1][1] + known[b - 1][1], above=True)
        others = [
            self._score(self.size, Fraction(0), above=False),
            *(self._score(d + after, 2 * h[0], above=False) for d, h in _known(terms, before)),
            *(self._score(d + before, h[0], above=False) for d, h in _known(terms, after)),
        ]
        least = [other for other in others if other is not None]
        if two is None:
            return None
        return 1 - two / min(least) if least else Fraction(1)

    def _most_approx(self, terms: Sequence[Ends | None]) -> tuple[int, int, int] | None:
        """Return in floats the record whose best quilt with two nodes is best beside others."""
        import numpy as np

        h = np.array([np.inf, *(np.inf if t is None else float(t[1]) for t in terms)])
        d, level = np.arange(self.size), float(self.level[1])
        two = _scores_approx(d[:, None] + d - 1, level - 2 * h[:, None] - h)
        best: tuple[float, tuple[int, int, int]] | None = None
        for before in range(1, self.size - 1):
            after = self.size - 1 - before
            inside = two[: before + 1, : after + 1]
            a, b = np.unravel_index(np.argmin(inside), inside.shape)
            others = min(
                float(_scores_approx(d + after, level - 2 * h)[: before + 1].min()),
                float(_scores_approx(d + before, level - h)[: after + 1].min()),
                self.size / level if level else np.inf,
            )
            score = float(inside[a, b])
            if score < np.inf and (best is None or score / others < best[0]):
                best = score / others, (before, int(a), int(b))
        return None if best is None else best[1]

    def _score(self, near: int, estimate: Fraction, above: bool) -> Fraction | None:
        """Return card(N) / (eps - E) from above or below, None for an infinite one."""
        left = self.level[0 if above else 1] - estimate
        return near / left if left > 0 else None


def _from_1(terms: Sequence[Ends | None]) -> list[tuple[int, Ends | None]]:
    return list(enumerate(terms, 1))


def _known(terms: Sequence[Ends | None], most: int) -> list[tuple[int, Ends]]:
    """Return the distances up to `most` with a term, and these."""
    return [(d, h) for d, h in _from_1(terms)[:most] if h is not None]


def _scores_approx(near: "NDArray[np.int64]", left: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return card(N) / (eps - E) in floats, infinite unless E < eps."""
    import numpy as np

    return np.where(left > 0, near / np.where(left > 0, left, 1.0), np.inf)


def _least(values: Sequence[Fraction | None]) -> list[Fraction | None]:
    """Return the least of the first values, for each number of them from 0 on; None is infinite."""
    sums: list[Fraction | None] = [None]
    for value in values:
        known = [each for each in (sums[-1], value) if each is not None]
        sums.append(min(known, default=None))
    return sums


def _term(bound: EigengapBound, distance: int) -> Ends | None:
    ratio = bound.at(None, distance)
    if ratio is None:
        return None
    low, high = (
        log_bounds(end, _ACCURACY)[k] if end > 1 else Fraction(0) for k, end in enumerate((ratio.lower, ratio.upper))
    )
    return max(low, Fraction(0)), high


def _cost(query: RecordQuery, framework: Framework) -> Ends:
    """Enclose L / s."""
    from flint import ctx

    with ctx.workprec(_BITS):
        cost = RecordRate.of(query, framework).ball()
        return max(dyadic(cost.lower()), Fraction(0)), dyadic(cost.upper())
