"""Where the instances of a trial come from: usual ones, and as many hard ones, each kind with a
generator of its own.

Hard instances are drawn from the library of `hard.py`; in one of four, numbers that are no rates
are stretched too. A family that chooses nothing of which the library knows has numbers alone: then
these are stretched, in usual instances.
"""

import hashlib
from collections.abc import Iterator
from itertools import chain, count, islice
from random import Random
from typing import NamedTuple

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.statement import Instance, Statement
from pufferproof.claims.language.statements.stretched import stretchable, stretched
from pufferproof.models.errors import SolverError

DRAWS_EACH = 20
"""How many instances may be drawn for each that meets the hypotheses; as many as for the usual
number where fewer are asked for, so that near misses are seen.
"""

HARD_EACH = 4
"""How many hard instances may be drawn for each that meets the hypotheses."""

ASKED_FIRST = 20
"""At how many instances it is seen whether a family chooses anything that the library knows."""


STRETCHED_OF = 4
"""Of so many hard instances one has its other numbers stretched too."""


class Drawn(NamedTuple):
    """An instance, with what chose it; `stretched` if numbers in it may be none of the family."""

    instance: Instance
    draws: Draws
    stretched: bool = False


def generator(seed: str) -> Random:
    """Return a generator of random numbers that a text seeds."""
    return Random(hashlib.sha256(seed.encode()).digest())


def usual(statement: Statement, seed: str) -> Iterator[Drawn]:
    """Yield drawn instances, without end."""
    random = generator(seed)
    while True:
        draws = Draws(random)
        yield Drawn(statement.family(draws), draws)


def hard(statement: Statement, seed: str) -> Iterator[Drawn]:
    """Yield hard instances without end, or stretched ones; none if there is nothing to stretch."""
    random, first = generator(f"{seed}, hard"), list[Drawn]()
    while len(first) < ASKED_FIRST:
        draws = Draws(random, hard=True)
        first.append(Drawn(statement.family(draws), draws))
    _check_computed(statement, first[0].instance)
    if not any(each.draws.known for each in first):
        yield from _stretched(statement, random)
        return
    yield from first
    for place in count():
        draws = Draws(random, hard=True)
        instance = statement.family(draws)
        if place % STRETCHED_OF == 0 and stretchable(instance, statement.computed):
            yield Drawn(stretched(instance, draws, statement.computed), draws, stretched=True)
        else:
            yield Drawn(instance, draws)


def library(statement: Statement, seed: str) -> Iterator[Drawn]:
    """Yield the hard instances that a family draws itself; none if the library knows nothing."""
    drawn = hard(statement, seed)
    first = list(islice(drawn, ASKED_FIRST))
    if any(each.draws.known for each in first):
        yield from (each for each in chain(first, drawn) if not each.stretched)


def _stretched(statement: Statement, random: Random) -> Iterator[Drawn]:
    idle = 0
    while idle < ASKED_FIRST:
        draws = Draws(random)
        usual = statement.family(draws)
        if stretchable(usual, statement.computed):
            idle = 0
            yield Drawn(stretched(usual, draws, statement.computed), draws, stretched=True)
        else:
            idle += 1


def _check_computed(statement: Statement, instance: Instance) -> None:
    if unknown := [name for name in statement.computed if name not in instance]:
        raise SolverError(f'expected in computed= an entry of the family ({", ".join(instance)}), found "{unknown[0]}"')


def remade(statement: Statement, draws: Draws, stretching: bool) -> Instance:
    """Return the instance of choices that are replayed."""
    instance = statement.family(draws)
    return stretched(instance, draws, statement.computed) if stretching else instance
