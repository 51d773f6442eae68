"""E[w | s] for secrets about records of a network, w a product of weights of the values of all
records: what two ends of a noisy query tell of them.

By one pass along a forest, by elimination of enclosures where tables are small, of floats that
carry their errors where they are larger (`products`), of bits by what their ancestors tell
(`networks.told_of_bits`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.elimination import (
    Factor,
    eliminated_in,
    elimination_order,
    entries_of,
)
from pufferproof.models.priors.forest import forest_within
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.places import Place
from pufferproof.verify.noise.accounts.accountant import expect_network
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
        values = [value for each, value in places if each == record]
        told = _enclosed(network, records, record, weights, values)
        if told is None:
            told, work = _by_floats(network, records, record, weights, (values, left))
            left -= work
        if told is not None:
            likelihoods |= {(record, value): ball for value, ball in told.items()}
        elif (odds := told_of_bits(framework, prior, record, weights)) is not None:
            likelihoods |= {(record, 1): odds} if (record, 1) in likelihoods else {}
    return likelihoods


def _enclosed(
    network: BayesianNetwork,
    records: Records,
    record: int,
    weights: "Sequence[Sequence[arb]]",
    values: Sequence[int],
) -> "dict[int, arb] | None":
    """Return E[w | X_i = v] for values v of a record in enclosures, None if tables are large."""
    import numpy as np

    own, sizes = network.own(records), network.sizes(records)
    every = network.factors(records)
    try:
        law = network.marginal(record, records, most=_MOST_ENTRIES)
        order = elimination_order(
            [factor.scope for factor in every], {*sizes} - {record}, sizes, _MOST_ENTRIES
        )
    except TooLargeError:
        return None
    if entries_of(order, sizes) > _MOST_ENTRIES:
        return None
    ball: Any = np.frompyfunc(_ball, 1, 1)
    factors = [Factor(factor.scope, ball(factor.table)) for factor in every]
    for each, letters in enumerate(own, 1):
        row = [weights[each - 1][value] for value in letters]
        factors.append(Factor((each,), np.array(row, dtype=object)))
    told = dict(zip(own[record - 1], eliminated_in(order, factors, (record,), sizes)))
    return {value: told[value] / _ball(law[value]) for value in values}


def _by_floats(
    network: BayesianNetwork,
    records: Records,
    record: int,
    weights: "Sequence[Sequence[arb]]",
    asked: tuple[Sequence[int], int],
) -> "tuple[dict[int, arb] | None, int]":
    """Return E[w | X_i = v] for values v of a record as floats tell, None if they do not, and what
    work it was; `asked` are the values, and how much work is left.
    """
    from flint import arb, fmpq

    try:
        found = told_of_values(network, records, record, weights, *asked)
    except TooLargeError:
        found = None
    if found is None:
        return None, 0
    told, work = found
    balls = {
        value: arb(fmpq(low.numerator, low.denominator)).union(
            arb(fmpq(high.numerator, high.denominator))
        )
        for value, (low, high) in told.items()
    }
    return balls, work


def _ball(value: Fraction) -> "arb":
    from flint import arb, fmpz

    return arb(fmpz(value.numerator)) / fmpz(value.denominator)
