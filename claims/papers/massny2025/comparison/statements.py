"""A region of records that are strongly correlated with X_p and need not be redacted, as a
program.
"""

from pufferproof.claims.language.instances.laws import ONE, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.papers.massny2025.influence.families import chain_and_distance
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    chain,
    leakage,
    local,
    pointwise,
)

F = Fraction
EXAMPLE = {"of": chain("1/4", "1/2"), "D": 1}


def _strong_but_released(of: Chain, D: int) -> bool:
    """At eps = i0(D) > 0: i1(D) > eps, and releasing X_t = 0 with probability 1 - e^-eps is
    private, for p = 1 and t = 1 + D.
    """
    R = pointwise(of, D, 0)
    r = [ALWAYS] * D + [(1 / R, ONE)]
    private = at_most(leakage(of, D + 1, 1, local(r)), R)
    return R > 1 and pointwise(of, D, 1) > R and private


def near_distances(draws: Draws) -> dict[str, object]:
    """A chain with a <= b, of any sign of lam, and a distance D from 1 to 3."""
    drawn = chain_and_distance(draws)
    return drawn | {"D": min(drawn["D"], 3)}


def _no_level(of: Chain, D: int) -> bool:
    """No eps has i0(D) <= eps < i1(D), as a release needs by Lemma 1."""
    return pointwise(of, D, 0) >= pointwise(of, D, 1)


DIFFERENT, DEPENDENT = "a < b", "lam is not 0"
REGION = {
    "for some chain, distance and eps: i1 > eps, and a private mechanism releases X_t "
    "sometimes": Statement(
        family=near_distances,
        edges=[EXAMPLE],
        given={DIFFERENT: lambda of, D: of.a < of.b, DEPENDENT: lambda of, D: of.eigenvalue != 0},
        holds=_strong_but_released,
        too_weak=[DIFFERENT, DEPENDENT],
    ),
    "for every chain and distance: for some eps iff a < b and lam is not 0": Statement(
        family=near_distances,
        edges=[EXAMPLE],
        holds=lambda of, D, iff=False, iff_lam_not=False: (
            (
                _strong_but_released(of, D)
                if of.a < of.b and of.eigenvalue != 0
                else _no_level(of, D)
            )
            and (not iff or (_strong_but_released(of, D) == (of.a < of.b)))
            and (not iff_lam_not or (_strong_but_released(of, D) == (of.eigenvalue != 0)))
        ),
        too_strong={"iff a < b": {"iff": True}, "iff lam is not 0": {"iff_lam_not": True}},
    ),
}
