"""Section 7.1: metrics of rankings, with log2(3) compared by powers, and rows that are smoothed."""

from collections.abc import Sequence
from math import lcm
from typing import Any

from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Gain = tuple[F, F]
"""x + y/log2(3), as (x, y)."""


AROUND = (F(306, 485), F(665, 1054))
"""1/log2(3) lies between, as 3^306 < 2^485 and 3^665 > 2^1054."""


def at_least_zero(gain: Gain) -> bool:
    """Whether x + y/log2(3) >= 0: by numbers around, else multiplied by log2(3), whether 3^x 2^y >=
    1.
    """
    clear = {gain[0] + gain[1] * each >= 0 for each in AROUND}
    if len(clear) == 1:
        return clear.pop()
    scale = lcm(gain[0].denominator, gain[1].denominator)
    x, y = (int(each * scale) for each in gain)
    return F(3) ** x * F(2) ** y >= 1


def minus(first: Gain, second: Gain) -> Gain:
    """Return the difference."""
    return first[0] - second[0], first[1] - second[1]


def times(factor: F, gain: Gain) -> Gain:
    """Return the multiple."""
    return factor * gain[0], factor * gain[1]


def dcg(counts: Sequence[int]) -> Gain:
    """Return the sum of count_k/log2(k + 1) over up to three ranks."""
    padded = [*map(F, counts), ZERO, ZERO][:3]
    return padded[0] + padded[2] / 2, padded[1]


def rankings(draws: Draws) -> Instance:
    """Counts from 0 to 4 of three or four categories, ties often; K from 1 to 3; a ranking of K of
    them, often one with a right rank, and the true one, ties broken by number.
    """
    m, K = 3 + draws.below(2), 1 + draws.below(3)
    counts = [draws.below(5) for _ in range(m)]
    truth = sorted(range(m), key=lambda label: -counts[label])[:K]
    left, predicted = list(range(m)), []
    for rank in range(K):
        own = [truth[rank]] if truth[rank] in left and draws.whether() else left
        predicted.append(draws.among(own))
        left.remove(predicted[-1])
    return {"counts": counts, "truth": truth, "predicted": predicted}


def _gains(counts: Any, truth: Any, predicted: Any) -> tuple[Gain, Gain]:
    ideal, found = ([counts[label] for label in labels] for labels in (truth, predicted))
    return dcg(ideal), dcg(found)


def _between(counts: object, truth: object, predicted: object, most: F = ONE) -> bool:
    """Whether 0 <= DCG <= most IDCG."""
    ideal, found = _gains(counts, truth, predicted)
    return at_least_zero(found) and at_least_zero(minus(times(most, ideal), found))


SOME_COUNT = "some count is positive"
NDCG = Statement(
    family=rankings,
    given={SOME_COUNT: lambda counts, truth, predicted: max(counts) > 0},
    holds=_between,
    too_strong={"at most 99/100": {"most": F(99, 100)}},
)


def _l1(counts: Sequence[int], truth: Sequence[int], predicted: Sequence[int]) -> int:
    return sum(abs(counts[a] - counts[b]) for a, b in zip(truth, predicted))


def _summed(
    counts: Sequence[int], truth: Sequence[int], predicted: Sequence[int], share: F = ONE
) -> bool:
    """Whether right ranks are at most hits, and |DCG - IDCG| at most a share of l1."""
    ideal, found = _gains(counts, truth, predicted)
    error = (share * _l1(counts, truth, predicted), ZERO)
    gap = minus(ideal, found)
    near = at_least_zero(minus(error, gap)) and at_least_zero(minus(error, times(-ONE, gap)))
    right = sum(a == b for a, b in zip(truth, predicted))
    return near and right <= len(set(truth) & set(predicted))


SUMS = Statement(family=rankings, holds=_summed, too_strong={"half of l1": {"share": HALF}})


def _swapped(
    counts: Sequence[int], truth: Sequence[int], predicted: Sequence[int], labels: bool = False
) -> bool:
    """Whether l1 is 0 iff counts (or labels) are right, rank by rank; NDCG is 1 then."""
    ideal, found = _gains(counts, truth, predicted)
    right = all(counts[a] == counts[b] for a, b in zip(truth, predicted))
    same = truth == predicted if labels else right
    zero = _l1(counts, truth, predicted) == 0
    return zero == same and (not zero or ideal == found)


SWAPS = Statement(
    family=rankings, holds=_swapped, too_strong={"iff labels are right": {"labels": True}}
)


