"""A condition that composes exactly and survives post-processing: NfC constraints whose weights
form a coupling.

For one prior and ordered pair let mu and nu be the laws of the database given s and given t, and
beta a row-stochastic matrix from the databases possible given s to those possible given t with mu
beta = nu. If u_D <= E prod_l u_l^beta_Dl for every output and every D possible given s, then mu u
<= E nu u, and products of outputs keep the product of their levels.
"""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import constraints
from pufferproof.claims.registry import Check, claim

ALL_RUNS = "all finite sizes, real weights, any number of runs"
ratio = letter("ratio", "E_i, e to the level of a constraint")
levels = letter("levels", "the product of the E_i of the runs so far")
U, G = letters("U G", "M(D)(w) for the outputs so far, and its geometric mean over the D_l")
u, g = letters("u g", "M(D)(w) for the next output, and its geometric mean", at_least(0))
m = letter("m", "mu(D) of the next database D", at_least(0))
a = letter("a", "sum_l beta_Dl U_l, the arithmetic mean")
A, C = letters(
    "A C", "the sums of mu(D) U_D and of mu(D) sum_l beta_Dl U_l over the first databases"
)
b = letter("b", "nu(D_l) of the next database", at_least(0))
moved = letter("moved", "(mu beta)(D_l) of the next database")
T, N = letters("T N", "the sums of (mu beta)(D_l) U_l and of nu(D_l) U_l over the first databases")
k = letter("k", "K(z|w), the probability that the next old output w becomes z", at_least(0))
v, h = letters("v h", "M(D)(w) for this output, and its geometric mean", at_least(0))
V, H = letters("V H", "M(D)(z) over the first old outputs, and its geometric mean")
J = letter("J", "the geometric mean with the next old output")
SIGNED = Edit("one more old output: step", without=k >= 0, given=k <= 1)
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
        "linear composition": constraints.COUPLING,
        "post-processing": constraints.COUPLING_PROCESSED,
    },
)
def coupling(check: Check) -> None:
    """Prove exact linear composition from the inequality of means, and closure under
    post-processing.
    """
    proved(
        check,
        "linear composition",
        ALL_RUNS,
        _composes,
        **{
            "mu beta <= 2 nu": Edit(
                "one more database given t: step",
                without=Eq(moved, b),
                given=[moved >= 0, moved <= 2 * b],
            ),
            "levels not multiplied": Edit("one more run: step", put={ratio: 1}),
        },
    )
    proved(check, "post-processing", ALL_RUNS, survives_processing, a_signed_kernel=SIGNED)


def _composes(proof: Proof) -> None:
    products_keep_constraints(proof)
    _averages(proof)


def products_keep_constraints(proof: Proof) -> None:
    """Prove that constraints with the same weights multiply."""
    proof.induction(
        "one more run",
        "U and u are M(D)(w) for the outputs so far and the next one, G and g their geometric "
        "means over l; the mean of products is the product G g of means, as logarithms add. U <= "
        "levels G, levels the product of the ratios so far",
        base=(U <= levels * G, [Eq(U, 1), Eq(levels, 1), Eq(G, 1)]),
        step=(
            U * u <= levels * ratio * G * g,
            [U <= levels * G, u <= ratio * g, U >= 0, G >= 0, levels >= 1, ratio >= 1],
        ),
    )


def _averages(proof: Proof) -> None:
    proof.cite("means", "G <= a = sum_l beta_Dl U_l", "bai2026.x-am-gm")
    proof.induction(
        "one more database given s",
        "A = sum of mu_D U_D and C = sum of mu_D sum_l beta_Dl U_l over the first databases; the "
        "next has m = mu_D: A <= levels C",
        base=(A <= levels * C, [Eq(A, 0), Eq(C, 0), levels >= 1]),
        step=(
            A + m * U <= levels * (C + m * a),
            [A <= levels * C, U <= levels * G, G <= a, levels >= 1, U >= 0, G >= 0],
        ),
    )
    proof.cite("order of summation", "C = sum_l (mu beta)_l U_l", "lemma.finite-sums")
    proof.induction(
        "one more database given t",
        "T = sum of (mu beta)_l U_l and N = sum of nu_l U_l over the first l, with moved = (mu "
        "beta)_l and b = nu_l equal",
        base=(Eq(T, N), [Eq(T, 0), Eq(N, 0)]),
        step=(Eq(T + moved * U, N + b * U), [Eq(T, N), Eq(moved, b), U >= 0]),
    )
    proof.inequality(
        "the joint release",
        "A = P(w | s), N = P(w | t): A <= levels N",
        A <= levels * N,
        [A <= levels * C, Eq(C, T), Eq(T, N), levels >= 1, A >= 0],
    )


def survives_processing(proof: Proof) -> None:
    """Prove that a processed mechanism keeps every NfC constraint, by adding one old output at
    a time.
    """
    proof.cite(
        "a convex cone",
        "the columns that satisfy a constraint are closed under sums and multiples",
        "bai2026.x-cone",
    )
    proof.induction(
        "one more old output",
        "V = sum over the first old outputs w of K(z|w) M(D)(w), H the geometric mean of the same "
        "sums over l; k = K(z|w), v and h for the next output alone. The mean J of the new sums is "
        "at least H + k h",
        base=(V <= ratio * H, [Eq(V, 0), Eq(H, 0), ratio >= 0]),
        step=(
            V + k * v <= ratio * J,
            [V <= ratio * H, v <= ratio * h, J >= H + k * h, H >= 0, ratio >= 0],
        ),
    )
