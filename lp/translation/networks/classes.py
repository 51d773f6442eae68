"""The worst case of per-record levels over classes of networks of bits: a bound by elimination, and
what some of their members leak.
"""

from fractions import Fraction

from pufferproof.lp.translation.case import orders
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.models.framework import Framework
from pufferproof.models.priors.networks.contacts import Contacts
from pufferproof.models.priors.networks.intervals import IntervalNetwork
from pufferproof.verify.noise.classes.networks.contacts import contacts_ratio
from pufferproof.verify.noise.classes.networks.intervals import network_ratio

RESTS_ON = ("classes.elimination",)


def of_networks(framework: Framework) -> bool:
    """Whether all classes of a framework are of networks."""
    every = framework.classes.values()
    return all(isinstance(box, Contacts | IntervalNetwork) for box in every)


def bound_of_networks(framework: Framework, levels: RecordLevels) -> Fraction | None:
    """Return an upper bound of e to the leakage under all classes, None for infinite."""
    records, known = framework.expect_records(), list[Fraction | None]()
    above = [levels.at(record).bounds()[1] for record in range(1, records.count + 1)]
    for record in sorted({order.record for order in orders(framework)}):
        for box in framework.classes.values():
            if isinstance(box, Contacts):
                known.append(contacts_ratio(box, record, above))
            elif isinstance(box, IntervalNetwork):
                known.append(network_ratio(box, records, record, above))
    finite = [each for each in known if each is not None]
    return max(finite) if len(finite) == len(known) else None
