"""Histograms of more than two values: the numbers of all values, each with noise of its own.

The law is of the numbers n_2 .. n_m of a window of C records, as digits to the base C + 1; n_1 is
what is left of C. S(w, v) = sum_n P(n | v) tau^(|w_1 - n_1| + .. + |w_m - n_m|) is summed along one
axis after the other, exactly, or in integers over a power of 2 that are rounded down, or up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..reading import spend
from .laws import Law, decay, expect_few
from .model import Noise
from .rounding import ONE, ZERO, Rounded, cut, plus, times


class Numbers:
    """Numbers m 2^e, of one e."""

    def __init__(self, numbers: Law, e: int) -> None:
        self.numbers, self.e = numbers, e

    def __iter__(self) -> Iterator[Rounded]:
        return ((m, self.e) for m in self.numbers)


def smoothed(laws: Sequence[Law], counts: int, tau: Rounded, bits: int, up: bool) -> list[Numbers]:
    """Bound S(w, v) of each law at every w. The power of 2 that numbers are over is that of this
    tau: those of two sides may differ, and so each number has its own.
    """
    m, e = tau
    steep = max(0, -e - m.bit_length()) + 1  # tau >= 2^-steep
    unit, heights = bits + steep, [max(law).bit_length() for law in laws if any(law)]
    move = bits + steep * counts * (side_of(laws[0], counts) - 1) - min(heights, default=0)
    long = move + max(heights, default=0)
    spend(sum(map(len, laws)), long, 1024)
    fixed = moved(m, e + unit, up)

    def along(rows: list[Law]) -> list[Law]:
        spend(2 * len(rows) * len(rows[0]), long, unit)
        return [swept(row, fixed, unit, up) for row in rows]

    shifted = [[moved(x, move, up) for x in law] for law in laws]
    return [Numbers(grid, -move) for grid in spread(shifted, counts, along)]


def swept(row: Law, tau: int, unit: int, up: bool) -> Law:
    """Bound sum_n row[n] (tau 2^-unit)^|w - n| at every w."""
    rising, falling, now = list[int](), list[int](), 0
    for x in row:
        now = x + moved(now * tau, -unit, up)
        rising.append(now)
    now = 0
    for x in reversed(row):
        falling.append(now)
        now = moved((now + x) * tau, -unit, up)
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


def spread(laws: Sequence[Law], counts: int, along: Callable[[list[Law]], list[Law]]) -> list[Law]:
    """Return the sums of each law along all axes at every w: w_2 .. w_m are digits, and w_1 the
    first one. A row of all laws is summed at once, so that they stay over one unit.
    """
    side, grids = side_of(laws[0], counts), list[Law]()
    size = len(laws[0]) * side
    expect_few(size)
    for law in laws:
        grids.append([0] * size)
        for place, x in enumerate(law):
            if x:
                grids[-1][place + len(law) * (side - 1 - sum(digits(place, side)))] = x
    for step in (side**axis for axis in range(counts)):
        for start in range(size // side):
            first = start // step * step * side + start % step
            row = slice(first, first + step * side, step)
            rows = [grid[row] for grid in grids]
            if any(map(any, rows)):
                for grid, found in zip(grids, along(rows)):
                    grid[row] = found
    return grids


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
