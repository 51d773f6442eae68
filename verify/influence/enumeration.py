"""Influences from the definition, on frameworks short enough to list: condition every prior, and
divide.

What `pufferproof.verify.influence.chain` computes for chains of any length is computed here for any
prior whatever, and slowly.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import shown as brief_value
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Largest quotients of the rows of a matrix of floats, with a proven relative error; comparisons are left to others.
#
# The influence of a record is the largest entry of a product of two k x k tables of such quotients, so that all quilts
# around it cost one table per distance. Whatever must be decided (is an influence below a level, is one quilt better
# than another) is decided by `ChainInfluence` with exact numbers or enclosures where the floats are within their error
# of each other.

RESTS_ON = ("influence.any-start",)
_ZERO_INVERSE = 2.0**1000  # stands for 1 / 0: times anything positive it exceeds every finite ratio
_LARGEST_RATIO = 2.0**650
_VALUES = 1 << 22  # floats worked on at a time


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
        [(matrix[start : start + step, None, :] * inverse).max(axis=2) for start in range(0, len(matrix), step)]
    )
    quotients[quotients > _LARGEST_RATIO] = np.inf
    return quotients


Outcome = tuple[str, ...]


class Conditionals:
    """The laws of some records given a secret, or given a value of one record, under one prior of a
    listed framework.

    Raises `ModelError` unless databases are made of records.
    """

    def __init__(self, framework: Framework, prior: str) -> None:
        if framework.records is None:
            raise ModelError('expected databases made of records ("records" instead of "databases")', "databases")
        self.framework, self.prior, self.records = framework, prior, framework.records

    @cached_property
    def _values(self) -> dict[int, Outcome]:
        """The values of all records, for the databases of positive probability."""
        return {x: _values_of(self.records, x) for x in self.framework.laws[self.prior].support}

    def given(self, secret: str, shown: Iterable[int]) -> dict[Outcome, Fraction]:
        """Return P(X_L = z | s) for the shown records L (from 1) and every possible z."""
        return self._law(self.framework.secrets[secret], tuple(shown))

    def given_value(self, record: int, value: str, shown: Iterable[int]) -> dict[Outcome, Fraction]:
        """Return P(X_L = z | X_i = v) for every possible z; empty if v is impossible."""
        return self._law([x for x, values in self._values.items() if values[record - 1] == value], tuple(shown))

    def _law(self, databases: Iterable[int], shown: tuple[int, ...]) -> dict[Outcome, Fraction]:
        law = self.framework.laws[self.prior]
        weights: dict[Outcome, int] = {}
        for x in databases:
            if law.weights[x]:
                outcome = tuple(self._values[x][record - 1] for record in shown)
                weights[outcome] = weights.get(outcome, 0) + law.weights[x]
        total = sum(weights.values())
        return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def largest_ratio(above: Mapping[Outcome, Fraction], below: Mapping[Outcome, Fraction]) -> Fraction | None:
    """Return max over z with P(z) > 0 of P(z) / Q(z), None if some Q(z) is 0; both are laws
    given by their supports.
    """
    if above.keys() - below.keys():
        return None
    return max(value / below[outcome] for outcome, value in above.items())


def enumerated_influence(framework: Framework, record: int, others: Iterable[int]) -> Fraction | None:
    """Return e^e of any set of records, the largest over all priors and all values of X_i; None if
    it is infinite.

    >>> from pufferproof import Records, Table
    >>> law = Table({"00": "3/8", "01": "1/8", "10": "1/8", "11": "3/8"})
    >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    >>> framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], {"theta": law})
    >>> enumerated_influence(framework, 1, [2])
    Fraction(3, 1)

    Raises `ModelError` unless databases are made of records, and these records are among them.
    """
    best, chosen = Fraction(1), tuple(sorted(set(others)))
    for prior in framework.priors:
        conditionals = Conditionals(framework, prior)
        for each in (record, *chosen):
            if not 1 <= each <= conditionals.records.count:
                raise ModelError(
                    f"expected a record from 1 to {conditionals.records.count}, found {brief_value(each)}", "record"
                )
        laws = [conditionals.given_value(record, value, chosen) for value in conditionals.records.alphabet]
        for above, below in permutations([law for law in laws if law], 2):
            ratio = largest_ratio(above, below)
            if ratio is None:
                return None
            best = max(best, ratio)
    return best


def _values_of(records: Records, index: int) -> Outcome:
    """Return the values of records in the database with this index, last fastest."""
    values = []
    for _ in range(records.count):
        index, last = divmod(index, len(records.alphabet))
        values.append(records.alphabet[last])
    return tuple(reversed(values))
