"""Open half-spaces of draws, and whether some of them have a point in common.

    half-space: sum_v d_v x_v + c > 0,    d coprime integers, c rational

Independent draws with densities hit a region of finitely many open half-spaces with positive
probability iff it is not empty, and a boundary with probability 0. Emptiness is decided by
Fourier-Motzkin elimination: of each two half-spaces that bound a draw from two sides, the sum
without the draw. Parallel half-spaces are reduced to the tightest at every step.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import product
from math import gcd, lcm
from operator import add, mul
from typing import NamedTuple

from flint import arb, ctx, fmpq

from pufferproof.models.numbers.pieces import End, ExponentialPolynomial, Piecewise

_MOST = 4000  # half-spaces in an elimination
Direction = tuple[tuple[int, int], ...]
Side = tuple[int, dict[int, int], fmpq]  # a coefficient, those of the other draws, and the constant


class TooManyError(Exception):
    """An elimination has more half-spaces or cells than a limit."""


class HalfSpace(NamedTuple):
    """sum d_v x_v + above / below > 0 as ((v, d_v), ..), the constant in lowest terms.

    >>> half_space({0: fmpq(2), 1: fmpq(-4)}, fmpq(3))
    HalfSpace(direction=((0, 1), (1, -2)), above=3, below=2)
    """

    direction: Direction
    above: int
    below: int

    @property
    def constant(self) -> fmpq:
        """The constant as `flint.fmpq`."""
        return fmpq(self.above, self.below)

    def opposite(self) -> "HalfSpace":
        return HalfSpace(tuple((v, -d) for v, d in self.direction), -self.above, self.below)

    def renamed(self, names: Mapping[int, int]) -> "HalfSpace":
        """Return the half-space with other numbers of draws, in their order."""
        return HalfSpace(tuple(sorted((names[v], d) for v, d in self.direction)), self.above, self.below)


def half_space(parts: Mapping[int, fmpq], constant: fmpq) -> HalfSpace:
    """Return sum parts[v] x_v + constant > 0 in normal form; some part is not 0."""
    if len(parts) == 1:
        ((v, only),) = parts.items()
        rest = constant / abs(only)
        return HalfSpace(((v, 1 if only > 0 else -1),), int(rest.p), int(rest.q))
    scale = lcm(*(int(c.q) for c in parts.values()))
    whole = {v: int((c * scale).p) for v, c in parts.items()}
    common = gcd(*whole.values())
    rest = constant * scale / common
    direction = tuple(sorted((v, d // common) for v, d in whole.items()))
    return HalfSpace(direction, int(rest.p), int(rest.q))


def bounds(draw: int, low: End, high: End) -> list[HalfSpace]:
    """Return low < x < high as half-spaces, of ends that are finite."""
    above = [] if low is None else [HalfSpace(((draw, 1),), -int(low.p), int(low.q))]
    below = [] if high is None else [HalfSpace(((draw, -1),), int(high.p), int(high.q))]
    return above + below


def feasible(region: Iterable[HalfSpace]) -> bool:
    """Whether open half-spaces have a point in common.

    >>> below = half_space({0: fmpq(1), 1: fmpq(-1)}, fmpq(0))
    >>> feasible([below, below.opposite()]), feasible([below, *bounds(0, None, fmpq(0))])
    (False, True)

    Raises `TooManyError` if the elimination needs more than 4,000 half-spaces.
    """
    start: dict[Direction, fmpq] = {}
    for half in region:
        _tighten(start, half.direction, half.constant)
    tight: dict[Direction, fmpq] | None = start
    while tight:
        # the draw whose elimination adds fewest half-spaces
        counts: dict[int, list[int]] = {}
        for direction in tight:
            for v, d in direction:
                counts.setdefault(v, [0, 0])[d > 0] += 1
        cost = {v: down * up - down - up for v, (down, up) in counts.items()}
        draw = min(cost, key=lambda v: (cost[v], v))
        tight = _without(draw, tight)
    return tight is not None


def _tighten(tight: dict[Direction, fmpq], direction: Direction, constant: fmpq) -> None:
    if direction not in tight or constant < tight[direction]:
        tight[direction] = constant


def _without(draw: int, tight: Mapping[Direction, fmpq]) -> dict[Direction, fmpq] | None:
    """Return the projection along a draw, or None if a constant shows that it is empty."""
    rest: dict[Direction, fmpq] = {}
    sides: tuple[list[Side], list[Side]] = ([], [])
    for direction, constant in tight.items():
        own = next((d for v, d in direction if v == draw), 0)
        if own:
            sides[own > 0].append((abs(own), dict(direction), constant))
        else:
            _tighten(rest, direction, constant)
    if len(rest) + len(sides[0]) * len(sides[1]) > _MOST:
        raise TooManyError
    for a, down, c in sides[0]:
        for b, up, d in sides[1]:
            parts = {v: a * up.get(v, 0) + b * down.get(v, 0) for v in {**down, **up}}
            constant, left = b * c + a * d, sorted((v, x) for v, x in parts.items() if x)
            if not left and constant <= 0:
                return None
            if left:
                common = gcd(*(x for _, x in left))
                _tighten(rest, tuple((v, x // common) for v, x in left), constant / common)
    return rest


def tightest(region: Iterable[HalfSpace]) -> list[HalfSpace]:
    """Return one half-space for each direction, the tightest."""
    found: dict[Direction, HalfSpace] = {}
    for half in region:
        other = found.get(half.direction)
        if other is None or half.above * other.below < other.above * half.below:
            found[half.direction] = half
    return list(found.values())


def draws_of(region: Sequence[HalfSpace]) -> list[int]:
    return sorted({v for half in region for v, _ in half.direction})


# Sums of quotients of exponential sums: what the probability of a path is if draws race.
#
#     sum_k f_k / (d_k1 d_k2 ..),    f_k an exponential sum, d_kj sums of positive multiples of powers
#
# Denominators are kept as products of factors in normal form, so that equal ones meet: the least exponent of a factor
# is 0, and its coefficients are coprime. Sums are brought to one denominator at the end, once for all paths of a
# database.

_MOST_OF_QUOTIENTS = 3_000  # terms of a denominator
_BITS = 128
_ONE = ExponentialPolynomial.constant(fmpq(1))
Factor = tuple[int, tuple[tuple[int, int], ...]]  # unit, ((exponent times unit, coefficient), ..)
Below = tuple[Factor, ...]


class Quotients:
    """A sum of quotients: product of factors -> what is above it.

    >>> one_and_e = Quotients.one_over({fmpq(0): 1, fmpq(1): 1})
    >>> round(one_and_e.approx(), 6)  # 1 / (1 + e)
    0.268941
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Mapping[Below, ExponentialPolynomial]) -> None:
        self.parts = {below: above for below, above in parts.items() if above.terms}

    @classmethod
    def of(cls, value: ExponentialPolynomial) -> "Quotients":
        return cls({(): value})

    @classmethod
    def one_over(cls, *sums: Mapping[fmpq, int]) -> "Quotients":
        """Return 1 over a product of sums, exponent -> coefficient, all of them positive."""
        factors, content, least = [], 1, fmpq(0)
        for terms in sums:
            low, common = min(terms), gcd(*terms.values())
            content, least = content * common, least + low
            if len(terms) > 1:
                parts = {x - low: c // common for x, c in terms.items()}
                unit = lcm(*(int(x.q) for x in parts))
                factors.append((unit, tuple(sorted((int((x * unit).p), c) for x, c in parts.items()))))
        above: dict[tuple[int, ...], fmpq] = {(-int(least.p),): fmpq(1, content)}
        return cls({tuple(sorted(factors)): ExponentialPolynomial(0, above, int(least.q))})

    def __add__(self, other: "Quotients") -> "Quotients":
        parts = dict(self.parts)
        for below, above in other.parts.items():
            parts[below] = parts[below] + above if below in parts else above
        return Quotients(parts)

    def __sub__(self, other: "Quotients") -> "Quotients":
        return self + other * Quotients.of(_ONE.scaled(fmpq(-1)))

    def __mul__(self, other: "Quotients") -> "Quotients":
        parts: dict[Below, ExponentialPolynomial] = {}
        for below, above in self.parts.items():
            for more, factor in other.parts.items():
                both = tuple(sorted((*below, *more)))
                product = above * factor
                parts[both] = parts[both] + product if both in parts else product
        return Quotients(parts)

    def approx(self) -> float:
        """Return the value, to about nine digits."""
        total, point = arb(0), arb(0)
        with ctx.workprec(_BITS):
            for below, above in self.parts.items():
                whole = reduce(mul, (_sum(factor).ball(point) for factor in below), arb(1))
                total += above.ball(point) / whole
            return float(total)


class Denominator:
    """The least product of factors that is a denominator of some sums of quotients.

    Raises `TooManyError` if it has more than 3,000 terms.
    """

    def __init__(self, values: Iterable[Quotients]) -> None:
        most: Counter[Factor] = Counter()
        for below in {below for value in values for below in value.parts}:
            most |= Counter(below)
        self.value = reduce(_limited, map(_sum, sorted(most.elements())), _ONE)
        self._others: dict[Below, ExponentialPolynomial] = {(): self.value}

    def above(self, value: Quotients) -> ExponentialPolynomial:
        parts = [above * self._other(below) for below, above in value.parts.items()]
        return reduce(add, parts) if parts else ExponentialPolynomial(0, {})

    def _other(self, below: Below) -> ExponentialPolynomial:
        """Return the denominator over some of its factors."""
        if below not in self._others:
            # over one factor after the other, each from the least exponent on
            *rest, last = below
            value = self._other(tuple(rest))
            unit = lcm(value.unit, last[0])
            left = {x * (unit // value.unit): q for (x,), q in value.terms.items()}
            (_, first), *others = ((x * (unit // last[0]), fmpq(c)) for x, c in last[1])
            waiting = [*left]
            found: dict[tuple[int, ...], fmpq] = {}
            heapify(waiting)
            while waiting:
                x = heappop(waiting)
                q = found[x,] = left.pop(x) / first
                for y, c in others if q else ():
                    if x + y not in left:
                        heappush(waiting, x + y)
                    left[x + y] = left.get(x + y, 0) - c * q
            self._others[below] = ExponentialPolynomial(0, found, unit)
        return self._others[below]


def _sum(factor: Factor) -> ExponentialPolynomial:
    unit, terms = factor
    return ExponentialPolynomial(0, {(x,): fmpq(c) for x, c in terms}, unit)


def _limited(one: ExponentialPolynomial, other: ExponentialPolynomial) -> ExponentialPolynomial:
    product = one * other
    if len(product.terms) > _MOST_OF_QUOTIENTS:
        raise TooManyError
    return product


# The probability that independent Gumbel draws have given differences, exactly.
#
#     G = -log E, E exponential of scale 1:    G_u - G_v > t  iff  E_u < e^-t E_v
#
# So noisy scores of one scale are compared as times that race each other, and boundaries pass through 0. A draw is
# integrated out between the latest of those before it and the earliest of those after,
#
#     integral from a to b of e^(-r x) dx = (e^(-r a) - e^(-r b)) / r,    a = e^s E_u, b = e^-t E_v
#
# which adds r e^s or r e^-t to the rate of another draw. The probability is a sum of products of 1 / rate, all rates
# sums of powers of e. Where one draw is ahead of all others, and in an order of draws, there is one product; else a
# case for each largest lower and smallest upper bound.

GUMBEL = ("gumbel",)  # the law of a draw of location 0 and scale 1
_MOST_CELLS = 20_000
Ahead = dict[tuple[int, int], fmpq]  # (u, v) -> t, the largest: G_u - G_v > t
Leads = dict[int, list[tuple[int, fmpq]]]  # u -> (v, t), ..
Rate = dict[fmpq, int]  # exponent -> coefficient: a sum of powers of e
Line = tuple[int, fmpq]  # (u, s) for e^s E_u


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


def lead(leads: Leads, first: int, second: int) -> fmpq | None:
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
        necessary = _reduced(ahead, list(rates))
        if necessary is None:
            return
        ahead = necessary
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
                others[bound[0]] = _sum_of_races(others[bound[0]], rates[x], bound[1])
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


def _add(ahead: Ahead, u: int, v: int, t: fmpq) -> None:
    if (u, v) not in ahead or t > ahead[u, v]:
        ahead[u, v] = t


def _cost(ahead: Ahead, x: int) -> int:
    """Return how many terms the integral over a draw has."""
    before, after = (sum(pair[k] == x for pair in ahead) for k in (1, 0))
    return max(before, 1) * max(after, 1) * (2 if after else 1)


def _sum_of_races(rate: Rate, other: Rate, shift: fmpq) -> Rate:
    """Return rate + e^shift other."""
    total = dict(rate)
    for exponent, c in other.items():
        total[exponent + shift] = total.get(exponent + shift, 0) + c
    return total


def _reduced(ahead: Ahead, draws: list[int]) -> Ahead | None:
    """Return a region without the half-spaces that others imply, None if it is empty: a draw is
    ahead of itself.
    """
    closed = dict(ahead)  # by how much draws are ahead of each other at least
    for w, u in product(draws, repeat=2):
        for v in draws if (u, w) in closed else ():
            if (w, v) in closed:
                _add(closed, u, v, closed[u, w] + closed[w, v])
    if any(u == v and t >= 0 for (u, v), t in closed.items()):
        return None

    def implied(u: int, v: int, t: fmpq) -> bool:
        ways = ((w, s) for (first, w), s in closed.items() if first == u and w not in (u, v))
        return any((w, v) in closed and s + closed[w, v] >= t for w, s in ways)

    return {(u, v): t for (u, v), t in ahead.items() if not implied(u, v, t)}
