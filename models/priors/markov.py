"""Markov chains over the records, and the stationary law of a transition matrix, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import ClassVar

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, text_of
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
            raise _several_classes()
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
        raise _several_classes()
    weights = [int(kernel[x, 0]) for x in range(size)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


class SeveralLawsError(ModelError):
    """A chain with several recurrent classes has no one stationary law."""


def _several_classes() -> ModelError:
    return SeveralLawsError('"stationary" expects a chain with one recurrent class, found several', "initial")
