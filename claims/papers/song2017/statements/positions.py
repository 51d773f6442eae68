"""Estimates of influence at two positions of a chain, and the guarantee of two releases for two
divergences, as programs.
"""

from collections.abc import Sequence

from pufferproof.claims.language.instances.chains import chain, sequences
from pufferproof.claims.language.instances.laws import ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def two_positions(draws: Draws) -> Instance:
    """Two records i and j of a chain of four or five, distances a and b = a or another one, with
    both nodes of both records mostly in the chain; pimin and e^(-g/2) among a few fractions; the
    law of the chain.
    """
    T, a = 4 + draws.below(2), 1 + draws.below(2)
    b = draws.among([a, a, 1 + draws.below(2)])
    i, j = (1 + draws.below(T) for _ in range(2))
    start, step = chain(draws, states=2)
    return {
        "T": T,
        "i": i,
        "j": j,
        "a": a,
        "b": b,
        "pimin": draws.rate([F(1, 2), F(1, 3), F(1, 10)]),
        "decay": draws.rate([F(1, 2), F(1, 4), F(1, 20)]),
        "law": sequences(start, step, T),
    }


def _estimate(i: int, nodes: Sequence[int], pimin: F, decay: F) -> F | None:
    """e to the bound of Lemma II.3 for the nodes left and right of X_i; None for none."""
    found = ONE
    for node, power in zip(nodes, (2, 1)):
        fall = decay ** abs(node - i)
        if pimin <= fall:
            return None
        found *= ((pimin + fall) / (pimin - fall)) ** power
    return found


def _same(
    T: int, i: int, j: int, a: int, b: int, pimin: F, decay: F, law: object, farther: int = 0
) -> bool:
    at = [_estimate(i, [i - a, i + b], pimin, decay)]
    at += [_estimate(j, [j - a, j + b + farther], pimin, decay)]
    return at[0] == at[1]


INSIDE, EQUAL = "both nodes of both records are in the chain", "b = a"
_INSIDE = {INSIDE: lambda T, i, j, a, b, **_: min(i, j) > a and max(i, j) + b <= T}
_STRONGER = {"a right node one step farther": {"farther": 1}}
_ALWAYS = "the bound is a function of the distances alone"
SAME_DISTANCES = Statement(
    family=two_positions,
    given={**_INSIDE, EQUAL: lambda a, b, **_: bool(a == b)},
    holds=_same,
    too_strong=_STRONGER,
    always=_ALWAYS,
)
TWO_DISTANCES = Statement(
    family=two_positions, given=_INSIDE, holds=_same, too_strong=_STRONGER, always=_ALWAYS
)
