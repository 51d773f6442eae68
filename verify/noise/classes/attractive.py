"""What noisy numbers of an attractive network of bits leak, at the two ends of the query.

A table t of a network is attractive if t(x or y) t(x and y) >= t(x) t(y) for all x and y, entry by
entry. If all are, so is their product, times any product of functions of single bits. So records
given X_i = 1 are stochastically larger than given 0 (Holley's inequality), tilted by the noise or
not, and the largest ratio is that of an output beyond all values of the query
(`classes.network-extremes`).
"""

from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.forest import families_of, forest_within
from pufferproof.verify.decision import Theorems
from pufferproof.verify.leakage.largest import EnclosedRatio
from pufferproof.verify.noise.accounts.corners import ends_of, largest_corner, queries_of
from pufferproof.verify.noise.accounts.likelihoods import MOST_TABLES
from pufferproof.verify.noise.ratio.bounds import places_to_check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("classes.network-extremes",)
_MOST_AXES = 8  # of a table that is tested


@dataclass(frozen=True)
class EndRatio(EnclosedRatio):
    """The leakage as both ends of the query have it."""

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return "both ends of the query, of records that attract one another"

    @property
    def theorems(self) -> Theorems:
        """An argument in words: that no other output leaks more."""
        return Theorems(in_words=True)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: of a level that an end breaks, enclosures alone."""
        return ("INTERVAL",) if self.exceeds(level) else ("INTERVAL", *self.theorems.trust)

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on: of a level that an end breaks, none."""
        return () if self.exceeds(level) else RESTS_ON


def attractive_ends(framework: Framework, mechanism: NoisyQueries) -> EndRatio | None:
    """Return what noisy numbers leak under attractive networks of bits, or None unless every prior
    is one, noise decays exponentially, secrets are about one record each, and tables are small.

    Raises `TooLargeError` if its tables are too large.
    """
    records = framework.expect_records()
    queries, place = queries_of(mechanism), framework.places
    if len(records.alphabet) != 2 or len(queries) < len(mechanism.queries):
        return None
    if any(query.noise.decay is None for query in queries):
        return None
    if any(place[one][0] != place[other][0] for one, other in framework.pairs):
        return None
    wanted = {record for record, _ in place.values()}
    if len(wanted) * records.count > MOST_TABLES and not _trees(framework):
        return None
    if not all(_attractive(framework, name) for name in framework.priors):
        return None
    places, scope = places_to_check(framework)
    largest, witness = largest_corner(framework, queries, places, ends_of(mechanism))
    return EndRatio(largest, witness, scope)


def _trees(framework: Framework) -> bool:
    """Whether every prior is a forest, which one pass goes through."""
    networks, records = framework.networks, framework.expect_records()
    return len(networks) == len(framework.priors) and all(
        forest_within(network, records) is not None for network in networks.values()
    )


def _attractive(framework: Framework, name: str) -> bool:
    """Whether a prior is a network of bits with attractive tables, without arrows that carry
    nothing.
    """
    network = framework.networks.get(name)
    if not isinstance(network, BayesianNetwork):
        return False
    forest = forest_within(network, framework.expect_records())
    if forest is not None:
        return forest.attractive
    families = families_of(network, framework.expect_records())
    return all(is_attractive(family.table) for family in families)


def is_attractive(table: "NDArray[np.object_]") -> bool:
    """Whether t(x or y) t(x and y) >= t(x) t(y) for all x and y; not told, so False, of more than
    eight bits.

    >>> import numpy as np
    >>> is_attractive(np.array([[3, 1], [1, 3]])), is_attractive(np.array([[1, 3], [3, 1]]))
    (True, False)
    """
    if table.ndim > _MOST_AXES:
        return False
    entries = list(product((0, 1), repeat=table.ndim))
    for x, y in combinations(entries, 2):
        both = table[tuple(map(min, x, y))] * table[tuple(map(max, x, y))]
        if both < table[x] * table[y]:
            return False
    return True
