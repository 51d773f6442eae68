"""Redaction of a stationary chain of bits by its definitions: sums over sequences, in fractions.

A chain is the pair of a, b; records count from 1, ratios stand for exponentials of levels, None is
infinite. Nothing here uses what proves claims, nor an algorithm that they judge.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import prod

F = Fraction
ONE, NEVER, ALWAYS = F(1), (F(0), F(0)), (F(1), F(1))


def random_chain(draw, sign, ordered=True):
    """a, b with the sign of lam = 1 - a - b; a <= b, or in any order; "equal" is a = b."""
    while True:
        size = draw.randrange(3, 13)
        a, b = (F(draw.randrange(1, size), size) for _ in range(2))
        if sign == "zero":
            b = 1 - a
        if sign == "equal":
            b = a
        lam = 1 - a - b
        wanted = {"positive": lam > 0, "zero": lam == 0, "negative": lam < 0, "equal": lam != 0}[
            sign
        ]
        if wanted and (a <= b or not ordered):
            return a, b


def step(of):
    a, b = of
    return [[1 - a, a], [b, 1 - b]]


def law(of, count):
    """P(X = x) of the stationary chain."""
    a, b = of
    start, rows = [b / (a + b), a / (a + b)], step(of)
    return {
        x: start[x[0]] * prod((rows[y][z] for y, z in pairwise(x)), start=ONE)
        for x in product((0, 1), repeat=count)
    }


def given(weights, values):
    """The law given X_t = values[t], records counted from 1."""
    kept = {x: w for x, w in weights.items() if all(x[t - 1] == v for t, v in values.items())}
    total = sum(kept.values())
    return {x: w / total for x, w in kept.items()}


def shown(weights, symbols, records):
    """The law of what these records show: symbols[t - 1][value] is the law of the symbol of
    record t.
    """
    found = {}
    for x, weight in weights.items():
        part = {(): weight}
        for t in records:
            part = {
                (*y, s): w * c
                for y, w in part.items()
                for s, c in symbols[t - 1][x[t - 1]].items()
                if c
            }
        for y, w in part.items():
            found[y] = found.get(y, F(0)) + w
    return found


def local(rows):
    """The laws of the symbols for rows (r_t(0), r_t(1))."""
    return [[{"*": r, str(value): 1 - r} for value, r in enumerate(row)] for row in rows]


def ratios(of, count, private, symbols, records=None):
    """The largest P(y|X_p=x)/P(y|X_p=1-x) for x = 0 and for x = 1, None for an infinite one."""
    weights, records = law(of, count), records or range(1, count + 1)
    laws = [shown(given(weights, {private: x}), symbols, records) for x in (0, 1)]
    best = []
    for x in (0, 1):
        pairs = [(chance, laws[1 - x].get(y, F(0))) for y, chance in laws[x].items()]
        best.append(
            None if any(not low for _, low in pairs) else max(high / low for high, low in pairs)
        )
    return best


def leak(of, count, private, rows, records=None):
    """e^Lk, or None for infinite."""
    both = ratios(of, count, private, local(rows), records)
    return None if None in both else max(both)


def keeps(of, count, private, rows, level, records=None):
    found = leak(of, count, private, rows, records)
    return found is not None and found <= level


@cache
def influence(of, distance, value):
    """e^i at a distance, from the law of distance + 1 records; None for infinite."""
    if not distance:
        return None
    weights = law(of, distance + 1)
    one, two = (
        sum(w for x, w in given(weights, {1: first}).items() if x[distance] == value)
        for first in (0, 1)
    )
    return max(one / two, two / one)


def region(of, distance, budget):
    if not distance or budget < influence(of, distance, 0):
        return "L"
    return "M" if budget < influence(of, distance, 1) else "S"


def regions(of, count, private, left, right):
    return "".join(
        region(of, abs(t - private), left if t < private else right) for t in range(1, count + 1)
    )


def medium(split):
    return [t for t, letter in enumerate(split, 1) if letter == "M"]


def family(split, q):
    """The rows of a 3R mechanism."""
    return [
        ALWAYS if letter == "L" else NEVER if letter == "S" else (q[t], ONE)
        for t, letter in enumerate(split, 1)
    ]


def utility(of, rows):
    a, b = of
    return sum(b / (a + b) * (1 - zero) + a / (a + b) * (1 - one) for zero, one in rows)


def random_symbols(draw):
    """Laws of symbols given 0 and 1, zeros among them."""
    while True:
        weights = [[draw.randrange(4) for _ in range(3)] for _ in range(2)]
        if all(map(sum, weights)):
            return [{s: F(w, sum(row)) for s, w in enumerate(row)} for row in weights]
