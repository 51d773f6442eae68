"""Mechanisms that leak much within given per-record levels: independent randomised responses, one
for every record, and what the output that says "favoured" everywhere reveals.

Record j reports whether its value is in a set A_j of favoured values, rightly with the odds R_j to
1. The column of that output is a product of factors R_j on A_j and 1 elsewhere. Sets are improved
one after the other until none changes. What comes out is reached by a mechanism; it need not be the
largest ratio.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.models.sequences.chain import Along

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WINDOW = 60  # records on either side; those farther away report nothing
_ROUNDS = 50
Sets = tuple[frozenset[int], ...]


@dataclass(frozen=True)
class Path:
    """The records on one side of record i, nearest first: `kernels` has the law of each given the
    one before it on the path, `ratios` e to a lower bound of its level.

    The records are a path that leads away from record i, and with all sets but one fixed the ratio
    is largest for a set of values where one likelihood is large beside the other.
    """

    kernels: "tuple[tuple[tuple[Fraction, ...], ...], ...]"
    ratios: tuple[Fraction, ...]

    def value(self, sets: Sets, one: int, other: int) -> Fraction:
        """Return how many times likelier the favoured output is given one value of record i."""
        states = range(len(self.kernels[0][0])) if self.kernels else range(0)
        after = [Fraction(1) for _ in states]
        for kernel, ratio, favoured in zip(self.kernels[:0:-1], self.ratios[::-1], sets[::-1]):
            shown = [(ratio if x in favoured else 1) * after[x] for x in states]
            after = [sum((p * f for p, f in zip(row, shown)), Fraction(0)) for row in kernel]
        if not self.kernels:
            return Fraction(1)
        shown = [(self.ratios[0] if x in sets[0] else 1) * after[x] for x in states]
        first, second = (
            sum((p * f for p, f in zip(self.kernels[0][v], shown)), Fraction(0))
            for v in (one, other)
        )
        return first / second

    def improved(self, one: int, other: int) -> Sets:
        """Return sets that no change of a single one improves, up to rounding errors."""
        import numpy as np

        if not self.kernels:
            return ()
        kernels = [np.array(kernel, dtype=float) for kernel in self.kernels]
        ratios = [float(ratio) for ratio in self.ratios]
        chosen = _likelier(kernels, one, other)
        for _ in range(_ROUNDS):
            better = _swept(kernels, ratios, chosen, (one, other))
            if all((new == old).all() for new, old in zip(better, chosen)):
                break
            chosen = better
        return tuple(frozenset(int(x) for x in np.flatnonzero(row)) for row in chosen)


def _likelier(
    kernels: "Sequence[NDArray[np.float64]]", one: int, other: int
) -> "list[NDArray[np.bool_]]":
    """Return, for every record of a path, the values that are likelier given `one`."""
    first, second = kernels[0][one], kernels[0][other]
    chosen = [first > second]
    for kernel in kernels[1:]:
        first, second = first @ kernel, second @ kernel
        chosen.append(first > second)
    return chosen


def _swept(
    kernels: "Sequence[NDArray[np.float64]]",
    ratios: Sequence[float],
    chosen: "Sequence[NDArray[np.bool_]]",
    values: tuple[int, int],
) -> "list[NDArray[np.bool_]]":
    """Improve every set once, from record i outwards."""
    import numpy as np

    after = [np.ones(len(kernels[0]))]
    for kernel, ratio, row in zip(kernels[:0:-1], ratios[:0:-1], chosen[:0:-1]):
        beyond = kernel @ (np.where(row, ratio, 1.0) * after[-1])
        after.append(beyond / beyond.max())
    laws = np.array([kernels[0][value] for value in values])
    better = []
    for place, (ratio, rest) in enumerate(zip(ratios, reversed(after))):
        row = _best_set(laws * rest, ratio)
        better.append(row)
        if place + 1 < len(kernels):
            laws = (laws * np.where(row, ratio, 1.0)) @ kernels[place + 1]
            laws /= laws.max()
    return better


def _best_set(weights: "NDArray[np.float64]", ratio: float) -> "NDArray[np.bool_]":
    """Return the set A with the largest (sum a + (R - 1) a(A)) / (sum b + (R - 1) b(A))."""
    import numpy as np

    first, second = weights
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = np.where(second > 0, first / second, np.where(first > 0, np.inf, -1.0))
    order = np.argsort(-quotients, kind="stable")
    gained = [np.concatenate([[0.0], np.cumsum(row[order])]) for row in (first, second)]
    sums = first.sum(), second.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        values = (sums[0] + (ratio - 1) * gained[0]) / (sums[1] + (ratio - 1) * gained[1])
    row = np.zeros(len(first), dtype=bool)
    row[order[: int(np.nanargmax(values))]] = True
    return row


@dataclass(frozen=True)
class Responses:
    """Randomised responses of the records around record i, and how many times likelier their
    favoured output is given X_i = v than given w.
    """

    ratio: Fraction
    favoured: dict[int, frozenset[int]]


def responses(laws: Along, levels: RecordLevels, record: int, one: int, other: int) -> Responses:
    """Return randomised responses that leak much about X_i = v against w, their ratio exactly.

    >>> from pufferproof import MarkovChain
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> found = responses(Along(chain, 3), RecordLevels.uniform(3, ["log(2)"]), 2, 1, 0)
    >>> found.ratio, {place: set(values) for place, values in found.favoured.items()}
    (Fraction(98, 25), {1: {1}, 2: {1}, 3: {1}})

    Args:
        laws: of the chain, exact.
    """
    ratio = levels.at(record).bounds()[0]
    favoured = {record: frozenset({one})}
    for places in _outwards(record, laws.length):
        kernels = tuple(_kernel(laws, place, record) for place in places)
        path = Path(kernels, tuple(levels.at(place).bounds()[0] for place in places))
        sets = path.improved(one, other)
        ratio *= path.value(sets, one, other)
        favoured |= dict(zip(places, sets))
    return Responses(ratio, dict(sorted(favoured.items())))


def _outwards(record: int, count: int) -> tuple[range, range]:
    before = range(record - 1, max(0, record - 1 - _WINDOW), -1)
    return before, range(record + 1, min(count, record + _WINDOW) + 1)


def _kernel(laws: Along, place: int, record: int) -> tuple[tuple[Fraction, ...], ...]:
    """Return the laws of a record given the next one nearer to record i."""
    if place > record:
        return tuple(map(tuple, laws.transition))
    rows = laws.backward(place + 1, 1)
    blank = (Fraction(1),) + (Fraction(0),) * (laws.states - 1)
    return tuple(tuple(rows.get(value, blank)) for value in range(laws.states))
