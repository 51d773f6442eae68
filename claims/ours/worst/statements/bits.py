"""Bits that are all secret: releases of level 0 compose for two bits with uniform marginals."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product

from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    LEVELS,
    Pair,
    both,
    inside,
    promise,
    ratio,
    rays,
    times,
    worst,
)

F = Fraction
Bits = tuple[int, ...]


def databases(n: int) -> list[Bits]:
    """Return {0,1}^n."""
    return list(product((0, 1), repeat=n))


def bit_pairs(n: int, prior: Sequence[F]) -> list[Pair]:
    """Return T for all bits, in both orders."""
    return _bit_pairs(n, tuple(prior))


@lru_cache(maxsize=100)
def _bit_pairs(n: int, prior: tuple[F, ...]) -> list[Pair]:
    T: list[Pair] = []
    for i in range(n):
        laws = [[p * (x[i] == v) for x, p in zip(databases(n), prior)] for v in (0, 1)]
        sums = [sum(law, ZERO) for law in laws]
        T.append(([p / sums[0] for p in laws[0]], [p / sums[1] for p in laws[1]]))
    return both(T)


def means(n: int, prior: Sequence[F]) -> list[F]:
    """Return P(X_i = 1) for every bit."""
    return [sum((p for x, p in zip(databases(n), prior) if x[i]), ZERO) for i in range(n)]


def uniform(n: int, prior: Sequence[F]) -> bool:
    """Whether all marginals are uniform."""
    return all(each == HALF for each in means(n, prior))


def even_prior(draws: Draws, n: int) -> list[F]:
    """Draw a prior without zeros and with uniform marginals: weights that x shares with its
    complement, for three bits and more with a parity added.
    """
    whole = databases(n)
    weights = {x: 2 + draws.below(3) for x in whole if not x[0]}
    values = [F(weights.get(x) or weights[tuple(1 - b for b in x)]) for x in whole]
    if n >= 3 and draws.whether():
        values = [v + F((-1) ** sum(x), 1) for x, v in zip(whole, values)]
    return [each / sum(values) for each in values]


def two_bits(draws: Draws) -> Instance:
    """A prior without zeros on two bits, with uniform marginals in five of six cases; one to three
    columns of level 0, sums of extreme rays; R = 1, 4/3, 3/2 or 2.
    """
    prior = even_prior(draws, 2) if draws.below(6) < 5 else draws.positive_law(4, 3)
    known = rays(promise(bit_pairs(2, prior), ONE), 4)
    columns = []
    for _ in range(1 + draws.below(3)):
        chosen = [draws.among(known), draws.among(known)]
        columns.append([F(x + y * draws.below(3)) for x, y in zip(*chosen)])
    fixed = [[F(x + y) for x, y in zip(draws.among(known), draws.among(known))] for _ in columns]
    return {
        "prior": prior,
        "columns": fixed if draws.below(4) else columns,
        "R": draws.among(LEVELS),
    }


UNIFORM, OF_LEVEL_0, ABOVE, FULL = (
    "both marginals are uniform",
    "every column has level 0",
    "epsilon > 0",
    "the prior has full support",
)


def _full(prior: Sequence[F], **_: object) -> bool:
    return all(prior)


TIED = {"prior": [HALF, ZERO, ZERO, HALF]}
"""Both bits are equal: whoever shows one shows the other, at the level of both."""


def _is_uniform(prior: Sequence[F], **_: object) -> bool:
    return uniform(2, prior)


LEVEL_0 = Statement(
    family=two_bits,
    given={
        UNIFORM: _is_uniform,
        OF_LEVEL_0: lambda prior, columns, R: all(
            inside(bit_pairs(2, prior), ONE, u) for u in columns
        ),
    },
    holds=lambda prior, columns, R, level=ONE: inside(bit_pairs(2, prior), level, times(*columns)),
    too_strong={"a level below 0": {"level": F(99, 100)}},
    too_weak=[UNIFORM, OF_LEVEL_0],
)
LEVELS_0_AND_EPSILON = Statement(
    family=two_bits,
    edges=[TIED | {"columns": [], "R": F(2)}],
    given={UNIFORM: _is_uniform, FULL: _full, ABOVE: lambda prior, columns, R: bool(R > 1)},
    holds=lambda prior, columns, R, one_release=False: (
        worst(bit_pairs(2, prior), ([R] if one_release else [ONE, R])) is None
    ),
    too_strong={"one release": {"one_release": True}},
    too_weak=[ABOVE, FULL],
)


def any_two_bits(draws: Draws) -> Instance:
    """A prior without zeros on two bits, with uniform marginals in one of four cases, often with
    one uniform marginal.
    """
    if draws.below(4) == 3:
        return {"prior": even_prior(draws, 2)}
    return {"prior": draws.positive_law(4, 3)}


def _level_0_collapses(prior: Sequence[F], levels: Sequence[F] = (ONE, ONE)) -> bool:
    return worst(bit_pairs(2, prior), levels) is None


NOT_UNIFORM = "not both marginals are uniform"
MARGINALS = Statement(
    family=any_two_bits,
    edges=[{"prior": [F(1, 3), ZERO, ZERO, F(2, 3)]}],
    given={NOT_UNIFORM: lambda prior: not uniform(2, prior), FULL: _full},
    holds=_level_0_collapses,
    too_strong={"one release": {"levels": [ONE]}},
    too_weak=[NOT_UNIFORM, FULL],
)


def some_bits(draws: Draws) -> Instance:
    """A prior without zeros on two to four bits, with uniform marginals in seven of eight cases."""
    n = draws.among([3, 2, 4])
    return {
        "n": n,
        "prior": even_prior(draws, n) if draws.below(8) < 7 else draws.positive_law(2**n, 2),
    }


def two_columns(n: int, prior: Sequence[F]) -> list[list[F]]:
    """Return w/pi for w = 1 at 0..0 and 1..1, and for w = n - 2 at 0..0 and 1 at the databases with
    a single 0.
    """
    first = [F(sum(x) in (0, n)) for x in databases(n)]
    second = [F(n - 2 if not any(x) else sum(x) == n - 1) for x in databases(n)]
    return [[w / p for w, p in zip(each, prior)] for each in (first, second)]


def _collapse(n: int, prior: Sequence[F], columns: Sequence[Sequence[F]]) -> bool:
    """Whether the columns have level 0, which suffices in both orders, and collapse."""
    T = bit_pairs(n, prior)
    return all(inside(T, ONE, u) for u in columns) and ratio(T, times(*columns)) is None


AT_LEAST_3 = "n >= 3"
THREE = Statement(
    family=some_bits,
    given={
        AT_LEAST_3: lambda n, prior: n >= 3,
        UNIFORM: lambda n, prior: uniform(n, prior),
    },
    holds=lambda n, prior: _collapse(n, prior, two_columns(n, prior)),
    too_weak=[AT_LEAST_3, UNIFORM],
)


def any_bits(draws: Draws) -> Instance:
    """A prior without zeros on two or three bits, with uniform marginals in a third of all cases,
    often with some that are uniform.
    """
    n = 2 + draws.below(2)
    if draws.below(3) == 2:
        return {"n": n, "prior": even_prior(draws, n)}
    prior = draws.positive_law(2**n, 2)
    return {"n": n, "prior": prior}


def lifted(n: int, prior: Sequence[F]) -> list[list[F]] | None:
    """Return two columns of level 0 on two bits that collapse, times the independent law of the
    other bits, each divided by the prior; None if no two bits have such columns.
    """
    means_, whole = means(n, prior), databases(n)
    for i, j in combinations(range(n), 2):
        law = {
            y: sum((p for x, p in zip(whole, prior) if (x[i], x[j]) == y), ZERO)
            for y in databases(2)
        }
        T = bit_pairs(2, list(law.values()))
        known = rays(promise(T, ONE), 4)
        for u, v in product(known, repeat=2):
            if ratio(T, times(u, v)) is None:
                return [_lift(n, (i, j), law, means_, each, prior) for each in (u, v)]
    return None


def _lift(
    n: int,
    place: tuple[int, int],
    law: dict[Bits, F],
    ones: Sequence[F],
    u: Sequence[int],
    prior: Sequence[F],
) -> list[F]:
    two, column = dict(zip(databases(2), u)), []
    for x, p in zip(databases(n), prior):
        y = (x[place[0]], x[place[1]])
        weight = law[y] * two[y]
        for k in set(range(n)) - set(place):
            weight *= ones[k] if x[k] else 1 - ones[k]
        column.append(weight / p)
    return column


def _any_collapse(n: int, prior: Sequence[F]) -> bool:
    columns = two_columns(n, prior) if uniform(n, prior) else lifted(n, prior)
    return columns is not None and _collapse(n, prior, columns)


EXCEPT = "not two bits with uniform marginals"
ANY_MARGINALS = Statement(
    family=any_bits,
    given={EXCEPT: lambda n, prior: n > 2 or not uniform(n, prior)},
    holds=_any_collapse,
    too_weak=[EXCEPT],
)
