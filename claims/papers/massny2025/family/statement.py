"""The 3R family: its definition, its privacy and its utility.

A record counts 1 to the redactions in L, a/(a+b) + q b/(a+b) in M and 0 in S. Source: massny2025,
section IV.
"""

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.family import statements
from pufferproof.claims.papers.massny2025.family.linked import COUNT
from pufferproof.claims.papers.massny2025.said import sides
from pufferproof.claims.registry import Check, claim

FORMULA = "equation (3), every budget and q"
SOME_Q = "some q keeps eps for all budgets: q_t = 1"
IN_L, IN_NONE = "t = p in L", "t = p in no region"


@claim(
    "massny2025.family",
    where="Section IV, equations (1) and (2)",
    statement="eps_l, eps_r > 0, eps_l+eps_r <= eps. The set S is the union of S(eps_l)^(l) and "
    "S(eps_r)^(r), likewise M and L. r_t = (1,1) in L, (0,0) in S, (q_t,1) in M with 0<q_t<=1 "
    "such that Lk(X_p->Y^(l)) <= eps_l, Lk(X_p->Y^(r)) <= eps_r.",
    kind="definition",
)
def family(check: Check) -> None:
    """Nothing to decide but what happens to X_p: (1) redacts it, or (2) forces it."""
    proved(check, IN_L, "", _redacts)
    proved(check, IN_NONE, "", _forces)


def _redacts(proof: Proof) -> None:
    proof.definition(
        "r_p", "X_p is redacted by (1). L, M, S split the records, by massny2025.regions"
    )


def _forces(proof: Proof) -> None:
    proof.definition(
        "r_p", "(1) leaves r_p open; (2) forces r_p = (1,1), by massny2025.self-redaction"
    )


@claim(
    "massny2025.alpha-eq-beta",
    where="Section IV",
    statement="M can be empty, for example when a = b; then 3R cannot improve over DIMs.",
    kind="remark",
    says=statements.NO_GAIN,
)
def alpha_eq_beta(check: Check) -> None:
    """Prove that a = b empties M, and that a 3R mechanism with empty M is itself
    data-independent.

    A = b: M is empty. Closed form: i of the values 0, 1 is |log((1 + c l)/(1 - l))|, c = a/b, b/a
    [massny2025.prop1-closed]. The same influence: u, v are (1 + c l)/(1 - l), so E >= u and E < v,
    or the same for the inverses, never hold. M is empty: u <= E < v is impossible.

    M empty: no 3R mechanism is better than all DIMs. Each record: r_t(0) = r_t(1) in {0,1} in L and
    in S: a DIM in both meanings. It is eps-private: so is one of the DIMs it is compared with
    [massny2025.thm1-privacy].
    """
    check.tried("a = b: M is empty")
    name = "M empty: no 3R mechanism is better than all DIMs"
    check.tried(name)


@claim(
    "massny2025.thm1-privacy",
    where="Theorem 1",
    says=sides.PRIVATE,
)
def thm1_privacy(check: Check) -> None:
    """Prove it from the budgets of the sides and their composition [massny2025.lr-compose]."""
    check.stated("t = p in L, or in no region")


@claim(
    "massny2025.redaction-count",
    where="Section IV-A",
    kind="closed form",
    says={"both forms": COUNT},
)
def redaction_count(check: Check) -> None:
    """Prove it by adding one record at a time.

    All records have the stationary law [massny2025.chain]. An engine proves a formula of it
    [lemma.redaction-count].
    """


@claim(
    "massny2025.thm1-utility",
    where="Theorem 1, equation (3)",
    statement="nu_3R = (1/n)[ |S| + (b/(a+b)) sum_{t in M}(1-q_t) ]; at least this is achieved "
    "with S = S(eps/2), M = M(eps/2), eps_l = eps_r = eps/2 and some 0<q_t<=1.",
    says={
        FORMULA: sides.UTILITY,
        SOME_Q: sides.FEASIBLE,
    },
)
def thm1_utility(check: Check) -> None:
    """Prove the formula, and that some q keeps eps in every case: q_t = 1."""
    check.stated(FORMULA)
    check.stated(SOME_Q)
