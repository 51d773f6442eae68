"""Section 7.1.5: the metrics of rankings, what they must obey, and what the majority guess says.

A ranking names K different categories of m. Weights 1/log2(k + 1) only matter in that they fall
with k.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import NamedTuple

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.experiments.cells import Cell
from pufferproof.claims.papers.bai2026.statements import metrics as said
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "IDCG": "DCG of the true ranking",
    "c": "c_k is the true count at rank k, c~_k the one of the label predicted there",
}

CHANCE = {
    "Capture24": (11, Fraction(5895, 10000), 4),
    "Foursquare": (78, Fraction(5265, 10000), 26),
}
"""Categories, the least NDCG that is printed as 0.590 or 0.527, and 1 over the share shown."""
MAJORITY = {"18.61%": (77 * 3,), "16.67%": (4 * 3, 32 * 3)}
"""Guesses behind the printed accuracy: countries, then age groups or participants, by 3 ranks."""


@claim(
    "bai2026.metrics",
    where="Section 7.1.5",
    statement="Acc@k, HR@K, NDCG@K = DCG/IDCG with DCG = sum_k rel(pi_k)/log2(k + 1) and rel the "
    "true counts, so that NDCG is in [0, 1]; l1 = sum_k |c~_k - c_k|, which does not penalise "
    "swapping categories of equal counts. A majority guess has 18.61% and 16.67% accuracy, "
    "averaged over 3 positions.",
    kind="definition",
    says={
        "NDCG is in [0, 1]": said.NDCG,
        "Acc@1 + .. + Acc@K <= K HR@K; |DCG - IDCG| <= l1": said.SUMS,
        "l1 is 0 iff counts are right, rank by rank; NDCG is 1 then": said.SWAPS,
    },
    unsaid={
        "the majority accuracies are means over all queries and 3 ranks": "It asks whether two "
        "printed percentages are roundings of fractions; the steps name the fractions"
    },
)
def metrics(check: Check) -> None:
    """Prove what the metrics obey; count what the majority guess can be a mean of.

    NDCG is in [0, 1]. The best K: a category with a larger count instead of one predicted raises
    DCG, or keeps it. The best order: so does exchanging two ranks, if the larger count was at the
    lower rank. After finitely many such changes the ranking has the counts of the true one: DCG <=
    IDCG.

    Acc@1 + .. + Acc@K <= K HR@K; |DCG - IDCG| <= l1. Hits: a right rank is a hit. L1: weights are
    at most 1.
    """
    check.tried("NDCG is in [0, 1]")
    check.tried("Acc@1 + .. + Acc@K <= K HR@K; |DCG - IDCG| <= l1")
    proved(
        check,
        "l1 is 0 iff counts are right, rank by rank; NDCG is 1 then",
        "all rankings of at most 3 of 4 categories, counts up to 3",
        _swaps,
        accuracy_too=Edit("all rankings", holds=_accurate),
    )
    proved(
        check,
        "the majority accuracies are means over all queries and 3 ranks",
        "77 countries; 4 age groups, or 32 participants",
        _majority,
        one_country_less=Edit("successes", family=[("18.61%", 76 * 3)]),
    )


@claim(
    "bai2026.x-ndcg-chance",
    where="Section 7.1.5, Tables 3 and 5 (a question of ours: what NDCG at chance level says)",
    statement="Let rankings of 3 of m categories be uniform and rel be true counts. If the mean "
    "NDCG is at least 0.5895 for m = 11, the most frequent category has less than 1/4 of all "
    "records, and if it is at least 0.5265 for m = 78, less than 1/26. (Printed are 0.590 and "
    "0.527 for Group DP-Lap at eps = 0.5, with accuracies near chance: then at least one "
    "participant did nothing, not even sleep, for six hours of a day.)",
    kind="lemma",
    says={"Capture24: 11 categories": said.CHANCE_11, "Foursquare: 78 categories": said.CHANCE_78},
)
def ndcg_chance(check: Check) -> None:
    """Every category is as likely at every rank: the mean DCG is that of equal counts.

    W2 from below: 1/log2(3) > 63/100. W2 from above: 1/log2(3) < 631/1000. The most frequent: each
    rank has the mean count 1/m: gain = (1 + w2 + 1/2)/(m IDCG). No other category has more than the
    third, so that they have at most m - 3 times its share.
    """
    for name, (labels, _least, _inverse) in CHANCE.items():
        check.tried(f"{name}: {labels} categories")


class Ranking(NamedTuple):
    """Counts of categories, and which ones are predicted."""

    counts: tuple[int, ...]
    predicted: tuple[int, ...]

    @property
    def truth(self) -> tuple[int, ...]:
        """The most frequent ones; of equal counts the first."""
        order = sorted(range(len(self.counts)), key=lambda each: -self.counts[each])
        return tuple(order[: len(self.predicted)])

    def pairs(self) -> list[tuple[int, int]]:
        """The predicted and the true count at each rank."""
        return [
            (self.counts[one], self.counts[other]) for one, other in zip(self.predicted, self.truth)
        ]


def _rankings() -> Iterator[Ranking]:
    for size in (2, 3, 4):
        for count in range(1, min(size, 3) + 1):
            for counts in product(range(4), repeat=size):
                for predicted in permutations(range(size), count):
                    yield Ranking(counts, predicted)


def _swaps(proof: Proof) -> None:
    proof.exhaust("all rankings", "also of categories that are swapped", _rankings(), _agrees)


def _agrees(ranking: Ranking) -> bool:
    zero = sum(abs(one - other) for one, other in ranking.pairs()) == 0
    falling = (Fraction(1), Fraction(3, 5), Fraction(1, 2))
    gains = [sum(w * pair[side] for w, pair in zip(falling, ranking.pairs())) for side in (0, 1)]
    return zero == (gains[0] == gains[1]) and gains[0] <= gains[1]


def _accurate(ranking: Ranking) -> bool:
    zero = all(one == other for one, other in ranking.pairs())
    return zero == (ranking.predicted == ranking.truth)


def _majority(proof: Proof) -> None:
    proof.exhaust(
        "successes",
        "43 of 231; 2 of 12, or 16 of 96",
        [(text, trials) for text, each in MAJORITY.items() for trials in each],
        lambda guess: Cell(guess[0]).is_mean_of(guess[1]),
    )
