"""Markov chains over the records, and what a transition matrix is: its stationary law, its
structure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar, Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, text_of
from pufferproof.models.priors.laws import Law, expect_records, law_at, law_of_record, matrix_of, numbers_of
from pufferproof.models.priors.records import Records

_ELIMINATED = 8  # states up to which elimination in rationals is quick


@dataclass(frozen=True)
class MarkovChain:
    """A homogeneous Markov chain over the records.

    P(x_1 .. x_n) = initial[x_1] * transition[x_1][x_2] * ... ; `initial` may be "stationary": the
    unique law pi with pi P = pi, computed exactly. With `normalize` every row, and `initial`, is
    divided by its sum, exactly: floats stand for their binary values, which mostly miss 1 by a
    rounding, and rows may be counts.

    >>> MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]]).initial_law()
    (Fraction(2, 3), Fraction(1, 3))
    >>> MarkovChain([1, 1], [[9, 1], [1, 4]], normalize=True)
    MarkovChain(['1/2', '1/2'], [['9/10', '1/10'], ['1/5', '4/5']])
    """

    taken_by: ClassVar = {"BinaryChain": "BinaryChain.of(chain, length) is one of two values"}

    initial: tuple[Fraction, ...] | str
    transition: tuple[tuple[Fraction, ...], ...]
    normalized: bool = field(default=False, compare=False)

    def __init__(
        self, initial: Sequence[object] | str, transition: Sequence[Sequence[object]], normalize: bool = False
    ) -> None:
        initial = check_type(initial, Sequence[object] | str, "initial")
        transition = check_type(transition, Sequence[Sequence[object]], "transition")
        start = initial if isinstance(initial, str) else numbers_of(initial, "initial", normalize)
        if isinstance(start, str) and start != "stationary":
            raise ModelError(f'expected a list of probabilities or "stationary", found "{start}"', "initial")
        hold(self, initial=start, transition=matrix_of(transition, "transition", normalize), normalized=normalize)

    @classmethod
    def of_counts(
        cls, counts: Sequence[Sequence[object]], initial: Sequence[object] | str = "stationary", smoothing: object = 0
    ) -> "MarkovChain":
        """Return the chain whose transitions are relative frequencies: counts[x][y] is how often y
        followed x. With smoothing a it is (counts[x][y] + a) / (sum of the row + k a).

        `initial` is "stationary", or how often each value came first, smoothed alike.

        >>> MarkovChain.of_counts([[3, 1], [2, 2]])
        MarkovChain('stationary', [['3/4', '1/4'], ['1/2', '1/2']])
        >>> MarkovChain.of_counts([[3, 1], [0, 0]], [1, 0], smoothing="1/2")
        MarkovChain(['3/4', '1/4'], [['7/10', '3/10'], ['1/2', '1/2']])

        Raises `ModelError` unless counts are integers from 0 on, in a square table, and every row
        has a positive one or is smoothed.
        """
        counts = check_type(counts, Sequence[Sequence[object]], "counts")
        initial = check_type(initial, Sequence[object] | str, "initial")
        added = non_negative(smoothing, "smoothing")
        rows = [frequencies(row, added, f"counts[{place}]") for place, row in enumerate(matrix_of(counts, "counts"))]
        _expect_square(rows, "counts")
        if isinstance(initial, str):
            return cls(initial, rows)
        first = frequencies(numbers_of(initial, "initial"), added, "initial")
        return cls(first, rows)

    @classmethod
    def from_array(
        cls, matrix: Sequence[Sequence[object]], initial: Sequence[object] | str = "stationary", normalize: bool = False
    ) -> "MarkovChain":
        """Return the chain of a square matrix: an array, a pandas table or rows.

        Floats stand for their binary values: `normalize` divides rows by their sums, exactly.

        >>> import numpy as np
        >>> MarkovChain.from_array(np.array([[0.5, 0.5], [0.25, 0.75]]))
        MarkovChain('stationary', [['1/2', '1/2'], ['1/4', '3/4']])
        >>> chain = MarkovChain.from_array(np.array([[0.9, 0.1], [0.2, 0.8]]), normalize=True)
        >>> [sum(row) for row in chain.transition]
        [Fraction(1, 1), Fraction(1, 1)]

        Raises `ModelError` unless the matrix is square, its rows are laws or divided, and `initial`
        fits.
        """
        matrix = check_type(matrix, Sequence[Sequence[object]], "matrix")
        chain = cls(initial, matrix, normalize)
        _expect_square(chain.transition, "matrix")
        chain.parts(Records(1, tuple(map(str, range(len(chain.transition))))))
        return chain

    def initial_law(self) -> tuple[Fraction, ...]:
        """Return the law of the first record."""
        return stationary_law(self.transition) if isinstance(self.initial, str) else self.initial

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law of the whole sequence. Raises `ModelError` unless shapes fit the
        alphabet.
        """
        space = expect_records(records, "markov")
        size, (start, steps) = len(space.alphabet), self.parts(space)
        common = lcm(*(step.total for step in steps))
        moves = [[weight * (common // step.total) for weight in step.weights] for step in steps]
        weights, total = list(start.weights), start.total
        for _ in range(space.count - 1):
            weights = [weight * move for index, weight in enumerate(weights) for move in moves[index % size]]
            total *= common
        return Law(tuple(weights), total)

    def parts(self, space: Records) -> tuple[Law, list[Law]]:
        """Return the law of the first record, and that of the next one after each value.

        Raises `ModelError` unless shapes fit the alphabet and every row is a law.
        """
        size = len(space.alphabet)
        if len(self.transition) != size:
            raise ModelError(f"expected {size} rows, one per value, found {len(self.transition)}", "transition")
        steps = [law_of_record(row, space, f"transition[{index}]") for index, row in enumerate(self.transition)]
        return law_of_record(self.initial_law(), space, "initial"), steps

    def __repr__(self) -> str:
        initial = self.initial if isinstance(self.initial, str) else [text_of(value) for value in self.initial]
        return f"MarkovChain({initial!r}, {[[text_of(value) for value in row] for row in self.transition]})"


def frequencies(counts: Sequence[Fraction], smoothing: Fraction, where: str) -> tuple[Fraction, ...]:
    """Return relative frequencies, every count raised by `smoothing`.

    Raises `ModelError` unless counts are integers from 0 on, and something is positive then.
    """
    for value in counts:
        if value < 0 or value.denominator != 1:
            raise ModelError(f"expected a count, found {brief(value)}", where)
    total = sum(counts, Fraction(0)) + len(counts) * smoothing
    if not total:
        raise ModelError(
            "all counts are 0: expected a positive one, that of the value itself if nothing else "
            "can follow it, or smoothing",
            where,
        )
    return tuple((value + smoothing) / total for value in counts)


def non_negative(value: object, where: str) -> Fraction:
    """Read a number. Raises `ModelError` unless it is at least 0."""
    try:
        number = exact(value)
    except ModelError as error:
        raise error.within(where) from None
    if number < 0:
        raise ModelError(f"expected a number of at least 0, found {brief(number)}", where)
    return number


def _expect_square(rows: Sequence[Sequence[Fraction]], where: str) -> None:
    for place, row in enumerate(rows):
        if len(row) != len(rows):
            raise ModelError(f"expected {len(rows)} entries, one per row, found {len(row)}", f"{where}[{place}]")
    if not rows:
        raise ModelError("expected at least one row, found none", where)


def stationary_law(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Solve pi P = pi, sum(pi) = 1 exactly.

    Raises `ModelError` unless P is square and the solution is unique (one recurrent class).
    """
    size = len(transition)
    if any(len(row) != size for row in transition):
        raise ModelError(f"expected a square matrix with {size} rows", "transition")
    if size > _ELIMINATED:
        return _by_null_space(transition)
    unit = lcm(*(value.denominator for row in transition for value in row))
    step = [[p.numerator * (unit // p.denominator) for p in row] for row in transition]
    rows = [[step[i][j] - unit * (i == j) for i in range(size)] + [0] for j in range(size)]
    rows.append([1] * (size + 1))
    for column in range(size):
        pivot = next((index for index in range(column, len(rows)) if rows[index][column]), None)
        if pivot is None:
            raise SeveralLawsError(*_ONE_CLASS)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column]
        for index, row in enumerate(rows):
            if index != column and row[column]:
                whole = [head[column] * a - row[column] * b for a, b in zip(row, head)]
                common = gcd(*whole) or 1
                rows[index] = [value // common for value in whole]
    return tuple(Fraction(rows[index][size], rows[index][index]) for index in range(size))


def _by_null_space(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Solve pi P = pi by the integer null space of (P - I)^T, for up to a few hundred states."""
    from flint import fmpz_mat

    size, common = len(transition), lcm(*(value.denominator for row in transition for value in row))
    columns = [[int((transition[x][y] - (x == y)) * common) for x in range(size)] for y in range(size)]
    kernel, nullity = fmpz_mat(columns).nullspace()
    if nullity != 1:
        raise SeveralLawsError(*_ONE_CLASS)
    weights = [int(kernel[x, 0]) for x in range(size)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


class SeveralLawsError(ModelError):
    """A chain with several recurrent classes has no one stationary law."""


_ONE_CLASS = ('"stationary" expects a chain with one recurrent class, found several', "initial")


# What a transition matrix is: irreducible, aperiodic, reversible; its stationary law and its time reversal, exactly.
#
# Every published bound of the influence of a Markov chain needs some of these; `expect_structure` names the one that
# fails and where. Only the zero pattern decides irreducibility and the period. Source: Levin and Peres, Markov Chains
# and Mixing Times, chapter 1. What a chain's powers and marginals are is in `pufferproof.models.sequences.chain`.

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
        law_at(row, f"transition[{index}]")
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
