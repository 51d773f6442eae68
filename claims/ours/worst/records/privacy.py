"""Differential privacy alone, and on top of Pufferfish: families closed under powers, rays of the
cube, and finite leakage.

Per-record differential privacy bounds u_x <= S u_y for databases that differ in one record, metric
privacy u_x <= R^d(x, y) u_y.
"""

from pufferproof.claims.ours.worst.records import linked
from pufferproof.claims.ours.worst.records.said.metric import METRIC
from pufferproof.claims.ours.worst.statements.records import privacy as says
from pufferproof.claims.registry import Check, claim

LOGARITHMS = "positive columns: products, and parts by powers"


@claim(
    "worst.power-closed",
    where="With differential privacy on top: power-closed families",
    assumes=["no further constraint: not Pufferfish on top"],
    says=METRIC,
)
def power_closed(check: Check) -> None:
    """Coq proves that products of columns, and their fractional powers, stay in the families of
    levels, and that the columns of a family occur.

    u_x <= R^d u_y = 0 forces u_x = 0: zeros have zeros as neighbours in every factor. 1 - t u keeps
    the level R > 1 for small t > 0; R = 1 in both orders makes u_x = u_y.
    """


@claim(
    "worst.power-closed-conditions",
    where="With differential privacy on top: power-closed families",
    statement="For NfC columns u_D <= R prod_l u_l^beta_Dl, the largest joint ratio of mechanisms "
    "of levels R_1 .. R_K is the largest <mu, u>/<nu, u> over the family of level R_1 .. R_K: it "
    "depends on the product only.",
    assumes=[
        "no further constraint: not Pufferfish on top",
        "some R_k > 1: at level 1 vectors of the family, such as 0 at D and 1 at l, need not be "
        "columns",
    ],
    says={"NfC": says.NFC, LOGARITHMS: linked.LOGARITHMS},
)
def power_closed_conditions(check: Check) -> None:
    """Prove that products and fractional powers stay in the families, and that their columns
    occur.

    Positive columns: the families are inequalities on the logarithms of entries, each with so many
    logarithms of the level on its right side: the linked argument.

    NfC. Columns occur, R > 1: v is the largest u_l, and t v <= 1 - 1/R: the geometric mean of the
    1 - t u_l is at least 1 - t v >= 1/R, as it is homogeneous and superadditive, so monotone
    [bai2026.x-cone]: 1 - t u_D <= 1 <= R G. Entries that are 0: u_l = 0 with beta_l > 0 makes the
    mean 0 and forces u_D = 0.
    """


@claim(
    "worst.pufferfish-and-dp",
    where="With differential privacy on top: Pufferfish and DP together",
    statement="On a product space of n records, mechanisms that are epsilon-Pufferfish and have "
    "per-record level log S have columns in a polyhedral cone with u_x <= S^n u_y for all x, "
    "y: L*_K is attained at extreme rays and finite for every K.",
    says=says.ON_TOP,
)
def pufferfish_and_dp(check: Check) -> None:
    """Prove the implied inequalities along a path of records; the rest is as without
    differential privacy.

    One record at a time: P = S^k, u_x <= P v for the database with k records replaced by those of
    y; the next one has the entry w with v <= S w. Finite: inequalities u_x <= kappa u_y bound joint
    leakage for every K [worst.finite-equivalences]. Attained: the proof uses only that the cone is
    polyhedral and that columns occur [worst.vertices]. Columns occur: For S > 1 a small multiple
    leaves room in u_x <= S u_y too; for S = 1 both orders are equations. If R = 1 < S, both orders
    of the secrets are equations, which t u and 1 - t u satisfy.
    """
    name = "as stated"
    check.tried(name)
