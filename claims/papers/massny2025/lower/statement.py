"""Lower bounds on the leakage of local redaction: the influence of whatever is released.

Coordinates of the mechanism are independent given X. Source: massny2025, appendix E, lemma 1 and
corollary 3.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.lower import linked, statements
from pufferproof.claims.papers.massny2025.said import LEMMA_1, quilts
from pufferproof.claims.registry import Check, claim

THIRD = chain("1/3", "1/3")


@claim(
    "massny2025.self-redaction",
    where="Appendix E",
    kind="remark",
    says=linked.RELEASED,
)
def self_redaction(check: Check) -> None:
    """Prove that a released X_p has infinite leakage."""
    check.linked(PRINTED)


@claim(
    "massny2025.lemma1",
    where="Lemma 1",
    kind="lemma",
    says=LEMMA_1,
)
def lemma1(check: Check) -> None:
    """Prove it for all sets. With p both sides are infinite: Y_p = x needs X_p = x."""
    check.stated(PRINTED)


NEAREST = "the nearest records of a set on both sides of p, or on one"


@claim(
    "massny2025.x-nearest-quilt",
    where="Appendix D, used silently",
    statement="Two records tl < p < tr are a Markov quilt for X_p with everything between them "
    "nearby and everything beyond remote; so is one record other than X_p, with everything on "
    "the side of p nearby and everything beyond it remote.",
    kind="lemma",
    says={NEAREST: statements.NEAREST_QUILT},
)
def nearest_quilt(check: Check) -> None:
    """Prove it from the factors of the chain.

    Sums of products: Steps of the chain up to tl have the product g, from tl to tr c, from tr on h.
    With x_Q fixed, g depends on the records left of tl only, c on those between, h on those right
    of tr; G, S, H are their sums, and a sum over two or three of these groups of records is a
    product of sums. With one record of Q there is no g, or no h: it is 1 [lemma.finite-sums]. The
    same given X_Q, X_N and given X_Q: Pr(x_R|x_Q,x_N) is the joint probability g c h over its sum
    over x_R, Pr(x_R|x_Q) the sum of g c h over x_N, over the sum of that over x_R.
    """


AT_LEAST = "Lk >= Inf, any r_t(0) = r_t(1)"
EQUAL = "equality for a Markov quilt, any r_t(0) = r_t(1)"


@claim(
    "massny2025.cor3",
    where="Corollary 3",
    statement="For a DIM and Q subset of R_rel: Lk >= Inf(X_p~>X_Q). If Q is a Markov quilt whose "
    "nearby set N has N n R_rel empty, equality holds.",
    kind="corollary",
    says={AT_LEAST: quilts.AT_LEAST, EQUAL: quilts.EQUAL},
)
def cor3(check: Check) -> None:
    """Prove both parts for chances of redaction, of which certainty is one.

    In the second part Q is in R_rel, as the first sentence asks, and only X_p is asked to be
    independent of what is remote, given X_Q; in a Markov quilt all that is nearby is.
    """
    check.stated(AT_LEAST)
    check.stated(EQUAL)
