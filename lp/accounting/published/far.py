"""Two runs of MQMApprox on segments that are far apart: song2017, Theorem III.3 as repaired.

    max(eps_A, eps_B) if T3 - T2 >= max{T2 - T1, T4 - T3}, and some record of either segment has an
    active quilt with two nodes

with h(d) the term of Lemma II.3, infinite up to its threshold, E(a, b) = 2 h(a) + h(b) the estimate
of a quilt within the own segment and score card(N) / (eps - E). A release with Laplace noise of
scale s is what MQMApprox adds at the least level with max_i min_Q (E(Q) + L card(N) / s) <= eps.
Every chain is irreducible with 1 a simple eigenvalue of P P*: else the theorem is false
(song2017.thm-III3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, singledispatch
from itertools import product
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, dyadic, enclose, exp_bounds, log_bounds
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.views import possible_values
from pufferproof.verify.audit import Form, audit_form
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.influence.bounds import EigengapBound, song_bound, spectral_bound
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage, most_of
from pufferproof.verify.noise.accounts.accountant import RecordRate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What is said of one published bound: its value where its conditions are met, else why not.

_LOG_ACCURACY = 72


@dataclass(frozen=True)
class DecidedCondition:
    """A condition of a theorem, decided; `margin` is its distance to the threshold in a `unit`,
    negative where it is not met, or None if there is none to measure.
    """

    says: str
    met: bool
    margin: Fraction | None = None
    unit: str = ""

    def as_json(self) -> JsonObject:
        """Return the condition object of the file formats."""
        margin = None if self.margin is None else _number(self.margin)
        unit = None if margin is None else self.unit
        return {"says": self.says, "met": self.met, "margin": margin, "unit": unit}

    @property
    def distance(self) -> str:
        """By how much the condition is met or missed, in words, "" where nothing is measured."""
        if self.margin is None:
            return ""
        side = "to spare" if self.met else "short"
        return f"{_number(abs(self.margin))} {self.unit} {side}"


def _number(margin: Fraction) -> str:
    return str(margin.numerator) if margin.denominator == 1 else f"{float(margin):.4g}"


@dataclass(frozen=True)
class PublishedBound:
    """A published bound of a joint leakage, or None if its conditions are not met or it is not
    computed, for the `reason` given.

    It rests on `claim`; what the paper prints is the claim `printed`. `parts` are what it is made
    of, by name: levels, influences, a divergence.
    """

    theorem: str
    claim: str
    printed: str
    bound: Leakage | None
    conditions: tuple[DecidedCondition, ...] = ()
    parts: Mapping[str, Leakage] = field(default_factory=dict)
    reason: str = ""

    def above(self, joint: Leakage) -> Enclosure | None:
        """Return by how many nats the bound is above the joint leakage, or None if one of them has
        no finite end.

        Raises `AssertionError` for a bound that is certainly below it.
        """
        if self.bound is None or None in (self.bound.lower, self.bound.upper):
            return None
        if joint.lower is None or joint.upper is None:
            return None
        low = _log(Fraction(self.bound.lower or 1) / joint.upper)[0]
        high = _log(Fraction(self.bound.upper or 1) / joint.lower)[1]
        if high < 0:
            raise AssertionError(f"the joint leakage exceeds the bound of {self.theorem}")
        return enclose(max(low, Fraction(0)), high)  # a bound is never below it

    def as_json(self, joint: Leakage) -> JsonObject:
        """Return the object of the file formats, beside a joint leakage."""
        above = self.above(joint)
        return {
            "theorem": self.theorem,
            "claim": self.claim,
            "printed": self.printed,
            "applies": self.bound is not None,
            "bound": None if self.bound is None else self.bound.as_json(),
            "above": None if above is None else above.as_json(),
            "conditions": [condition.as_json() for condition in self.conditions],
            "parts": {name: part.as_json() for name, part in self.parts.items()},
            "reason": self.reason or None,
        }


def _log(ratio: Fraction) -> tuple[Fraction, Fraction]:
    return (Fraction(0), Fraction(0)) if ratio == 1 else log_bounds(ratio, _LOG_ACCURACY)


def unmet(conditions: Sequence[DecidedCondition]) -> str:
    """Return what is needed and missed, and by how much, "" if all is met."""
    missed = [
        f"{condition.says} ({condition.distance})" if condition.distance else condition.says
        for condition in conditions
        if not condition.met
    ]
    return f"needs {', and '.join(missed)}" if missed else ""


def product_of_levels(*levels: Leakage) -> Leakage:
    """Return the sum of levels, infinite where one is."""
    lower, upper = Fraction(1), Fraction(1)
    for level in levels:
        if level.lower is None or level.upper is None:
            return Leakage.of(None)
        lower, upper = lower * level.lower, upper * level.upper
    return Leakage(lower, upper)


def largest_of(levels: Sequence[Leakage]) -> Leakage:
    """Return the largest of several levels, infinite where one is."""
    return Leakage(most_of([e.lower for e in levels]), most_of([e.upper for e in levels]))


def smallest_of(levels: Sequence[Leakage]) -> Leakage:
    """Return the smallest of several levels."""
    return Leakage(
        min((e.lower for e in levels if e.lower is not None), default=None),
        min((e.upper for e in levels if e.upper is not None), default=None),
    )


# Two mechanisms on two segments of one chain: song2017, Theorem III.1, with the influences where its proof has them.
#
#     E = max{min{eps_A + eps_B, eps_A + e(X_T3 | X_T2)}, min{eps_B + eps_A, eps_B + e(X_T2 | X_T3)}}
#
# for segments T1 .. T2 before T3 .. T4. The levels are the exact ones for all secrets of the own segment, as the
# theorem has them, whichever of these are secrets of the framework. As printed, with the influences exchanged, it is
# false (song2017.thm-III1).
#
# Releases are about two segments if they fall into two groups by the records that their mechanisms look at.

SEGMENTS_RESTS_ON = ("song2017.thm-III1-repaired", "song2017.III1-kernel")
_THEOREM_III1 = ("III.1", "song2017.thm-III1-repaired", "song2017.thm-III1")  # number, claim it rests on, as printed
MOST_SECRETS = 400  # of a segment, whose level is then computed
_EXACT = 64  # records of a chain whose influences are exact fractions
MOST_DATABASES = 4096  # whose rows are compared to see which records a table looks at
Span = tuple[int, int]


@dataclass(frozen=True)
class SegmentReleases:
    """Releases about one segment: their mechanisms, and the first and last record they look at."""

    forms: tuple[Form, ...]
    span: Span


def groups(framework: Framework, forms: Sequence[Form]) -> list[SegmentReleases]:
    """Return the releases by segments that do not overlap, in their order; those that look at no
    record are in none.

    >>> from pufferproof import LocalMechanism, MarkovChain, Records
    >>> coin, nothing = [["3/4", "1/4"], ["1/4", "3/4"]], [["1/2", "1/2"]] * 2
    >>> chain = MarkovChain("stationary", coin)
    >>> space = Framework.of_records(
    ...     Records(3, ("0", "1")), {"s": (1, "0"), "t": (1, "1")}, "disjoint", {"theta": chain}
    ... )
    >>> ends = [
    ...     LocalMechanism("01", "uv", [coin, nothing, nothing]),
    ...     LocalMechanism("01", "uv", [nothing, nothing, coin]),
    ... ]
    >>> [each.span for each in groups(space, ends)]
    [(1, 1), (3, 3)]
    """
    known = [(span, form) for form in forms if (span := seen(form, framework)) is not None]
    found: list[SegmentReleases] = []
    for (first, last), form in sorted(known, key=lambda each: each[0]):
        if found and first <= found[-1].span[1]:
            before = found.pop()
            span = (before.span[0], max(last, before.span[1]))
            found.append(SegmentReleases((*before.forms, form), span))
        else:
            found.append(SegmentReleases((form,), (first, last)))
    return found


@singledispatch
def seen(form: object, framework: Framework) -> Span | None:
    """Return the first and last record that a mechanism may look at, or None."""
    return 1, framework.expect_records().count


@seen.register
def _seen_of_noisy_queries(form: NoisyQueries, framework: Framework) -> Span | None:
    spans = [_asked(query, framework) for query in form.queries]
    spans_seen = [span for span in spans if span is not None]
    return (min(s for s, _ in spans_seen), max(e for _, e in spans_seen)) if spans_seen else None


def _asked(query: RecordQuery | AdditiveNoise, framework: Framework) -> Span | None:
    if isinstance(query, RecordQuery):
        return query.ends
    return _of_rows(framework, query.values)


@seen.register
def _seen_of_local_mechanism(form: LocalMechanism, framework: Framework) -> Span | None:
    shown = [t for t, rows in enumerate(form.records, 1) if any(row != rows[0] for row in rows)]
    return (shown[0], shown[-1]) if shown else None


@seen.register
def _seen_of_channel(form: Channel, framework: Framework) -> Span | None:
    count = framework.expect_records().count
    if len(framework.support) > MOST_DATABASES:
        return 1, count
    aligned = form.aligned(framework.databases, framework.support)
    rows = {}
    for x in framework.support:
        total = aligned.denominators[x]
        rows[framework.databases[x]] = tuple(Fraction(n, total) for n in aligned.numerators_of(x))
    return _of_rows(framework, rows)


def _of_rows(framework: Framework, rows: Mapping[str, object]) -> Span | None:
    """Return the records that possible databases with different rows differ at: the shortest span
    whose values alone decide the row, all records where two spans do.
    """
    records, count = framework.expect_records(), framework.expect_records().count
    if len(framework.support) > MOST_DATABASES:
        return 1, count
    sequences = enumerate(product(range(len(records.alphabet)), repeat=count))
    rows_of = [(x, rows[framework.databases[at]]) for at, x in sequences if at in framework.support]
    if len({row for _, row in rows_of}) == 1:
        return None
    first = max(f for f in range(1, count + 1) if _decided(rows_of, f, count))
    last = min(e for e in range(1, count + 1) if _decided(rows_of, 1, e))
    return (first, last) if first <= last and _decided(rows_of, first, last) else (1, count)


def _decided(known: Sequence[tuple[tuple[int, ...], object]], first: int, last: int) -> bool:
    rows: dict[tuple[int, ...], Any] = {}
    return all(rows.setdefault(x[first - 1 : last], row) == row for x, row in known)


def two_segments(framework: Framework, found: Sequence[SegmentReleases]) -> PublishedBound:
    """Return the bound for two groups of releases, or which condition is not met."""
    conditions = list(about_two_segments(framework, found))
    if reason := unmet(conditions):
        return PublishedBound(*_THEOREM_III1, None, tuple(conditions), reason=reason)
    first, second = found
    if _secrets(framework, first.span) + _secrets(framework, second.span) > MOST_SECRETS:
        reason = f"not computed: segments with more than {MOST_SECRETS} secrets"
        return PublishedBound(*_THEOREM_III1, None, tuple(conditions), reason=reason)
    levels = [own_level(framework, group) for group in found]
    finite = DecidedCondition("mechanisms that keep a level", all(e.upper is not None for e in levels))
    if not finite.met:
        every = (*conditions, finite)
        return PublishedBound(*_THEOREM_III1, None, every, reason=unmet(every))
    forward, backward = influences(framework, first.span[1], second.span[0])
    return PublishedBound(
        *_THEOREM_III1,
        repaired(levels[0], levels[1], forward, backward),
        (*conditions, finite),
        {"eps_A": levels[0], "eps_B": levels[1], "e(X_T3|X_T2)": forward, "e(X_T2|X_T3)": backward},
    )


def repaired(one: Leakage, other: Leakage, forward: Leakage, backward: Leakage) -> Leakage:
    """Return E: forward is e(X_T3|X_T2), beside the level of the first segment."""
    both = product_of_levels(one, other)
    return largest_of(
        [smallest_of([both, product_of_levels(one, forward)]), smallest_of([both, product_of_levels(other, backward)])]
    )


def about_two_segments(framework: Framework, found: Sequence[SegmentReleases]) -> Iterator[DecidedCondition]:
    """Yield the conditions of the setting: a chain, two segments apart, secrets within them."""
    chains = all(isinstance(prior, MarkovChain) for prior in framework.priors.values())
    yield DecidedCondition("a Markov chain under every prior", chains)
    if len(found) == 2:
        (_, T2), (T3, _) = (group.span for group in found)
        yield DecidedCondition(
            "two segments, T2 < T3", True, Fraction(T3 - T2 - 1), "record" if abs(T3 - T2 - 1) == 1 else "records"
        )
        places = {record for record, _ in framework.places.values()}
        outside = sum(not any(s <= at <= e for s, e in (g.span for g in found)) for at in places)
        margin = Fraction(-outside) if outside else None
        yield DecidedCondition(
            "secrets about the segments alone", not outside, margin, "record" if abs(outside) == 1 else "records"
        )
    else:
        yield DecidedCondition(f"two segments that do not overlap (found {len(found)})", False)


def _secrets(framework: Framework, span: Span) -> int:
    values = len(framework.expect_records().alphabet)
    return (span[1] - span[0] + 1) * values * len(framework.priors)


def own_level(framework: Framework, group: SegmentReleases) -> Leakage:
    """Return what the releases of a group leak together about the values of their own records."""
    records, (first, last) = framework.expect_records(), group.span
    secrets = {f"x{t}={value}": (t, value) for t in range(first, last + 1) for value in records.alphabet}
    own = Framework.of_records(records, secrets, "disjoint", framework.priors)
    within = range(first, last + 1)
    if all(len(values) <= 1 for prior in own.priors for values in possible_values(own, prior, within).values()):
        return Leakage.of(Fraction(1))
    if len(group.forms) == 1:
        return audit_form(own, group.forms[0]).leakage
    return compose(own, list(group.forms)).joint.leakage


def influences(framework: Framework, T2: int, T3: int) -> tuple[Leakage, Leakage]:
    """Return e(X_T3 | X_T2) and e(X_T2 | X_T3), the largest over the priors."""
    forward, backward = [], []
    for prior in framework.priors.values():
        if not isinstance(prior, MarkovChain):
            raise TypeError("an influence of a chain")
        length = framework.expect_records().count
        along = Along(prior, length, "exact" if length <= _EXACT else "enclosed", 256)
        influence = ChainInfluence(along)
        forward.append(_level(influence.of(T2, None, T3 - T2)))
        backward.append(_level(influence.of(T3, T3 - T2, None)))
    return largest_of(forward), largest_of(backward)


def _level(bounds: Bounds) -> Leakage:
    return Leakage(bounds.lower, bounds.upper)


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
        (T1, T2), (T3, T4) = (group.span for group in found)
        spare = (T3 - T2) - max(T2 - T1, T4 - T3)
        unit = "record" if abs(spare) == 1 else "records"
        conditions += [
            DecidedCondition("T3 - T2 >= max{T2 - T1, T4 - T3}", spare >= 0, Fraction(spare), unit),
            *_of_priors(framework),
        ]
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
                _least([None if h is None else k * h[end] + d * cost for d, h in list(enumerate(terms, 1))])
                for k in (2, 1)
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


def _known(terms: Sequence[Ends | None], most: int) -> list[tuple[int, Ends]]:
    """Return the distances up to `most` with a term, and these."""
    return [(d, h) for d, h in list(enumerate(terms, 1))[:most] if h is not None]


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
