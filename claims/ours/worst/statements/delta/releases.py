"""The largest delta of several releases: refined columns, programs, and adaptivity."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.laws import ONE, ZERO, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    column,
    inside,
    level,
    pairs,
    promise,
    times,
)
from pufferproof.claims.vocabulary.entries.composition.cones import parts

F = Fraction
Columns = Sequence[Sequence[Any]]


def delta(mu: Sequence[F], nu: Sequence[F], E: F, columns: Columns) -> F:
    """Return the sum over outputs of P(w | s) - E P(w | s') where that is positive."""
    return sum((max(ZERO, dot(mu, w) - E * dot(nu, w)) for w in columns), ZERO)


def joint(first: Columns, second: Columns) -> list[list[Any]]:
    """Return the columns of the independent joint release."""
    return [times(u, v) for u in first for v in second]


def refined(draws: Draws) -> Instance:
    """Two or three databases, one pair of laws in one order or both; two mechanisms with
    two columns, and the first one with a column split in two at random; R, a level of
    the first mechanism, or 2; E from 1 to 2.
    """
    size = 2 + draws.below(4) // 3
    T = pairs(draws, size, 1)
    first, second = (list(zip(*draws.rows(size, 2, 3))) for _ in range(2))
    share = [F(draws.below(4), 3) for _ in range(size)]
    if draws.whether():
        share = [share[0]] * size
    halves = [times(share, first[0]), times([1 - x for x in share], first[0])]
    R = max(level(T, u) or F(2) for u in first) + F(draws.below(2), 2)
    E = 1 + F(draws.below(3), 2)
    return {"T": T, "first": first, "halves": halves, "second": second, "R": R, "E": E}


def _refines(instance: Any, equal: bool = False) -> bool:
    """Whether what is split has the level R, and a joint delta that is no smaller, also when every
    column is split into extreme rays of the cone of columns that occur.
    """
    T, E, second = (instance[each] for each in ("T", "E", "second"))
    first, halves, R = (instance[each] for each in ("first", "halves", "R"))
    split = [*halves, *first[1:]]
    pieces = [parts(promise(T, R), u) for u in first]
    whole = [r for each in pieces for r in each or []]
    for mu, nu in T:
        before = delta(mu, nu, E, joint(first, second))
        after = delta(mu, nu, E, joint(split, second))
        if after < before or (equal and after != before):
            return False
        if delta(mu, nu, E, joint(whole, second)) < before:
            return False
    return all(inside(T, R, u) for u in split)


OF_LEVEL, PARTS = "the mechanism has the level R", "the parts of the column lie in C_R"
REFINEMENT = Statement(
    family=refined,
    given={
        OF_LEVEL: lambda T, first, R, **_: all(
            dot(row, u) <= 0 for row in promise(T, R) for u in first
        ),
        PARTS: lambda T, halves, R, **_: all(inside(T, R, u) for u in halves),
    },
    holds=lambda equal=False, **instance: _refines(instance, equal=equal),
    too_strong={"delta stays the same": {"equal": True}},
    too_weak=[PARTS],
)


def weighted(draws: Draws) -> Instance:
    """Two databases, two laws, E from 1 to 2, two rays, two lists alpha of weights of them for the
    first release and one for the second, a share t; for layers two mechanisms that the second
    release is chosen from.
    """
    laws = draws.law(2), draws.law(2)
    rays = [column(draws, 2), column(draws, 2)]
    weights = [[F(draws.below(4), 2) for _ in rays] for _ in range(3)]
    options = [list(zip(*draws.rows(2, 2, 3))) for _ in range(2)]
    E, t = 1 + F(draws.below(3), 2), F(draws.below(5), 4)
    return {"laws": laws, "E": E, "rays": rays, "weights": weights, "t": t, "options": options}


def _of(rays: Columns, weights: Sequence[F]) -> list[list[F]]:
    return [[a * x for x in r] for a, r in zip(weights, rays)]


def _linear(
    laws: Any, E: F, rays: Any, weights: Any, t: F, same: bool = False, **_: object
) -> bool:
    beta, gamma, other = weights
    mixed = [t * b + (1 - t) * c for b, c in zip(beta, gamma)]

    def at(alpha: Sequence[F]) -> F:
        columns = joint(_of(rays, alpha), _of(rays, alpha if same else other))
        return delta(laws[0], laws[1], E, columns)

    linear = at(mixed) == t * at(beta) + (1 - t) * at(gamma)
    return linear and at(mixed) <= max(at(beta), at(gamma))


MULTILINEAR = Statement(
    family=weighted,
    holds=lambda same=False, **instance: _linear(**instance, same=same),
    too_strong={"the same alpha in both releases": {"same": True}},
)


def _layers(
    laws: Any, E: F, rays: Any, weights: Any, options: Any, alike: bool = False, **_: object
) -> bool:
    """Whether the largest delta over all choices after the first output is sum alpha_r V_r."""
    (mu, nu), alpha, deltas = laws, weights[0], []
    for choice in product(options, repeat=len(rays)):
        if not alike or choice[0] is choice[1]:
            columns = [
                times([a * x for x in r], v) for a, r, M in zip(alpha, rays, choice) for v in M
            ]
            deltas.append(delta(mu, nu, E, columns))
    best = [max(delta(times(mu, r), times(nu, r), E, M) for M in options) for r in rays]
    return max(deltas) == sum((a * V for a, V in zip(alpha, best)), ZERO)


LAYERS = Statement(
    family=weighted,
    holds=lambda alike=False, **instance: _layers(**instance, alike=alike),
    too_strong={"one mechanism for all first outputs": {"alike": True}},
)


MU, NU = [F(1, 4), F(3, 4), ZERO, ZERO], [ZERO, ZERO, F(1, 2), F(1, 2)]


def table(corner: F) -> list[list[F]]:
    """Return the mechanism of level 0 whose columns are rays, each on one database of each
    secret, with this mass on the first two.
    """
    masses = [corner, F(1, 4) - corner, F(1, 2) - corner, F(1, 4) + corner]
    places = [(0, 2), (0, 3), (1, 2), (1, 3)]
    law = [m + n for m, n in zip(MU, NU)]
    return [
        [mass / law[x] if x in place else ZERO for x in range(4)]
        for mass, place in zip(masses, places)
    ]


def level_0(draws: Draws) -> Instance:
    """Two mechanisms of level 0 on a1, a2, b1, b2: all columns on one database of each secret, or
    two columns whose entries are quarters; either order of the secrets.
    """

    def one() -> list[list[F]]:
        if draws.whether():
            return table(F(draws.below(5), 16))
        a1, a2, b1 = (F(draws.below(5), 4) for _ in range(3))
        u = [a1, a2, b1, (a1 + 3 * a2) / 2 - b1]
        return [u, [1 - x for x in u]]

    return {"first": one(), "second": one(), "turned": draws.whether()}


def _is_mechanism(columns: Columns) -> bool:
    return all(x >= 0 for u in columns for x in u) and all(
        dot(MU, u) == dot(NU, u) for u in columns
    )


def _at_most(first: Columns, second: Columns, turned: bool, bound: F) -> bool:
    laws = (NU, MU) if turned else (MU, NU)
    return delta(*laws, ONE, joint(first, second)) <= bound


ARE = "both are mechanisms of level 0"
LARGEST = F(2, 3)
INDEPENDENT = Statement(
    family=level_0,
    given={ARE: lambda first, second, turned: _is_mechanism(first) and _is_mechanism(second)},
    holds=lambda first, second, turned, most=LARGEST: _at_most(first, second, turned, most),
    too_strong={"at most 13/20": {"most": F(13, 20)}},
)


def chosen_tables(draws: Draws) -> Instance:
    """The first table has the corner 0; after each of its four outputs a table is chosen, the one
    with corner 1/4 where the output is on a1, b2 or on a2, b1, and on a2, b2 that with corner 0;
    after the first output, which is impossible, any; either order of the secrets.
    """
    return {"corner": F(draws.below(5), 16), "turned": draws.whether()}


def _reached(corner: F, turned: bool) -> F:
    laws = (NU, MU) if turned else (MU, NU)
    after = [corner, F(1, 4), F(1, 4), ZERO]
    columns = [times(u, v) for u, c in zip(table(ZERO), after) for v in table(c)]
    return delta(*laws, ONE, columns)


ADAPTIVE = Statement(
    family=chosen_tables,
    holds=lambda corner, turned, more_than=False: (
        (_reached(corner, turned) >= F(3, 4))
        and (not more_than or (_reached(corner, turned) > F(3, 4)))
    ),
    too_strong={"more than 3/4": {"more_than": True}},
    always="no table for the impossible output lowers the excess",
)


def few_databases(draws: Draws) -> Instance:
    """Two secrets on two to four databases, one of them with a single database in three of four
    cases, laws without zeros on them, and two mechanisms of level 0 with two columns.
    """
    sides = [1 + (draws.below(4) == 3), 1 + draws.below(2)]
    mu = [*draws.positive_law(sides[0], 2), *[ZERO] * sides[1]]
    nu = [*[ZERO] * sides[0], *draws.positive_law(sides[1], 2)]
    mechanisms = []
    for _ in range(2):
        u = [F(draws.below(5), 4) for _ in mu]
        m, n = dot(mu, u), dot(nu, u)
        u = [x * n if p else x * m for x, p in zip(u, mu)]
        mechanisms.append([u, [1 - x for x in u]])
    return {"mu": mu, "nu": nu, "mechanisms": mechanisms}


def _as_rays(mu: Any, nu: Any, columns: Columns) -> dict[tuple[F, ...], F]:
    """How much of each extreme ray, scaled to total 1, a mechanism has."""
    weights: dict[tuple[F, ...], F] = {}
    for u in columns:
        for r in parts(promise([(mu, nu)], ONE), u) or []:
            total = sum(r)
            key = tuple(x / total for x in r)
            weights[key] = weights.get(key, ZERO) + total
    return weights


SINGLE = "a secret has a single possible database"
NO_CHOICE = Statement(
    family=few_databases,
    given={SINGLE: lambda mu, nu, mechanisms: sum(map(bool, mu)) == 1},
    holds=lambda mu, nu, mechanisms: (
        _as_rays(mu, nu, mechanisms[0]) == _as_rays(mu, nu, mechanisms[1])
    ),
    too_weak=[SINGLE],
)
