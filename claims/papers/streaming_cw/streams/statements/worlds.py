"""Statements on coupled worlds: laws of a database and auxiliary information, secrets, scrubs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any

from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Pmf,
    Point,
    Rows,
    allowed,
    events,
    generating_points,
    hockey_stick,
    hull,
    mass,
    slopes,
)
from pufferproof.claims.papers.streaming_cw.plane.statements.privacy import is_private
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import (
    lines_describe,
    one_pair_in_its_order,
)

F = Fraction
ZERO, ONE = F(0), F(1)
Prior = dict[tuple[int, int], F]
Scrub = tuple[tuple[int, ...], list[list[F]]]
Pair = tuple[int, int]
BOTH: Sequence[Pair] = [(0, 1), (1, 0)]


@dataclass(frozen=True, eq=False)
class World:
    """A mechanism, laws of (X, Z), and pairs of a secret and a scrub. The coins of M are its own,
    or Z = 1 says that they fall so that the first of the likeliest outcomes is shown.
    """

    M: Sequence[Pmf]
    Delta: Sequence[Prior]
    Gamma: Sequence[Scrub]
    own_coins: bool = True

    @cached_property
    def pairs(self) -> list[Rows]:
        """The laws of M(X) and M(alt(X)) given (v, z), for every D, (priv, alt) and (v, z)."""
        both = product(self.Delta, self.Gamma)
        return [pair for D, scrub in both for pair in laws(self, D, scrub).values()]

    @cached_property
    def averaged(self) -> list[Rows]:
        """The same without a condition, for every D and (priv, alt)."""
        both = product(self.Delta, self.Gamma)
        return [pair for D, scrub in both for pair in laws(self, D, scrub, False).values()]


def laws(world: World, D: Prior, scrub: Scrub, given: bool = True) -> dict[Any, Rows]:
    """Return the laws of M(X) and M(alt(X)) given every (v, z) of positive probability, or
    without a condition, by adding up joint probabilities.
    """
    found: dict[Any, list[list[F]]] = {}
    outcomes = len(world.M[0])
    for key, k, y, p in _outcomes(world, D, scrub):
        tables = found.setdefault(key if given else None, [[ZERO] * outcomes for _ in (0, 1)])
        tables[k][y] += p
    totals = {key: sum(real) for key, (real, _) in found.items()}
    return {
        key: (tuple(p / totals[key] for p in real), tuple(p / totals[key] for p in scrubbed))
        for key, (real, scrubbed) in found.items()
    }


def _outcomes(world: World, D: Prior, scrub: Scrub) -> Iterator[tuple[Any, int, int, F]]:
    """Every joint value (v, z), y of M(X) (k = 0) or M(alt(X)) (k = 1), and its probability."""
    priv, alt = scrub
    for (x, z), p in D.items():
        M = world.M if world.own_coins or not z else [_likeliest(row) for row in world.M]
        for y, chance in enumerate(M[x]):
            yield (priv[x], z), 0, y, p * chance
        for other, share in enumerate(alt[x]):
            for y, chance in enumerate(M[other] if share else ()):
                yield (priv[x], z), 1, y, p * share * chance


def _likeliest(row: Pmf) -> Pmf:
    first = row.index(max(row))
    return tuple(F(int(y == first)) for y in range(len(row)))


def worlds(draws: Draws) -> Instance:
    """One to three databases, a mechanism with two outcomes (three at times), rows tied often;
    Delta of one or two laws of (X, Z), Z a bit or constant, with zeros; Gamma of one or two pairs
    of a map priv and a scrub alt, which is a map or random; coins of M that are independent of Z,
    or in one of twelve draws depend on it; R of 1 to 3 and delta the least for
    these, or a number from 0 to 1.
    """
    size, bits = 1 + draws.below(3), 1 + (draws.below(3) == 2)
    M = [tuple(row) for row in rows(draws, size, 2 + (draws.below(4) == 3))]
    places = list(product(range(size), range(bits)))
    Delta = [
        {place: p for place, p in zip(places, draws.law(len(places), 2)) if p}
        for _ in range(1 + (draws.below(4) == 3))
    ]
    Gamma = [_scrub(draws, size) for _ in range(1 + (draws.below(4) == 3))]
    own = draws.below(12) < 11
    world, R = World(M, Delta, Gamma, own), draws.among([ONE, F(2), F(3, 2), F(3)])
    least = max(map(max, _sticks(world, R)))
    delta = draws.among([least, least, ZERO, F(1, 4), F(1, 2), ONE])
    return {"world": world, "R": R, "delta": delta}


def _scrub(draws: Draws, size: int) -> Scrub:
    priv = tuple(draws.below(2) for _ in range(size))
    if draws.below(3) == 2:
        return priv, draws.rows(size, size, 2)
    maps = [draws.below(size) for _ in range(size)]
    return priv, [[F(int(y == each)) for y in range(size)] for each in maps]


def _sticks(world: World, R: F) -> list[tuple[F, F]]:
    return [(hockey_stick(p, q, R), hockey_stick(q, p, R)) for p, q in world.pairs]


def _cw_private(world: World, R: F, delta: F) -> bool:
    """CW-privacy with Sim = M, by its definition."""
    return all(
        mass(p, S) <= R * mass(q, S) + delta and mass(q, S) <= R * mass(p, S) + delta
        for p, q in world.pairs
        for S in events(len(p))
    )


def _row_products(world: World, given: bool = True, divided: bool = True) -> bool:
    """Whether f M and f' M are the laws of M(X) and M(alt(X)) given every (v, z), f and f' the laws
    of X and alt(X) given (v, z), or without condition, or not divided by Pr[v, z].
    """
    return list(_products(world, given, divided)) == world.pairs


def _products(world: World, given: bool = True, divided: bool = True) -> Iterator[Rows]:
    """Yield f M and f' M for every D, (priv, alt) and (v, z)."""
    M = world.M
    for D, (priv, alt) in product(world.Delta, world.Gamma):
        for v, z in laws(world, D, (priv, alt)):
            f, total = [ZERO] * len(M), ZERO
            for (x, u), p in D.items():
                if not given or (priv[x], u) == (v, z):
                    f[x], total = f[x] + p, total + p
            f = [p / total if divided else p for p in f]
            scrubbed = [sum((p * row[x] for p, row in zip(f, alt)), ZERO) for x in range(len(M))]
            yield _times(f, M), _times(scrubbed, M)


