"""GK16: from a level per record to a promise, by the multiplicative influences of records.

    gamma_ij = 1/2 max log [ P(x_i | x_j, others) / P(x_i | x'_j, others) ],   Phi = (I - Gamma)^-1

If the spectral norm of Gamma is below 1, whatever is e_DP differentially private per record tells
at most 2 sum_j phi_ij e_DP about record i. Source: Ghosh and Kleinberg, "Inferential privacy
guarantees for differentially private mechanisms", arXiv 1603.01508, as wang2016's authors code it
(github.com/shs037/pufferfish, inferentialPrivacy2.m). Deviation: every gamma_ij is its own, where
that code takes the largest for all neighbours of a chain; and only priors under which every
database is possible are taken, as three equal records have no two rows to compare.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

Weights = dict[int, Fraction]
"""What a record j of a row has at its place: e^(2 gamma_ij), left out where it is 1."""

MOST_RECORDS = 1_000  # of a chain
MOST_LISTED = 200_000  # records times databases
_BITS, _GRID, _POWERS = 72, 48, 300
_ROOT = 10**20


@dataclass(frozen=True)
class InfluenceMatrix:
    """Rational bounds of the numbers gamma_ij that are not 0, in rows."""

    lower: tuple[Weights, ...]
    upper: tuple[Weights, ...]

    @classmethod
    def of(cls, prior: Prior, records: Records) -> "InfluenceMatrix":
        """Return the influences of records under a prior.

        >>> from pufferproof.models.priors.markov import MarkovChain
        >>> chain = MarkovChain(["1/2", "1/2"], [["3/5", "2/5"], ["2/5", "3/5"]])
        >>> lower, upper = InfluenceMatrix.of(chain, Records(2, ("0", "1"))).norm
        >>> round(float(lower), 6), round(float(upper), 6)
        (0.202733, 0.202733)

        Raises `ModelError` unless every database is possible and there are few enough.
        """
        rows = influences(prior, records)
        known: dict[Fraction, tuple[Fraction, Fraction]] = {}
        for ratio in {ratio for row in rows for ratio in row.values()}:
            low, high = log_bounds(ratio, _BITS)
            known[ratio] = low / 2, high / 2
        ends = [tuple({j: known[r][end] for j, r in row.items()} for row in rows) for end in (0, 1)]
        return cls(ends[0], ends[1])

    @cached_property
    def norm(self) -> tuple[Fraction, Fraction]:
        """Bounds of the spectral norm.

        From above by any x > 0: ||Gamma||^2 <= max_i (Gamma^T Gamma x)_i / x_i, and from below by
        ||Gamma y|| / ||y||. Floats propose x and y.
        """
        import numpy as np

        matrix = self._approx()
        if not matrix.any():
            return Fraction(0), Fraction(0)
        square = matrix.T @ matrix
        vector: Floats = np.ones(len(square))  # becomes one that a matrix without negative entries mostly stretches
        for _ in range(_POWERS):
            vector = square @ vector
            vector /= vector.max()
        y = _dyadic(vector)
        image = _times(self.lower, y)
        lowest = sum((v * v for v in image), Fraction(0)) / sum((v * v for v in y), Fraction(0))
        # x with (s - A) x = 1 for s barely above the eigenvalues of A, so that A x < s x
        gap = 1e-9
        while True:
            vector = np.linalg.solve((1 + gap) * float(lowest) * np.eye(len(square)) - square, np.ones(len(square)))
            if vector.min() > 0 or gap > 1:
                break
            gap *= 4
        x = _dyadic(vector)
        if min(x) <= 0:
            x = [Fraction(1)] * len(x)
        turned: list[Weights] = [{} for _ in self.upper]
        for i, row in enumerate(self.upper):
            for j, value in row.items():
                turned[j][i] = value
        image = _times(turned, _times(self.upper, x))
        highest = max(value / weight for value, weight in zip(image, x))
        return _root(lowest), _root(highest) + Fraction(1, _ROOT)

    def largest_sum(self, records: Iterable[int]) -> tuple[Fraction, Fraction]:
        """Return bounds of the largest row sum of Phi over records (from 1).

        As Phi >= 0, (I - Gamma) w >= t 1 > 0 gives Phi 1 <= w / t, and the same from below.

        Raises `ModelError` unless the spectral norm is known to be below 1.
        """
        import numpy as np

        if self.norm[1] >= 1:
            raise ModelError("expected an influence matrix of spectral norm below 1", "priors")
        size = len(self.lower)
        proposal = np.linalg.solve(np.eye(size) - self._approx(), np.ones(size))
        w = _dyadic(proposal)
        margins = [a - b for a, b in zip(w, _times(self.upper, w))]
        slack = [a - b for a, b in zip(w, _times(self.lower, w))]
        if min(margins) <= 0:
            raise ModelError("expected an influence matrix of spectral norm further below 1")
        largest = max(w[record - 1] for record in records)
        return largest / max(slack), largest / min(margins)

    def _approx(self) -> "Floats":
        import numpy as np

        matrix = np.zeros((len(self.upper), len(self.upper)))
        for i, row in enumerate(self.upper):
            for j, value in row.items():
                matrix[i, j] = float(value)
        return matrix


def influences(prior: Prior, records: Records) -> list[Weights]:
    """Return the numbers e^(2 gamma_ij) that are not 1, in rows; records count from 0 here.

    Raises `ModelError` unless every database is possible and there are few enough.
    """
    if isinstance(prior, Product):
        _expect_possible(min(min(factor.weights) for factor in prior.factors(records)))
        return [{} for _ in range(records.count)]
    if isinstance(prior, MarkovChain):
        return _of_chain(prior, records)
    count, values = records.count, len(records.alphabet)
    if not records.enumerable or count * values**count > MOST_LISTED:
        raise ModelError(f"too many databases: expected at most {MOST_LISTED // count}", "records")
    weights = prior.law(records.labels(), records).weights
    _expect_possible(min(weights))
    rows: list[Weights] = [{} for _ in range(count)]
    for i in range(count):
        for j in range(count):
            if i != j and (ratio := _pairwise(weights, count, values, i, j)) != 1:
                rows[i][j] = ratio
    return rows


def _of_chain(chain: MarkovChain, records: Records) -> list[Weights]:
    """P(x_i | others) is proportional to P(x_i | x_(i-1)) P(x_(i+1) | x_i)."""
    chain.parts(records)
    start, step, count = chain.initial_law(), chain.transition, records.count
    if count > MOST_RECORDS:
        raise ModelError(f"{count} records: expected at most {MOST_RECORDS}", "records")
    _expect_possible(min(start))
    if count == 1:
        return [{}]
    _expect_possible(min(map(min, step)))
    states = range(len(start))
    both = {(a, c): [step[a][b] * step[b][c] for b in states] for a in states for c in states}
    before = _largest([[both[a, c] for a in states] for c in states])
    after = _largest([[both[a, c] for c in states] for a in states])
    rows: list[Weights] = [{i - 1: before, i + 1: after} for i in range(count)]
    rows[0] = {1: _largest([[[start[b] * step[b][c] for b in states] for c in states]])}
    rows[-1] = {count - 2: _largest([list(map(list, step))])}
    return [{j: ratio for j, ratio in row.items() if ratio != 1} for row in rows]


def _pairwise(weights: Sequence[int], count: int, values: int, i: int, j: int) -> Fraction:
    """Return e^(2 gamma_ij): contexts are the values of all records but these two."""
    block_i, block_j = values ** (count - 1 - i), values ** (count - 1 - j)
    first = [x for x in range(values**count) if not (x // block_i) % values and not (x // block_j) % values]
    return _largest(
        [[[weights[x + b * block_i + c * block_j] for b in range(values)] for c in range(values)] for x in first]
    )


def _largest(contexts: Iterable[Sequence[Sequence[Fraction | int]]]) -> Fraction:
    """Return the largest ratio under two rows of one context, rows being laws up to factors."""
    largest = Fraction(1)
    for rows in contexts:
        laws = [[Fraction(entry) / sum(row) for entry in row] for row in rows]
        largest = max([largest, *(max(column) / min(column) for column in zip(*laws))])
    return largest


def _expect_possible(least: Fraction | int) -> None:
    if not least:
        raise ModelError("expected a prior under which every database is possible", "priors")


def _dyadic(proposal: "Floats") -> list[Fraction]:
    """Return proposed numbers on a grid, so that sums of them stay short."""
    return [Fraction(round(value * 2**_GRID), 2**_GRID) for value in proposal.tolist()]


def _times(rows: Sequence[Weights], vector: Sequence[Fraction]) -> list[Fraction]:
    return [sum((g * vector[j] for j, g in row.items()), Fraction(0)) for row in rows]


def _root(value: Fraction) -> Fraction:
    """Return a root, rounded down."""
    return Fraction(isqrt(value.numerator * _ROOT**2 // value.denominator), _ROOT)
