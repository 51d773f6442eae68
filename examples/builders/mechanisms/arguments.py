"""Checked arguments of the mechanisms: integer queries, lists of answers, ranges."""

from collections.abc import Mapping, Sequence

from pufferproof.models.errors import ModelError


def checked_query(query: Mapping[str, int]) -> dict[str, int]:
    """Return a query database -> integer. Raises `ModelError` unless it is non-empty and
    integer-valued.
    """
    if not query:
        raise ModelError("expected a value for every database, found none", "query")
    for database, value in query.items():
        _checked_integer(value, f'query["{database}"]')
    return dict(query)


def checked_answers(queries: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
    """Return the answers of a list of queries by database. Raises `ModelError` unless all are
    integer lists of one length.
    """
    if not queries:
        raise ModelError("expected answers for every database, found none", "queries")
    length = len(next(iter(queries.values())))
    for database, answers in queries.items():
        if len(answers) != length or not length:
            expected = f"{length} answers, as for the first database" if length else "at least one answer"
            raise ModelError(f"expected {expected}, found {len(answers)}", f'queries["{database}"]')
        for answer in answers:
            _checked_integer(answer, f'queries["{database}"]')
    return {database: tuple(answers) for database, answers in queries.items()}


def checked_range(least: int, most: int) -> range:
    """Return the integers least..most. Raises `ModelError` unless least < most."""
    for value, where in ((least, "least"), (most, "most")):
        _checked_integer(value, where)
    if least >= most:
        raise ModelError(f"expected a number above {least}, found {most}", "most")
    return range(least, most + 1)


def _checked_integer(value: object, where: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ModelError(f"expected an integer, found {value!r}", where)
