"""Markov chains over the records, and the stationary law of a transition matrix, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.laws import Law, expect_records, law_of_record, matrix_of, numbers_of
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

    initial: tuple[Fraction, ...] | str
    transition: tuple[tuple[Fraction, ...], ...]
    normalized: bool = field(default=False, compare=False)

    @checked
    def __init__(
        self,
        initial: Sequence[Any] | str,
        transition: Sequence[Sequence[Any]],
        normalize: bool = False,
    ) -> None:
        start = initial if isinstance(initial, str) else numbers_of(initial, "initial", normalize)
        if isinstance(start, str) and start != "stationary":
            raise ModelError(
                f'expected a list of probabilities or "stationary", found "{start}"', "initial"
            )
        hold(
            self,
            initial=start,
            transition=matrix_of(transition, "transition", normalize),
            normalized=normalize,
        )

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
            weights = [
                weight * move
                for index, weight in enumerate(weights)
                for move in moves[index % size]
            ]
            total *= common
        return Law(tuple(weights), total)

    def parts(self, space: Records) -> tuple[Law, list[Law]]:
        """Return the law of the first record, and that of the next one after each value.

        Raises `ModelError` unless shapes fit the alphabet and every row is a law.
        """
        size = len(space.alphabet)
        if len(self.transition) != size:
            raise ModelError(
                f"expected {size} rows, one per value, found {len(self.transition)}", "transition"
            )
        steps = [
            law_of_record(row, space, f"transition[{index}]")
            for index, row in enumerate(self.transition)
        ]
        return law_of_record(self.initial_law(), space, "initial"), steps

    def __repr__(self) -> str:
        initial = (
            self.initial
            if isinstance(self.initial, str)
            else [text_of(value) for value in self.initial]
        )
        return (
            f"MarkovChain({initial!r}, "
            f"{[[text_of(value) for value in row] for row in self.transition]})"
        )


def stationary_law(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Solve pi P = pi, sum(pi) = 1 exactly.

    Raises `ModelError` unless P is square and the solution is unique (one recurrent class).
    """
    size = len(transition)
    if any(len(row) != size for row in transition):
        raise ModelError(f"expected a square matrix with {size} rows", "transition")
    if size > _ELIMINATED:
        return _by_null_space(transition)
    rows = [[transition[i][j] - (i == j) for i in range(size)] + [Fraction(0)] for j in range(size)]
    rows.append([Fraction(1)] * (size + 1))
    for column in range(size):
        pivot = next((index for index in range(column, len(rows)) if rows[index][column]), None)
        if pivot is None:
            raise _several_classes()
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for index, row in enumerate(rows):
            if index != column and row[column]:
                rows[index] = [value - row[column] * head for value, head in zip(row, rows[column])]
    return tuple(rows[index][size] for index in range(size))


def _by_null_space(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Solve pi P = pi by the integer null space of (P - I)^T, for up to a few hundred states."""
    from flint import fmpz_mat

    size, common = len(transition), lcm(*(value.denominator for row in transition for value in row))
    columns = [
        [int((transition[x][y] - (x == y)) * common) for x in range(size)] for y in range(size)
    ]
    kernel, nullity = fmpz_mat(columns).nullspace()
    if nullity != 1:
        raise _several_classes()
    weights = [int(kernel[x, 0]) for x in range(size)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def _several_classes() -> ModelError:
    return ModelError(
        '"stationary" expects a chain with one recurrent class, found several', "initial"
    )
