"""Histograms of more than two values: the numbers of all values, each with noise of its own.

The law is of the numbers n_2 .. n_m of a window of C records, as digits to the base C + 1; n_1 is
what is left of C. S(w, v) = sum_n P(n | v) tau^(|w_1 - n_1| + .. + |w_m - n_m|) is summed along one
axis after the other, in integers over a power of 2 that are rounded down, or up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..level import Point
from ..reading import spend
from .laws import Law, Place, decay, expect_few, smoothed_exactly
from .model import Noise
from .rounding import ONE, ZERO, Rounded, cut, plus, times, whole

Laws = dict[int, Law]  # by the value of the record
Pairs = list[tuple[int, int]]


def exactly(noise: Noise, counts: int, laws: Laws, pairs: Pairs) -> Iterator[Point]:
    """Yield S(w, v), P(v), S(w, u), P(u) at every w, of a rational decay and the law of all."""
    known = {
        v: spread(laws[v], counts, lambda row: smoothed_exactly(row, noise.ratio))
        for v in sorted({v for pair in pairs for v in pair})
    }
    for v, u in pairs:
        p, q = sum(laws[v]), sum(laws[u])
        yield from (Point(a, p, b, q) for a, b in zip(known[v], known[u]))


def outward(
    noise: Noise, counts: int, found: Place, laws: Laws, pairs: Pairs, bits: int
) -> Iterator[Point]:
    """Yield bounds that make the ratio at every w no smaller."""
    known = sorted({v for pair in pairs for v in pair})
    sides = [Fixed(noise, counts, [laws[v] for v in known], bits, up) for up in (False, True)]
    below, above = ({v: side.spread(laws[v]) for v in known} for side in sides)
    for v, u in pairs:
        p, q = whole(found.masses[v][0], found.masses[u][1])
        yield from (Point(a, p, b, q) for a, b in zip(above[v], below[u]))


class Fixed:
    """Sums along an axis, in integers over 2^move, rounded to one side."""

    def __init__(self, noise: Noise, counts: int, laws: Sequence[Law], bits: int, up: bool) -> None:
        self.counts, self.up = counts, up
        m, e = decay(noise, bits, up)
        steep = max(0, -e - m.bit_length()) + 1  # tau >= 2^-steep
        self.unit = bits + steep
        self.tau = moved(m, e + self.unit, up)
        heights = [max(law).bit_length() for law in laws if any(law)]
        far = counts * (side_of(laws[0], counts) - 1)
        self.move = bits + steep * far - min(heights, default=0)
        self.bits = bits + steep * far + max(heights, default=0) - min(heights, default=0)

    def spread(self, law: Law) -> Law:
        return spread([moved(x, self.move, self.up) for x in law], self.counts, self.along)

    def along(self, row: Law) -> Law:
        spend(2 * len(row), self.bits, self.unit)
        rising, falling, now = list[int](), list[int](), 0
        for x in row:
            now = x + moved(now * self.tau, -self.unit, self.up)
            rising.append(now)
        now = 0
        for x in reversed(row):
            falling.append(now)
            now = moved((now + x) * self.tau, -self.unit, self.up)
        return [x + y for x, y in zip(rising, reversed(falling))]


def moved(x: int, by: int, up: bool) -> int:
    """Return x 2^by, rounded."""
    if by >= 0:
        return x << by
    return -(-x >> -by) if up else x >> -by


def side_of(law: Law, counts: int) -> int:
    """Return C + 1."""
    side = 1
    while side ** (counts - 1) < len(law):
        side += 1
    return side


def spread(law: Law, counts: int, along: Callable[[Law], Law]) -> Law:
    """Return the sums along all axes at every w: w_2 .. w_m are digits, and w_1 the first one."""
    side = side_of(law, counts)
    size = len(law) * side
    expect_few(size)
    grid = [0] * size
    for place, x in enumerate(law):
        if x:
            grid[place + len(law) * (side - 1 - sum(digits(place, side)))] = x
    for step in (side**axis for axis in range(counts)):
        for start in range(size // side):
            first = start // step * step * side + start % step
            row = grid[first : first + step * side : step]
            if any(row):
                grid[first : first + step * side : step] = along(row)
    return grid


def digits(place: int, side: int) -> list[int]:
    found = list[int]()
    while place:
        place, digit = divmod(place, side)
        found.append(digit)
    return found


def at(noise: Noise, counts: int, law: Law, output: Sequence[int], bits: int, up: bool) -> Rounded:
    """Bound S(w, v) at one w, given w_1 .. w_m."""
    side, tau, total = side_of(law, counts), decay(noise, bits, up), ZERO
    spend((counts + 2) * (len(law) + side), bits + max(law).bit_length(), bits)
    powers = [ONE]
    for _ in range(counts * side):
        powers.append(times(powers[-1], tau, bits, up))
    for place, x in enumerate(law):
        if x:
            rest = digits(place, side) + [0] * counts
            own = [side - 1 - sum(rest), *rest[: counts - 1]]
            far = sum(abs(w - n) for w, n in zip(output, own))
            total = plus(total, times(cut((x, 0), bits, up), powers[far], bits, up), bits, up)
    return total
