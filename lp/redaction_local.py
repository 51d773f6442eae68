"""Any local redaction for one private record: a proven bound of its utility, and a search for good mechanisms.

Bound. Every single Y_t leaks at most what Y leaks. A record whose influences exceed the level is always redacted, a value whose
pointwise influence exceeds it too, and the common value of such a record at least so often that "redacted" keeps the level:
the sum of what each record could release alone bounds every local redaction mechanism.

Search. With all other r fixed, the likelihoods of every output are affine in one r_t(x), so that the values that keep the level
are an interval: from a mechanism that keeps it, each r_t(x) is lowered as far as that allows, the farthest records first. This
ends in a mechanism without slack in any single direction, which need not be the best one.
Source of the question: massny2025, which proposes three regions and leaves the best local mechanism open.
"""

from fractions import Fraction

from pufferproof.lp.redaction_exact import single_side
from pufferproof.lp.redaction_side import DesignSide
from pufferproof.models.binary_chain import BinaryChain, Budget, Pair
from pufferproof.models.level import Level
from pufferproof.models.mechanisms.redaction import LocalRedaction
from pufferproof.verify.redaction_leakage import redaction_leakage

_GRAIN = 40  # r are lowered in multiples of 2^-40


def local_bound(chain: BinaryChain, private: int, level: Level) -> Fraction:
    """Return a number of expected released records that no local redaction mechanism within the level exceeds.

    >>> local_bound(BinaryChain("1/4", "1/2", 2), 1, Level.log("3/2"))
    Fraction(8, 15)
    """
    budget, weight = Budget(level), max(chain.stationary_law)
    longest = max(private - 1, chain.length - private)
    whole = DesignSide.of(chain, longest, budget)
    total = Fraction(0)
    for distance in range(1, longest + 1):
        records = (private - distance >= 1) + (private + distance <= chain.length)
        if distance >= whole.small:
            total += records
        elif distance >= whole.first:
            alone = single_side(DesignSide(chain, distance, budget, distance, distance + 1))
            total += records * weight * (1 - alone.least)
    return total


def without_slack(chain: BinaryChain, private: int, level: Level, start: LocalRedaction) -> LocalRedaction:
    """Lower every r_t(x) of a mechanism that keeps the level as far as the level allows, one after the other."""
    rows = list(start.rows)
    places = [(t, x) for t in range(1, chain.length + 1) if t != private for x in (0, 1)]
    for t, x in sorted(places, key=lambda place: (-abs(place[0] - private), place[1] != chain.common_value, place)):
        old = rows[t - 1]
        low, high, now = -1, -(-(old[x].numerator << _GRAIN) // old[x].denominator), old[x]
        while high - low > 1:
            middle = (low + high) // 2
            lowered = Fraction(middle, 1 << _GRAIN)
            rows[t - 1] = _with(old, x, lowered)
            if _keeps(chain, private, level, rows):
                high, now = middle, lowered
            else:
                low = middle
        rows[t - 1] = _with(old, x, now)
    return LocalRedaction(rows)


def _with(row: Pair, x: int, value: Fraction) -> Pair:
    return (value, row[1]) if x == 0 else (row[0], value)


def _keeps(chain: BinaryChain, private: int, level: Level, rows: list[Pair]) -> bool:
    ratio = redaction_leakage(chain, LocalRedaction(rows), private).leakage.upper
    return ratio is not None and level.compare(ratio) <= 0
