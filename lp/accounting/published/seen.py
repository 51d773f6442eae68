"""Which records mechanisms look at, and the two groups that releases fall into where they are about
two segments of one chain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from itertools import product
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import Form

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
    """Return the first and last record that a mechanism looks at, all of them where it is not
    known, None if it looks at none.
    """
    return 1, framework.expect_records().count


@seen.register
def _seen_of_noisy_queries(form: NoisyQueries, framework: Framework) -> Span | None:
    spans = [_asked(query, framework) for query in form.queries]
    known = [span for span in spans if span is not None]
    return (min(s for s, _ in known), max(e for _, e in known)) if known else None


def _asked(query: RecordQuery | AdditiveNoise, framework: Framework) -> Span | None:
    if isinstance(query, RecordQuery):
        return query.segment or (1, framework.expect_records().count)
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
    known = [(x, rows[framework.databases[at]]) for at, x in sequences if at in framework.support]
    if len({row for _, row in known}) == 1:
        return None
    first = max(f for f in range(1, count + 1) if _decided(known, f, count))
    last = min(e for e in range(1, count + 1) if _decided(known, 1, e))
    return (first, last) if first <= last and _decided(known, first, last) else (1, count)


def _decided(known: Sequence[tuple[tuple[int, ...], object]], first: int, last: int) -> bool:
    rows: dict[tuple[int, ...], Any] = {}
    return all(rows.setdefault(x[first - 1 : last], row) == row for x, row in known)
