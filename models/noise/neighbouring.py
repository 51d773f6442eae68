"""Built-in queries with noise where pairs are neighbours: as a table of databases of every length,
or, where these are too many, of what may change alone.

Noise is added to the value of a query, so that P(output | x) against P(output | y) depends on F(x)
- F(y) alone. A sum, a count and a histogram add something for every record: their differences are
those of the records that change.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Vector
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.grammar import parse_number


def on_neighbours(framework: Framework, query: RecordQuery) -> tuple[Framework, AdditiveNoise]:
    """Return a query as a table, with the framework whose databases it is about.

    >>> from pufferproof import Framework, Noise, Records
    >>> bits = Records(10**6, ("0", "1"))
    >>> wide = Framework(bits, neighbours="substitute")
    >>> on_neighbours(wide, RecordQuery("sum", Noise.laplace(1), bits))[1].values
    {'0': (Fraction(0, 1),), '1': (Fraction(1, 1),)}

    Raises `ModelError` unless pairs are neighbours, the query is about their records, and it has a
    value for every database.
    """
    if framework.neighbours is None:
        raise ModelError('expected a framework with "neighbours"', "framework")
    query.expect_of(framework.sized or framework.records)
    added = framework.sized is not None
    if added and (query.segment or query.of) is not None:
        raise ModelError(
            "a segment, or chosen records, need records that keep their places, found records "
            "that are added and removed",
            "segment",
        )
    if framework.too_many is not None:
        if query.query == "mean" and added:
            raise framework.too_many
        changing = framework.changing(query.size)
        return changing, _table(changing, query, query.size)
    return framework, _table(framework, query) if added else query.written_out()


def _table(framework: Framework, query: RecordQuery, size: int | None = None) -> AdditiveNoise:
    """Return the value of every database; a mean is over `size` records, or all it has."""
    value = _value_of(replace(query, query="sum") if query.query == "mean" else query)
    values: dict[str, object] = {}
    for label in framework.databases:
        row = framework.row(label)
        total = value(row)
        if query.query == "mean":
            total = (total[0] / _positive(len(row) if size is None else size),)
        values[label] = total
    return AdditiveNoise(values, query.noise)


def _value_of(query: RecordQuery) -> Callable[[Sequence[str]], Vector]:
    """Return what a query adds up over records."""
    if query.query == "histogram":
        alphabet = query.records.alphabet
        return lambda row: tuple(Fraction(row.count(value)) for value in alphabet)
    if query.query == "count":
        return lambda row: (Fraction(row.count(query.counted or "")),)
    return lambda row: (sum(map(parse_number, row), Fraction(0)),)


def _positive(size: int) -> int:
    if size:
        return size
    raise ModelError(
        '"mean" has no value where there are no records: expected "sum", or a table that has one for the database ""',
        "query",
    )
