"""The influence curve a*(b): what must leak about a secret, per pair of secrets, when the best b
records are hidden.

    a*(b) = max over ordered pairs (s, t) of min over H, |H| <= b, of max over priors and D_L of log
    P(D_L | s) / P(D_L | t)

L being the records outside the hidden set H, which every ordered pair chooses for itself. On a
chain a secret says X_i = v. Then H must hold i, and of the shown records only the nearest ones on
either side count (fact 3 of `pufferproof.models.influence.chain`): for H = {i-a+1 .. i+b-1}
everything else is shown. So a*(n) is the least product of a left ratio at distance a and a right
one at distance n + 1 - a, a record beyond an end of the chain having ratio 1. For other priors all
subsets are tried.

Source: bai2026, Section 6.2, with the order of a pair kept and the infimum taken for every ordered
pair.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.influence.chain import ChainInfluence, Factor
from pufferproof.models.influence.enumeration import Conditionals, largest_ratio
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_RECORDS = 1_000
_MOST_WORK = 20_000_000

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


def enumerated_curve(framework: Framework) -> list[Fraction | None]:
    """Return e^a*(b) for b = 0 .. number of records of a listed framework, by trying every set of
    shown records.

    Raises `ModelError` unless databases are made of records, few enough for all subsets of them,
    and priors are a list.
    """
    records = _expect_few_records(framework)
    orders = [order for pair in framework.pairs for order in framework.orders(pair)]
    conditionals = {name: Conditionals(framework, name) for name in framework.priors}
    checked = [
        (order, known)
        for order in orders
        if (
            known := [
                c for c in conditionals.values() if all(framework.mass(c.prior, s) for s in order)
            ]
        )
    ]
    if not checked:
        raise ModelError(
            "nothing to check: under every prior, each pair has a secret of probability 0", "pairs"
        )
    return _by_subsets(records, checked)


def _expect_few_records(framework: Framework) -> Records:
    if framework.records is None:
        raise ModelError(
            'a curve needs databases made of records ("records" in place of "databases")',
            "databases",
        )
    if framework.closure != "list":
        raise ModelError(
            'expected "list", found "convex": a curve is computed for listed priors', "closure"
        )
    records = framework.records
    work = len(framework.databases) * 2**records.count * len(framework.priors)
    if work > _MOST_WORK:
        raise ModelError(
            f"{records.count} records have too many subsets: expected Markov priors, or fewer",
            "records",
        )
    return records


def _by_subsets(
    records: Records, checked: Sequence[tuple[tuple[str, str], Sequence[Conditionals]]]
) -> list[Fraction | None]:
    least: list[dict[tuple[str, str], Fraction | None]] = [{order: None for order, _ in checked}]
    everything = range(1, records.count + 1)
    for hidden in range(records.count + 1):
        best = dict(least[-1])
        for shown in combinations(everything, records.count - hidden):
            tables = _tables(checked, shown)
            for order, known in checked:
                ratios = [
                    largest_ratio(tables[c.prior][order[0]], tables[c.prior][order[1]])
                    for c in known
                ]
                if None not in ratios:
                    ratio = max(value for value in ratios if value is not None)
                    old = best[order]
                    best[order] = ratio if old is None else min(old, ratio)
        least.append(best)
    return [
        None
        if None in best.values()
        else max(value for value in best.values() if value is not None)
        for best in least[1:]
    ]


def _tables(
    checked: Sequence[tuple[tuple[str, str], Sequence[Conditionals]]], shown: tuple[int, ...]
) -> Mapping[str, dict[str, dict[tuple[str, ...], Fraction]]]:
    """Return P(X_L = . | s) for every prior and secret that is checked."""
    tables: dict[str, dict[str, dict[tuple[str, ...], Fraction]]] = {}
    for order, known in checked:
        for each in known:
            table = tables.setdefault(each.prior, {})
            for secret in order:
                if secret not in table:
                    table[secret] = each.given(secret, shown)
    return tables
