"""Markov chains of up to five records of two or three values, with their law written out."""

from collections.abc import Sequence

from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, Law, entries, largest_ratio, push
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction

Path = tuple[int, ...]
Step = Sequence[Sequence[Fraction]]
EDGES: tuple[tuple[list[Fraction], list[list[Fraction]]], ...] = (
    ([HALF, HALF], [[HALF, HALF], [HALF, HALF]]),  # eigenvalue 0
    ([HALF, HALF], [[ONE, ZERO], [ZERO, ONE]]),  # eigenvalue 1
    ([HALF, HALF], [[ZERO, ONE], [ONE, ZERO]]),  # eigenvalue -1, periodic
    ([ONE, ZERO], [[HALF, HALF], [ZERO, ONE]]),  # absorbing, a value that is certain
    ([Fraction(1, 3), Fraction(2, 3)], [[Fraction(1, 4), Fraction(3, 4)], [ONE, ZERO]]),
    (
        [Fraction(1, 3)] * 3,
        [[ZERO, ONE, ZERO], [ZERO, ZERO, ONE], [ONE, ZERO, ZERO]],
    ),  # a cycle: complex eigenvalues, not reversible
)


def chain(draws: Draws, states: int = 3, zeros: bool = True) -> tuple[list[Fraction], Step]:
    """Draw start and transition: the edges above often, else rows with zeros and ties."""
    edges = [each for each in EDGES if len(each[0]) <= states]
    if zeros and draws.below(4) == 0:
        return draws.among(edges)
    size = 2 + draws.below(states - 1)
    if draws.hard and zeros and draws.below(2):
        return draws.law(size), draws.rows(size, size)
    law = draws.law if zeros else draws.positive_law
    return law(size), [law(size) for _ in range(size)]


def sequences(start: Sequence[Fraction], step: Step, length: int) -> dict[Path, Fraction]:
    """Return P(X = x) for every x of positive probability."""
    return varying(start, [step] * (length - 1))


def varying(start: Sequence[Fraction], steps: Sequence[Step]) -> dict[Path, Fraction]:
    """Return P(X = x) for every x of positive probability, each step with its own transition."""
    law: dict[Path, Fraction] = {(x,): p for x, p in enumerate(start) if p}
    for step in steps:
        law = {(*x, y): p * q for x, p in law.items() for y, q in enumerate(step[x[-1]]) if q}
    return law


def marginal(law: Law[Path], records: Sequence[int]) -> dict[Path, Fraction]:
    """Return the law of some records, counted from 1."""
    return push(law, entries([i - 1 for i in records]))


def given_values(law: Law[Path], record: int) -> dict[int, dict[Path, Fraction]]:
    """Return the law given every possible value of a record."""
    parts: dict[int, dict[Path, Fraction]] = {}
    for x, p in law.items():
        if p:
            parts.setdefault(x[record - 1], {})[x] = p
    totals = {value: sum(part.values(), ZERO) for value, part in parts.items()}
    return {v: {x: p / totals[v] for x, p in parts[v].items()} for v in sorted(parts)}


def influence(law: Law[Path], record: int, others: Sequence[int]) -> Fraction | None:
    """Return e^i for the max-influence of a record on others: the largest P(X_Q = q | X_i = a) /
    P(X_Q = q | X_i = b) over possible a, b, or None if it is infinite.
    """
    shown = entries([i - 1 for i in others])
    masses: dict[int, dict[Path, Fraction]] = {}
    for x, p in law.items():
        if p:
            part, y = masses.setdefault(x[record - 1], {}), shown(x)
            before = part.get(y)
            part[y] = p if before is None else before + p
    totals = {value: sum(part.values(), ZERO) for value, part in masses.items()}
    return largest_ratio([{y: p / totals[value] for y, p in part.items()} for value, part in masses.items()])