def _times(f: Sequence[F], M: Sequence[Pmf]) -> Pmf:
    return tuple(sum((p * row[y] for p, row in zip(f, M)), ZERO) for y in range(len(M[0])))


OWN_COINS = "the coins of M are independent of X, alt(X) and Z"
_OWN: dict[str, Callable[..., bool]] = {OWN_COINS: lambda world, **_: bool(world.own_coins)}
CW_ROWS = Statement(
    family=worlds,
    given=_OWN,
    too_weak=[OWN_COINS],
    holds=lambda world, R, delta, given=True, divided=True: _row_products(
        world, given=given, divided=divided
    ),
    too_strong={
        "f_D and f'_D without condition": {"given": False},
        "not divided by Pr[v, z]": {"divided": False},
    },
)


def _two_rows(pairs: Sequence[Rows], R: F, delta: F, orders: Sequence[Pair] = BOTH) -> bool:
    return all(is_private(each, orders, R, delta) for each in pairs)


TWO_ROWS = Statement(
    family=worlds,
    given=_OWN,
    holds=lambda world, R, delta, rows_without_condition=False: (
        _cw_private(world, R, delta)
        == _two_rows(
            [*(_products(world, given=False) if rows_without_condition else _products(world))],
            R,
            delta,
        )
    ),
    too_strong={"rows without condition": {"rows_without_condition": True}},
    too_weak=[OWN_COINS],
)


def _included(pairs: Sequence[Rows], R: F, delta: F) -> bool:
    """Whether the regions of these pairs of rows are in R(epsilon, delta), tried at their
    generating points and at middles of two of them.
    """
    for p, q in pairs:
        points = generating_points(p, q)
        middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(points)]
        if not all(allowed(point, R, delta) for point in [*points, *middles]):
            return False
    return True


CW_INCLUSION = Statement(
    family=worlds,
    holds=lambda world, R, delta, divisor=1, rows_without_condition=False: (
        _cw_private(world, R, delta)
        == _included(
            (world.averaged if rows_without_condition else world.pairs), R, delta / divisor
        )
    ),
    too_strong={
        "delta halved": {"divisor": 2},
        "rows without condition": {"rows_without_condition": True},
    },
)


def _is_least(world: World, R: F, least: F) -> bool:
    """Whether M is private with delta = least, and not with 99/100 of it."""
    less = least == 0 or not _cw_private(world, R, least * F(99, 100))
    return less and _cw_private(world, R, least)


LEAST_DELTA = Statement(
    family=worlds,
    holds=lambda world, R, delta, level=max: _is_least(
        world, R, level(map(max, _sticks(world, R)))
    ),
    too_strong={"the smallest of all M'": {"level": min}},
    always="the largest of several numbers is the least that bounds them all",
)


def with_lines(draws: Draws) -> Instance:
    """The rows of one M' of a world as above, with a line u a + v b from below, a point of the
    plane, and the rows of M' for the same world and a mechanism that has the outcomes in another
    order, or one of them split in two.
    """
    world = worlds(draws)["world"]
    M, y, share = [*map(list, world.M)], draws.below(len(world.M[0])), F(draws.below(3), 2)
    if draws.whether():
        M = [[*row[:y], (1 - share) * row[y], *row[y + 1 :], share * row[y]] for row in M]
    other = World([tuple(reversed(row)) for row in M], world.Delta, world.Gamma)
    place, moved = draws.below(len(world.pairs)), draws.below(len(world.pairs))
    return {
        "rows": world.pairs[place],
        "other": other.pairs[moved if draws.below(8) == 7 else place],
        "u": F(1 + draws.below(3)),
        "v": F(1 + draws.below(3)),
        "point": (F(draws.below(6), 4), F(draws.below(6), 4)),
    }


def _same_region(rows: Rows, other: Rows, orders: int = 2) -> bool:
    """Whether the regions are equal if the lists of slopes and shifts are, in both orders."""
    both = [(rows, other), (rows[::-1], other[::-1])][:orders]
    if any(slopes(*a) != slopes(*b) for a, b in both):
        return True
    return hull(generating_points(*rows)) == hull(generating_points(*other))


def _laws_of_rows(
    rows: Rows, other: Rows, u: F, v: F, point: Point, orders: int = 2, least: F = ZERO
) -> bool:
    return (
        one_pair_in_its_order(*rows, u, v)
        and lines_describe(*rows, point, least)
        and _same_region(rows, other, orders)
    )


LAWS_OF_ROWS = Statement(
    family=with_lines,
    holds=_laws_of_rows,
    too_strong={
        "a recipe of one order": {"orders": 1},
        "only ratios of at least 1": {"least": ONE},
    },
)
