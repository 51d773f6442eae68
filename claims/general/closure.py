"""Closure of Pufferfish mechanisms: randomised post-processing, mixing mechanisms by a coin.

For one prior, pair and order, a mechanism enters only through its output laws a = P(. | s) and b =
P(. | s'), and these are linear in the channel. Sources: kifer2014pufferfish (section 5: the axioms
of transformation invariance and convexity).
"""

from pufferproof.claims.general import said
from pufferproof.claims.general.statements import sequences
from pufferproof.claims.registry import Check, claim


@claim(
    "general.post-processing",
    where="general laws",
    statement="If M is epsilon-Pufferfish for (S, Q, Theta) and K is a stochastic matrix from "
    "outputs to new outputs, then the mechanism that runs M and passes its output through K is "
    "epsilon-Pufferfish for (S, Q, Theta).",
    assumes=[
        "finitely many databases and outputs; K uses fresh randomness and does not see the database"
    ],
    says={"randomised processing": said.POST_PROCESSING},
)
def post_processing(check: Check) -> None:
    """Coq pushes the sums over databases through K."""


@claim(
    "general.mixture-of-mechanisms",
    where="general laws",
    statement="If M_1 .. M_n are epsilon-Pufferfish for (S, Q, Theta), then the mechanism that "
    "throws a coin independent of the database and runs the M_i it shows is epsilon-Pufferfish "
    "for (S, Q, Theta), whether or not it publishes the coin.",
    assumes=["the weights of the coin do not depend on the database"],
    says={
        "hidden coin": said.HIDDEN_COIN,
        "published coin": said.PUBLISHED_COIN,
        "levels that differ, hidden coin: the largest one holds": sequences.LARGEST_LEVEL,
    },
)
def mixture_of_mechanisms(check: Check) -> None:
    """Prove convexity, for a hidden and for a published coin, with the largest level if the
    levels differ.

    The law given a secret is the mixture of laws: As for equal levels [lemma.finite-sums]. One more
    mechanism: largest is the largest e^epsilon_i so far, T that of the next mechanism: A <= largest
    B and a <= T b.
    """
