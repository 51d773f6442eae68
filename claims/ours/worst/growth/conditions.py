"""Conditions on single mechanisms that bound joint releases: NfC sets are convex cones, coupling
weights compose exactly.

For one prior and ordered pair with laws mu, nu: weights beta_D on supp nu for each D in supp mu; a
column u satisfies them at level R if u_D <= R prod_l u_l^(beta_Dl), with 0^0 = 1.
"""

from pufferproof.claims.ours.worst.growth import said
from pufferproof.claims.papers.bai2026.composition import said as composition
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.nfc-cone",
    where="Conditions that compose",
    says={
        "sums and multiples of columns": composition.CONE,
        "after post-processing": composition.INVARIANT,
    },
)
def nfc_cone(check: Check) -> None:
    """Coq proves it by the inequality of means for v_y/V_y, the parts of the new column."""


@claim("worst.nfc-constant", where="Conditions that compose", says=said.CONSTANT)
def nfc_constant(check: Check) -> None:
    """Coq proves it by the inequality of means, averaged with mu: a geometric mean is at most the
    mean of the column, and what beta moves to a database is at most the constant times its law.
    """


@claim(
    "worst.coupling",
    where="Conditions that compose",
    says={
        "constant 1": composition.COUPLING,
        "after post-processing each": composition.COUPLING_PROCESSED,
        "the constant is 1 only for couplings": said.ONLY,
    },
)
def coupling(check: Check) -> None:
    """Prove it as the case of constant 1, and by the claim beside the paper.

    Constant 1. As [worst.nfc-constant], with (mu beta)_y = nu_y. Post-processing of each release
    makes the likelihood of a new joint output a sum of those of old ones.
    """
