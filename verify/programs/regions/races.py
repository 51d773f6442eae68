"""The probability that independent Gumbel draws have given differences, exactly.

    G = -log E, E exponential of scale 1:    G_u - G_v > t  iff  E_u < e^-t E_v

So noisy scores of one scale are compared as times that race each other, and boundaries pass through
0. A draw is integrated out between the latest of those before it and the earliest of those after,

    integral from a to b of e^(-r x) dx = (e^(-r a) - e^(-r b)) / r,    a = e^s E_u, b = e^-t E_v

which adds r e^s or r e^-t to the rate of another draw. The probability is a sum of products of
1 / rate, all rates sums of powers of e. Where one draw is ahead of all others, and in an order of
draws, there is one product; else a case for each largest lower and smallest upper bound.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise
from pufferproof.verify.programs.regions.quotients import Quotients
from pufferproof.verify.programs.regions.region import HalfSpace, TooManyError

GUMBEL = ("gumbel",)  # the law of a draw of location 0 and scale 1
_MOST_CELLS = 20_000
Ahead = dict[tuple[int, int], Any]  # (u, v) -> t, the largest: G_u - G_v > t
Leads = dict[int, list[tuple[int, Any]]]  # u -> (v, t), ..
Rate = dict[Any, int]  # exponent -> coefficient: a sum of powers of e
Line = tuple[int, Any]  # (u, s) for e^s E_u


class StandardGumbel(Piecewise):
    """What stands where a draw of another law has its density: that of a Gumbel draw is never
    integrated.
    """

    def __init__(self) -> None:
        super().__init__(((None, None, ExponentialPolynomial(1, {})),))


def is_race(half: HalfSpace) -> bool:
    """Whether a half-space bounds the difference of two draws."""
    return sorted(d for _, d in half.direction) == [-1, 1]


def ends_of(half: HalfSpace) -> tuple[int, int]:
    """Return u and v of a half-space G_u - G_v > t."""
    (u, d), (v, _) = half.direction
    return (u, v) if d > 0 else (v, u)


def leads_of(region: Iterable[HalfSpace]) -> Leads:
    """Return by how much draws are ahead of which others."""
    leads: Leads = {}
    for half in region:
        u, v = ends_of(half)
        leads.setdefault(u, []).append((v, -half.constant))
    return leads


def lead(leads: Leads, first: int, second: int) -> Any:
    """Return the largest t for which G_first - G_second > t follows in a region that is not empty,
    or None if there is none: the longest way.

    >>> lead({0: [(1, fmpq(2)), (2, fmpq(0))], 2: [(1, fmpq(3))]}, 0, 1)
    3
    """
    found, waiting = {first: fmpq(0)}, [first]
    while waiting:
        u = waiting.pop()
        for v, t in leads.get(u, ()):
            if v not in found or found[u] + t > found[v]:
                found[v] = found[u] + t
                waiting.append(v)
    return found.get(second)


def race(region: Iterable[HalfSpace]) -> Quotients:
    """Return the probability that Gumbel draws lie in a region of such half-spaces.

    >>> from pufferproof.verify.programs.regions.region import half_space
    >>> ahead = half_space({0: fmpq(1), 1: fmpq(-1)}, fmpq(1))
    >>> round(race([ahead]).approx(), 6)  # P(1 + G_0 > G_1) = e / (1 + e)
    0.731059

    Raises `TooManyError` if it has more than 20,000 cases.
    """
    ahead: Ahead = {}
    for half in region:
        _add(ahead, *ends_of(half), -half.constant)
    draws = {v for pair in ahead for v in pair}
    total, budget = Quotients({}), [_MOST_CELLS]
    for sign, rates in _cells(ahead, {v: {fmpq(0): 1} for v in draws}, budget):
        one = Quotients.one_over(*rates)
        total = total + one if sign > 0 else total - one
    return total


def _cells(
    ahead: Ahead, rates: Mapping[int, Rate], budget: list[int], reduced: bool = False
) -> Iterator[tuple[int, list[Rate]]]:
    """Yield what cells add to a probability: 1 or -1 over a product of rates."""
    if not rates:
        yield 1, []
        return
    if not reduced:
        closed = _closed(ahead, list(rates))
        if closed is None:
            return
        ahead = _reduced(ahead, closed)
    x = min(rates, key=lambda v: (_cost(ahead, v), v))
    before = [(u, t) for (u, v), t in ahead.items() if v == x]  # E_x > e^t E_u
    after = [(v, -t) for (u, v), t in ahead.items() if u == x]  # E_x < e^-t E_v
    rest = {pair: t for pair, t in ahead.items() if x not in pair}
    nothing: list[Line | None] = [None]
    for low, high in product(before or nothing, after or nothing):
        budget[0] -= 1
        if budget[0] < 0:
            raise TooManyError
        region = _between(rest, (before, low), (after, high))
        for sign, bound in ((1, low), (-1, high)):
            if region is None or (bound is None and sign < 0):
                continue
            others = {v: rate for v, rate in rates.items() if v != x}
            if bound is not None:
                others[bound[0]] = _sum(others[bound[0]], rates[x], bound[1])
            for factor, found in _cells(region, others, budget, region is rest):
                yield sign * factor, [rates[x], *found]


def _between(rest: Ahead, below: tuple[list[Line], Line | None], above: tuple[list[Line], Line | None]) -> Ahead | None:
    """Return the region where a lower bound is the latest and an upper one the earliest: the rest
    itself if that is so everywhere.
    """
    (lows, low), (highs, high) = below, above
    pairs = [(line, low) for line in lows if low is not None and line is not low]
    pairs += [(high, line) for line in highs if high is not None and line is not high]
    if low is not None and high is not None:
        pairs.append((low, high))
    region = dict(rest) if pairs else rest
    for (u, s), (v, t) in pairs:  # e^s E_u < e^t E_v
        if u != v:
            _add(region, u, v, s - t)
        elif s >= t:
            return None
    return region


def _add(ahead: Ahead, u: int, v: int, t: object) -> None:
    if (u, v) not in ahead or t > ahead[u, v]:
        ahead[u, v] = t


def _sum(rate: Rate, other: Rate, shift: object) -> Rate:
    """Return rate + e^shift other."""
    total = dict(rate)
    for exponent, c in other.items():
        total[exponent + shift] = total.get(exponent + shift, 0) + c
    return total


def _cost(ahead: Ahead, x: int) -> int:
    """Return how many terms the integral over a draw has."""
    before, after = (sum(pair[k] == x for pair in ahead) for k in (1, 0))
    return max(before, 1) * max(after, 1) * (2 if after else 1)


def _closed(ahead: Ahead, draws: list[int]) -> Ahead | None:
    """Return by how much draws are ahead of each other at least, None if a draw is ahead of itself:
    the region is empty.
    """
    closed = dict(ahead)
    for w in draws:
        for u in draws:
            if (u, w) not in closed:
                continue
            for v in draws:
                if (w, v) in closed:
                    _add(closed, u, v, closed[u, w] + closed[w, v])
    return None if any(u == v and t >= 0 for (u, v), t in closed.items()) else closed


def _reduced(ahead: Ahead, closed: Ahead) -> Ahead:
    """Return a region without the half-spaces that others imply."""

    def implied(u: int, v: int, t: Any) -> bool:
        return any(
            (w, v) in closed and s + closed[w, v] >= t
            for (first, w), s in closed.items()
            if first == u and w not in (u, v)
        )

    return {(u, v): t for (u, v), t in ahead.items() if not implied(u, v, t)}
