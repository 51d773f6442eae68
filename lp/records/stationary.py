"""What mechanisms of a level per record can tell about a record of a stationary chain of any
alphabet: a proven upper bound, and the largest level that keeps a promise by it.

    D_1 = R,   D_n = R max over v, w of G_vw(D_(n-1)),   D_n <= R^n,

bounds the largest quotient of E[u | X_j = x] where n records lie on one side of record j, j
included, u a column of level log R per record; G_vw is the least of the bounds by blocks of records
and by couplings. All numbers are floats, rounded up. With two values
`pufferproof.lp.translation.bits` is exact. Source: cao2017 and cao2018 for blocks of one record.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain, stationary_law

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ways = tuple[list[int], list["Block"]]
    Floats = NDArray[np.float64]

RESTS_ON = ("worst.blocks-upper", "worst.coupling-upper")
_NEVER = 1e-9  # distances beyond which worlds have met, as far as noise is concerned
_NEXT = 1 + 2.0**-50
_UP = 1 + 2.0**-36  # far above the roundings of a few thousand sums and products
_SLACK = 2.0**-38
_FEW = 24  # states for which blocks of many lengths are kept
_BLOCKS = (1, 2, 4, 8)
_MORE_BLOCKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
_MOST_MEETINGS = 512
_SEGMENTS = 8
_STEPS = 40
_LOOKS = 8  # records after which it is asked again which ways are best
_NEAR = 2.0**-14  # of the way that a D has come, when it is taken for its limit
_LARGEST = 1e60
_MOST_NATS = 100.0  # that records hidden together may cost


class LeakageBound:
    """Upper bounds of what per-record levels can tell about any record of a stationary chain of T
    records.

    The ratio for X_i = v against w is at most R G_vw(D after i) H_vw(D before i), H with the
    reversed kernel, blocks and meetings of several lengths serving. It grows with D, so that
    whatever is rounded up stays a bound. With more than two values this is an upper
    bound; `pufferproof.lp.translation.alphabets.passed` takes the lesser of it and another.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> round(LeakageBound(chain, 3).nats(math.log(2)), 6)  # log(98/25), the middle record
    1.366092

    Args:
        chain: stationary, every state of positive probability.
        length: T, at least 1.

    Raises `ModelError` unless the chain starts from its stationary law and no state is impossible.
    """

    def __init__(self, chain: MarkovChain, length: int) -> None:
        import numpy as np

        if chain.initial != "stationary":
            raise ModelError('expected "stationary", found another law', "initial")
        if length < 1:
            raise ModelError(f"expected at least 1 record, found {length}", "length")
        law = np.array([float(value) for value in stationary_law(chain.transition)])
        if not law.min() > 0:
            raise ModelError("expected every state to be possible", "transition")
        step = np.array([[float(value) for value in row] for row in chain.transition])
        self.length = length
        self._after = _SideGrowth(step, length)
        self._before = _SideGrowth((step * law[:, None] / law).T, length)

    def quotients(self, level: float) -> "tuple[list[float], list[float]]":
        """Return D_0 = 1, D_1, .. D_T after and before a record, as far as moderate."""
        ratio, length = math.exp(level) * _NEXT, self.length + 1
        return self._most(self._after, ratio, length), self._most(self._before, ratio, length)

    def nats(self, level: float) -> float:
        """Return a bound of the leakage of all mechanisms of this level per record, in nats."""
        if level <= 0:
            return 0.0
        ratio = math.exp(level) * _NEXT
        after = self._most(self._after, ratio, self.length)
        before = self._most(self._before, ratio, self.length)
        together = level * self.length * _NEXT  # group privacy
        if max(after[-1], before[-1]) > _LARGEST:
            return together
        best = max(self._at(ratio, *place) for place in self._places(after, before))
        return min(math.log(best) * _NEXT + 2.0**-50, together)

    def _most(self, side: "_SideGrowth", ratio: float, length: int) -> list[float]:
        """Return D_0 = 1, D_1, .. D_(length-1); constant once a D is found with R G(D) <= D."""
        bounds, ways = [1.0], side.ways(ratio, ratio)
        while len(bounds) < length and bounds[-1] <= _LARGEST:
            if len(bounds) % _LOOKS == 0:
                ways = side.ways(ratio, bounds[-1])
            value = min(ratio * side.largest(ways, ratio, bounds[-1]), ratio ** len(bounds) * _UP)
            bounds.append(max(value, bounds[-1]))
            steady = _limit(bounds)
            if steady is not None and ratio * side.largest(ways, ratio, steady) <= steady:
                return bounds + [steady] * (length - len(bounds))
        return bounds

    def _places(self, after: list[float], before: list[float]) -> set[tuple[float, float]]:
        """Return bounds of D on both sides of every record, a few segments at a time."""
        size = -(-self.length // _SEGMENTS)
        starts = range(0, self.length, size)
        return {
            (after[min(start + size, self.length) - 1], before[self.length - 1 - start])
            for start in starts
        }

    def _at(self, ratio: float, after: float, before: float) -> float:
        import numpy as np

        product = self._after.pairs(ratio, after) * self._before.pairs(ratio, before)
        return float(np.max(product)) * ratio * _UP


def _limit(found: list[float]) -> float | None:
    """Return a little more than what a sequence seems to tend to, once it is near it."""
    if len(found) < 4:
        return None
    before, last = found[-2] - found[-3], found[-1] - found[-2]
    if last >= before:
        return found[-1] * (1 + 2.0**-30) if last <= 0 else None
    rest = last * last / (before - last)  # what a geometric series would still add
    return found[-1] + 1.01 * rest + 2.0**-30 if rest <= _NEAR * (found[-1] - 1) else None


class _SideGrowth:
    """G_vw of one side of a record, with blocks and meetings of several lengths."""

    def __init__(self, step: "Floats", length: int) -> None:
        import numpy as np

        count = enough_steps(step, min(length, _MOST_MEETINGS))
        powers = [step]
        while len(powers) < count:
            powers.append(powers[-1] @ step)
        lengths = _MORE_BLOCKS if len(step) <= _FEW else _BLOCKS
        self._blocks = [Block(each, powers[each - 1], _UP) for each in lengths if each <= count]
        self._apart = distances(powers, _SLACK)
        self._farthest = self._apart.max(axis=(1, 2))
        self._counts = sorted({*np.unique(np.geomspace(1, count, 16).astype(int)).tolist()})

    def ways(self, ratio: float, most: float) -> "Ways":
        """Return the meetings and blocks that bound the worst pair best, of those that hide few
        enough records for this ratio.
        """
        hidden = 1 + _MOST_NATS / math.log(ratio)
        counts = [count for count in self._counts if count <= hidden]
        blocks = [block for block in self._blocks if block.distance <= hidden]
        counts.sort(key=lambda c: float(meeting(self._farthest, ratio, most, c)))
        blocks.sort(key=lambda block: block.largest(ratio, most))
        return counts[:2], blocks[:2]

    def largest(self, ways: "Ways", ratio: float, most: float) -> float:
        """Return a bound of the largest G_vw(D), R = `ratio`, D = `most`."""
        counts, blocks = ways
        met = min(float(meeting(self._farthest, ratio, most, c)) for c in counts)
        return min(met * _UP, *(block.largest(ratio, most) for block in blocks))

    def pairs(self, ratio: float, most: float) -> "Floats":
        """Return a bound of G_vw(D) for all v and w."""
        import numpy as np

        counts, blocks = self.ways(ratio, most)
        quotients = [meeting(self._apart, ratio, most, c) * _UP for c in counts]
        least: Floats = np.minimum.reduce(
            quotients + [block.pairs(ratio, most) for block in blocks]
        )
        return least


class StationaryBound(Protocol):
    """An upper bound of the leakage about any of `length` records, which grows with the level."""

    length: int

    def nats(self, level: float) -> float:
        """Return a bound of the leakage of all mechanisms of this level per record, in nats."""


def largest_level(bound: StationaryBound, epsilon: Fraction) -> float:
    """Return a level per record at which every mechanism, and every adaptive list of mechanisms
    whose levels add up to it, leaks at most epsilon about any record: nearly as large as the bound
    shows, to six digits, rounded down.

    >>> chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    >>> round(1 / largest_level(LeakageBound(chain, 100), Fraction(1)), 3)
    8.64

    Source: worst.blocks-upper, worst.coupling-upper.
    """
    nats = float(epsilon) / _NEXT
    low = nats / bound.length / _NEXT  # group privacy keeps epsilon, too
    high, kept = low, bound.nats(low)
    broken = kept
    while broken <= nats and high < nats:
        low, kept, high = high, broken, min(2 * high, nats)
        broken = bound.nats(high)
    if broken <= nats:
        return high
    for step in range(_STEPS):
        share = (nats - kept) / (broken - kept)  # where a straight line meets epsilon
        middle = low + (high - low) * (min(max(share, 0.02), 0.98) if step % 3 else 0.5)
        value = bound.nats(middle)
        if value <= nats:
            low, kept = middle, value
        else:
            high, broken = middle, value
        if high - low <= low * 1e-6 or nats - kept <= nats * 1e-6:
            break
    return low


class Block:
    """g_vw for all pairs of values at one distance: sums of both rows over the best sets A, by
    size of A.

    A linear-fractional function is largest where f is min or max everywhere; the best A has the
    largest quotients P^c(v, y)/P^c(w, y). Floats that are equal may come in any order: their exact
    quotients differ by two roundings.
    """

    def __init__(self, distance: int, power: "Floats", up: float) -> None:
        import numpy as np

        self.distance, self.up = distance, up
        shape = (len(power),) * 3
        with np.errstate(divide="ignore", invalid="ignore"):
            quotients = power[:, None, :] / power[None, :, :]
        order = np.argsort(-np.nan_to_num(quotients, nan=0.0, posinf=np.inf), axis=2)
        rows = np.broadcast_to(power[:, None, :], shape)
        columns = np.broadcast_to(power[None, :, :], shape)
        self._upper = np.cumsum(np.take_along_axis(rows, order, axis=2), axis=2)
        self._lower = np.cumsum(np.take_along_axis(columns, order, axis=2), axis=2)
        self._corners = _corners(self._upper.ravel(), self._lower.ravel())

    def pairs(self, ratio: float, most: float) -> "Floats":
        """Return R^(c-1) g_vw(D), R = `ratio`, D = `most`, at least 1, for all v and w."""
        factor = self.up * ratio ** (self.distance - 1)  # worst.blocks-upper
        quotients: Floats = factor * _quotients(self._upper, self._lower, most).max(
            axis=2, initial=1.0
        )
        return quotients

    def largest(self, ratio: float, most: float) -> float:
        """Return the largest of `pairs`."""
        quotient = max(1.0, float(_quotients(*self._corners, most).max()))
        return float(self.up * ratio ** (self.distance - 1) * quotient)


def _quotients(upper: "Floats", lower: "Floats", most: float) -> "Floats":
    excess = most - 1
    quotients: Floats = (1 + excess * upper) / (1 + excess * lower)
    return quotients


def _corners(upper: "Floats", lower: "Floats") -> "tuple[Floats, Floats]":
    """Return the points that no other is above and left of: (1 + t a)/(1 + t b) grows with a and
    falls with b, so that the largest is among them.
    """
    import numpy as np

    order = np.lexsort((-upper, lower))
    highest = np.maximum.accumulate(upper[order])
    kept = order[np.concatenate([[True], highest[1:] > highest[:-1]])]
    return upper[kept], lower[kept]


def distances(powers: "list[Floats]", slack: float) -> "Floats":
    """Return t_1 .. t_c for all pairs of values: c x k x k, rounded up, none above the one before.

    Args:
        powers: P^1 .. P^c.
        slack: more than the roundings of half a sum of differences.
    """
    import numpy as np

    found = np.array(
        [0.5 * np.abs(power[:, None, :] - power[None, :, :]).sum(axis=2) for power in powers]
    )
    return np.minimum.accumulate(np.minimum(found + slack, 1.0), axis=0)


def enough_steps(step: "Floats", most: int) -> int:
    """Return how many records, at most `most`, it takes until two worlds have met."""
    import numpy as np

    power, count = step, 1
    while count < most and np.ptp(power, axis=0).max() > _NEVER:
        power, count = power @ step, count + 1
    return count


def meeting(apart: "Floats", ratio: float, most: float, count: int) -> "Floats":
    """Return the bound for worlds that meet within `count` records, over the trailing axes.

    Paths from v and paths from w can be cut so that mass p_d meets at record d, at the same value
    with the same mass, and goes on together; t_c has not met by record c. What meets at d differs
    in records 1 .. d - 1 only: a factor r_d. What never meets differs by R^(c-1) D. On either part
    the mean of the mechanism is at most q_d times its least mean on parts that met earlier
    (worst.coupling-upper).

    Args:
        apart: t_1 .. t_c, c >= count, and any axes after the first.
        ratio: R.
        most: D.
    """
    import numpy as np

    shape = (-1,) + (1,) * (apart.ndim - 1)
    before = np.concatenate([np.ones((1, *apart.shape[1:])), apart[: count - 1]])
    mass = np.concatenate([before - apart[:count], apart[count - 1 : count]])
    factor = ratio ** np.arange(count)
    factor = np.append(factor, factor[-1] * most)
    above = np.append(ratio ** np.arange(count), ratio ** (count - 1)) * most
    weighted, raised = mass * factor.reshape(shape), mass * above.reshape(shape)
    # worst.coupling-upper: numerator and denominator for every s
    upper = _heads_and_tails(weighted, raised * factor.reshape(shape))
    lower = _heads_and_tails(mass, raised)
    met = np.cumsum(mass, axis=0) > 0  # something is in the head
    quotients = np.divide(upper, lower, out=np.ones_like(upper), where=met & (lower > 0))
    least: Floats = quotients.max(axis=0)
    return least


def _heads_and_tails(head: "Floats", tail: "Floats") -> "Floats":
    """Return sum_(d <= s) head_d + sum_(d > s) tail_d for every s."""
    import numpy as np

    after = np.cumsum(tail[:0:-1], axis=0)[::-1]
    sums: Floats = np.cumsum(head, axis=0)
    sums[:-1] += after
    return sums
