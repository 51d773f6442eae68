"""What a transition matrix is: irreducible, aperiodic, reversible; its stationary law and its time
reversal, exactly.

Every published bound of the influence of a Markov chain needs some of these; `expect_structure`
names the one that fails and where. Only the zero pattern decides irreducibility and the period.
Source: Levin and Peres, Markov Chains and Mixing Times, chapter 1. What a chain's powers and
marginals are is in `pufferproof.models.sequences.chain`.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.laws import Law
from pufferproof.models.priors.markov import stationary_law

Matrix = Sequence[Sequence[Fraction]]
Property = Literal["irreducible", "aperiodic", "reversible"]


def checked_transition(transition: Matrix) -> Matrix:
    """Return a transition matrix. Raises `ModelError`, naming the row, unless it is square and
    every row is a law.
    """
    if not transition:
        raise ModelError("expected at least one row, found none", "transition")
    for index, row in enumerate(transition):
        if len(row) != len(transition):
            raise ModelError(
                f"expected {len(transition)} entries, one per row, found {len(row)}", f"transition[{index}]"
            )
        try:
            Law.of(row, divisible=True)
        except ModelError as error:
            raise error.within(f"transition[{index}]") from None
    return transition


def integer_rows(transition: Matrix) -> tuple[list[list[int]], int]:
    """Return integers N and a common denominator d with P = N / d."""
    common = lcm(*(value.denominator for row in transition for value in row))
    return [[p.numerator * (common // p.denominator) for p in row] for row in transition], common


def unreachable(transition: Matrix) -> tuple[int, int] | None:
    """Return states x, y such that y cannot be reached from x, or None for an irreducible chain."""
    for backward in (False, True):
        seen = _distances(transition, backward)
        if missing := [state for state in range(len(transition)) if state not in seen]:
            return (missing[0], 0) if backward else (0, missing[0])
    return None


def is_irreducible(transition: Matrix) -> bool:
    """Whether every state can be reached from every state."""
    return unreachable(transition) is None


def period(transition: Matrix) -> int:
    """Return the period of an irreducible chain: the gcd of the lengths of all ways from a state to
    itself.

    With distances h from state 0 it is the gcd of h(x) + 1 - h(y) over the steps x -> y of positive
    probability.

    >>> period([[0, 1], [1, 0]])
    2

    Raises `ModelError` unless the chain is irreducible.
    """
    expect_structure(transition, "irreducible")
    distance = _distances(transition, backward=False)
    steps = ((x, y) for x, row in enumerate(transition) for y, value in enumerate(row) if value)
    return gcd(*(distance[x] + 1 - distance[y] for x, y in steps))


def cyclic_classes(transition: Matrix) -> tuple[int, ...]:
    """Return the class 0 .. p - 1 of every state of an irreducible chain of period p: each step
    goes to the next class.

    >>> cyclic_classes([[0, 1], [1, 0]])
    (0, 1)

    Raises `ModelError` unless the chain is irreducible.
    """
    common, distance = period(transition), _distances(transition, backward=False)
    return tuple(distance[state] % common for state in range(len(transition)))


def irreversible_pair(transition: Matrix) -> tuple[int, int] | None:
    """Return states x, y with pi(x) P(x, y) != pi(y) P(y, x), or None for a reversible chain.

    Raises `ModelError` unless the stationary law is unique.
    """
    law = stationary_law(transition)
    size = len(law)
    pairs = ((x, y) for x in range(size) for y in range(x + 1, size))
    return next(((x, y) for x, y in pairs if law[x] * transition[x][y] != law[y] * transition[y][x]), None)


def is_reversible(transition: Matrix) -> bool:
    """Whether pi(x) P(x, y) = pi(y) P(y, x) for all states, pi the unique stationary law."""
    return irreversible_pair(transition) is None


def time_reversal(transition: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    """Return P*(x, y) = pi(y) P(y, x) / pi(x), the transition matrix of the stationary chain read
    backwards.

    Raises `ModelError` unless the stationary law is unique and positive everywhere.
    """
    law = stationary_law(transition)
    if 0 in law:
        raise ModelError(
            f"expected a positive stationary law, found probability 0 of state {law.index(Fraction(0))}", "transition"
        )
    return tuple(tuple(law[y] * transition[y][x] / law[x] for y in range(len(law))) for x in range(len(law)))


def expect_structure(transition: Matrix, *needed: Property) -> None:
    """Raise `ModelError`, naming what fails and at which states (from 0), unless irreducible
    and all of `needed`.
    """
    if (missing := unreachable(transition)) is not None:
        x, y = missing
        raise ModelError(f"expected an irreducible chain, but state {y} is never reached from {x}", "transition")
    if "aperiodic" in needed and (cycle := period(transition)) != 1:
        raise ModelError(f"expected an aperiodic chain, found period {cycle}", "transition")
    if "reversible" in needed and (pair := irreversible_pair(transition)) is not None:
        law, (x, y) = stationary_law(transition), pair
        flows = brief(law[x] * transition[x][y]), brief(law[y] * transition[y][x])
        raise ModelError(
            f"expected a reversible chain, but pi({x}) P({x}, {y}) = {flows[0]} and pi({y}) P({y}, {x}) = {flows[1]}",
            "transition",
        )


def _distances(transition: Matrix, backward: bool) -> dict[int, int]:
    """Return the fewest steps from state 0 (to it, when backward) for every state that has some."""
    states = range(len(transition))
    distances, frontier = {0: 0}, [0]
    while frontier:
        reached = {y for x in frontier for y in states if (transition[y][x] if backward else transition[x][y])}
        steps, frontier = distances[frontier[0]] + 1, sorted(reached - distances.keys())
        distances |= dict.fromkeys(frontier, steps)
    return distances
