"""Linear queries of records that are numbers, with noise on every coordinate: F_k = sum_j A_kj X_j.

The sum, the mean, or any weights; of all records or of a segment. What they leak of normal records
is in `pufferproof.verify.noise.normal.points`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise

MAX_ROWS = 50


@dataclass(frozen=True)
class LinearQuery:
    """Rows of weights, a weight per record, and the noise that every coordinate gets.

    >>> LinearQuery.named("mean", Noise.laplace(1), 4, (2, 3)).rows
    ((Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)),)

    Raises `ModelError` unless there are 1 to 50 rows of one length, and the noise is on real
    numbers: "laplace" or "gaussian".
    """

    rows: tuple[tuple[Fraction, ...], ...]
    noise: Noise

    def __post_init__(self) -> None:
        if not 1 <= len(self.rows) <= MAX_ROWS:
            raise ModelError(f"expected 1 to {MAX_ROWS} rows of weights, found {len(self.rows)}", "query.weights")
        if self.noise.on_integers:
            raise ModelError(
                f"{self.noise.kind} noise needs integers, and records are real numbers: expected "
                f'"laplace" or "gaussian"',
                "noise",
            )

    @classmethod
    def named(cls, query: str, noise: Noise, count: int, segment: Sequence[int] | None = None) -> "LinearQuery":
        """Return the sum or the mean of records, all of them or those of a segment [first, last].

        Raises `ModelError` unless it is one of these, and the segment lies in the records.
        """
        if query not in ("sum", "mean"):
            raise ModelError(
                f'expected "sum", "mean" or {{"weights": [[..]]}} of records that are numbers, found "{query}"', "query"
            )
        first, last = (1, count) if segment is None else segment
        if not 1 <= first <= last <= count:
            raise ModelError(f"expected 1 <= first <= last <= {count}, found [{first}, {last}]", "segment")
        size = last - first + 1
        weight = Fraction(1, size) if query == "mean" else Fraction(1)
        none = Fraction(0)
        return cls(((none,) * (first - 1) + (weight,) * size + (none,) * (count - last),), noise)

    @classmethod
    def weighted(cls, rows: Sequence[Sequence[Fraction]], noise: Noise, count: int) -> "LinearQuery":
        """Return the query with these weights. Raises `ModelError` unless each row has one for
        every record.
        """
        for index, row in enumerate(rows):
            if len(row) != count:
                raise ModelError(
                    f"expected {count} weights, one per record, found {len(row)}", f"query.weights[{index}]"
                )
        return cls(tuple(map(tuple, rows)), noise)

    @property
    def dimension(self) -> int:
        """How many numbers are released."""
        return len(self.rows)
