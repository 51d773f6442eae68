"""Max-influences of all quilts around a record at once, in floats with a proven relative error;
comparisons are left to others.

For every a and b the ratio is the largest entry of a product of two k x k tables, so that all
quilts cost one table per distance and one largest product per pair of distances. Whatever must be
decided (is an influence below a level, is one quilt better than another) is decided by
`ChainInfluence` with exact numbers or enclosures where the floats are within their error of each
other.

Derived: influence.any-start.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.arithmetic import Rounded, relative_error
from pufferproof.models.sequences.chain import Along

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST = 2.0**-300  # so that no quotient, nor a product of three, leaves the range of floats
_ZERO_INVERSE = 2.0**1000  # stands for 1 / 0: times anything positive it exceeds every finite ratio
_LARGEST_RATIO = 2.0**650
_VALUES = 1 << 22  # floats worked on at a time


class FloatTable(NamedTuple):
    """Ratios e^e, a row per left and a column per right distance, infinite where the influence
    is: true up to `error`.
    """

    ratios: "NDArray[np.float64]"
    error: Fraction


def quilt_table_approx(
    laws: Along, record: int, lefts: Sequence[int], rights: Sequence[int], either: bool = False
) -> FloatTable:
    """Return e^e of every {X_(i-a), X_(i+b)} with a in `lefts`, b in `rights`; each true value is
    within a relative `error`.

    With `either`, a first row and a first column for quilts without a left or a right record.
    Infinite ratios are exact.

    >>> from pufferproof import MarkovChain
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> table = quilt_table_approx(Along(chain, 9, "float"), 5, [1, 2], [2])
    >>> table.ratios.round(6).tolist(), table.error < Fraction(1, 10**14)
    ([[2.4], [1.44]], True)

    Raises `ModelError` unless the arithmetic is "float", the records exist, and no probability is
    below 2^-300.
    """
    import numpy as np

    if laws.arithmetic.name != "float":
        raise ModelError(f'expected "float", found "{laws.arithmetic.name}"', "arithmetic")
    for distance in (*lefts, *rights):
        if distance < 1:
            raise ModelError(f"expected a distance of at least 1, found {distance}", "record")
    values = laws.possible(record)
    own = _readable(laws.law_matrix(record))
    law = own.values[0, values]
    odds = law[None, :] / law[:, None]
    one = [np.ones(len(values) ** 2)] if either else []
    forward, column, most = list(one), list(one), [0, 0]
    for distance in rights:
        laws.expect_record(record + distance)
        after = _readable(laws.power_matrix(distance))
        forward.append(largest_quotients_approx(after.values[values]).ravel())
        most[0] = max(most[0], after.roundings)
    for distance in lefts:
        before, rows = _readable(laws.power_matrix(distance)), laws.possible(record - distance)
        column.append(
            (largest_quotients_approx(before.values[np.ix_(rows, values)].T) * odds).ravel()
        )
        most[1] = max(most[1], before.roundings)
    error = relative_error(
        2 * (own.roundings + sum(most)) + 8
    )  # two per quotient table, one for odds, two for products
    return FloatTable(_largest_products(np.array(column), np.array(forward)), error)


def largest_quotients_approx(matrix: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return max over j of m(v, j) / m(w, j), for all rows v and w of a non-negative matrix;
    infinite where w lacks a j of v's.

    Two roundings beside those of the entries, which are 0 or at least 2^-300.
    """
    import numpy as np

    inverse = np.full_like(matrix, _ZERO_INVERSE)
    np.divide(1.0, matrix, out=inverse, where=matrix > 0)
    step = max(1, _VALUES // matrix.size)
    quotients = np.concatenate(
        [
            (matrix[start : start + step, None, :] * inverse).max(axis=2)
            for start in range(0, len(matrix), step)
        ]
    )
    quotients[quotients > _LARGEST_RATIO] = np.inf
    return quotients


def _largest_products(
    column: "NDArray[np.float64]", forward: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Return max over pairs (v, w) of column[a, vw] * forward[b, vw], at least 1; both are
    positive or infinite.
    """
    import numpy as np

    largest = np.empty((len(column), len(forward)))
    work = np.empty_like(forward)
    for index, row in enumerate(column):
        np.multiply(forward, row, out=work)
        work.max(axis=1, out=largest[index])
    return np.maximum(largest, 1.0)


def _readable(matrix: Rounded) -> Rounded:
    """Return a matrix. Raises `ModelError` unless its entries are 0 or large enough for
    quotients of them.
    """
    if matrix.least < _LEAST:
        raise ModelError(
            'probabilities are too small for quotients of floats: expected "enclosed"', "arithmetic"
        )
    return matrix
