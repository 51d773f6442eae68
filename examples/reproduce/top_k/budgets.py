"""From a level that people are promised to levels per record, four ways.

    published   max over b of (epsilon - a*(b)) / b, every pair of values its own block
    quilt       the same with one block for all pairs of values, as the Markov quilt mechanism has
    exact       the largest level whose worst mechanism is proven to keep epsilon: exact
                translation, by a bound of it where records have more than two values
    group       epsilon / T: all T records of a person may depend on each other in any way

All are floats, rounded down: every one of them keeps epsilon.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from pufferproof.examples.reproduce.top_k.reached import reached_nats
from pufferproof.examples.reproduce.top_k.rounded import Budget, RoundedCurve, largest_budget
from pufferproof.lp.records.stationary import largest_level
from pufferproof.lp.translation.alphabets.passed import ChainBounds
from pufferproof.models.interface.fields import Plain
from pufferproof.models.priors.markov import MarkovChain

Way = Literal["published", "quilt", "exact", "group"]
WAYS: tuple[Way, ...] = ("published", "quilt", "exact", "group")


@dataclass(frozen=True)
class Budgets(Plain):
    """The levels per record for one epsilon, by way; `blocks` say which curve point gave the first
    two, `reached` what some mechanism of the exact level leaks, in nats.
    """

    epsilon: str
    levels: dict[Way, float]
    blocks: dict[Way, Budget]
    reached: float


def budgets(chain: MarkovChain, length: int, grid: Sequence[str]) -> list[Budgets]:
    """Return the levels per record of a stationary chain of `length` records for every epsilon.

    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> (found,) = budgets(chain, 100, ["1"])
    >>> {way: round(1 / level, 2) for way, level in found.levels.items()}
    {'published': 31.74, 'quilt': 31.74, 'exact': 8.64, 'group': 100.0}
    """
    curves: dict[Way, RoundedCurve] = {
        "published": RoundedCurve(chain, length),
        "quilt": RoundedCurve(chain, length, common=True),
    }
    bound = ChainBounds(chain, length)
    return [
        replace(found, reached=reached_nats(chain, length, found.levels["exact"]))
        for found in (_budgets(curves, bound, epsilon) for epsilon in grid)
    ]


def _budgets(curves: dict[Way, RoundedCurve], bound: ChainBounds, epsilon: str) -> Budgets:
    nats = Fraction(epsilon)
    blocks = {way: largest_budget(curve, nats) for way, curve in curves.items()}
    levels = {way: block.level for way, block in blocks.items()}
    # what the published translation shows, the worst mechanism keeps
    levels["exact"] = max(translated(bound, nats), levels["published"])
    levels["group"] = float(nats) / bound.length * (1 - 2.0**-50)
    return Budgets(epsilon, levels, blocks, 0.0)


def translated(bound: ChainBounds, epsilon: Fraction) -> float:
    """Return the level per record that the exact translation gives, or a proven bound of it where
    records have more than two values.
    """
    return largest_level(bound, epsilon)
