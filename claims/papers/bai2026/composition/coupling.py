"""A condition that composes exactly and survives post-processing: NfC constraints whose weights
form a coupling.

For one prior and ordered pair let mu and nu be the laws of the database given s and given t, and
beta a row-stochastic matrix from the databases possible given s to those possible given t with mu
beta = nu. If u_D <= E prod_l u_l^beta_Dl for every output and every D possible given s, then mu u
<= E nu u, and products of outputs keep the product of their levels.
"""

from pufferproof.claims.papers.bai2026.composition import said
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "mu, nu": "the laws of the database given s, and given t",
    "beta": "weights beta_Dl on the databases D_l, a row for each D with mu(D) > 0",
}


@claim(
    "bai2026.x-coupling",
    where="beside Section 5",
    statement="Let a prior on finitely many databases give s and t positive probability, mu and nu "
    "be the laws of the database given s and given t, and beta_Dl >= 0, for the D with mu(D) > "
    "0 and the D_l with nu(D_l) > 0, have sum_l beta_Dl = 1 for every such D and sum_D mu(D) "
    "beta_Dl = nu(D_l) for every such D_l. If finitely many mechanisms M_i with finitely many "
    "outputs satisfy M_i(D)(w) <= E_i prod_l M_i(D_l)(w)^beta_Dl, with 0^0 = 1 and numbers E_i "
    ">= 1, for all w and every D with mu(D) > 0, then each joint release of independent runs "
    "has P(w | s) <= E P(w | t) for all w, E the product of the E_i of its runs. The A_i o "
    "M_i, for any randomised A_i, satisfy the same, and so have such joint releases.",
    kind="theorem",
    says={
        "linear composition": said.COUPLING,
        "processed mechanisms satisfy the same": said.INVARIANT,
        "joint releases of processed mechanisms": said.COUPLING_PROCESSED,
    },
)
def coupling(check: Check) -> None:
    """Coq proves exact linear composition from the inequality of means, and closure under
    post-processing.
    """
