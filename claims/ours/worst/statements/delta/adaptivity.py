"""Two databases for each of two secrets, mechanisms of level 0: the largest delta of two releases,
the second chosen by the output of the first, and of independent ones.
"""

from collections.abc import Sequence
from itertools import product

from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ONE, ZERO, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import times
from pufferproof.claims.ours.worst.statements.delta.releases import Columns, delta, joint

F = Fraction
Laws = tuple[Sequence[F], Sequence[F]]


def laws_of(p: F, q: F) -> Laws:
    """Return the laws of a1, a2, b1, b2 given either secret."""
    return [p, 1 - p, ZERO, ZERO], [ZERO, ZERO, q, 1 - q]


def table(p: F, q: F, corner: F) -> list[list[F]]:
    """Return the mechanism of level 0 with an output for every pair of databases, one of each
    secret, and this mass on the first two.
    """
    masses = [corner, p - corner, q - corner, 1 - p - q + corner]
    places = [(0, 2), (0, 3), (1, 2), (1, 3)]
    law = [m + n for m, n in zip(*laws_of(p, q))]
    return [
        [mass / law[x] if x in place else ZERO for x in range(4)]
        for mass, place in zip(masses, places)
    ]


def chosen(draws: Draws) -> Instance:
    """p and q from 1/12 to 1/2, p <= q in most cases; a first mechanism, a table or one with two
    outputs, and as many second ones as it has outputs, often the best tables; either order of the
    secrets.
    """
    p, q = (draws.rate([F(n, 12) for n in range(1, 7)]) for _ in range(2))
    if p > q and draws.below(4):
        p, q = q, p

    def one() -> Columns:
        if draws.below(3):
            return table(p, q, p * draws.below(3) / 2)
        a1, a2, b1 = (F(draws.below(5), 4) for _ in range(3))
        u = [a1, a2, b1, (p * a1 + (1 - p) * a2 - q * b1) / (1 - q)]
        return [u, [1 - x for x in u]]

    first = table(p, q, ZERO) if draws.whether() else one()
    second = [one() for _ in first]
    if len(first) == 4 and draws.whether():
        second = [table(p, q, corner) for corner in (ZERO, p, p, ZERO)]
    return {"p": p, "q": q, "first": first, "second": second, "turned": draws.whether()}


def _is_mechanism(p: F, q: F, columns: Columns) -> bool:
    mu, nu = laws_of(p, q)
    sums = all(sum(entries) == 1 for entries in zip(*columns))
    return sums and all(min(u) >= 0 and dot(mu, u) == dot(nu, u) for u in columns)


def form(p: F, q: F) -> F:
    """Return the largest delta of two releases, the second chosen by the output of the first."""
    return 1 - (q * (q - p) + (1 - p - q) ** 2) / (1 - p)


def _reached(p: F, q: F, first: Columns, second: Sequence[Columns], turned: bool) -> F:
    mu, nu = laws_of(p, q)[::-1] if turned else laws_of(p, q)
    return delta(mu, nu, ONE, [times(u, v) for u, M in zip(first, second) for v in M])


def _says(p: F, q: F, first: Columns, second: Sequence[Rows], turned: bool, most: F = ONE) -> bool:
    best = [table(p, q, corner) for corner in (ZERO, p, p, ZERO)]
    return _reached(p, q, first, second, turned) <= most * form(p, q) and _reached(
        p, q, table(p, q, ZERO), best, turned
    ) == form(p, q)


LEVEL_0 = "all are mechanisms of level 0"
ORDERED = "p <= q"
ADAPTIVE = Statement(
    family=chosen,
    given={
        LEVEL_0: lambda p, q, first, second, turned: all(
            _is_mechanism(p, q, each) for each in (first, *second)
        ),
        ORDERED: lambda p, q, **_: p <= q,
        "q <= 1/2": lambda q, **_: q <= F(1, 2),
    },
    holds=lambda most=ONE, **instance: _says(**instance, most=most),
    too_strong={"99/100 of it": {"most": F(99, 100)}},
    too_weak=[ORDERED],
)


def both(draws: Draws) -> Instance:
    """p and q from 1/12 to 1/2, p <= q, often both 1/4; either order of the secrets."""
    p, q = sorted(draws.rate([F(n, 12) for n in range(1, 7)]) for _ in range(2))
    if not draws.below(3):
        p = q = F(1, 4)
    return {"p": p, "q": q, "turned": draws.whether()}


def _at_most(p: F, q: F, turned: bool, factor: F) -> bool:
    """Whether what adaptive releases reach is at most a factor times what two tables reach that
    do not depend on each other, with the least or the largest mass on the first two databases.
    """
    mu, nu = laws_of(p, q)[::-1] if turned else laws_of(p, q)
    tables = [table(p, q, corner) for corner in (ZERO, p)]
    plain = max(delta(mu, nu, ONE, joint(*each)) for each in product(tables, repeat=2))
    after = [max(_rests(mu, nu, u, each) for each in tables) for u in tables[0]]
    return sum(after) <= factor * plain


def _rests(mu: Row, nu: Row, u: Row, second: Columns) -> F:
    return delta(mu, nu, ONE, [times(u, v) for v in second])


LARGEST = F(4, 3)
FACTOR = Statement(
    family=both,
    holds=lambda p, q, turned, most=LARGEST: _at_most(p, q, turned, most),
    too_strong={"13/10": {"most": F(13, 10)}},
    always="the inequality holds for all masses p and q",
)
