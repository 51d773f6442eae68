"""A condition that composes exactly and survives post-processing: NfC constraints whose weights
form a coupling.

For one prior and ordered pair let mu and nu be the laws of the database given s and given t, and
beta a row-stochastic matrix from the databases possible given s to those possible given t with mu
beta = nu. If u_D <= E prod_l u_l^beta_Dl for every output and every D possible given s, then mu u
<= E nu u, and products of outputs keep the product of their levels.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, real weights, any number of runs"
E, F, U, u, G, g = sympy.symbols("E F U u G g")
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
)
def coupling(check: Check) -> None:
    """Prove exact linear composition from the inequality of means, and closure under
    post-processing.
    """
    name = "linear composition"
    with check.reading(name, ALL_SIZES) as argument:
        products_keep_constraints(argument)
        _averages(argument)
    check.near_miss(f"{name}: mu beta <= 2 nu", lambda argument: _averages(argument, loose=True))
    check.near_miss(
        f"{name}: levels not multiplied",
        lambda argument: products_keep_constraints(argument, dropped=True),
    )
    name = "post-processing"
    with check.reading(name, ALL_SIZES) as argument:
        survives_processing(argument)
    check.near_miss(
        f"{name}: a signed kernel", lambda argument: survives_processing(argument, signed=True)
    )


def products_keep_constraints(argument: Argument, dropped: bool = False) -> None:
    """Prove that constraints with the same weights multiply."""
    argument.induction(
        "one more run",
        "U and u are M(D)(w) for the outputs so far and the next one, G and g their geometric "
        "means over l; the mean of products is the product G g of means, as logarithms add. U <= F "
        "G with F the product of the levels so far",
        base=(U <= F * G, [Eq(U, 1), Eq(F, 1), Eq(G, 1)]),
        step=(
            U * u <= (F if dropped else F * E) * G * g,
            [U <= F * G, u <= E * g, U >= 0, u >= 0, G >= 0, g >= 0, F >= 1, E >= 1],
        ),
    )


def _averages(argument: Argument, loose: bool = False) -> None:
    A, m, a, C, T, N = sympy.symbols("A m a C T N")
    argument.cite("means", "G <= a = sum_l beta_Dl U_l", "bai2026.x-am-gm")
    argument.induction(
        "one more database given s",
        "A = sum of mu_D U_D and C = sum of mu_D sum_l beta_Dl U_l over the first databases; the "
        "next has m = mu_D: A <= F C",
        base=(A <= F * C, [Eq(A, 0), Eq(C, 0), F >= 1]),
        step=(
            A + m * U <= F * (C + m * a),
            [A <= F * C, U <= F * G, G <= a, m >= 0, F >= 1, U >= 0, G >= 0],
        ),
    )
    argument.cite("order of summation", "C = sum_l (mu beta)_l U_l", "lemma.finite-sums")
    argument.induction(
        "one more database given t",
        "T = sum of (mu beta)_l U_l and N = sum of nu_l U_l over the first l, with m = (mu beta)_l "
        "and a = nu_l equal",
        base=(Eq(T, N), [Eq(T, 0), Eq(N, 0)]),
        step=(
            Eq(T + m * U, N + a * U),
            [Eq(T, N), *([m >= 0, m <= 2 * a] if loose else [Eq(m, a)]), a >= 0, U >= 0],
        ),
    )
    argument.inequality(
        "the joint release",
        "A = P(w | s), N = P(w | t): A <= F N",
        A <= F * N,
        [A <= F * C, Eq(C, T), Eq(T, N), F >= 1, A >= 0],
    )


def survives_processing(argument: Argument, signed: bool = False) -> None:
    """Prove that a processed mechanism keeps every NfC constraint, by adding one old output at
    a time.
    """
    k, V, v, H, h, J = sympy.symbols("k V v H h J")
    argument.cite(
        "a convex cone",
        "the columns that satisfy a constraint are closed under sums and multiples",
        "bai2026.x-cone",
    )
    argument.induction(
        "one more old output",
        "V = sum over the first old outputs w of K(z|w) M(D)(w), H the geometric mean of the same "
        "sums over l; k = K(z|w), v and h for the next output alone. The mean J of the new sums is "
        "at least H + k h",
        base=(V <= E * H, [Eq(V, 0), Eq(H, 0), E >= 0]),
        step=(
            V + k * v <= E * J,
            [
                V <= E * H,
                v <= E * h,
                J >= H + k * h,
                *([k <= 1] if signed else [k >= 0]),
                v >= 0,
                h >= 0,
                H >= 0,
                E >= 0,
            ],
        ),
    )
