"""The worst neighbours of a sampler of records, among databases that Hypothesis or the user gives.

Databases are lists of records. Neighbours are formed of each: without one of its records, or with
another one in the place of it. `estimate` then samples all of them, and bets on the worst pair with
draws of its own, so that the bound is valid though the pair was chosen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.level import LevelLike
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.definitions.definition import Neighbours, Relation
from pufferproof.models.priors.tables import Table
from pufferproof.verify.simulation.estimation.running import Options, estimate_with
from pufferproof.verify.simulation.estimation.samplers import Function
from pufferproof.verify.simulation.estimation.state import Estimate, Searched

_MOST_PAIRS = 256
_PRIOR = "each"

Number = str | Fraction | float
Database = tuple[object, ...]
Pair = tuple[Database, Database]


def estimate_neighbours(
    sampler: Callable[..., object],
    databases: object,
    relation: Relation,
    epsilon: LevelLike | None = None,
    samples: int = 100_000,
    seed: int = 0,
    confidence: str | Fraction | float = "95%",
    examples: int = 32,
    independent_draws: bool = False,
    delta: Number | None = None,
    zcdp: Number | None = None,
    gdp: Number | None = None,
) -> Estimate:
    """Search for the neighbours on which a sampler of records leaks most, and bound that leakage.

    Args:
        sampler: as for `estimate`, but `database` is a list of records.
        databases: a Hypothesis strategy of lists of records, or such lists.
        relation: "add-remove": a neighbour is without one record; "substitute": it has another
            record in the place of one, of those that some database has.
        examples: how many databases are drawn from a strategy; at most 256 pairs are formed.

    The others are those of `estimate`. The answer names the pair, and the relation. Other databases
    may be worse. Raises `ModelError` if no neighbours can be formed, or Hypothesis is missing.

    >>> def total(database, size, rng):
    ...     return sum(database) + rng.laplace(size=size)
    >>> found = estimate_neighbours(total, [[1, 1], [1, 3]], "add-remove", "1", seed=1, independent_draws=True)
    >>> found.verdict, sorted(found.witness.pair)
    (<Verdict.VIOLATES: 'VIOLATES'>, ['[1, 3]', '[1]'])
    """
    relation = Neighbours(check_type(relation, str, "relation")).relation
    sampler = check_type(sampler, Callable[..., object] | type, "sampler")
    samples, seed = check_type(samples, int, "samples"), check_type(seed, int, "seed")
    confidence = check_type(confidence, Number, "confidence")
    independent_draws = check_type(independent_draws, bool, "independent_draws")
    given = {"delta": delta, "zcdp": zcdp, "gdp": gdp}
    claims = {name: check_type(value, Number | None, name) for name, value in given.items()}
    options = Options.of(epsilon, samples, seed, confidence).claiming(**claims)
    pairs = _paired(_listed(databases, check_type(examples, int, "examples")), relation)
    known = {_label(each): each for pair in pairs for each in pair}
    framework = Framework(
        list(known),
        {label: [label] for label in known},
        [(_label(one), _label(other)) for one, other in pairs],
        {_PRIOR: Table(dict.fromkeys(known, Fraction(1, len(known))))},
    )
    called = Function(sampler, None, independent_draws, known)
    found = estimate_with(framework, called, "function of records", options)
    return replace(found, searched=Searched(relation, 1, len(pairs)))


def _listed(databases: Any, examples: int) -> list[Database]:
    """Return databases, each once. Raises `ModelError` unless they are lists."""
    if hasattr(databases, "example"):
        try:
            from hypothesis import HealthCheck, Phase, given, settings
        except ImportError:
            raise ModelError(of_extra("hypothesis", "testing"), "databases") from None
        drawn: list[object] = []

        @settings(
            max_examples=examples,
            database=None,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(databases)
        def collect(value: object) -> None:
            drawn.append(value)

        collect()
        databases = drawn
    found: dict[str, Database] = {}
    for each in check_type(databases, Iterable[Any], "databases"):
        if not isinstance(each, list | tuple):
            raise ModelError(f"expected lists of records, found {shown(each)}", "databases")
        found[_label(tuple(each))] = tuple(each)
    return list(found.values())


def _paired(databases: Sequence[Database], relation: str) -> list[Pair]:
    """Return pairs of neighbours, each once: of every database the first, then the second, ..."""
    pool = list({repr(record): record for each in databases for record in each}.values())
    made = [_neighbours(each, relation, pool) for each in databases]
    found: dict[frozenset[str], Pair] = {}
    while made and len(found) < _MOST_PAIRS:
        left = []
        for database, others in zip(databases, made):
            other = next(others, None)
            if other is not None and len(found) < _MOST_PAIRS:
                found.setdefault(frozenset((_label(database), _label(other))), (database, other))
                left.append((database, others))
        databases, made = [each for each, _ in left], [others for _, others in left]
    if not found:
        raise ModelError(
            f'no database has a neighbour by "{relation}": expected records, of which some differ', "databases"
        )
    return list(found.values())


def _neighbours(database: Database, relation: str, pool: Sequence[object]) -> Iterator[Database]:
    """Yield the neighbours of a database, the last record first."""
    places = range(len(database) - 1, -1, -1)
    if relation == "add-remove":
        yield from (database[:place] + database[place + 1 :] for place in places)
        return
    for record in pool:
        for place in places:
            if repr(record) != repr(database[place]):
                yield (*database[:place], record, *database[place + 1 :])


def _label(database: Database) -> str:
    return repr(list(database))