def shares(m: int) -> Any:
    """Return the family of counts of so many categories."""

    def counts_of_categories(draws: Draws) -> Instance:
        """Counts of all categories, a first one from 1 to 12, a second and a third that are no
        larger, and others that are the third one, or one less, or 0 from some number on.
        """
        first = 1 + draws.below(12)
        second = first - draws.below(first + 1) // 2
        third = second - draws.below(second + 1) // 2
        full = draws.below(m - 2)
        rest = [third] * full + [max(0, third - 1 - draws.below(12))] * (m - 3 - full)
        return {"counts": [first, second, third, *rest]}

    return counts_of_categories


def _mean_at_least(counts: Sequence[int], least: F) -> bool:
    """Whether the mean of DCG/IDCG over uniform rankings is at least so much: each category stands
    at each rank equally often.
    """
    mean = F(sum(counts), len(counts))
    found = (mean + mean / 2, mean)
    return at_least_zero(minus(found, times(least, dcg(sorted(counts, reverse=True)[:3]))))


def chance(m: int, least: F, inverse: int) -> Statement:
    """Return the statement for a number of categories."""
    return Statement(
        family=shares(m),
        given={"the mean NDCG is as large": lambda counts: _mean_at_least(counts, least)},
        holds=lambda counts, factor=ONE: factor * inverse * max(counts) < sum(counts),
        too_strong={"with half this share": {"factor": 2}},
        too_weak=["the mean NDCG is as large"],
    )


CHANCE_11 = chance(11, F(5895, 10000), 4)
CHANCE_78 = chance(78, F(5265, 10000), 26)


def smoothed_rows(draws: Draws) -> Instance:
    """A law of one to six values with zeros, and tau from 1/10 to 1/2."""
    row = draws.law(1 + draws.below(6), 3)
    return {"row": row, "tau": draws.rate([F(1, 10), F(1, 4), F(1, 3), HALF])}


def _smoothed(row: Sequence[F], tau: F) -> list[F]:
    """Zeros become tau, and the others lose what was added in proportion."""
    added = tau * sum(not p for p in row)
    return [p - added * p if p else tau for p in row]


ENOUGH = "z tau <= 1 for z zeros"
SMOOTHED = Statement(
    family=smoothed_rows,
    given={ENOUGH: lambda row, tau: sum(not p for p in row) * tau <= 1},
    holds=lambda row, tau, all_entries_positive=False: (
        (sum(_smoothed(row, tau)) == 1 and min(_smoothed(row, tau)) >= 0)
        and (not all_entries_positive or (min(_smoothed(row, tau)) > 0))
    ),
    too_strong={"all entries positive": {"all_entries_positive": True}},
    too_weak=[ENOUGH],
)


_FACTOR = F(7, 5)


def draws_of_labels(draws: Draws) -> Instance:
    """One to three kinds of queries with weights, of up to 11 labels each: how likely a label is to
    be drawn against the most frequent, at eps = 1, in 25ths, often the same for all.
    """
    queries = []
    for _ in range(1 + draws.below(3)):
        alike = F(draws.among((0, 12, 17, 21, 24, 25)), 25)
        others = [
            alike if draws.whether() else F(draws.below(26), 25) for _ in range(draws.below(11))
        ]
        queries.append(others)
    return {"queries": queries, "weights": draws.positive_law(len(queries))}


def _right(others: Sequence[F], power: int) -> F:
    """How often the first draw names the most frequent label."""
    return 1 / (1 + sum((each**power for each in others), ZERO))


def _later(queries: Sequence[Sequence[F]], weights: Sequence[F], factor: F = _FACTOR) -> bool:
    """Whether E Acc@1(5) - 1/11 <= factor (E Acc@1(4) - 1/11)."""
    at_4, at_5 = (
        sum((w * _right(each, power) for each, w in zip(queries, weights)), ZERO) - F(1, 11)
        for power in (4, 5)
    )
    return at_5 <= factor * at_4


ROW_5 = Statement(
    family=draws_of_labels,
    holds=_later,
    edges=[
        {"queries": [[F(17, 25)] * 10], "weights": [ONE]},
        {"queries": [[ONE] * 10], "weights": [ONE]},
        {"queries": [[ZERO] * 10], "weights": [ONE]},
        {"queries": [[]], "weights": [ONE]},
    ],
    too_strong={"a factor of 139/100": {"factor": F(139, 100)}},
)
