"""Eq. (2) as a list of linear programs, their duals, and differential privacy as a special case of
NfC constraints.

With zero likelihoods the data of the programs are infinite: optimal values still agree, but the
primal need not attain its own. Source: bai2026, proof of Theorem 5.1.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.bai2026.composition.said import ONE_HOT_IS_DP
from pufferproof.claims.papers.bai2026.nfc import said
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "v_i[l]": "the likelihood of the i-th output at the database D_l, for finitely many outputs of "
    "the mechanisms",
    "alpha_i": "weights on the outputs: alpha_i >= 0 with sum 1",
    "l*": "the number of a database with s1",
    "eps0": "the variable that the first program makes as large as possible",
    "x": "the variable that the dual makes as small as possible",
}
POSITIVE = "all likelihoods positive"
ZEROS = "zero likelihoods, 0 log 0 = 0, optimal values as suprema"


@claim(
    "bai2026.nfc-lp",
    where="proof of Theorem 5.1",
    kind="lemma",
    says={POSITIVE: said.PROGRAMS, ZEROS: said.ZERO_LIKELIHOODS},
)
def nfc_lp(check: Check) -> None:
    """The value of a mean at l* less the largest mean over s2 is the least difference: the program
    of l* makes it as large as possible. So condition (2) says that no weights of outputs put l*
    above all databases of s2 by more than eps.

    All likelihoods positive. A program is a matrix game with rows i and columns l, and entries
    log(v_i[l*]/v_i[l]). Its value is reached by weights of both sides (von Neumann): by Farkas'
    lemma either some beta has sum_l beta_l log(v_i[l*]/v_i[l]) <= x for all i, and is feasible in
    the dual with x, or some alpha has a value above x at every l.

    Zero likelihoods. Outputs that l* never gives have weight 0, and the dual asks nothing of them;
    databases that never give an output of l* have weight 0 in the dual. For the others the
    alternative finds positive weights of all outputs of l*, or beta.
    """
    check.stated(POSITIVE)
    check.stated(ZEROS)


@claim(
    "bai2026.nfc-dp-special",
    where="after Theorem 5.1",
    kind="remark",
    says={PRINTED: ONE_HOT_IS_DP},
)
def nfc_dp_special(check: Check) -> None:
    """Factors with weight 0 are 1, also 0^0, and the one with weight 1 is the likelihood itself."""
    check.stated(PRINTED)
