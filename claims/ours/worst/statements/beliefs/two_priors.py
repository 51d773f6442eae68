"""The worst joint leakage of two releases about a secret that one of three databases has, with two
priors: the closed form, against a maximum over all pairs of extreme rays.
"""

from collections.abc import Sequence

from pufferproof.claims.language.instances.laws import ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import worst
from pufferproof.claims.ours.worst.statements.secrets import of_probabilities

F = Fraction


def members(draws: Draws) -> Instance:
    """Databases a, b1, b2, secrets a and not a in both orders; p1 < p2, the probabilities of b1
    given not a under two priors, from 0 to 1; R from 1 to 3.
    """
    unit = draws.among([3, 5, 2, 4, 7])
    p1, p2 = F(draws.below(unit + 1), unit), F(draws.below(unit + 1), unit)
    R = 1 + F(draws.below(9), draws.among([4, 8, 16, 24]))
    return {"p1": p1, "p2": p2, "R": R}


def spread(p1: F, p2: F, R: F) -> F:
    """Return k (R - 1/R)^2."""
    return max(p1 * (1 - p1), p2 * (1 - p2)) / (p2 - p1) ** 2 * (R - 1 / R) ** 2


def _ordered(p1: F, p2: F, R: F) -> bool:
    return p1 < p2


def _finite(p1: F, p2: F, R: F) -> bool:
    return spread(p1, p2, R) < 1 if p1 != p2 else R == 1


def _below(p1: F, p2: F, R: F) -> bool:
    return p1 * R**2 <= p2 and R**2 * (1 - p2) <= 1 - p1


def _forms(p1: F, p2: F, R: F) -> tuple[F, F] | None:
    """Return both forms, or None if they say nothing."""
    more = spread(p1, p2, R) if p1 != p2 else ONE
    return (R**2 + more, 1 / (1 - more)) if more < 1 else None


def _at_most(p1: F, p2: F, R: F, forms: Sequence[int] = (0, 1)) -> bool:
    """Whether the larger of some forms bounds the ratio."""
    known, found = _forms(p1, p2, R), worst(of_probabilities([p1, p2]), [R, R])
    return known is not None and found is not None and found <= max(known[i] for i in forms)


def _reached(p1: F, p2: F, R: F, more_than: F = ONE) -> bool:
    known, found = _forms(p1, p2, R), worst(of_probabilities([p1, p2]), [R, R])
    return known is not None and found is not None and found >= more_than * max(known)


ORDERED, FINITE = "p1 < p2", "k (R - 1/R)^2 < 1"
BELOW = "R^2 p1 <= p2 and R^2 (1 - p2) <= 1 - p1"
EDGES = [
    {"p1": F(1, 5), "p2": F(4, 5), "R": F(2)},  # where everything begins to leak
    {"p1": F(1, 5), "p2": F(4, 5), "R": F(19, 10)},
    {"p1": F(0), "p2": F(1), "R": F(3)},
    {"p1": F(1, 2), "p2": F(1, 2), "R": F(1)},
    {"p1": F(1, 3), "p2": F(1, 2), "R": F(1)},
]
AT_MOST = Statement(
    family=members,
    given={ORDERED: _ordered, FINITE: _finite},
    holds=_at_most,
    edges=EDGES,
    too_strong={"the first form alone": {"forms": (0,)}, "the second form alone": {"forms": (1,)}},
    too_weak=[ORDERED, FINITE],
)
REACHED = Statement(
    family=members,
    given={ORDERED: _ordered, FINITE: _finite, BELOW: _below},
    holds=_reached,
    edges=EDGES,
    too_strong={"one percent more": {"more_than": F(101, 100)}},
    too_weak=[FINITE, BELOW],
)
