"""When releases within their budgets leak everything together, and when no number of them does."""

from collections.abc import Sequence
from itertools import product

from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, dot
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import (
    LEVELS,
    Pair,
    both,
    column,
    inside,
    pairs,
    promise,
    worst,
)

F = Fraction


def support(law: Row) -> list[int]:
    """Return the databases of positive probability."""
    return [x for x, p in enumerate(law) if p]


def implied(every: Sequence[Sequence[int]], x: int, y: int) -> bool:
    """Whether u_x > 0 forces u_y > 0 in a cone with these rays."""
    return all(u[y] for u in every if u[x])


def kappa(every: Sequence[Sequence[int]], x: int, y: int) -> F:
    """Return the least constant with u_x <= kappa u_y in a cone with these rays."""
    return max((F(u[x], u[y]) for u in every if u[x]), default=ZERO)


def choices(T: Sequence[Pair], every: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return for every (mu, nu) and x in supp mu the y in supp nu that (c) allows."""
    return [[y for y in support(nu) if implied(every, x, y)] for mu, nu in T for x in support(mu)]


def one_level(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws with zeros, which overlap or not, in one
    order or in both; R = 1, 4/3, 3/2 or 2; a vector u of small numbers.
    """
    size = 2 + draws.below(2)
    T, R = pairs(draws, size), draws.among(LEVELS)
    return {"T": T, "R": R, "u": column(draws, size), "K": 1 + draws.below(3)}


def _cone(T: Sequence[Pair], R: F) -> list[tuple[int, ...]]:
    return rays(promise(T, R), len(T[0][0]))


def _c(T: Sequence[Pair], R: F, **_: object) -> bool:
    return all(choices(T, _cone(T, R)))


def _needed(T: Sequence[Pair]) -> int:
    """The largest |supp nu| over (mu, nu) with supp mu not inside supp nu, at least 1."""
    outside = [nu for mu, nu in T if not set(support(mu)) <= set(support(nu))]
    return max([1, *(len(support(nu)) for nu in outside)])


WEIGHTS = [(1, 2, 2), (2, 1, 2), (2, 2, 1)]
FOUR: list[Pair] = both(
    [([ONE, ZERO, ZERO, ZERO], [ZERO, *(F(w, 5) for w in row)]) for row in WEIGHTS]
)
"""Any two releases of level 4/3 have a finite joint leakage, and some three do not."""
C = "(c)"
NOT_C = "(c) fails"
COLLAPSE = Statement(
    family=one_level,
    edges=[{"T": FOUR, "R": F(4, 3), "u": [ONE] * 4, "K": 3}],
    given={NOT_C: lambda **instance: not _c(**instance)},
    holds=lambda T, R, one_release_fewer=False, **_: (
        worst(T, [R] * (max(1, _needed(T) - 1) if one_release_fewer else _needed(T))) is None
    ),
    too_strong={"one release fewer": {"one_release_fewer": True}},
    too_weak=[NOT_C],
)


def _constants(T: Sequence[Pair], R: F, u: Row, bound: F | None = None) -> bool:
    every = _cone(T, R)
    return all(
        any(
            implied(every, x, y) and u[x] <= (bound or kappa(every, x, y)) * u[y]
            for y in support(nu)
        )
        for mu, nu in T
        for x in support(mu)
    )


IN_CONE = "u lies in the cone of columns that occur"


def _in_cone(T: Sequence[Pair], R: F, u: Row, **_: object) -> bool:
    return all(dot(row, u) <= 0 for row in promise(T, R))


CONSTANTS = Statement(
    family=one_level,
    given={C: _c, IN_CONE: _in_cone},
    holds=lambda T, R, u, K, kappa_=False: (
        (_constants(T, R, u)) and (not kappa_ or (_constants(T, R, u, bound=R)))
    ),
    too_strong={"kappa = R": {"kappa_": True}},
    too_weak=[C, IN_CONE],
)


def _finite(T: Sequence[Pair], R: F, K: int, power: int) -> bool:
    every = _cone(T, R)
    least = [
        min((kappa(every, x, y) for y in support(nu) if implied(every, x, y)), default=None)
        for mu, nu in T
        for x in support(mu)
    ]
    b = min(p for _, nu in T for p in nu if p)
    most = max(each for each in least if each is not None)
    return at_most(worst(T, [R] * K), most**power / b)


FINITE = Statement(
    family=one_level,
    given={C: _c},
    holds=lambda T, R, u, K, less=0: _finite(T, R, K, (K - less)),
    too_strong={"kappa^(K - 1)": {"less": 1}},
)


def combinations(draws: Draws) -> Instance:
    """Two or three databases, a pair of laws in one order or both, R, two databases x, y, one or
    two multipliers from 0 to 4, a vector u in the cone or not; kappa, the least with which the
    multiples leave a form with coefficients >= 0 where there is one, or a number from 0 to 3.
    """
    size = 2 + draws.below(2)
    T = pairs(draws, size, 1)
    R, x = draws.among(LEVELS), draws.below(size)
    y = (x + 1 + draws.below(size - 1)) % size
    lambdas = [F(draws.below(9), 2) for _ in T]
    mu, nu = T[0]
    if mu[x] > R * nu[x] and draws.below(4):
        lambdas = [1 / (mu[x] - R * nu[x]), *[ZERO] * (len(T) - 1)]
    form = _multiples(T, R, lambdas)
    least = max(form[y], ZERO) if draws.below(4) else F(draws.below(4))
    return {
        "T": T,
        "R": R,
        "x": x,
        "y": y,
        "lambdas": lambdas,
        "kappa": least,
        "u": column(draws, size),
    }


def _multiples(T: Sequence[Pair], R: F, lambdas: Row) -> list[F]:
    """The sum of lambda_i (R nu_i - mu_i)."""
    return [
        sum((a * (R * nu[z] - mu[z]) for a, (mu, nu) in zip(lambdas, T)), ZERO)
        for z in range(len(T[0][0]))
    ]


def _certified(
    T: Sequence[Pair], R: F, x: int, y: int, lambdas: Row, kappa: F, **_: object
) -> bool:
    form = _multiples(T, R, lambdas)
    return all(kappa * (z == y) - (z == x) >= each for z, each in enumerate(form))


def _ordered(u: Row, x: int, y: int, kappa: F, factor: F = ONE, **_: object) -> bool:
    return u[x] <= factor * kappa * u[y]


CERTIFIED = "kappa u_y - u_x is such a combination"
SOUND = Statement(
    family=combinations,
    given={CERTIFIED: _certified, "u lies in C_R": lambda T, R, u, **_: inside(T, R, u)},
    holds=_ordered,
    too_strong={"99/100 of kappa": {"factor": ALMOST}},
    too_weak=[CERTIFIED, "u lies in C_R"],
)


def _possible(T: Sequence[Pair], R: F, x: int, y: int, kappa: F) -> bool:
    """Whether some lambda >= 0 makes a combination: one of the vertices of all of them does, at
    which as many inequalities as there are multipliers hold with equality.
    """
    size, count = len(T[0][0]), len(T)
    limits = [kappa * (z == y) - (z == x) for z in range(size)]
    rows = [[R * nu[z] - mu[z] for mu, nu in T] for z in range(size)]
    rows += [[F(-(i == j)) for j in range(count)] for i in range(count)]
    limits += [ZERO] * count
    for chosen in product(range(len(rows)), repeat=count):
        at = _solved([rows[n] for n in chosen], [limits[n] for n in chosen])
        if at and all(dot(row, at) <= limit for row, limit in zip(rows, limits)):
            return True
    return False


def _solved(rows: Rows, values: Row) -> list[F] | None:
    """Return the solution of one or two equations in as many unknowns, if there is one."""
    if len(rows) == 1:
        return [values[0] / rows[0][0]] if rows[0][0] else None
    (a, b), (c, d) = rows
    whole = a * d - b * c
    if not whole:
        return None
    return [(values[0] * d - values[1] * b) / whole, (a * values[1] - c * values[0]) / whole]


def _complete(T: Sequence[Pair], R: F, x: int, y: int, cap: F | None = None) -> bool:
    """Whether a column with u_x > 0 = u_y exists, or there is a combination, for the largest
    quotient at extreme rays of the whole cone C_R.
    """
    every = rays([[m - R * n for m, n in zip(*pair)] for pair in T], len(T[0][0]))
    if not implied(every, x, y):
        return True
    return _possible(T, R, x, y, cap or kappa(every, x, y))


COMPLETE = Statement(
    family=combinations,
    holds=lambda T, R, x, y, cap=None, **_: _complete(T, R, x, y, cap=cap),
    too_strong={"with kappa = 1": {"cap": ONE}},
)
