"""Chains without end, and what levels per record allow along chains of any alphabet."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, subsets
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.trees import (
    Database,
    Kernel,
    least_levels,
    messages,
    table,
)

F = Fraction


def chain_messages(kernel: Kernel, R: F, bits: int) -> list[tuple[F, F]]:
    """Return the messages up and down of 1 to `bits` bits, by the larger of two ends."""
    found = [(R, R)]
    (P00, P01), (P10, P11) = kernel
    for _ in range(bits - 1):
        S, D = found[-1]
        ends = [(P11 * t + P10) / (P01 * t + P00) for t in (S, 1 / D)]
        found.append((R * max(ends), R * max(1 / g for g in ends)))
    return found


def fixed_points(draws: Draws) -> Instance:
    """P11 and P01 in sixths from 0 to 1, with P11 >= P01 in most cases, a limit S from 1 to 5, at
    times 1/2, and R, the level whose recursion has this fixed point; values exchanged or not.
    """
    b, a = F(draws.below(7), 6), F(draws.below(7), 6)
    if draws.below(8) < 7:
        a, b = max(a, b), min(a, b)
    S = 1 + F(draws.below(9), 2) if draws.below(8) < 7 else F(1, 2)
    R = S * (b * S + 1 - b) / (a * S + 1 - a)
    return {"a": a, "b": b, "S": S, "R": R, "down": draws.whether()}


def _limit(a: F, b: F, S: F, R: F, down: bool, factor: F = ONE) -> bool:
    """Whether the messages of up to five bits do not decrease, stay below the root S, and come
    nearer by the factor; and those of an inner bit of a symmetric chain below R g(S)^2.
    """
    kernel = [[1 - b, b], [1 - a, a]]
    if down:
        kernel = [[a, 1 - a], [b, 1 - b]]
    t = [each[down] for each in chain_messages(kernel, R, 5)]
    nearer = all(a * (S - y) <= factor * (a - b) * (S - x) for x, y in pairwise(t))
    return nearer and t == sorted(t) and t[-1] <= S and (a != 1 - b or _inner(a, S, R, t))


def _inner(p: F, S: F, R: F, t: Sequence[F]) -> bool:
    """Whether the ratios R g(t)^2 of an inner bit with k bits on each side increase to R g(S)^2."""
    at = [R * ((p * x + 1 - p) / ((1 - p) * x + p)) ** 2 for x in [*t, S]]
    kernel = [[p, 1 - p], [1 - p, p]]
    edges = {1: (0, kernel), 2: (0, kernel)}
    return at == sorted(at) and messages(edges, [R] * 3)[1][0] == at[0]


RISING, LEFT, LEVEL = "P11 >= P01", "P01, P10 > 0", "R >= 1"
ROOT = "S is a positive root of P01 S^2 + (1 - P01 - R P11) S - R P10"
LIMIT = Statement(
    family=fixed_points,
    given={
        RISING: lambda a, b, **_: bool(a >= b),
        LEFT: lambda a, b, **_: bool(b > 0 and a < 1),
        LEVEL: lambda R, **_: bool(R >= 1),
        ROOT: lambda a, b, S, R, down: S > 0 and b * S**2 + (1 - b - R * a) * S - R * (1 - a) == 0,
    },
    edges=[
        {"a": F(1, 2), "b": ZERO, "S": F(2), "R": F(4), "down": False},
        {"a": F(999, 1000), "b": F(1, 1000), "S": F(5), "R": F(1255, 1249), "down": True},
    ],
    holds=_limit,
    too_strong={
        "half of the factor": {"factor": F(1, 2)},
        "99/100 of the factor": {"factor": ALMOST},
    },
    too_weak=[RISING, LEFT, LEVEL],
)


def kernels(draws: Draws) -> Instance:
    """P11 and P01 in quarters, with P11 < P01 in most cases, both deterministic ones among them;
    R = 1, 3/2, 2 or 1/2.
    """
    a, b = F(draws.below(5), 4), F(draws.below(5), 4)
    if draws.below(8) < 7:
        a, b = min(a, b), max(a, b)
    return {"a": a, "b": b, "R": draws.among([F(2), F(3, 2), ONE, F(1, 2)])}


def _form(a: F, b: F, R: F, S: F) -> F:
    P00, P10 = 1 - b, 1 - a
    square = (a + R * P00) * b
    line = P10 * b + R * P00**2 - R * a**2 - R**2 * P10 * b
    return square * S**2 + line * S - R * P10 * (a + R * P00)


@cache
def _alternating(a: F, b: F, R: F, other: bool = False) -> bool:
    """Whether both messages of up to 60 bits do not decrease, stay below the root, and come within
    one percent of it.
    """
    found = chain_messages([[1 - b, b], [1 - a, a]], R, 60)
    up, down = ([each[n] for each in found] for n in (0, 1))
    ordered = up == sorted(up) and down == sorted(down)
    below, above = up[-1], up[-1] * F(101, 100)
    signs = [_form(1 - b, 1 - a, R, t) if other else _form(a, b, R, t) for t in (below, above)]
    return ordered and signs[0] <= 0 < signs[1]


FALLING, NOT_BOTH = "P11 < P01", "not both P00 = P11 = 0"
ALTERNATING = Statement(
    family=kernels,
    given={
        FALLING: lambda a, b, R: bool(a < b),
        NOT_BOTH: lambda a, b, R: bool(a or b != 1),
        LEVEL: lambda a, b, R: bool(R >= 1),
    },
    holds=_alternating,
    too_strong={"with 0 and 1 exchanged": {"other": True}},
    too_weak=[FALLING, NOT_BOTH, LEVEL],
)


def flips(draws: Draws) -> Instance:
    """A kernel that flips every bit, in one of four cases another one, R from 1 to 3, k bits."""
    flip = [[ZERO, ONE], [ONE, ZERO]]
    kernel = draws.rows(2, 2, 2) if draws.below(4) == 3 else flip
    return {"kernel": kernel, "R": 1 + F(draws.below(5), 2), "k": 1 + draws.below(5)}


def _powers(kernel: Kernel, R: F, k: int, less: int = 0) -> bool:
    return chain_messages(kernel, R, k)[-1] == (R ** (k - less), R ** (k - less))


FLIP = "P00 = P11 = 0"
FLIPS = Statement(
    family=flips,
    given={FLIP: lambda kernel, R, k: not kernel[0][0] and not kernel[1][1]},
    holds=_powers,
    too_strong={"R^(k - 1)": {"less": 1}},
    too_weak=[FLIP],
)


def columns_of_chains(draws: Draws) -> Instance:
    """One to three records of two values, or one or two of three, after X_0, a kernel for each step
    with zeros and ties; a column, R its least level; c; numbers t_d, the distances of laws, or
    larger ones.
    """
    values = 2 + draws.below(2)
    n = 1 + draws.below(5 - values)
    steps = [[draws.law(values, 2) for _ in range(values)] for _ in range(n)]
    u = table(draws, n, values)
    c = 1 + draws.below(n)
    slack = [F(draws.below(2), 4) for _ in range(c)]
    return {"steps": steps, "u": u, "R": max(least_levels(u)), "c": c, "slack": slack}


def after(steps: Sequence[Kernel], v: int) -> list[list[F]]:
    """Return P^d(v, .) for d = 0, 1, .. n."""
    laws = [[F(x == v) for x in range(len(steps[0]))]]
    for step in steps:
        laws.append(
            [sum((p * row[y] for p, row in zip(laws[-1], step)), ZERO) for y in range(len(step))]
        )
    return laws


def mean_after(steps: Sequence[Kernel], u: Mapping[Database, F], v: int) -> F:
    """Return E[u | X_0 = v]."""
    total = ZERO
    for x, entry in u.items():
        p = ONE
        for step, (y, z) in zip(steps, pairwise((v, *x))):
            p *= step[y][z]
        total += p * entry
    return total


def _worlds(steps: Any, u: Any) -> list[tuple[list[list[F]], F]]:
    """The laws of all records and the mean of u, for every value of X_0."""
    return [(after(steps, v), mean_after(steps, u, v)) for v in range(len(steps[0]))]


def _blocks(
    steps: Any, u: object, R: F, c: int, slack: object, hidden: int = 1, sets: int = 99
) -> bool:
    """Whether the bound holds for all v, w, with D_c = R^(n - c + 1)."""
    D = R ** (len(steps) - c + 1)
    for (laws, above), (others, below) in product(_worlds(steps, u), repeat=2):
        p, q = laws[c], others[c]
        most = max(
            (1 + (D - 1) * sum(p[x] for x in A)) / (1 + (D - 1) * sum(q[x] for x in A))
            for A in subsets(range(len(p)))[:sets]
        )
        if above > R ** max(0, c - hidden) * most * below:
            return False
    return True


BLOCKS = Statement(
    family=columns_of_chains,
    holds=_blocks,
    too_strong={"one hidden record less": {"hidden": 2}, "the empty set alone": {"sets": 1}},
)


def _distances(p: Sequence[Sequence[F]], q: Sequence[Sequence[F]], slack: Any) -> list[F]:
    """The numbers t_0 .. t_c."""
    t = [ONE]
    for d, more in enumerate(slack, start=1):
        distance = sum((abs(a - b) for a, b in zip(p[d], q[d])), ZERO) / 2
        t.append(min(t[-1], distance + more))
    return t


def _coupled(
    steps: Any, u: object, R: F, c: int, slack: object, factor: F = ONE, near: F = ONE
) -> bool:
    """Whether the bound holds for all v, w, with D_d = R^(n - d + 1)."""
    n = len(steps)
    for (p, above), (q, below) in product(_worlds(steps, u), repeat=2):
        t = [ONE, *(near * x for x in _distances(p, q, slack)[1:])]
        if above > factor * _largest_over_s(t, R, n, c) * below:
            return False
    return True


def _largest_over_s(t: Sequence[F], R: F, n: int, c: int) -> F:
    """The largest quotient over the s for which the parts up to s have positive mass."""
    parts = [
        (t[d - 1] - t[d], R ** (d - 1), R ** (d - 1) * R ** (n - d + 1)) for d in range(1, c + 1)
    ]
    last = R ** (c - 1) * R ** (n - c + 1)
    parts.append((t[c], last, last))
    bounds = []
    for s in range(1, c + 2):
        head, tail = parts[:s], parts[s:]
        if any(p for p, _, _ in head):
            above = sum(p * r for p, r, _ in head) + sum(p * r * q for p, r, q in tail)
            below = sum(p for p, _, _ in head) + sum(p * q for p, _, q in tail)
            bounds.append(F(above) / below)
    return max(bounds)


COUPLED = Statement(
    family=columns_of_chains,
    holds=_coupled,
    too_strong={
        "99/100 of the bound": {"factor": ALMOST},
        "distances that are too small": {"near": F(1, 2)},
    },
)
