"""The worst case of per-record levels under networks with loops, too large to list: the published
bound, by the records that separate the secret one from the rest, beside what a response of one
record leaks.

Derived: general.quilt-account.
"""

from fractions import Fraction
from functools import partial

from pufferproof.lp.translation.case import WorstCase, orders, responses
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
    pair, record, one = _shown(framework, levels)
    return WorstCase(
        Leakage(levels.at(record).bounds()[0], best.leakage.upper or Fraction(1)),
        False,
        next(iter(framework.priors)),
        pair,
        None,
        partial(responses, framework, levels, {record: frozenset({one})}),
        PUBLISHED_CLAIMS,
        "published",
    )


def _shown(framework: Framework, levels: RecordLevels) -> tuple[Pair, int, int]:
    """Return the ordered pair whose record has the largest level, with that record and value."""
    known = [(order, record, one) for order, record, one, _ in orders(framework)]
    return max(known, key=lambda each: levels.at(each[1]).bounds()[1])
