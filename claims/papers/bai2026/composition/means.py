"""Weighted geometric means with real weights: below arithmetic means, superadditive, homogeneous.

With u the likelihoods of one output, an NfC constraint reads u_D <= E prod_l u_l^beta_l. The means
are what makes the set of such u a convex cone, and what compares joint likelihoods with their
averages. 0^0 = 1, so that only databases with beta_l > 0 matter. Source: hardy1934 (sections 2.5
and 2.7), with weights that need not be rational.
"""

from pufferproof.claims.papers.bai2026.composition import said
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "l": "one of finitely many indices",
    "beta": "weights beta_l",
    "E": "a number, e to the level of a constraint",
    "u_D": "the entry of a column u at the database D",
}


@claim(
    "bai2026.x-am-gm",
    where="beside Theorem 5.1",
    statement="For finitely many real beta_l >= 0 with sum 1 and real x_l >= 0: prod_l x_l^beta_l "
    "<= sum_l beta_l x_l, with 0^0 = 1.",
    kind="lemma",
    says=said.MEANS,
)
def am_gm(check: Check) -> None:
    """Coq proves the inequality of means for real weights from 1 + x <= e^x."""


@claim(
    "bai2026.x-cone",
    where="beside Theorem 5.2",
    statement="For E >= 0, a database D and finitely many real beta_l >= 0 with sum 1 the set of "
    "columns u >= 0 with u_D <= E prod_l u_l^beta_l, where 0^0 = 1, contains u + v and k u "
    "with all u, v in it and every k >= 0: it is a convex cone.",
    kind="lemma",
    says=said.CONE,
)
def cone(check: Check) -> None:
    """Coq proves that weighted geometric means are superadditive and homogeneous."""
