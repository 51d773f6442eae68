"""Theorem 4 repaired: composition with a positive shift and with zero probabilities, where every
step may have a level and a shift of its own.

Derived for independent alternatives, by induction over the steps, with weights in [0, 1] instead
of sets. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

from pufferproof.claims.papers.streaming_cw import said
from pufferproof.claims.papers.streaming_cw.streams.readings import INDEPENDENT, KNOWN, WINDOW
from pufferproof.claims.registry import Check, claim


@claim(
    "streaming_cw.thm4-repaired",
    where="Theorem 4, repaired",
    assumes=[*INDEPENDENT, KNOWN],
    says={WINDOW: said.THEOREM_4},
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets. The other direction is the same
    theorem with both mechanisms exchanged, and equal levels and shifts give the printed eps + (t -
    1) gamma and t delta.

    By induction over the outputs. The past, capped: S_y holds the pasts that S has before y; x is
    P^0(S_y|z1) for any z1 and c the least P^1(S_y|z2) over all z2: the hypothesis of the induction
    is x <= K c + L, and x <= 1. So x <= m + L with m the least of 1 and K c, which is the same for
    all blocks z*. The step: its shift bounds the sum of P0(y|z) m - e^gamma P1(y|z') m over y, as
    weights between 0 and 1 gain no more than sets. Back: K P^1(S_y|[z*,z']_up) is at least m
    whatever z* is. One more step has the factor e^gamma and the shift delta; the last one, at z' =
    z, has e^eps.
    """
    check.stated(WINDOW)
