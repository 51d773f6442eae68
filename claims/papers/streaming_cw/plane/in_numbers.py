"""Points and regions in numbers, for formulas about counterexamples."""

from fractions import Fraction
from itertools import product

from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Point,
    Rows,
    generating_points,
    hockey_stick,
)

_RATIOS = tuple(Fraction(k, 4) for k in range(4, 41))
_NORMALS = [(u, v) for u, v in product(range(-6, 7), repeat=2) if (u, v) != (0, 0)]


def parted(point: Point, rows: Rows) -> str:
    """Write that a line parts a point from all generating points of the region of two rows."""
    points = sorted(set(generating_points(*rows)))
    u, v = next(
        (u, v)
        for u, v in _NORMALS
        if all(u * (a - point[0]) + v * (b - point[1]) < 0 for a, b in points)
    )
    most = f"{u}*({point[0]}) + {v}*({point[1]})"
    return " and ".join(f"{u}*({a}) + {v}*({b}) < {most}" for a, b in points)


def shifts_differ(first: Rows, second: Rows, one_order: bool = False) -> str:
    """Write, for the tables `first` and `second` of the evidence, that a shift differs: in one of
    the two orders, or, for least deltas of both orders, beyond both of the other.
    """
    orders = ((0, 1),) if one_order else ((0, 1), (1, 0))
    for ratio, (x, y) in product(_RATIOS, orders):
        if hockey_stick(first[x], first[y], ratio) != hockey_stick(second[x], second[y], ratio):
            return f"{_shift('first', x, y, ratio)} != {_shift('second', x, y, ratio)}"
    raise ValueError("the shifts of two pairs of rows do not differ")


def deltas_differ(first: Rows, second: Rows) -> str:
    """Write that the larger of the two shifts of one pair of rows is above both of the other."""
    for ratio, (one, other) in product(_RATIOS, (("first", "second"), ("second", "first"))):
        tables = {"first": first, "second": second}
        for x, y in ((0, 1), (1, 0)):
            here = hockey_stick(tables[one][x], tables[one][y], ratio)
            there = [hockey_stick(tables[other][a], tables[other][1 - a], ratio) for a in (0, 1)]
            if here > max(there):
                return " and ".join(
                    f"{_shift(one, x, y, ratio)} > {_shift(other, a, 1 - a, ratio)}" for a in (0, 1)
                )
    raise ValueError("the least deltas of two pairs of rows do not differ")


def _shift(name: str, x: int, y: int, ratio: Fraction) -> str:
    return f"excess(row({name}, {x}), row({name}, {y}), {ratio})"
