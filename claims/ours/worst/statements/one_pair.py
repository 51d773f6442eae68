"""One pair of secrets, one prior: rays in closed form, and the worst two releases."""

from collections.abc import Callable, Sequence
from math import gcd, lcm

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import LEVELS, both, worst

F = Fraction
Law = Sequence[F]


def two_laws(draws: Draws) -> Instance:
    """Two laws on two to four databases, which overlap, are equal or are disjoint, some databases
    of probability 0 under both; R = 1, 4/3, 3/2 or 2.
    """
    size = 2 + draws.below(3)
    return {"mu": draws.law(size, 3), "nu": draws.law(size, 3), "R": draws.among(LEVELS)}


def _beyond(a: F, b: F, R: F) -> bool:
    """Whether a/b > R, infinite where b = 0 < a."""
    return a > R * b


def _whole(entries: Sequence[F]) -> tuple[int, ...]:
    scale = lcm(*(each.denominator for each in entries))
    numbers = [int(each * scale) for each in entries]
    return tuple(each // gcd(*numbers) for each in numbers)


def _two_points(size: int, x: int, y: int, at_x: F, at_y: F) -> tuple[int, ...]:
    return _whole([{y: at_y, x: at_x}.get(z, ZERO) for z in range(size)])


def closed_form(mu: Law, nu: Law, R: F, every_y: bool = False) -> set[tuple[int, ...]]:
    """Return the rays that the statement lists, for all y with rho_y other than R if asked."""
    size, found = len(mu), set()
    for x in range(size):
        if not (_beyond(mu[x], nu[x], R) or _beyond(nu[x], mu[x], R)):
            found.add(_two_points(size, x, x, ONE, ZERO))
        for m, n in ((mu, nu), (nu, mu)):
            excess = m[x] - R * n[x]
            for y in range(size):
                room = R * n[y] - m[y]
                if excess > 0 and x != y and (room > 0 or (every_y and room)):
                    found.add(_two_points(size, x, y, room, excess))
    return found


def _found(mu: Law, nu: Law, R: F) -> set[tuple[int, ...]]:
    return set(rays([[m - R * n for m, n in zip(*pair)] for pair in both([(mu, nu)])], len(mu)))


EACH = Statement(
    family=two_laws,
    holds=lambda mu, nu, R, towards_every=False: (
        (closed_form(mu, nu, R, every_y=True) if towards_every else closed_form(mu, nu, R))
        <= _found(mu, nu, R)
    ),
    too_strong={"towards every y": {"towards_every": True}},
)
NO_OTHER = Statement(
    family=two_laws,
    holds=lambda mu, nu, R, two_points_only=False, without=False: (
        (_found(mu, nu, R) <= closed_form(mu, nu, R))
        and (not two_points_only or (all(sum(map(bool, u)) == 2 for u in _found(mu, nu, R))))
        and (
            not without
            or (
                all(
                    u in closed_form(mu, nu, R)
                    for u in _found(mu, nu, R)
                    if all(m >= n for m, n, entry in zip(mu, nu, u) if entry)
                )
                and len(_found(mu, nu, R)) <= len(mu)
            )
        )
    ),
    too_strong={"two points only": {"two_points_only": True}, "without x in N": {"without": True}},
    always="both sides are the extreme rays of one cone, whatever its numbers",
)


def overlapping(draws: Draws) -> Instance:
    """Two different laws on two or three databases that some law sees, which often overlap, both
    orders or one, and two levels up to 4, above 1 where there is one order.
    """
    size = 2 + draws.below(2)
    mu, nu = draws.law(size, 3), draws.law(size, 4)
    orders = draws.whether()
    levels = [draws.among([F(2), F(3, 2), F(3), F(4, 3), *[ONE] * orders]) for _ in range(2)]
    kept = [(m, n) for m, n in zip(mu, nu) if m or n]
    laws = [m for m, _ in kept], [n for _, n in kept]
    return {"mu": laws[0], "nu": laws[1], "orders": orders, "levels": levels}


def _largest(mu: Law, nu: Law, orders: bool, levels: Sequence[F]) -> F | None:
    return worst(both([(mu, nu)]) if orders else [(mu, nu)], levels, [(mu, nu)])


def _low(mu: Law, nu: Law, levels: Sequence[F]) -> list[int]:
    """The databases y with rho_y < max(R_1, R_2)."""
    return [y for y in range(len(mu)) if mu[y] < max(levels) * nu[y]]


def _rho(mu: Law, nu: Law) -> F | None:
    return None if any(not n for n in nu) else max(m / n for m, n in zip(mu, nu))


def _formula(mu: Law, nu: Law, levels: Sequence[F], second: bool = True) -> F | None:
    """The largest (mu_x t_x + mu_y)/(nu_x t_x + nu_y), None if infinite; t_x without the second
    level if asked.
    """
    (y,), best = _low(mu, nu, levels), ZERO
    first, last = levels[0], levels[1 if second else 0]
    for x in set(range(len(mu))) - {y}:
        above = (first * nu[y] - mu[y]) * (last * nu[y] - mu[y])
        below = (mu[x] - first * nu[x]) * (mu[x] - last * nu[x])
        parts = [(mu[x] * above, mu[y] * below), (nu[x] * above, nu[y] * below)]
        m, n = (sum(each) for each in (parts if below else [(mu[x],), (nu[x],)]))
        if not n:
            return None
        best = max(best, F(m) / n)
    return best


DIFFERENT = "the laws are different"
SEVERAL = "not exactly one database has rho < max(R_1, R_2)"
ONE_LOW = "exactly one database has rho < max(R_1, R_2)"


def _differ(mu: Law, nu: Law, **_: object) -> bool:
    return mu != nu


LARGEST_RHO = Statement(
    family=overlapping,
    given={
        DIFFERENT: _differ,
        SEVERAL: lambda mu, nu, orders, levels: len(_low(mu, nu, levels)) != 1,
    },
    holds=lambda mu, nu, orders, levels, one_release=False: (
        _largest(mu, nu, orders, (levels[:1] if one_release else levels)) == _rho(mu, nu)
    ),
    too_strong={"of one release": {"one_release": True}},
    too_weak=[SEVERAL],
)
GIVEN_ONE: dict[str, Callable[..., bool]] = {
    DIFFERENT: _differ,
    ONE_LOW: lambda mu, nu, orders, levels: len(_low(mu, nu, levels)) == 1,
}
FORMULA_BOUNDS = Statement(
    family=overlapping,
    given=GIVEN_ONE,
    holds=lambda mu, nu, orders, levels, first_level_twice=False: at_most(
        _largest(mu, nu, orders, levels),
        (_formula(mu, nu, levels, second=False) if first_level_twice else _formula(mu, nu, levels)),
    ),
    too_strong={"the first level twice": {"first_level_twice": True}},
)
FORMULA_ATTAINED = Statement(
    family=overlapping,
    given=GIVEN_ONE,
    holds=lambda mu, nu, orders, levels, ratio=False: (
        (at_most(_formula(mu, nu, levels), _largest(mu, nu, orders, levels)))
        and (
            not ratio
            or (
                (least := _largest(mu, nu, orders, levels)) is None
                or at_most(_formula(mu, nu, levels), ALMOST * least)
            )
        )
    ),
    too_strong={"99/100 of the ratio": {"ratio": True}},
)
