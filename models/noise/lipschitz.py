"""Lipschitz constants: how much a query changes at most, in L1, when one record changes and the
others stay.

A mechanism published for 1-Lipschitz queries adds L times its noise. Source: wang2016, Definition
4.1 and the remark on rescaling; for vectors the L1 distance (Section 4.3). The histogram of all
records has L = 2.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import AdditiveNoise, Vector
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.records import Records


def lipschitz_of_records(query: RecordQuery) -> Fraction:
    """Return the constant of a sum, mean or histogram.

    >>> from pufferproof.models.noise.additive import Noise
    >>> lipschitz_of_records(RecordQuery("mean", Noise.laplace(1), Records(10, ("0", "5"))))
    Fraction(1, 2)
    """
    if query.query == "histogram":
        return Fraction(2 if len(query.records.alphabet) > 1 else 0)
    (row,) = query.digits
    return query.grain * max(row)


def lipschitz_of_table(query: AdditiveNoise, records: Records) -> Fraction:
    """Return the constant of a query given by the value of every database.

    Raises `ModelError` unless databases can be listed, and each has a value.
    """
    labels = records.labels()
    values: list[Vector] = []
    for label in labels:
        if label not in query.values:
            raise ModelError(f'expected a value for every database, found none for "{label}"', "query")
        values.append(query.values[label])
    size, largest, block = len(records.alphabet), Fraction(0), len(labels)
    for _ in range(records.count):
        block //= size
        for start in range(0, len(labels), block * size):
            for offset in range(start, start + block):
                largest = max(largest, spread(values[offset : offset + block * size : block]))
    return largest


def distance(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """Return the L1 distance of two values.

    >>> distance([Fraction(0), Fraction(3)], [Fraction(1), Fraction(1)])
    Fraction(3, 1)
    """
    return sum((abs(x - y) for x, y in zip(one, other)), Fraction(0))


def spread(values: Sequence[Vector]) -> Fraction:
    """Return the largest L1 distance of two of some values, at least one.

    >>> spread([(Fraction(0), Fraction(3)), (Fraction(1), Fraction(1)), (Fraction(1), Fraction(2))])
    Fraction(3, 1)
    """
    if len(values[0]) == 1:
        return max(values)[0] - min(values)[0]
    return max((distance(a, b) for a, b in combinations(values, 2)), default=Fraction(0))
