"""Influence over all reversible chains with bounds of the stationary law and of the eigenvalues."""

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.language.statements.statement import Predicate
from pufferproof.claims.ours.influence.statements import Matrix, largest, power
from pufferproof.claims.registry import Check, claim

F = Fraction
NOTATION = {
    "pi": "the stationary law",
    "p": "a number that pi(x) is at least, for all values x",
    "r": "a number that the sizes of eigenvalues other than 1 are at most",
    "t": "a distance",
}


def _chains(draws: Draws, values: int) -> Instance:
    """A chain of two or three values, by its stationary law, the other eigenvalue c that is not 0,
    the largest or least possible one often, and its function g; a distance t up to 4; p and r,
    which bound pi and c seldom not.
    """
    weights = [1 + draws.below(4) for _ in range(values)]
    pi = [F(each, sum(weights)) for each in weights]
    g = [F(draws.below(4)) for _ in range(values)]
    g = g if len(set(g)) > 1 else [F(x) for x in range(values)]
    shares = [x * y for x in _centred(pi, g) for y in _centred(pi, g)]
    limit = -_mean(pi, [x**2 for x in _centred(pi, g)])
    limit /= max(shares) if draws.whether() else min(shares)
    c = max(min(limit, F(99, 100)), -F(99, 100)) * draws.among([ONE, ONE, F(1, 2), F(11, 10)])
    p = min(pi) * draws.among([ONE, ONE, F(1, 2), F(3, 2)])
    r = draws.among([abs(c), abs(c), (1 + abs(c)) / 2, abs(c) / 2])
    return {"pi": pi, "g": g, "c": c, "t": 1 + draws.below(4), "p": p, "r": r}


def _mean(pi: Row, f: Row) -> F:
    return sum((x * y for x, y in zip(pi, f)), ZERO)


def _centred(pi: Row, g: Row) -> list[F]:
    return [x - _mean(pi, g) for x in g]


def _matrix(pi: Row, g: Row, c: F) -> Matrix:
    """P(x, y) = pi(y) (1 + c f(x) f(y)/pi(f^2)), f = g - pi(g): reversible, with the eigenvalues 1,
    c and 0.
    """
    f = _centred(pi, g)
    size = _mean(pi, [x**2 for x in f])
    return [[w * (1 + c * x * y / size) for w, y in zip(pi, f)] for x in f]


def _is_law(pi: Row, g: Row, p: F, **_: object) -> bool:
    return sum(pi) == 1 and p > 0 and min(pi) >= p and len(set(g)) > 1


def _is_matrix(pi: Row, g: Row, c: F, **_: object) -> bool:
    return all(min(row) >= 0 for row in _matrix(pi, g, c))


def _is_small(c: F, r: F, **_: object) -> bool:
    return abs(c) <= r < 1


def two_values(draws: Draws) -> Instance:
    """A chain of two values."""
    return _chains(draws, 2)


def more_values(draws: Draws) -> Instance:
    """A chain of three values."""
    return _chains(draws, 3)


def _ratio(P: Matrix, t: int) -> F | None:
    rows = power(P, t)
    return largest([pair for one in rows for other in rows for pair in zip(one, other)])


def _closed(pi: Row, g: Row, c: F, t: int, p: F, r: F, share: F = ONE) -> bool:
    """Whether the ratio is at most 1 + D/(1 - r^t) for even t or c >= 0, else 1/(1 - r^t/(q (1 +
    r^t))).
    """
    ratio, power_of_r = _ratio(_matrix(pi, g, c), t), r**t
    bound: F | None = 1 + power_of_r / (p * (1 - power_of_r))
    if t % 2 and c < 0:
        rest = 1 - power_of_r / (max(p, r / (1 + r)) * (1 + power_of_r))
        bound = 1 / rest if rest > 0 else None
    return bound is None or (ratio is not None and ratio <= max(ONE, share * bound))


def _bounded(pi: Row, g: Row, c: F, t: int, p: F, r: F, share: F = ONE) -> bool:
    """Whether R <= 1 + D (1 + sqrt(1 + R^2))/2 for even t, R <= 1 + D sqrt(1 + R^2) for odd t."""
    ratio, D = _ratio(_matrix(pi, g, c), t), share * r**t / p
    if not D or ratio is None:
        return ratio == 1 or D >= 1
    root = (ratio - 1) / D if t % 2 else 2 * (ratio - 1) / D - 1
    return root <= 0 or root**2 <= 1 + ratio**2


LAW: dict[str, Predicate] = {"pi(x) >= p > 0": _is_law, "|c| <= r < 1": _is_small}
GIVEN = LAW | {"P has no entry below 0": _is_matrix}
TWO = Statement(
    family=two_values,
    given=GIVEN,
    holds=_closed,
    too_strong={"99/100 of the bound": {"share": ALMOST}},
    too_weak=[*GIVEN],
)
MORE = Statement(
    family=more_values,
    given=LAW,
    holds=_bounded,
    too_strong={"half of D": {"share": F(1, 2)}},
    too_weak=[*LAW],
)


@claim(
    "influence.gap",
    where="influence over reversible chains with an eigengap",
    statement="Let chains be stationary and reversible, with pi(x) >= p for all x and all "
    "eigenvalues other than 1 of absolute value at most r < 1, and let D = r^t/p. For two "
    "values the largest ratio of the laws of X_(i+t), or of X_(i-t), given two values of X_i is "
    "at most 1 + D/(1 - r^t) if the other eigenvalue is not negative or t is even, else 1/(1 - "
    "r^t/(q (1 + r^t))), q = max{p, r/(1+r)}, infinite if that is not positive; it is reached. "
    "For more values, R <= 1 + D (1 + sqrt(1 + R^2))/2 if t is even, R <= 1 + D sqrt(1 + R^2) "
    "if t is odd, where a bound of R follows if D < 2, or D < 1.",
    kind="theorem",
    says={"two values": TWO, "more values": MORE},
)
def gap(check: Check) -> None:
    """Write P^t = 1 pi' + M, M self-adjoint in L2(pi), of a norm of at most r^t, with pi(M f) = 0.

    Two values. P^t(x, y) = pi(y) + c^t (1(x=y) - pi(y)): for c^t >= 0 the largest ratio is (pi(y) +
    c^t (1 - pi(y)))/(pi(y) (1 - c^t)), largest where pi(y) = p and c = r. For c^t < 0 it is pi(y)
    (1 + |c|^t)/(pi(y) - |c|^t (1 - pi(y))), and entries are not negative if pi(y) >= |c|/(1 + |c|).

    More values. R - 1 = (P^t(v, y) - P^t(w, y))/P^t(w, y). With functions e_v = 1(x=v)/pi(v) the
    difference at R is <M (e_v - R e_w), e_y> = R - 1. For even t, M is positive, and <M f, g> <=
    r^t (|f| |g| + <f, g>)/2; for odd t <M f, g> <= r^t |f| |g|. |e_v - R e_w|^2 = 1/pi(v) +
    R^2/pi(w), |e_y|^2 = 1/pi(y), and <f, g> is at most 1/p. X_(i-t): the chain is reversible.
    """
