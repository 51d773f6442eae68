"""Two mechanisms on two segments of one chain: song2017, Theorem III.1, with the influences where
its proof has them.

    E = max{min{eps_A + eps_B, eps_A + e(X_T3 | X_T2)}, min{eps_B + eps_A, eps_B + e(X_T2 | X_T3)}}

for segments T1 .. T2 before T3 .. T4. The levels are the exact ones for all secrets of the own
segment, as the theorem has them, whichever of these are secrets of the framework. As printed, with
the influences exchanged, it is false (song2017.thm-III1).

This file also says which records mechanisms look at, and the two groups that releases fall into
where they are about two segments of one chain.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from itertools import product
from typing import Any

from pufferproof.lp.accounting.published.bound import (
    DecidedCondition,
    PublishedBound,
    largest_of,
    product_of_levels,
    smallest_of,
    unmet,
)
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.models.views import possible_values
from pufferproof.verify.audit import Form, audit_form
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("song2017.thm-III1-repaired", "song2017.III1-kernel")
SAID = ("III.1", "song2017.thm-III1-repaired", "song2017.thm-III1")  # theorem, claim it rests on, claim as printed
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
        return PublishedBound(*SAID, None, tuple(conditions), reason=reason)
    first, second = found
    if _secrets(framework, first.span) + _secrets(framework, second.span) > MOST_SECRETS:
        reason = f"not computed: segments with more than {MOST_SECRETS} secrets"
        return PublishedBound(*SAID, None, tuple(conditions), reason=reason)
    levels = [own_level(framework, group) for group in found]
    finite = DecidedCondition("mechanisms that keep a level", all(e.upper is not None for e in levels))
    if not finite.met:
        every = (*conditions, finite)
        return PublishedBound(*SAID, None, every, reason=unmet(every))
    forward, backward = influences(framework, first.span[1], second.span[0])
    return PublishedBound(
        *SAID,
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
        yield DecidedCondition("two segments, T2 < T3", True, Fraction(T3 - T2 - 1), _records(T3 - T2 - 1))
        places = {record for record, _ in framework.places.values()}
        outside = sum(not any(s <= at <= e for s, e in (g.span for g in found)) for at in places)
        margin = Fraction(-outside) if outside else None
        yield DecidedCondition("secrets about the segments alone", not outside, margin, _records(outside))
    else:
        yield DecidedCondition(f"two segments that do not overlap (found {len(found)})", False)


def _records(number: int) -> str:
    return "record" if abs(number) == 1 else "records"


def _secrets(framework: Framework, span: Span) -> int:
    values = len(framework.expect_records().alphabet)
    return (span[1] - span[0] + 1) * values * len(framework.priors)


def own_level(framework: Framework, group: SegmentReleases) -> Leakage:
    """Return what the releases of a group leak together about the values of their own records."""
    records, (first, last) = framework.expect_records(), group.span
    secrets = {f"x{t}={value}": (t, value) for t in range(first, last + 1) for value in records.alphabet}
    own = Framework.of_records(records, secrets, "disjoint", framework.priors)
    if not _uncertain(own, range(first, last + 1)):
        return Leakage.of(Fraction(1))
    if len(group.forms) == 1:
        return audit_form(own, group.forms[0]).leakage
    return compose(own, list(group.forms)).joint.leakage


def _uncertain(framework: Framework, records: Sequence[int]) -> bool:
    """Whether some record has two possible values under some prior."""
    return any(
        len(values) > 1 for prior in framework.priors for values in possible_values(framework, prior, records).values()
    )


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
