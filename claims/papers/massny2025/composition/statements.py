"""Leakage and influence over the two sides of X_p as programs, and what is left of the lower bounds
where redactions depend on each other.
"""

from collections.abc import Callable, Sequence
from typing import Any

from pufferproof.claims.language.instances.laws import ZERO, at_most, times
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    any_chain,
    independent_of_data,
    shown,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    Redaction,
    leakage,
    local,
    set_influence,
)

F = Fraction


def sets_around(draws: Draws) -> Instance:
    """A chain with a <= b of up to five records, and a set S with records on both sides of p; p is
    in S seldom.
    """
    of, n = any_chain(draws), 3 + draws.below(3)
    p = 2 + draws.below(n - 2)
    tl, tr = p - 1 - draws.below(p - 1), p + 1 + draws.below(n - p)
    beyond = draws.several([t for t in range(1, n + 1) if t < tl or t > tr])
    own = [p] if draws.below(8) == 7 else []
    return {"of": of, "n": n, "p": p, "S": sorted({tl, tr, *own, *beyond})}


def _influences(of: Chain, n: int, p: int, S: Sequence[int]) -> tuple[F | None, F | None]:
    """Inf of S, and the sum of those of S n [1,tl] and of S n [tr,n]."""
    left, right = [t for t in S if t <= p], [t for t in S if t >= p]
    return set_influence(of, n, p, S), times(
        set_influence(of, n, p, left), set_influence(of, n, p, right)
    )


def _distance(p: int, S: Sequence[int]) -> int:
    return min(t for t in S if t >= p) - max(t for t in S if t <= p)


def _adds(**at: Any) -> bool:
    whole, sides = _influences(**at)
    return whole == sides


def _at_most_adds(equal: bool = False, **at: Any) -> bool:
    return at_most(*_influences(**at)) and (not equal or _adds(**at))


EVEN, SAME_SIGN = "tr - tl is even", "lam >= 0"


def released_around(draws: Draws) -> Instance:
    """A data-independent mechanism on up to four records that releases records on both sides of p,
    X_p itself seldom, with a <= b.
    """
    of, n = any_chain(draws), draws.among([3, 3, 4])
    p = 2 + draws.below(n - 2)
    r = [*independent_of_data(draws, n, p, hidden=draws.below(8) < 7)]
    for t in (p - 1 - draws.below(p - 1), p + 1 + draws.below(n - p)):
        r[t - 1] = draws.among([(ZERO, ZERO), (F(1, 2), F(1, 2))])
    return {"of": of, "p": p, "r": r}


def _leakages(of: Chain, p: int, r: Redaction) -> tuple[F | None, F | None]:
    """Lk of Y, and the sum of those of the outputs of R_rel on either side."""
    n, mechanism = len(r), local(r)
    left, right = [t for t in shown(r) if t <= p], [t for t in shown(r) if t >= p]
    return leakage(of, n, p, mechanism), times(
        leakage(of, n, p, mechanism, left), leakage(of, n, p, mechanism, right)
    )


def _leakages_add(**at: Any) -> bool:
    whole, sides = _leakages(**at)
    return whole == sides


IS_EVEN: dict[str, Callable[..., bool]] = {EVEN: lambda p, S, **_: _distance(p, S) % 2 == 0}
ARE_EVEN: dict[str, Callable[..., bool]] = {EVEN: lambda p, r, **_: _distance(p, shown(r)) % 2 == 0}
SIDES = {
    "max-influence, tr - tl even": Statement(
        family=sets_around, given=IS_EVEN, holds=_adds, too_weak=[EVEN]
    ),
    "max-influence, any tl and tr": Statement(
        family=sets_around, holds=_at_most_adds, too_strong={"equality": {"equal": True}}
    ),
    "a DIM, S = R_rel, tr - tl even": Statement(
        family=released_around, given=ARE_EVEN, holds=_leakages_add, too_weak=[EVEN]
    ),
    "a DIM, S = R_rel, any tl and tr": Statement(
        family=released_around,
        holds=lambda equal=False, **at: (
            at_most(*_leakages(**at)) and (not equal or _leakages_add(**at))
        ),
        too_strong={"equality": {"equal": True}},
    ),
}
SIDES_OF_ONE_SIGN = {
    **SIDES,
    "max-influence, lam >= 0, any tl and tr": Statement(
        family=sets_around,
        given={SAME_SIGN: lambda of, **_: of.eigenvalue >= 0},
        holds=_adds,
        too_weak=[SAME_SIGN],
    ),
}
