"""Which vectors are columns of mechanisms within their budget."""

from collections.abc import Mapping, Sequence
from itertools import product

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    Pair,
    column,
    inside,
    level,
    occurs,
    pairs,
    ratio,
    small,
    times,
)

F = Fraction


def vectors(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws with zeros in one order or both, a vector u
    of small whole numbers, and R, the least level at which u lies in the cone, or 1, 3/2 or 2.
    """
    size = 2 + draws.below(2)
    T, u = pairs(draws, size), column(draws, size)
    least = level(T, u)
    R = draws.among([ONE, F(3, 2), F(2)]) if draws.whether() or least is None else least
    return {"T": T, "u": u, "R": R}


def with_a_database(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws with zeros in one order or both, a vector u
    of small whole numbers; one more database, which no law sees in three of four cases, and its
    entry from 0 to 3; R may be such that u lies in the cone or not.
    """
    drawn = vectors(draws)
    seen = draws.below(4) == 3
    T = [([*mu, ZERO], [*nu, ZERO]) for mu, nu in drawn["T"]]
    if seen:
        T[0] = ([*(x / 2 for x in T[0][0][:-1]), F(1, 2)], T[0][1])
    return {**drawn, "T": T, "entry": F(draws.below(4))}


UNSEEN = "the database has probability 0 under every law of T"


def _extended(T: Sequence[Pair], u: Sequence[F], R: F, entry: F, factor: F = ONE) -> bool:
    shorter = [(mu[:-1], nu[:-1]) for mu, nu in T]
    longer = [*u, entry]
    alike = inside(shorter, R, u) == inside(T, R, longer)
    t = small(R, longer)
    mechanism = occurs(shorter, R, u, t) == occurs(T, R, longer, t)
    same = ratio(shorter, u), ratio(T, times(longer, [*([ONE] * len(u)), factor]))
    return alike and mechanism and same[0] == same[1]


ZERO_DATABASES = Statement(
    family=with_a_database,
    given={UNSEEN: lambda T, **_: all(not mu[-1] and not nu[-1] for mu, nu in T)},
    holds=lambda T, u, R, entry: _extended(T, u, R, entry),
    too_weak=[UNSEEN],
)


def partly_known(draws: Draws) -> Instance:
    """One to three records of two values, or two of three, a set A of databases, entries on it that
    are powers of S or small whole numbers, S in 2, 3/2, 1.
    """
    count, values = draws.among([(1, 2), (2, 2), (3, 2), (2, 3)])
    whole = list(product(range(values), repeat=count))
    A = [whole[draws.below(len(whole))] for _ in range(1 + draws.below(3))]
    S = draws.among([F(2), F(3, 2), ONE])
    powers = draws.whether()
    u = {x: S ** draws.below(4) if powers else F(1 + draws.below(4)) for x in A}
    beside = {x: S ** draws.below(3) * F(1 + draws.below(2)) for x in whole}
    return {"whole": whole, "u": u, "S": S, "all": beside}


def _apart(x: Sequence[int], y: Sequence[int]) -> int:
    return sum(a != b for a, b in zip(x, y))


def _bounded(u: Mapping[tuple[int, ...], F], S: F, cap: int = 0) -> bool:
    """Whether u_x <= S^d u_y, d the distance, or at most `cap`."""
    most = cap or len(next(iter(u)))
    return all(u[x] <= S ** min(most, _apart(x, y)) * u[y] for x in u for y in u)


def _lipschitz(v: Mapping[tuple[int, ...], F], S: F) -> bool:
    return all(v[x] <= S * v[y] for x in v for y in v if _apart(x, y) == 1)


def _extends(
    whole: list[tuple[int, ...]], u: dict[tuple[int, ...], F], S: F, single: bool = False
) -> bool:
    """The condition gives the extension by the formula, and what has an extension meets it."""
    v = {z: min(S ** _apart(z, y) * u[y] for y in u) for z in whole}
    given = _bounded(u, S, int(single))
    return given == (_lipschitz(v, S) and all(v[x] == u[x] for x in u))


def _restricted(
    u: Mapping[tuple[int, ...], F], S: F, everything: Mapping[tuple[int, ...], F]
) -> bool:
    return not _lipschitz(everything, S) or _bounded({x: everything[x] for x in u}, S)


ZERO_DATABASES_DP = Statement(
    family=partly_known,
    holds=lambda whole, u, S, single=False, **rest: (
        (_extends(whole, u, S) and _restricted(u, S, rest["all"]))
        and (not single or (_extends(whole, u, S, single=True)))
    ),
    too_strong={"u_x <= S u_y for all of A": {"single": True}},
)
