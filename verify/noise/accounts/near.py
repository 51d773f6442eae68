"""Bounds of what per-record levels leak about a record of a network, by elimination: of all other
records or, where that is too wide, of those within a ball around it.

With Q the boundary of the ball, h' the mean of a column h over what is beyond Q, and R_i the bound
that elimination within the ball has of h' at any values q of Q,

    E[h | v] / E[h | w] = sum P(q | v) E[h' | v, q] / sum P(q | w) E[h' | w, q]
                       <= max P(q | v) / P(q | w)  R_i(v, w).

P(q | v) / P(q | w) = O(q) P(w) / P(v), where the tables that meet the ball give the odds
O(q) = P(v | q) / P(w | q), and P(v) / P(w) lies between the least O and the largest one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.priors.forest import Family
from pufferproof.verify.noise.accounts.elimination import (
    Odds,
    Step,
    ancestors,
    cost_of,
    distances,
    neighbours,
    odds_of,
    only,
    orders_within,
    ratio_above,
    rest_of,
    shared_laws,
    size_of,
    small_enough,
    steps_within,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays", "general.quilt-account")
_UNIT = 2.0**-53
_WIDEST = 18  # records of a boundary, of two values
_MOST_INFLUENCE = 1e100


@dataclass(frozen=True)
class EliminationPlan:
    """An order in which records are eliminated, and the boundary of the ball that they fill: none,
    if they are all others; at most `influence` is e^influence of the boundary.
    """

    steps: list[Step]
    boundary: tuple[int, ...] = ()
    influence: float = 1.0

    def ratio_above(self, families: Sequence[Family], last: int, rates: Sequence[float]) -> float:
        """Return the larger of both bounds of a record, given bounds of e^level of every one."""
        return self.with_influence(ratio_above(families, last, rates, self.steps))

    def with_influence(self, ratio: float) -> float:
        """Return the bound, given that of elimination."""
        return ratio if self.influence == 1 else ratio * self.influence * (1 + 4 * _UNIT)

    def nearby(self, last: int, count: int) -> list[int]:
        """Return the records that may spend their levels."""
        if not self.boundary:
            return list(range(1, count + 1))
        return sorted([last, *(record for record, _ in self.steps)])


class LeastRatio(NamedTuple):
    """The least bound of a record, infinity if there is none, by which plan, and how many entries
    all plans so far have met.
    """

    ratio: float
    plan: EliminationPlan
    spent: int


def least_ratio(families: Sequence[Family], last: int, rates: Sequence[float], spent: int) -> LeastRatio:
    """Return the least bound of the secret record over the plans that are small enough."""
    best = LeastRatio(inf, EliminationPlan([]), spent)
    for plan in plans(families, last, spent):
        spent += cost_of(plan.steps, size_of(families))
        ratio = plan.ratio_above(families, last, rates)
        best = LeastRatio(ratio, plan, spent) if ratio < best.ratio else best._replace(spent=spent)
    return best


def plans(families: Sequence[Family], last: int, spent: int = 0) -> Iterator[EliminationPlan]:
    """Yield the orders of all other records, and those of balls, that are small enough."""
    for steps in orders_within(families, last, spent, leaves=True):
        spent += cost_of(steps, size_of(families))
        yield EliminationPlan(steps)
    yield from _balls(families, last, spent)


def _balls(families: Sequence[Family], last: int, spent: int) -> Iterator[EliminationPlan]:
    size = size_of(families)
    away = distances(neighbours(families), last)
    odds = _prior_odds(families, last) if size == 2 else None
    for radius in range(1, max(away.values())):
        boundary = tuple(sorted(record for record, far in away.items() if far == radius))
        steps = steps_within(families, last, (person for person in away if away[person] < radius))
        if size ** len(boundary) > 2**_WIDEST or not small_enough(steps, size, spent):
            return
        spent += cost_of(steps, size)
        influence = _influence(families, last, EliminationPlan(steps, boundary), odds)
        if influence < _MOST_INFLUENCE:
            yield EliminationPlan(steps, boundary, influence)


def _prior_odds(families: Sequence[Family], last: int) -> Odds | None:
    """Return P(1) / P(0) of a bit, or None if its ancestors are too many."""
    chosen = only(families, ancestors(families, last))
    for steps in orders_within(chosen, last):
        odds = odds_of(chosen, last, [(1.0, 1.0)] * len(families), steps)
        if 0 < odds.value < inf:
            return odds
    return None


def _influence(families: Sequence[Family], last: int, plan: EliminationPlan, prior: Odds | None) -> float:
    """Return an upper bound of e^influence of the boundary of a ball, infinity where there is
    none.
    """
    bag = shared_laws(families, {last, *(record for record, _ in plan.steps)})
    rest = rest_of(bag, plan.steps, last, plan.boundary)
    if rest is None:
        return inf
    rows = rest.table.reshape(-1, rest.table.shape[-1]).T
    possible = [row for row in rows if row.any()]
    largest = max((_of_odds(v, w, prior) for v, w in combinations(possible, 2)), default=1.0)
    return largest * (1 + 4 * rest.error + 2 * (prior.error if prior else 0) + 16 * _UNIT)


def _of_odds(v: "Floats", w: "Floats", prior: Odds | None) -> float:
    """Return the largest P(q | v) / P(q | w) and P(q | w) / P(q | v) that odds leave."""
    either = (v > 0) | (w > 0)
    if not ((v > 0) == (w > 0)).all():
        return inf
    odds = w[either] / v[either]
    low, high = float(odds.min()), float(odds.max())
    if prior is None:
        return high / low
    return max(min(high / prior.value, high / low), min(prior.value / low, high / low), 1.0)
