"""Noisy queries of few databases, written out as a channel of rational probabilities: its outputs
are those at values of all numbers, where noise of a decay leaks most, and one for the rest.

    v(w | x) = c prod_k d_k^|w_k - F_k(x)|

up to a factor between 1 and `error` in every entry, so that no quotient of means is more than
`error` times that of the channel. With one c all sums are below 1/2, and the rest tells little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from pufferproof.models.channel import Channel
from pufferproof.models.noise.additive import AdditiveNoise, Noise, Vector
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic, rounded_down
from pufferproof.models.priors.records import Records

_BITS, _EXACT = 256, 48
MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class Written:
    """A channel, and the largest factor by which an entry of the mechanism exceeds one of it."""

    channel: Channel
    error: Fraction


def written_out(mechanism: NoisyQueries, records: Records) -> Written | None:
    """Return the channel of queries with noise of decays, or None if entries are too many."""
    if not records.enumerable or any(each.noise.decay is None for each in mechanism.queries):
        return None
    if len(records.alphabet) ** records.count > MOST_ENTRIES:
        return None
    tables = [_table(query) for query in mechanism.queries]
    labels = records.labels()
    if any(label not in table.values for table in tables for label in labels):
        return None
    columns = [column for table in tables for column in zip(*(table.values[x] for x in labels))]
    noises = [table.noise for table in tables for _ in range(_dimension(table))]
    ends = [sorted(set(column)) for column in columns]
    if prod(map(len, ends)) * len(labels) > MOST_ENTRIES:
        return None
    return _channel(labels, columns, noises, ends)


def _table(query: AdditiveNoise | RecordQuery) -> AdditiveNoise:
    return query.written_out() if isinstance(query, RecordQuery) else query


def _dimension(table: AdditiveNoise) -> int:
    return len(next(iter(table.values.values())))


def _channel(
    labels: Sequence[str], columns: Sequence[Vector], noises: Sequence[Noise], ends: Sequence[Sequence[Fraction]]
) -> Written:
    known = [
        {(w, v): power for (w, v), power in zip(product(values, repeat=2), _powers(noise, values))}
        for noise, values in zip(noises, ends)
    ]
    outputs = list(product(*ends))
    share = Fraction(1, 2 * len(outputs))
    rows = {}
    for label, at in zip(labels, zip(*columns)):
        row = [
            share * prod((table[w, v] for table, w, v in zip(known, output, at)), start=Fraction(1))
            for output in outputs
        ]
        rows[label] = [*row, 1 - sum(row)]
    names = [*(str(k) for k in range(len(outputs))), "rest"]
    error = (1 + Fraction(1, 2**_EXACT)) ** (2 * len(columns))
    return Written(Channel.of(rows, names), error)


def _powers(noise: Noise, values: Sequence[Fraction]) -> Iterator[Fraction]:
    """Yield d^|w - v| from below for all pairs of values, to 2^-48 of each."""
    from flint import ctx

    known: dict[Fraction, Fraction] = {}
    for w, v in product(values, repeat=2):
        far = abs(w - v)
        if far not in known:
            assert noise.decay is not None
            with ctx.workprec(_BITS):
                known[far] = rounded_down(dyadic(noise.decay.to(far).ball().lower()), _EXACT + 4)
        yield known[far]
