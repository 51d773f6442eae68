"""Convexity of influence in the distance as programs.

Influences come from powers of the matrix by multiplication, or from the law of all records.
"""

from pufferproof.claims.language.instances.laws import ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    IS_ORDERED,
    ONE,
    any_chain_and_distance,
    chain_and_distance,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    pointwise,
)

F = Fraction
NEGATIVE = "lam < 0"
IS_NEGATIVE = {NEGATIVE: lambda of, **_: of.eigenvalue < 0}


def _difference(of: Chain, D: int, value: int) -> F:
    """e^f(D)."""
    return pointwise(of, D, value) / pointwise(of, D + 1, value)


def _quotients(of: Chain, D: int, value: int, exchanged: bool = False) -> list[tuple[F, F]]:
    """A and B of the two quotients (1 + A u)/(1 + B u) at an even or odd D."""
    d = abs(of.eigenvalue)
    c = of.b / of.a if value else of.a / of.b
    if D % 2:
        return [(F(1), c * d), (-d, -c)]
    return [(d, c) if exchanged else (c, d), (-c * d, F(-1))]


def _displayed(of: Chain, D: int, exchanged: bool = False) -> bool:
    u = abs(of.eigenvalue) ** D
    for value in (0, 1):
        (A, B), (G, H) = _quotients(of, D, value, exchanged)
        product = (1 + A * u) / (1 + B * u) * ((1 + G * u) / (1 + H * u))
        if _difference(of, D, value) != product:
            return False
    return True


def _quotients_fall(of: Chain, D: int) -> bool:
    """A > B, 1 + B u > 0, and the quotients are smaller at all later distances."""
    u = abs(of.eigenvalue) ** D
    later = u * abs(of.eigenvalue)
    return all(
        A > B and 1 + B * u > 0 and (1 + A * u) / (1 + B * u) > (1 + A * later) / (1 + B * later)
        for value in (0, 1)
        for A, B in _quotients(of, D, value)
    )


NEGATIVE_STEPS = {
    "(18), (19), the derivative and the signs": Statement(
        family=any_chain_and_distance,
        given=IS_ORDERED | IS_NEGATIVE,
        holds=lambda of, D, with_exchanged=False: (
            (_displayed(of, D) and _quotients_fall(of, D))
            and (not with_exchanged or (_displayed(of, D, exchanged=True)))
        ),
        too_strong={"(18) with c and d exchanged": {"with_exchanged": True}},
        too_weak=[NEGATIVE],
    ),
    "f(D) >= f(D+2)": Statement(
        family=chain_and_distance,
        given=IS_NEGATIVE,
        holds=lambda of, D, other=False: (
            (all(_difference(of, D, z) > _difference(of, D + 2, z) for z in (0, 1)))
            and (
                not other
                or (all(_difference(of, D, z) >= _difference(of, D + 1, z) for z in (0, 1)))
            )
        ),
        too_strong={"f(D) >= f(D+1)": {"other": True}},
        too_weak=[NEGATIVE],
    ),
}


def curves(draws: Draws) -> Instance:
    """lam from 1/4 to 9/10, rarely 0 or -1/2, c from 1/3 to 3, rarely below 0, and a distance D
    from 1 to 4, instead of all real ones.
    """
    sizes = [F(1, 2), F(9, 10), F(1, 4), F(2, 3), ZERO, F(-1, 2)]
    ratios = [ONE, F(5, 2), F(1, 3), F(3), F(-1, 2), F(-10)]  # 1 + c u is 0 for none
    return {"lam": draws.among(sizes), "c": draws.among(ratios), "D": 1 + draws.below(4)}


def _curvature(lam: F, c: F, D: int, power: int = 2) -> bool:
    """Whether the second derivative over (log lam)^2 is as displayed and positive: (u d/du)^2 of
    log(1 + c u) - log(1 - u) at u = lam^D, whose series in h begin with k h - k^2 h^2/2 and
    m h + m^2 h^2/2.
    """
    u = lam**D
    k, m = c / (1 + c * u), 1 / (1 - u)
    displayed = u * (c / (1 + c * u) ** 2 + 1 / (1 - u) ** power)
    return u * (k + m) + u**2 * (m**2 - k**2) == displayed > 0


INSIDE, ABOVE_0 = "0 < lam < 1", "c > 0"
CURVATURE = Statement(
    family=curves,
    given={INSIDE: lambda lam, c, D: 0 < lam < 1, ABOVE_0: lambda lam, c, D: c > 0},
    holds=_curvature,
    too_strong={"1/(1-lam^D) not squared": {"power": 1}},
    too_weak=[INSIDE, ABOVE_0],
)
