"""Pairs of tables that a definition compares: those that differ in one record, in one block of
records, or minimally among tables that satisfy public constraints.

Source of the last: He, Machanavajjhala and Ding, "Blowfish privacy", SIGMOD 2014, Definition 4.1.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records, preview

Edge = tuple[str, str]
Values = tuple[str, ...]
Change = tuple[int, str, str]  # a record, and its two values
Tables = Iterable[tuple[str, str]]
_MOST_ALLOWED = 200  # tables: all triples of them are compared


def values_of(records: Records) -> dict[str, Values]:
    """Return the values of every table, by its label."""
    return dict(zip(records.labels(), product(records.alphabet, repeat=records.count)))


def expect_edges(records: Records, edges: Sequence[Edge] | None) -> list[Edge]:
    """Return edges between values, all of them if left out. Raises `ModelError` unless each joins
    two values.
    """
    if edges is None:
        return list(combinations(records.alphabet, 2))
    for edge in edges:
        for value in edge:
            if value not in records.alphabet:
                raise ModelError(f'expected one of {preview(records.alphabet)}, found "{shown(value)}"', "edges")
        if len(edge) != 2 or edge[0] == edge[1]:
            found = preview([str(each) for each in edge])
            raise ModelError(f"expected two values, found {found}", "edges")
    if not edges:
        raise ModelError("expected at least one edge, found none", "edges")
    distinct: dict[frozenset[str], Edge] = {}
    for edge in edges:
        distinct.setdefault(frozenset(edge), edge)
    return list(distinct.values())


def expect_records(records: Records, chosen: Sequence[int], where: str) -> list[int]:
    """Return records. Raises `ModelError` unless each is from 1 to their number."""
    for record in chosen:
        if not 1 <= record <= records.count:
            raise ModelError(f"expected a record from 1 to {records.count}, found {shown(record)}", where)
    return list(chosen)


def differing_in_one(records: Records) -> Iterator[tuple[str, str]]:
    """Yield tables that differ in one record."""
    return along_edges(records, list(combinations(records.alphabet, 2)))


def along_edges(records: Records, edges: Sequence[Edge]) -> Iterator[tuple[str, str]]:
    """Yield tables that differ in one record, along an edge."""
    tables = values_of(records)
    labels = {values: label for label, values in tables.items()}
    for label, values in tables.items():
        for place, (one, other) in product(range(records.count), edges):
            if values[place] == one:
                yield label, labels[(*values[:place], other, *values[place + 1 :])]


def in_blocks(records: Records, blocks: Sequence[Sequence[int]]) -> Iterator[tuple[str, str]]:
    """Yield tables that differ within one block. Raises `ModelError` unless the blocks have every
    record once.
    """
    listed = [record for block in blocks for record in block]
    if sorted(listed) != list(range(1, records.count + 1)):
        raise ModelError(f"expected every record from 1 to {records.count} once, found {listed}", "blocks")
    tables = values_of(records)
    for block in blocks:
        outside = [place for place in range(records.count) if place + 1 not in block]
        alike: dict[Values, list[str]] = {}
        for label, values in tables.items():
            alike.setdefault(tuple(values[place] for place in outside), []).append(label)
        for labels in alike.values():
            yield from combinations(labels, 2)


def minimal(records: Records, edges: Sequence[Edge], allowed: Sequence[str]) -> list[tuple[str, str]]:
    """Return the neighbours among allowed tables, each pair once: T(x, y) is the set of records
    that an edge joins in x and y, with their values.

    x and y are neighbours if T(x, y) is not empty and no allowed z has a smaller T(x, z), not
    empty, or the same with changes x to z that are fewer of those from x to y.
    """
    tables = _expect_allowed(records, allowed)
    joined = {pair for one, other in edges for pair in ((one, other), (other, one))}
    found: dict[frozenset[str], tuple[str, str]] = {}
    for x, values in tables.items():
        changes = {y: _changes(values, other) for y, other in tables.items()}
        secrets = {y: frozenset(c for c in change if c[1:] in joined) for y, change in changes.items()}
        for y in tables:
            if secrets[y] and not _smaller(y, changes, secrets):
                found.setdefault(frozenset((x, y)), (x, y))
    return list(found.values())


def _smaller(y: str, changes: dict[str, frozenset[Change]], secrets: dict[str, frozenset[Change]]) -> bool:
    return any(
        secrets[z] < secrets[y] or (secrets[z] == secrets[y] and changes[z] < changes[y]) for z in secrets if secrets[z]
    )


def _changes(values: Values, other: Values) -> frozenset[Change]:
    return frozenset((place, one, two) for place, (one, two) in enumerate(zip(values, other)) if one != two)


def _expect_allowed(records: Records, allowed: Sequence[str]) -> dict[str, Values]:
    tables = values_of(records)
    for label in allowed:
        if label not in tables:
            raise ModelError(f'unknown table "{shown(label)}", expected one of {preview(list(tables))}', "allowed")
    if len(set(allowed)) > _MOST_ALLOWED:
        raise ModelError(f"expected at most {_MOST_ALLOWED} tables, found {len(set(allowed))}", "allowed")
    return {label: tables[label] for label in dict.fromkeys(allowed)}
