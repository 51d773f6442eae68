"""The influence curve a*(b): what must leak about a secret, per pair of secrets, when the best b
records are hidden.

    a*(b) = max over ordered pairs (s, t) of min over H, |H| <= b, of max over priors and D_L of
        log P(D_L | s) / P(D_L | t)

L being the records outside the hidden set H, which every ordered pair chooses for itself. On a
chain a secret says X_i = v. Then H must hold i, and of the shown records only the nearest ones on
either side count (fact 3 of `pufferproof.models.influence.chain`): for H = {i-a+1 .. i+b-1}
everything else is shown. So a*(n) is the least product of a left ratio at distance a and a right
one at distance n + 1 - a, a record beyond an end of the chain having ratio 1.

Source: bai2026, Section 6.2, with the order of a pair kept and the infimum taken for every ordered
pair.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.influence.chain import ChainInfluence, Factor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_RECORDS = 1_000

Quotient = tuple[int, int]  # not in lowest terms, which would take longer than comparing
Place = tuple[
    int, int, int
]  # a record and two of its values: X_i = v against X_i = w, in this order


def _compare(one: Quotient, other: Quotient) -> int:
    return one[0] * other[1] - other[0] * one[1]


_SIZE = cmp_to_key(_compare)


def chain_curve(chains: Sequence[ChainInfluence], places: Sequence[Place]) -> list[Fraction | None]:
    """Return e^a*(b) for b = 0 .. T, exactly; None where it is infinite. All chains have T records
    and exact laws.

    >>> from pufferproof import MarkovChain
    >>> from pufferproof.models.sequences.chain import Along
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> chain_curve([ChainInfluence(Along(chain, 3))], [(2, 0, 1), (2, 1, 0)])
    [None, Fraction(9, 1), Fraction(3, 1), Fraction(1, 1)]

    Raises `ModelError` unless T is at most 1,000 and some place has two values of positive
    probability under some chain.
    """
    length = chains[0].laws.length
    if length > MAX_RECORDS:
        raise ModelError(
            f"expected at most {MAX_RECORDS} records for a curve, found {length}", "records.count"
        )
    rows = [_Row(known, place) for place in places if (known := _sides(chains, place))]
    if not rows:
        raise ModelError(
            "nothing to check: under every prior, each pair has a secret of probability 0", "pairs"
        )
    return [None, *(_worst(rows, hidden) for hidden in range(1, length + 1))]


class _Side:
    """The ratios of one prior for one ordered pair of values: left at distances 1 .. i, right
    at 1 .. T - i + 1.
    """

    def __init__(self, chain: ChainInfluence, place: Place) -> None:
        import numpy as np

        record, self.v, self.w = place
        count = chain.laws.length
        self.left = [chain.factors(record, a, None)[0] for a in range(1, record)]
        self.right = [chain.factors(record, None, b)[0] for b in range(1, count - record + 1)]
        self.logs = [
            np.array([*(f.logs[self.v, self.w] for f in side), 0.0])
            for side in (self.left, self.right)
        ]
        self.errors = [
            np.array([*(f.error for f in side), 0.0]) for side in (self.left, self.right)
        ]

    def ratio(self, left: int, right: int) -> Quotient:
        """Return the product of a left and a right ratio, counting distances from 0, the last
        one being no record.
        """
        one, other = self._value(self.left, left), self._value(self.right, right)
        return one.numerator * other.numerator, one.denominator * other.denominator

    def _value(self, side: list[Factor], index: int) -> Fraction:
        return Fraction(1) if index == len(side) else Fraction(side[index].value(self.v, self.w))


class _Row:
    """An ordered pair of secrets under all priors that give both a positive probability."""

    def __init__(self, sides: list[_Side], place: Place) -> None:
        self.sides, self.place = sides, place

    def bounds(self, hidden: int) -> "tuple[NDArray[np.float64], NDArray[np.float64], int]":
        """Return the logarithms of every choice of `hidden` records, their errors, and the
        first left distance.
        """
        import numpy as np

        lefts, rights = len(self.sides[0].logs[0]), len(self.sides[0].logs[1])
        first, last = max(0, hidden - rights), min(lefts, hidden)
        logs, errors = np.full(last - first, -np.inf), np.zeros(last - first)
        for side in self.sides:
            later = slice(hidden - last, hidden - first)
            logs = np.maximum(logs, side.logs[0][first:last] + side.logs[1][later][::-1])
            errors = np.maximum(errors, side.errors[0][first:last] + side.errors[1][later][::-1])
        return logs, errors, first

    def least(self, hidden: int) -> Quotient:
        """Return the least ratio with so many hidden records, where it is finite."""
        import numpy as np

        logs, errors, first = self.bounds(hidden)
        near = np.flatnonzero(logs - errors <= (logs + errors).min())
        splits = [(first + int(j), hidden - 1 - first - int(j)) for j in near]
        return min(
            (max((side.ratio(*split) for side in self.sides), key=_SIZE) for split in splits),
            key=_SIZE,
        )


def _sides(chains: Sequence[ChainInfluence], place: Place) -> list[_Side]:
    record, *values = place
    return [
        _Side(chain, place) for chain in chains if set(values) <= set(chain.laws.possible(record))
    ]


def _worst(rows: Sequence[_Row], hidden: int) -> Fraction | None:
    """Return the largest of the least ratios of all ordered pairs, the exact ones being
    compared where floats are close.
    """
    import numpy as np

    bounds = [row.bounds(hidden) for row in rows]
    lower = np.array([(logs - errors).min() for logs, errors, _ in bounds])
    upper = np.array([(logs + errors).min() for logs, errors, _ in bounds])
    if np.isposinf(lower).any():
        return None
    near = np.flatnonzero(upper >= lower.max())
    return Fraction(*max((rows[int(index)].least(hidden) for index in near), key=_SIZE))
