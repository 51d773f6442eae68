"""An upper bound of what per-record levels leak on networks with loops, by elimination
of all other records, or of those near the secret one.
"""

from fractions import Fraction
from math import isfinite

from pufferproof.lp.translation.case import orders
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.forest import families_of, layout
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.verify.noise.accounts.elimination import MOST_RECORDS, float_above
from pufferproof.verify.noise.accounts.near import least_ratio
from pufferproof.verify.noise.accounts.rays import MOST_VALUES

RESTS_ON = ("classes.elimination", "general.quilt-account")


def eliminated(framework: Framework, levels: RecordLevels) -> Fraction | None:
    """Return an upper bound of e to the leakage of all pairs under all priors; None unless every
    prior is a network of at most eight values, and its tables are small enough.
    """
    records = framework.expect_records()
    if records.count > MOST_RECORDS:
        return None
    rates = [float_above(levels.at(record).bounds()[1]) for record in range(1, records.count + 1)]
    wanted = {order.record for order in orders(framework)}
    bounds, spent = [1.0], 0
    for prior in framework.priors.values():
        if (network := network_of(prior, records)) is None:
            return None
        if not 2 <= len(layout(network, records)[0]) <= MOST_VALUES:
            return None
        try:
            families = families_of(network, records)
        except TooLargeError:
            return None
        for record in sorted(wanted):
            found = least_ratio(families, record, rates, spent)
            bounds.append(found.ratio)
            spent = found.spent
    return Fraction(max(bounds)) if isfinite(max(bounds)) else None
