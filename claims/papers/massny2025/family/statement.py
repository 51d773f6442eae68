"""The 3R family: its definition, its privacy and its utility.

A record counts 1 to the redactions in L, a/(a+b) + q b/(a+b) in M and 0 in S. Source: massny2025,
section IV.
"""

from typing import Any

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, above, at_most, below, letter, letters, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.family import statements
from pufferproof.claims.papers.massny2025.influence.three_regions import ALL
from pufferproof.claims.registry import Check, claim

a = letter("a", NOTATION["a"], above(0))
b = letter("b", NOTATION["b"], above(0))
l = letter("l", "lam^D", above(-1), below(1))
u, v = letters("u v", "e^i(X_t=0), e^i(X_t=1), or their inverses")
E = letter("E", "e^eps', the threshold")
q = letter("q", "q_t of the next record", above(0), at_most(1))
r0, r1 = letters("r0 r1", "r_t(0), r_t(1)")
n = letter("n", NOTATION["n"])
large, medium, small = letters(
    "large medium small", "the numbers of records in L, M, S, of the first ones or of all"
)
Q = letter("Q", "the sum of q_t over the records of M")
K = letter("K", "the expected number of redacted records")
k, h, m, z = letters("k h m z", "what the next record adds to K, large, medium, Q")
N = letter("N", "n nu, the expected number of released records")
eps = letter("eps", NOTATION["epsilon, eps"])
eps_l = letter("eps_l", NOTATION["eps_l"])
eps_r = letter("eps_r", NOTATION["eps_r"])
left, right, whole = letters("left right whole", "Lk of the sides, and Lk of Y")
DATA_INDEPENDENT = Or(And(Eq(r0, 1), Eq(r1, 1)), And(Eq(r0, 0), Eq(r1, 0)))
"""r_t is (1,1) in L and (0,0) in S."""
TOTAL = Eq((a + b) * K, (a + b) * large + medium * a + b * Q)
RELEASED = Eq((a + b) * N, (a + b) * small + b * (medium - Q))
WRONG_WEIGHT = Edit(
    "the rest is released", instead=Eq((a + b) * N, (a + b) * small + a * (medium - Q))
)
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
    """
    ordered = [
        Edit("the same influence", without=Eq(a, b), given=a <= b),
        Edit("M is empty", without=Eq(u, v), given=v <= u),
    ]
    scope = "all a = b, every n, p and budget"
    proved(check, "a = b: M is empty", scope, _equal, **{"a <= b": ordered})
    in_medium = Or(*DATA_INDEPENDENT.args, And(Eq(r0, q), Eq(r1, 1)))
    not_empty = Edit("each record", without=DATA_INDEPENDENT, given=in_medium)
    name = "M empty: no 3R mechanism is better than all DIMs"
    proved(check, name, ALL, _independent, M_not_empty=not_empty)


def _equal(proof: Proof) -> None:
    proof.cite(
        "closed form",
        "i of the values 0, 1 is |log((1 + c l)/(1 - l))|, c = a/b, b/a",
        "massny2025.prop1-closed",
    )
    proof.inequality(
        "the same influence",
        "u, v are (1 + c l)/(1 - l), so E >= u and E < v, or the same for the inverses, never hold",
        Eq(u, v),
        [Eq(u * b * (1 - l), b + a * l), Eq(v * a * (1 - l), a + b * l), Eq(a, b)],
        for_any=[b],
    )
    proof.inequality("M is empty", "u <= E < v is impossible", Or(u > E, v <= E), [Eq(u, v)])


def _independent(proof: Proof) -> None:
    proof.inequality(
        "each record",
        "r_t(0) = r_t(1) in {0,1} in L and in S: a DIM in both meanings",
        Eq(r0, r1),
        [DATA_INDEPENDENT],
    )
    proof.cite(
        "it is eps-private", "so is one of the DIMs it is compared with", "massny2025.thm1-privacy"
    )


@claim(
    "massny2025.thm1-privacy",
    where="Theorem 1",
    statement="For every chosen eps>0 each 3R mechanism is eps-private.",
    says=statements.THM1,
)
def thm1_privacy(check: Check) -> None:
    """Prove it from the budgets of the sides and their composition."""
    each = Edit("the budget", without=eps_l + eps_r <= eps, given=[eps_l <= eps, eps_r <= eps])
    proved(check, IN_L, ALL, _private, each_side_at_most_eps=each)
    proved(check, IN_NONE, ALL, _private_by_force, each_side_at_most_eps=each)


def _private(proof: Proof) -> None:
    proof.cite("both sides", "Lk <= Lk of the left and of the right side", "massny2025.lr-compose")
    _budget(proof)


def _private_by_force(proof: Proof) -> None:
    proof.cite("both sides", "Lk <= Lk of the left and of the right side", "massny2025.lr-compose")
    proof.cite("r_p", "must be (1,1), as (2) holds", "massny2025.self-redaction")
    _budget(proof)


def _budget(proof: Proof) -> None:
    proof.inequality(
        "the budget",
        "each side keeps its own",
        whole <= eps,
        [
            whole <= left + right,
            left <= eps_l,
            right <= eps_r,
            eps_l + eps_r <= eps,
            eps_l > 0,
            eps_r > 0,
        ],
    )


COUNT = "both forms"


@claim(
    "massny2025.redaction-count",
    where="Section IV-A",
    statement="For a 3R mechanism, p counted in L: E[#redacted] = |L| + |M| a/(a+b) + (b/(a+b)) "
    "sum_{t in M} q_t = |L|+|M| - (b/(a+b)) sum_{t in M}(1-q_t).",
    kind="closed form",
    says=statements.REDACTION_COUNT,
)
def redaction_count(check: Check) -> None:
    """Prove it by adding one record at a time."""
    swapped = Edit("one more record: step", without=_added(a, b), given=_added(b, a))
    proved(check, COUNT, ALL, prove_count, value_0_redacted_in_M=swapped)


def _added(always: object, sometimes: object) -> Any:
    """What a record of L, M or S adds; in M one value is redacted always, one sometimes."""
    return Or(
        And(Eq(k, 1), Eq(h, 1), Eq(m, 0), Eq(z, 0)),
        And(Eq((a + b) * k, always + sometimes * q), Eq(h, 0), Eq(m, 1), Eq(z, q)),
        And(Eq(k, 0), Eq(h, 0), Eq(m, 0), Eq(z, 0)),
    )


def prove_count(proof: Proof) -> None:
    proof.cite(
        "marginals", "Pr(X_t=0) = b/(a+b), Pr(X_t=1) = a/(a+b) for every t", "massny2025.chain"
    )
    proof.cite("expectation", "of a sum is the sum of the expectations", "lemma.finite-sums")
    proof.induction(
        "one more record",
        "in L it is redacted, in M the value 1 always and the value 0 with probability q",
        base=(TOTAL, [Eq(K, 0), Eq(large, 0), Eq(medium, 0), Eq(Q, 0)]),
        step=(
            Eq((a + b) * (K + k), (a + b) * (large + h) + (medium + m) * a + b * (Q + z)),
            [TOTAL, _added(a, b)],
        ),
    )
    proof.identity(
        "the second form",
        "sum of 1 - q_t is |M| - Q",
        large + medium * a / (a + b) + b / (a + b) * Q,
        large + medium - b / (a + b) * (medium - Q),
    )


@claim(
    "massny2025.thm1-utility",
    where="Theorem 1, equation (3)",
    statement="nu_3R = (1/n)[ |S| + (b/(a+b)) sum_{t in M}(1-q_t) ]; at least this is achieved "
    "with S = S(eps/2), M = M(eps/2), eps_l = eps_r = eps/2 and some 0<q_t<=1.",
    says=statements.UTILITY,
)
def thm1_utility(check: Check) -> None:
    """Prove the formula, and that some q is feasible in every case."""
    weight = {"weight a/(a+b)": WRONG_WEIGHT}
    proved(check, "equation (3), every budget and q", ALL, _formula, **weight)
    halves = [Eq(2 * eps_l, eps), Eq(2 * eps_r, eps)]
    whole_budgets = Edit("budgets", without=halves, given=[Eq(eps_l, eps), Eq(eps_r, eps)])
    name = "some q with S(eps/2), M(eps/2) is eps-private"
    proved(check, name, ALL, _exists, budgets_eps=whole_budgets, **weight)


def _formula(proof: Proof) -> None:
    proof.cite("redactions", "their expected number K", "massny2025.redaction-count")
    proof.inequality(
        "the rest is released",
        "n = |L| + |M| + |S|, nu = (n - K)/n with (a + b) K = (a + b)(|L| + |M|) - b (|M| - Q)",
        RELEASED,
        [
            Eq(n, large + medium + small),
            Eq((a + b) * K, (a + b) * (large + medium) - b * (medium - Q)),
            Eq(N, n - K),
        ],
    )


def _exists(proof: Proof) -> None:
    _formula(proof)
    proof.cite("q_t = 1", "meets the constraints of both sides", "massny2025.delta-le-eps")
    proof.cite("private", "a q that does keeps eps_l + eps_r", "massny2025.two-sided")
    proof.inequality(
        "budgets",
        "eps/2 on each side",
        eps_l + eps_r <= eps,
        [Eq(2 * eps_l, eps), Eq(2 * eps_r, eps), eps > 0],
    )
