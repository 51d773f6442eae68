"""Products of tables of vectors, entry by entry convolutions of floats that are not negative:

    into[e](n) += sum_k one[e](k) other[e](n - k),

where an axis of either table may have length 1 and then stands for all entries along it. Term after
term, or, for some terms j < K of y at a time, as a product with the matrix T(j, n) = x(n - j), for
all vectors y that meet the same x. Of T all entries but those of x are 0, and adding 0 is exact: in
any order of its sums an entry has at most as many roundings as the shorter vector has terms, with
fused multiplications too, and one of the product.
"""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BLOCK = 1 << 16  # floats of an operation that stay in a cache
_TOGETHER = 32  # terms of y at a time, at most
_PRODUCTS = 1 << 17  # of one product of matrices, for which BLAS takes one thread
_TERM, _ROW, _BUILD = 10, 2, 20  # work of a product term after term, of a vector and of T, by BLAS


def add_convolved(one: "Floats", other: "Floats", into: "Floats") -> None:
    """Add the convolutions of vectors, the last axes of `one` and `other`, to those of `into`, a
    table over all entries whose vectors have one term less than both together.

    >>> import numpy as np
    >>> into = np.zeros((2, 3))
    >>> add_convolved(np.array([[1.0, 1.0]]), np.array([[1.0, 2.0], [0.0, 3.0]]), into)
    >>> into.tolist()
    [[1.0, 3.0, 2.0], [0.0, 3.0, 3.0]]
    """
    import numpy as np

    axes = [axis for axis in range(into.ndim - 1) if into.shape[axis] > 1]
    both = [axis for axis in axes if one.shape[axis] == other.shape[axis]]
    if axes and into.size > _BLOCK:
        axis = (both or axes)[0]
        parts = [np.moveaxis(table, axis, 0) for table in (one, other, into)]
        for k in range(into.shape[axis]):
            f, g, block = (part[k if len(part) > 1 else 0] for part in parts)
            add_convolved(f, g, block)
        return
    x, y = (one, other) if one.shape[-1] <= other.shape[-1] else (other, one)
    own = [
        [axis for axis in axes if table.shape[axis] > 1 and axis not in both] for table in (x, y)
    ]
    vectors = [prod(into.shape[axis] for axis in mine) for mine in own]
    short, long = x.shape[-1], y.shape[-1]
    of_x = _work(short, long, *vectors)
    of_y = _work(long, short, *vectors[::-1])
    if min(of_x, of_y) >= _TERM * short * long * prod(vectors):
        for k in range(short):
            into[..., k : k + long] += x[..., k : k + 1] * y
    elif of_x <= of_y:
        _add_by_matrices(x, y, into, own)
    else:
        _add_by_matrices(y, x, into, own[::-1])


def _work(terms: int, others: int, matrices: int, rows: int) -> int:
    """Return the work with matrices of vectors of some terms, for rows of other vectors."""
    together = min(others, _TOGETHER)
    return matrices * (terms + together) * (others * (rows + _ROW) + _BUILD * together)


def _add_by_matrices(
    x: "Floats", y: "Floats", into: "Floats", own: Sequence[Sequence[int]]
) -> None:
    """Add y T, with a matrix for every entry of the axes of both and of those of x alone, the first
    of `own`.
    """
    import numpy as np

    last = into.ndim - 1
    alike = [axis for axis in range(last) if axis not in own[0] and axis not in own[1]]
    count, matrices, rows = (prod(into.shape[axis] for axis in axes) for axes in (alike, *own))
    order = [*alike, *own[0], *own[1], last]
    terms, others = x.shape[-1], y.shape[-1]
    together = max(1, min(others, _TOGETHER, _PRODUCTS // (rows * (terms + _TOGETHER))))
    length = terms + together - 1
    padded = np.zeros((count, matrices, length + together - 1))
    padded[..., together - 1 : length] = x.transpose(order).reshape(count, matrices, terms)
    windows = np.lib.stride_tricks.sliding_window_view(padded, length, axis=-1)
    shifted = np.ascontiguousarray(windows[..., ::-1, :])  # T
    turned, vectors = into.transpose(order), y.transpose(order).reshape(count, 1, rows, others)
    for start in range(0, others, together):
        some = vectors[..., start : start + together]
        used = some.shape[-1]
        found = some @ shifted[..., :used, : terms + used - 1]
        part = turned[..., start : start + terms + used - 1]
        part += found.reshape(part.shape)
