"""E[w | s] for secrets about records of a network, w a product of weights of the values of all
records: what two ends of a noisy query tell of them.

By one pass along a forest, by elimination of enclosures where tables are small, of floats that
carry their errors where they are larger (`products`), of bits by what their ancestors tell
(`networks.told_of_bits`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.elimination import (
    Factor,
    eliminated_in,
    elimination_order,
    entries_of,
)
from pufferproof.models.priors.forest import forest_within
from pufferproof.models.sequences.places import Place
from pufferproof.models.views.possible_values import expect_network
from pufferproof.verify.engines import ask
from pufferproof.verify.noise.accounts.networks import told_of_bits
from pufferproof.verify.noise.accounts.products import MOST_WORK, told_of_values
from pufferproof.verify.noise.accounts.trees import told_by_tree

if TYPE_CHECKING:
    from flint import arb

_MOST_ENTRIES = 1 << 16  # of enclosures, in all tables
MOST_TABLES = 20_000  # records that are eliminated, for all secret ones together


def network_likelihoods(
    framework: Framework,
    prior: str,
    weights: "Sequence[Sequence[arb]]",
    places: Sequence[Place],
) -> "Mapping[Place, arb]":
    """Return E[w | s] for possible secrets s about a network, up to a factor for those of a record;
    1 of some records where there are too many to go through all. `weights` are those of every
    record and letter, w their product.

    A forest takes one pass. Small tables are of enclosures, larger ones of floats that carry their
    errors; where these are too large as well, floats tell of bits; else 1 stands for a record.
    """
    from flint import arb

    network, records = expect_network(framework, prior), framework.expect_records()
    wanted = sorted({record for record, _ in places})
    if (forest := forest_within(network, records)) is not None:
        return dict.fromkeys(places, arb(1)) | told_by_tree(forest, weights, wanted)
    left = MOST_WORK
    likelihoods = dict.fromkeys(places, arb(1))
    for record in wanted[:: ceil(len(wanted) * records.count / MOST_TABLES)]:
        values = [value for one, value in places if one == record]
        question = LikelihoodQuestion(framework, prior, record, values, weights, left)
        answer = ask((in_enclosures, in_floats, of_bits), question).answer
        if answer is not None:
            balls, work = answer
            left -= work
            by_place = {(record, value): ball for value, ball in balls.items()}
            likelihoods |= {place: by_place[place] for place in by_place if place in likelihoods}
    return likelihoods


@dataclass(frozen=True)
class LikelihoodQuestion:
    """E[w | X_i = v] for values v of a record, with so much work at most."""

    framework: Framework
    prior: str
    record: int
    values: Sequence[int]
    weights: "Sequence[Sequence[arb]]"
    left: int

    @property
    def network(self) -> BayesianNetwork:
        """The network of the prior."""
        return expect_network(self.framework, self.prior)


ToldOfRecord: TypeAlias = "tuple[dict[int, arb], int]"  # by value, and what work it was


def in_enclosures(question: LikelihoodQuestion) -> "ToldOfRecord | None":
    """Eliminate enclosures, where tables are small."""
    import numpy as np

    network, records, record = (
        question.network,
        question.framework.expect_records(),
        question.record,
    )
    own, sizes = network.own(records), network.sizes(records)
    every = network.factors(records)
    law = network.marginal(record, records, most=_MOST_ENTRIES)
    order = elimination_order(
        [factor.scope for factor in every], {*sizes} - {record}, sizes, _MOST_ENTRIES
    )
    if entries_of(order, sizes) > _MOST_ENTRIES:
        return None
    balls: Any = np.frompyfunc(ball, 1, 1)
    factors = [Factor(factor.scope, balls(factor.table)) for factor in every]
    for person, letters in enumerate(own, 1):
        row = [question.weights[person - 1][value] for value in letters]
        factors.append(Factor((person,), np.array(row, dtype=object)))
    sums = dict(zip(own[record - 1], eliminated_in(order, factors, (record,), sizes)))
    return {value: sums[value] / ball(law[value]) for value in question.values}, 0


def in_floats(question: LikelihoodQuestion) -> "ToldOfRecord | None":
    """Eliminate floats that carry their errors."""
    from flint import arb, fmpq

    records = question.framework.expect_records()
    answer = told_of_values(
        question.network, records, question.record, question.weights, question.values, question.left
    )
    if answer is None:
        return None
    odds, work = answer
    balls = {
        value: arb(fmpq(low.numerator, low.denominator)).union(
            arb(fmpq(high.numerator, high.denominator))
        )
        for value, (low, high) in odds.items()
    }
    return balls, work


def of_bits(question: LikelihoodQuestion) -> "ToldOfRecord | None":
    """Tell the odds of a bit, as its ancestors do."""
    odds = told_of_bits(question.framework, question.prior, question.record, question.weights)
    return None if odds is None else ({1: odds}, 0)
