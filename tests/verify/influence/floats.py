"""Max-influences of all quilts around a record at once, in floats with a proven relative error: one
table per distance, and one largest product per pair of distances.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pufferproof.models.sequences.arithmetic import relative_error
from pufferproof.verify.influence.network import largest_quotients_approx
from pufferproof.verify.influence.quilts.exact import readable


class FloatTable(NamedTuple):
    """Ratios e^e, a row per left and a column per right distance, infinite where the influence
    is: true up to the relative `error`.
    """

    ratios: np.ndarray
    error: Fraction


def quilt_table_approx(laws, record, lefts, rights, either=False):
    """Return e^e of every {X_(i-a), X_(i+b)} with a in `lefts`, b in `rights`; with `either`, a
    first row and a first column for quilts without a left or a right record.
    """
    values = laws.possible(record)
    own = readable(laws.law_matrix(record))
    law = own.values[0, values]
    odds = law[None, :] / law[:, None]
    one = [np.ones(len(values) ** 2)] if either else []
    forward, column, most = list(one), list(one), [0, 0]
    for distance in rights:
        after = readable(laws.power_matrix(distance))
        forward.append(largest_quotients_approx(after.values[values]).ravel())
        most[0] = max(most[0], after.roundings)
    for distance in lefts:
        before, rows = readable(laws.power_matrix(distance)), laws.possible(record - distance)
        backward = largest_quotients_approx(before.values[np.ix_(rows, values)].T)
        column.append((backward * odds).ravel())
        most[1] = max(most[1], before.roundings)
    # two roundings per quotient table, one for odds, two for products
    error = relative_error(2 * (own.roundings + sum(most)) + 8)
    return FloatTable(largest_products(np.array(column), np.array(forward)), error)


def largest_products(column, forward):
    """Return max over pairs (v, w) of column[a, vw] * forward[b, vw], at least 1; both are
    positive or infinite.
    """
    largest = np.empty((len(column), len(forward)))
    work = np.empty_like(forward)
    for index, row in enumerate(column):
        np.multiply(forward, row, out=work)
        work.max(axis=1, out=largest[index])
    return np.maximum(largest, 1.0)
