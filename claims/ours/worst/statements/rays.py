"""The largest joint ratio at extreme rays: what attains it, and what cannot exceed it."""

from collections.abc import Sequence
from itertools import product

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    LEVELS,
    Pair,
    inside,
    level,
    pairs,
    ratio,
    small,
    times,
    tuples,
    worst,
)

F = Fraction
Rows = Sequence[Sequence[F]]


def cones(draws: Draws) -> Instance:
    """Two to four databases, one or two pairs of laws with zeros, in one order or in both, and
    R = 1, 4/3, 3/2 or 2.
    """
    size = 2 + draws.below(3)
    return {"T": pairs(draws, size, 4 - size // 2), "R": draws.among(LEVELS)}


def _support(T: Sequence[Pair], R: F, more: int = 1) -> bool:
    unordered = {frozenset((tuple(mu), tuple(nu))) for mu, nu in T}
    rows = [[m - R * n for m, n in zip(mu, nu)] for mu, nu in T]
    found = rays(rows, len(T[0][0]))
    return all(sum(map(bool, u)) <= more + len(unordered) for u in found)


RAY_SUPPORT = Statement(
    family=cones,
    given={
        "each database is possible under some law": lambda T, R: all(
            any(each) for each in zip(*(law for pair in T for law in pair))
        )
    },
    holds=_support,
    too_strong={"k instead of 1 + k": {"more": 0}},
    always="it is true of all inequalities of this form, for laws and for other numbers",
)


def budgets(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws with zeros, in one order or in both; one to
    three levels 1, 4/3, 3/2 or 2.
    """
    size = 2 + draws.below(2)
    levels = [draws.among(LEVELS) for _ in range(1 + draws.below(3 if size == 2 else 2))]
    return {"T": pairs(draws, size), "levels": levels}


def _scaled(bound: F | None, factor: F) -> F | None:
    return None if bound is None else factor * bound


def _pair(R: F, u: Sequence[int]) -> list[list[F]]:
    """The rows of the mechanism with the columns t u and 1 - t u."""
    t = small(R, u)
    return [[t * x, 1 - t * x] for x in u]


def _leaks(T: Sequence[Pair], mechanisms: Sequence[Rows]) -> F | None:
    """The largest ratio at a joint output of independent releases."""
    best = ZERO
    for columns in product(*(list(zip(*rows)) for rows in mechanisms)):
        at = ratio(T, times(*columns))
        if at is None:
            return None
        best = max(best, at)
    return best


def _best(T: Sequence[Pair], levels: Row) -> tuple[tuple[int, ...], ...]:
    """A tuple of rays of the largest ratio."""
    every = tuples(T, levels)
    ratios = [ratio(T, times(*each)) for each in every]
    if None in ratios:
        return every[ratios.index(None)]
    return every[max(range(len(every)), key=lambda n: ratios[n] or ZERO)]


def _attained(T: Sequence[Pair], levels: Row, drop: int = 0, factor: F = ONE) -> bool:
    mechanisms = [_pair(R, u) for R, u in zip(levels, _best(T, levels))]
    allowed = all(inside(T, R, u) for R, rows in zip(levels, mechanisms) for u in zip(*rows))
    return allowed and _leaks(T, mechanisms[drop:] or mechanisms) == _scaled(
        worst(T, levels), factor
    )


ATTAINED = Statement(
    family=budgets,
    holds=_attained,
    too_strong={
        "101/100 of the bound": {"factor": F(101, 100)},
        "with a release less": {"drop": 1},
    },
)


def _one_mechanism(T: Sequence[Pair], levels: Row, drop: int = 0) -> bool:
    """Whether one mechanism with K + 1 outputs attains it, run K times, or fewer times."""
    R, K = levels[0], len(levels)
    best = _best(T, [R] * K)
    together = [sum(each) for each in zip(*best)]
    t = small(R, together)
    rows = [[*(t * u[x] for u in best), 1 - t * together[x]] for x in range(len(together))]
    allowed = all(inside(T, R, u) for u in zip(*rows)) and len(rows[0]) == K + 1
    return allowed and _leaks(T, [rows] * max(1, K - drop)) == worst(T, [R] * K)


ONE_MECHANISM = Statement(
    family=budgets, holds=_one_mechanism, too_strong={"in K - 1 runs": {"drop": 1}}
)


FIXED = "the levels are those of the mechanisms, whatever the outputs were"


def events(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws; two mechanisms with up to three outputs and
    their least levels, or 2, independent in seven of eight cases, else a fair coin and its sum with
    the database modulo 2; a set of joint outputs. Finite output spaces stand for infinite ones.
    """
    size = 2 + draws.below(2)
    T = pairs(draws, size)
    mechanisms = [draws.rows(size, 2 + draws.below(2), 2) for _ in range(2)]
    levels = [max(level(T, u) or F(2) for u in zip(*rows)) for rows in mechanisms]
    outputs = list(product(range(len(mechanisms[0][0])), range(len(mechanisms[1][0]))))
    own = draws.below(8) < 7
    return {
        "T": T,
        "mechanisms": mechanisms if own else [[[F(1, 2)] * 2] * size] * 2,
        "levels": levels if own else [ONE, ONE],
        "event": (draws.several(outputs) or outputs[:1]) if own else [(0, 0)],
        "own": own,
    }


def _joint(mechanisms: Sequence[Rows], own: bool, x: int, y: int, z: int) -> F:
    if own:
        return F(mechanisms[0][x][y] * mechanisms[1][x][z])
    return F(int(z == (x + y) % 2), 2)


def _event(
    T: Sequence[Pair],
    mechanisms: Sequence[Rows],
    levels: Row,
    event: Sequence[tuple[int, int]],
    own: bool,
    factor: F = ONE,
) -> bool:
    chances = [
        sum((_joint(mechanisms, own, x, y, z) for y, z in event), ZERO)
        for x in range(len(mechanisms[0]))
    ]
    return at_most(ratio(T, chances), _scaled(worst(T, levels), factor))


INDEPENDENT = "the releases are independent"
GENERAL_OUTPUTS = Statement(
    family=events,
    given={
        FIXED: lambda T, mechanisms, levels, **_: all(
            inside(T, R, u) for R, rows in zip(levels, mechanisms) for u in zip(*rows)
        ),
        INDEPENDENT: lambda own, **_: bool(own),
    },
    holds=_event,
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
    too_weak=[FIXED, INDEPENDENT],
)
