"""Which vectors are columns of mechanisms within their budget."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.frameworks import (
    framework,
    held,
    keeps,
    leakage,
)
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    Pair,
    both,
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


def within_budget(draws: Draws) -> Instance:
    """Up to four databases, two secrets that may overlap or be impossible, one or two priors with
    zeros, a mechanism with up to three outputs, and R, its least level, or half more, or 2.
    """
    drawn = framework(draws)
    (mechanism,) = drawn.pop("mechanisms")
    least = leakage(drawn["priors"], [(drawn["s"], drawn["t"])], mechanism)
    return drawn | {"M": mechanism, "R": (least or F(2)) + F(draws.below(2), 2)}


def laws_of(priors: Sequence[Sequence[F]], s: frozenset[int], t: frozenset[int]) -> list[Pair]:
    """Return T: the laws of the database given either secret, where both are possible."""
    T = []
    for prior in priors:
        if held(prior, s) and held(prior, t):
            mu, nu = (
                [p / held(prior, each) if x in each else ZERO for x, p in enumerate(prior)]
                for each in (s, t)
            )
            T.append((mu, nu))
    return both(T)


def _promise(instance: Any, factor: F = ONE, outputs: int | None = None) -> bool:
    priors, s, t, M, R = (instance[each] for each in ("priors", "s", "t", "M", "R"))
    columns = list(zip(*M))[:outputs]
    T = laws_of(priors, s, t)
    return keeps(priors, [(s, t)], M, R) == all(inside(T, factor * R, u) for u in columns)


PROMISE = Statement(
    family=within_budget,
    holds=lambda factor=ONE, outputs=None, **instance: _promise(
        instance, factor=factor, outputs=outputs
    ),
    too_strong={
        "99/100 of R": {"factor": ALMOST},
        "the first column alone": {"outputs": 1},
    },
)


def coins(draws: Draws) -> Instance:
    """Two or three databases, a mechanism that shows a function of the database and of a coin with
    two or three values, then for each of its two outputs a second one, with a coin of its own, or
    with the same coin.
    """
    size, sides = 2 + draws.below(2), 2 + draws.below(2)
    tables = [[[draws.below(2) for _ in range(sides)] for _ in range(size)] for _ in range(3)]
    return {"first": tables[0], "next": tables[1:], "own": draws.below(4) < 3}


def _shares(values: Sequence[int], output: int) -> F:
    return F(values.count(output), len(values))


def _products(
    first: Sequence[Sequence[int]],
    later: Sequence[Sequence[Sequence[int]]],
    own: bool,
    chosen: bool = True,
) -> bool:
    sides = len(first[0])
    for x, row in enumerate(first):
        for y, z in product((0, 1), repeat=2):
            tosses = product(range(sides), repeat=2) if own else ((c, c) for c in range(sides))
            seen = [row[a] == y and later[y][x][b] == z for a, b in tosses]
            second = later[y if chosen else 0][x]
            if F(sum(seen), len(seen)) != _shares(row, y) * _shares(second, z):
                return False
    return True


OWN = "every release has randomness of its own"
JOINT = Statement(
    family=coins,
    given={OWN: lambda own, **_: bool(own)},
    holds=lambda first, own, chosen=True, **rest: _products(
        first, rest["next"], own, chosen=chosen
    ),
    too_strong={"the second mechanism not chosen": {"chosen": False}},
    too_weak=[OWN],
)


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
