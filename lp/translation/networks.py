"""The worst case of per-record levels under networks with loops, too large to list: the published
bound, by the records that separate the secret one from the rest, beside what a response of one
record leaks.

Derived: general.quilt-account.
"""

from fractions import Fraction
from functools import partial

from pufferproof.lp.translation.case import PairBounds, WorstCase, largest, orders, responses
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.published import least, published_bounds
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.influence.curves.networks import MOST_NODES
from pufferproof.models.listing import Pair
from pufferproof.verify.leakage.ratio import Leakage

PUBLISHED_CLAIMS = ("general.quilt-account",)


def worst_of_networks(framework: Framework, levels: RecordLevels) -> WorstCase:
    """Return an upper bound of the worst case, and what a mechanism leaks.

    Raises `ModelError`, saying what is possible, where no finite bound is found.
    """
    try:
        best = least(published_bounds(framework, levels))
    except ModelError as error:
        raise ModelError(
            f"no bound for a network with loops that is too large to list: {error.what}; expected "
            f"a forest of bits, at most {MOST_NODES} records of which few separate a secret from "
            f"the others, or at most 1024 databases",
            error.where,
        ) from None
    name, pair, lower = _shown(framework, levels)
    record, value = framework.places[pair[0]]
    return WorstCase(
        Leakage(lower, best.leakage.upper),
        False,
        name,
        pair,
        None,
        partial(responses, framework, levels, {record: frozenset({value})}),
        PUBLISHED_CLAIMS,
        "published",
    )


def _shown(framework: Framework, levels: RecordLevels) -> tuple[str, Pair, Fraction]:
    """Return a prior, a pair that is possible under it, the record of which has the largest level,
    and e to that level, rounded down.

    Raises `ModelError` if there is none.
    """
    asked, known = list(orders(framework)), []
    records = framework.expect_records()
    for name, network in framework.networks.items():
        laws = {
            record: network.law_of((record,), records).table
            for record in {record for _, record, _, _ in asked}
        }
        for order, record, one, other in asked:
            if laws[record][one] and laws[record][other]:
                low = levels.at(record).bounds()[0]
                known.append(PairBounds(low, low, name, order))
    worst = largest(known)
    return worst.prior, worst.pair, worst.lower or Fraction(1)
