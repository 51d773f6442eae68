"""The distance D* and the Markov quilt mechanism as programs, with windows as algorithm 1 prints
them and patterns evaluated as `patterns` says.
"""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    pattern_leakage,
)
from pufferproof.claims.papers.massny2025.influence.families import LEVELS, any_chain, e1, pattern
from pufferproof.claims.papers.massny2025.influence.instances import Chain
from pufferproof.claims.papers.massny2025.quilt.windows import inside, window

F = Fraction
FARTHEST = 300
"""Beyond every D* of the chains and levels that are drawn."""


def levels(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b, a distance k from 1 to 8, and R = e^eps, often an influence, often 1."""
    of, k = any_chain(draws), 1 + draws.below(8)
    R = draws.among([e1(of, 1 + draws.below(6)), *LEVELS, F(1)])
    return {"of": of, "k": k, "R": R}


def _threshold(of: Chain, k: int, R: F, less: int = 0) -> bool:
    """There is a least D* with i1(D*) <= eps, and i1(k) <= eps iff k >= D* - less."""
    first = next((D for D in range(1, FARTHEST) if e1(of, D) <= R), None)
    return first is not None and (e1(of, k) <= R) == (k >= first - less)


LEVEL = "eps > 0, or lam = 0"
DSTAR = Statement(
    family=levels,
    given={LEVEL: lambda of, k, R: R > 1 or of.eigenvalue == 0},
    holds=_threshold,
    too_strong={"k >= D* - 1": {"less": 1}},
    too_weak=[LEVEL],
)


def placed(draws: Draws) -> dict[str, object]:
    """A chain with a <= b, n from 1 to 10, p most often at most n/2, or in the middle, and R > 1,
    often the leakage of two distances.
    """
    of, n = any_chain(draws), 1 + draws.below(10)
    p = draws.among([(n + 1) // 2, 1 + draws.below((n + 1) // 2), max(1, n // 2)])
    p = p if draws.below(8) else 1 + draws.below(n)
    exact = pattern_leakage(of, 1 + draws.below(4), 1 + draws.below(4))
    R = draws.among([exact, e1(of, 1 + draws.below(4)), e1(of, 1 + draws.below(4)) ** 2, *LEVELS])
    return {"at": Instance(of, n, p, R if R > 1 else F(2))}


FIRST_HALF, MIDDLE = "1 <= p <= n/2", "1 <= p <= (n+1)/2"
IS_FIRST_HALF: dict[str, Callable[..., bool]] = {FIRST_HALF: lambda at: 2 * at.private <= at.length}
IS_MIDDLE: dict[str, Callable[..., bool]] = {MIDDLE: lambda at: 2 * at.private <= at.length + 1}


def _holds_p(at: Instance, least: int = 0) -> bool:
    _, left, right = window(at)
    return left >= least and right >= least and inside(at)


WINDOW = {
    words: Statement(
        family=placed,
        given=given,
        holds=_holds_p,
        too_strong={"and a record on either side of p": {"least": 1}},
        too_weak=[words],
    )
    for words, given in ((FIRST_HALF, IS_FIRST_HALF), (MIDDLE, IS_MIDDLE))
}


def _utility(at: Instance, own: int = 1) -> bool:
    """n nu, by the sum of Pr(X_t=x)(1 - r_t(x)) over records and values."""
    _, left, right = window(at)
    n, p, (a, b) = at.length, at.private, (at.of.a, at.of.b)
    kept = [t for t in range(1, n + 1) if not p - left <= t <= p + right]
    r = pattern(n, kept)
    nu = sum((b * (1 - zero) + a * (1 - one)) / (a + b) for zero, one in r) / n
    return bool(nu == 1 - F(left + right + own, n))


FORMULA = Statement(
    family=placed,
    given=IS_FIRST_HALF,
    holds=_utility,
    too_strong={"without X_p": {"own": 0}},
    too_weak=[FIRST_HALF],
)
