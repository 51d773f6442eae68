"""Beliefs of which each favours another database: how large budgets let several releases leak
everything, against the extreme rays of all columns.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def favourites(draws: Draws) -> Instance:
    """Two to four databases b_1 .. b_m besides a, m priors, two or three releases, a probability p
    at most 1/m, and e to a level, R: often the one of which the square is at the threshold of some
    number of databases, if that is a rational number, or a little less.
    """
    m, K = draws.among([(3, 2), (2, 2), (4, 2), (3, 3), (4, 3)])
    p = F(1, m) * draws.among([F(1, 2), F(1, 4), F(3, 4), F(1, 10), ONE])
    near = [R for s in range(1, m) if (R := _root(1 + (1 - m * p) / ((m - s) * p))) is not None]
    near += [R * F(199, 200) for R in near if R > F(200, 199)]
    R = draws.among([F(2), F(3, 2), F(3), F(5, 4), F(7, 3), *near])
    return {"m": m, "K": K, "p": p, "R": R}


def _root(square: F) -> F | None:
    root = F(*(round(x**0.5) for x in (square.numerator, square.denominator)))
    return root if root * root == square else None


def _rows(m: int, p: F, R: F) -> list[list[F]]:
    """Return what columns fulfil, the entry at a first: 1/R <= <P_j, u>/u_a <= R."""
    means = [[ZERO, *(1 - (m - 1) * p if i == j else p for i in range(m))] for j in range(m)]
    above = [[-R, *mean[1:]] for mean in means]
    below = [[ONE, *(-R * each for each in mean[1:])] for mean in means]
    return [*above, *below]


def _everything(m: int, K: int, p: F, R: F) -> bool:
    """Whether the product of some K columns is above 0 at a, and 0 at all others."""
    zeros = {
        frozenset(i for i in range(m) if not u[1 + i]) for u in rays(_rows(m, p, R), m + 1) if u[0]
    }
    return any(
        len(frozenset().union(*chosen)) == m for chosen in combinations_with_replacement(zeros, K)
    )


def _says(m: int, K: int, p: F, R: F, sizes: Sequence[int] = (), factor: F = ONE) -> bool:
    s = sizes[0] if sizes else -(-m // K)
    return _everything(m, K, p, R) == (R**2 >= factor * (1 + (1 - m * p) / ((m - s) * p)))


THRESHOLD = Statement(
    family=favourites,
    given={"m p <= 1": lambda m, p, **_: m * p <= 1},
    holds=_says,
    too_strong={
        "99/100 of the square": {"factor": F(99, 100)},
        "101/100 of the square": {"factor": F(101, 100)},
        "one database for each release": {"sizes": [1]},
    },
)
