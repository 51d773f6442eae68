"""The spectral form of the powers of a reversible chain, step by step as printed, and with its
factors repaired.

U = D^(-1/2) V, column by column. Source: wang2016, appendix A.5; levin2009, sections 12.1 and 12.2.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.language.instances.matrices import Matrix, power
from pufferproof.claims.papers.wang2016.chains import statements as said_chains
from pufferproof.claims.papers.wang2016.chains.form_statements import SAME_ENTRIES
from pufferproof.claims.papers.wang2016.chains.instances import matrix
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.markov import stationary_law

EVEN = matrix("1/2 1/2", "1/4 3/4")  # eigenvalue 1/4
NOTATION = {
    "t": "a number of steps, t >= 0; P^0 = 1 and lam^0 = 1, also for lam = 0",
    "D": "the diagonal matrix of the pi(x)",
    "A": "the matrix D^(1/2) P D^(-1/2), with entries pi(x)^(1/2) pi(y)^(-1/2) P(x,y)",
    "lam_i": "the eigenvalues of A and of P, the entries of Lam, lam_1 = 1",
}


@claim(
    "wang2016.A5-symmetric",
    where="Appendix A.5",
    statement="For a reversible P (said in the proof, not in the lemma) with pi(x) > 0 for all x: "
    "A(x,y) = pi(x)^(1/2) pi(y)^(-1/2) P(x,y) is symmetric, A = V Lam V^T; A = D^(1/2) P "
    "D^(-1/2), P[D^(-1/2)V] = D^(-1/2)V Lam; the columns of U = D^(-1/2)V are orthonormal in "
    "<f,g>_pi = sum_x f(x)g(x)pi(x).",
    kind="lemma (proof step)",
    says={PRINTED: said_chains.SYMMETRIC},
)
def symmetric(check: Check) -> None:
    """Detailed balance, the spectral theorem, and two rewritings.

    A is symmetric: A(x,y) = r P(x,y)/v and A(y,x) = v P(y,x)/r. Spectral theorem: a real symmetric
    matrix is V Lam V^T, V orthonormal, Lam real [textbook.Eigenvalues.symmetric_matrix]. P U = U
    Lam: sums of P(x,y) V(y)/v and of A(x,y) V(y) = (r P(x,y)/v) V(y). Eigenvectors of P: over all
    y, av = lam V(x): so pu = lam U(x). Orthonormal: U(x) = V(x)/r in either column; over all x the
    sum dot_v is 1 if i = j and 0 if not.
    """


@claim(
    "wang2016.A5-power",
    where="Appendix A.5",
    statement="For these chains (irreducible, aperiodic, reversible): P^t = D^(1/2)A^t D^(1/2) = "
    "D^(1/2)V Lam V^T D^(1/2) = [D^(-1/2)V]Lam[V^T D]D^(-1/2) = U Lam U^T D; hence P^t(x,y) = "
    "sum_i u_i(y) lam_i^t u_i(x) pi(y).",
    kind="closed form (proof step)",
    repair="wang2016.x-A5-power",
    says={
        "P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y)": said_chains.POWER,
        "[D^(-1/2) V] Lam [V^T D] D^(-1/2) = U Lam U^T D": SAME_ENTRIES,
    },
)
def power_form(check: Check) -> None:
    """The first three equalities fail, two for every chain and one from t = 2 on; the last and the
    conclusion are right.

    With D^(1/2) A D^(1/2) = D P and D^(-1/2) A D^(1/2) = P all but the last compare rational
    matrices.

    [D^(-1/2) V] Lam [V^T D] D^(-1/2) = U Lam U^T D. Term by term: the entry (V(x)/r) lam (V(y)
    v^2)/v of the left side and U(x) lam U(y) v^2 of the right one, with U(x) = V(x)/r and U(y) =
    V(y)/v.

    P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y). Eigenvectors: P u_i = lam_i u_i, V V^T = 1
    [wang2016.A5-symmetric]. T = 0: sums: over the first i, U(x) = V(x)/r, U(y) = V(y)/v in each
    column. T = 0: over all i, sum_v = 1 and v = r if x = y, and sum_v = 0 if not: it is the entry
    of P^0 = 1. T to t + 1: P^(t+1)(x,y) = sum_z P(x,z) P^t(z,y), for each i. Over all z: pu = lam
    u(x), so that pu_tail = lam^(t+1) u(y) pi(y) u(x). Both sums: over z and over i, in either order
    [lemma.finite-sums].
    """
    _printed(check)
    name = "[D^(-1/2) V] Lam [V^T D] D^(-1/2) = U Lam U^T D"
    check.tried(name)
    with check.reading(
        "P^t = U Lam U^T D, Lam without its power", "one chain of two states, t = 2"
    ) as proof:
        proof.counterexample(
            "two states",
            "The last equality says that P^t is U Lam U^T D for every t; but the right side does "
            "not depend on t, it is P, and this chain has P^2 different from P. What is true is "
            "P^t = U Lam^t U^T D",
            {"P": EVEN, "P^2": power(EVEN, 2), "t": 2},
            lambda: power(EVEN, 2) != EVEN,
            "entry(power(P, 2), 0, 0) != entry(P, 0, 0)",
        )
    name = "P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y)"
    check.tried(name)


def _printed(check: Check) -> None:
    """The first three equalities, each false."""
    pi = stationary_law(EVEN)
    with check.reading("P^t = D^(1/2) A^t D^(1/2)", "one chain of two states, t = 1") as proof:
        proof.counterexample(
            "two states",
            "This chain of two states is reversible. The first equality says P = D^(1/2) A D^(1/2) "
            "at t = 1; but the entries of the right side are pi(x) P(x,y). What is true is P^t = "
            "D^(-1/2) A^t D^(1/2)",
            {"P": EVEN, "pi": pi, "t": 1, "right": _scaled(EVEN, 1)},
            lambda: _scaled(EVEN, 1) != EVEN,
            "item(pi, 0)*entry(P, 0, 0) = entry(right, 0, 0) != entry(P, 0, 0)",
        )
    with check.reading(
        "D^(1/2) A^t D^(1/2) = D^(1/2) V Lam V^T D^(1/2)", "one chain of two states, t = 2"
    ) as proof:
        proof.counterexample(
            "two states",
            "The second equality says that A^t is V Lam V^T; but the power of Lam is left out. At "
            "t = 2 the entries of the left side are pi(x) P^2(x,y), those of the right side pi(x) "
            "P(x,y), and this chain has P^2 different from P. What is true is A^t = V Lam^t V^T",
            {"P": EVEN, "pi": pi, "t": 2, "left": _scaled(EVEN, 2), "right": _scaled(EVEN, 1)},
            lambda: _scaled(EVEN, 2) != _scaled(EVEN, 1),
            "item(pi, 0)*entry(power(P, 2), 0, 0) != item(pi, 0)*entry(P, 0, 0)",
        )
    with check.reading(
        "D^(1/2) V Lam V^T D^(1/2) = [D^(-1/2) V] Lam [V^T D] D^(-1/2)", "one chain of two states"
    ) as proof:
        proof.counterexample(
            "two states",
            "The third equality says that D^(1/2) A D^(1/2) and D^(-1/2) A D^(1/2) are the same, "
            "as D^(1/2) and D D^(-1/2) are; but the factor on the left has become D^(-1/2). The "
            "entries are pi(x) P(x,y) on the left and P(x,y) on the right: different wherever "
            "pi(x) < 1 and P(x,y) > 0",
            {"P": EVEN, "pi": pi, "left": _scaled(EVEN, 1), "right": EVEN},
            lambda: _scaled(EVEN, 1) != EVEN,
            "item(pi, 0)*entry(P, 0, 0) = entry(left, 0, 0) != entry(P, 0, 0)",
        )


def _scaled(rows: Matrix, exponent: int) -> Matrix:
    """D P^t = D^(1/2) A^t D^(1/2)."""
    law = stationary_law(rows)
    return tuple(
        tuple(law[x] * entry for entry in row) for x, row in enumerate(power(rows, exponent))
    )


@claim(
    "wang2016.x-A5-power",
    where="Appendix A.5, repaired",
    statement="For an irreducible, aperiodic, reversible P and t >= 0: P^t = D^(-1/2) A^t D^(1/2) "
    "= U Lam^t U^T D, so that P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y).",
    kind="repair of wang2016.A5-power",
    says=said_chains.POWER,
)
def power_repaired(check: Check) -> None:
    """By induction, with P u_i = lam_i u_i.

    As in wang2016.A5-power.
    """


@claim(
    "wang2016.A5-expansion",
    where="Appendix A.5",
    statement="The chain being aperiodic and irreducible: P^t(x,y) = 1 + sum_{i>=2} u_i(y) lam_i^t "
    "u_i(x) pi(y).",
    kind="closed form (proof step)",
    repair="wang2016.x-A5-expansion",
)
def expansion(check: Check) -> None:
    """The first term is pi(y), not 1: refuted for every chain of at least two states."""
    with check.reading(
        PRINTED, "one chain of two states; the sum is P^t(x,y) - pi(y) by the formula before"
    ) as proof:
        law = stationary_law(EVEN)
        proof.counterexample(
            "two states",
            "The printed sum starts with 1, the term of the eigenvalue 1; but that term is u_1(y) "
            "u_1(x) pi(y) = pi(y), as u_1 is constant 1. On this chain the sum over i >= 2 is "
            "P(x,y) - pi(y), so that the printed right side is 1 + P(x,y) - pi(y), which is P(x,y) "
            "for no x, y. What is true is P^t(x,y)/pi(y) = 1 + sum_{i>=2} u_i(y) lam_i^t u_i(x)",
            {"P": EVEN, "pi": law, "t": 1},
            lambda: all(1 + entry - law[y] != entry for row in EVEN for y, entry in enumerate(row)),
            " and ".join(
                f"1 + entry(P, {x}, {y}) - item(pi, {y}) != entry(P, {x}, {y})"
                for x in (0, 1)
                for y in (0, 1)
            ),
        )


@claim(
    "wang2016.x-A5-expansion",
    where="Appendix A.5, repaired",
    statement="For an irreducible, aperiodic, reversible P and t >= 0: P^t(x,y)/pi(y) = 1 + "
    "sum_{i>=2} u_i(y) lam_i^t u_i(x), with |lam_i| <= |lam_*| < 1 for i >= 2, lam_* the "
    "eigenvalue other than 1 with the largest absolute value (for one state the sum is empty).",
    kind="repair of wang2016.A5-expansion",
    says=said_chains.EXPANSION,
)
def expansion_repaired(check: Check) -> None:
    """The eigenvalue 1 is simple, and its eigenvector constant.

    Powers: P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y) [wang2016.x-A5-power]. Perron and
    Frobenius: an irreducible, aperiodic and reversible P has the eigenvalue 1 once, with constant
    eigenvectors, and all others are smaller in absolute value
    [textbook.Eigenvalues.reversible_powers]. The first term: u_1 is constant, <u_1, u_1>_pi = u_1^2
    sum_x pi(x) = 1 with sum_x pi(x) = 1, and lam_1^t = 1.
    """
