"""Mixtures of any number of priors do no worse than mixtures of two of them."""

from pufferproof.claims.general.priors import two_weights
from pufferproof.claims.general.statements import mixtures
from pufferproof.claims.registry import Check, claim

MOVING, VANISHING = "both secrets stay possible", "a secret becomes impossible"
NOTATION = {
    "theta_1 .. theta_n": "priors; P_l is a probability under theta_l",
    "w": "weights >= 0 of sum 1 of a mixture",
}


@claim(
    "general.mixtures-of-two",
    where="mixtures of priors",
    statement="Let theta_1 .. theta_n be priors, s, s' secrets, y an output. The supremum of "
    "P(y | s)/P(y | s') over all mixtures that allow both secrets is that over the mixtures of at "
    "most two of the priors. So is the supremum of P(Y | s) - e^epsilon P(Y | s') for a set Y of "
    "outputs.",
    kind="theorem",
    says={MOVING: mixtures.STAY_POSSIBLE, VANISHING: mixtures.BECOME_IMPOSSIBLE},
)
def mixtures_of_two(check: Check) -> None:
    """Prove it: with three weights or more, one can be moved to 0 without loss.

    Both secrets stay possible. Three weights or more allow a direction z, not 0, on their priors
    with sum 0 and a_z = r p_z: w + t z has P(y | s) = r. 1/P(y | s') = q_w/b_w does not fall ahead,
    or not backward, whatever the step: one goes on until a weight is 0. For the difference take
    b_w/q_w and its negative. If q_w and b_w vanish at the end of the way, their quotient is the
    same all along, and the other way, where q_w grows, is no loss either.

    A secret becomes impossible. If p_w vanishes at the end of the way, so does a_w; r is at most
    the largest a_j/p_j, and q_w/b_w tends to that of the priors with p_l = 0, at most the largest
    q_l/b_l of one of these. The mixture of theta_j and a large share of theta_l has P(y | s) =
    a_j/p_j, and comes as near to q_l/b_l as one likes.
    """


@claim(
    "general.two-weights",
    where="mixtures of priors",
    kind="lemma",
    says={"enough": two_weights.ENOUGH, "needed": two_weights.NEEDED},
)
def form_of_two_weights(check: Check) -> None:
    """The form g x^2 + c x z + h z^2 is at most 0 for all x, z >= 0 iff g <= 0, h <= 0, and c <= 0
    or c^2 <= 4 g h. For the one direction 4 g times it is a sum of squares; for the other three
    places with x, z >= 0 are enough: (0, 1), (X, Z) and (Y, X).
    """
