"""The spectral form of the powers of a reversible chain, step by step as printed, and with its
factors repaired.

Letters: r = pi(x)^(1/2), v = pi(y)^(1/2), both positive; P = P(x,y), Q = P(y,x); V, W entries of
the matrix V and U, X, Y of U = D^(-1/2) V in one column, with the eigenvalue lam. Source: wang2016,
appendix A.5; levin2009, sections 12.1 and 12.2.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.chains.instances import Matrix, matrix, power
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.laws import stationary_law
from pufferproof.verify.proof.argument import Argument

r, v, P, Q, V, W, U, X, Y, lam, A, S, C, l, p, q = sympy.symbols(
    "r v P Q V W U X Y lam A S C l p q"
)
REVERSIBLE = (
    "all irreducible, aperiodic, reversible chains with finitely many states; all x, y and t"
)
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
)
def symmetric(check: Check) -> None:
    """Detailed balance, the spectral theorem, and two rewritings."""
    with check.reading(PRINTED, REVERSIBLE) as argument:
        _symmetric(argument)
    check.near_miss(
        f"{PRINTED}: not reversible", lambda argument: _symmetric(argument, balanced=False)
    )
    check.near_miss(
        f"{PRINTED}: orthonormal without pi", lambda argument: _symmetric(argument, weighted=False)
    )


def _symmetric(argument: Argument, balanced: bool = True, weighted: bool = True) -> None:
    argument.inequality(
        "A is symmetric",
        "A(x,y) = r P/v and A(y,x) = v Q/r",
        Eq(r * P / v, v * Q / r),
        [*([Eq(r**2 * P, v**2 * Q)] if balanced else []), r > 0, v > 0],
    )
    argument.assume(
        "spectral theorem",
        "a real symmetric matrix is V Lam V^T, V orthonormal, Lam real",
        "linear algebra",
    )
    argument.induction(
        "P U = U Lam",
        "S and C are the sums of P(x,y) V(y)/v and of A(x,y) V(y) = (r P/v) V(y) over the first y: "
        "C = r S",
        base=(Eq(C, r * S), [Eq(S, P * V / v), Eq(C, (r * P / v) * V), v > 0, r > 0]),
        step=(Eq(C + (r * P / v) * V, r * (S + P * V / v)), [Eq(C, r * S), v > 0, r > 0]),
    )
    argument.inequality(
        "eigenvectors of P",
        "over all y, C = lam V(x): so S = lam U(x)",
        Eq(S, lam * (V / r)),
        [Eq(C, r * S), Eq(C, lam * V), r > 0],
    )
    weight = r**2 if weighted else 1
    argument.induction(
        "orthonormal",
        "C is the sum of u_i(x) u_j(x) pi(x) and S that of v_i(x) v_j(x) over the first x, with "
        "u_i(x) = X = V/r and u_j(x) = Y = W/r; over all x the sum S is 1 if i = j and 0 if not",
        base=(Eq(C, S), [Eq(C, X * Y * weight), Eq(S, V * W), Eq(X * r, V), Eq(Y * r, W), r > 0]),
        step=(Eq(C + X * Y * weight, S + V * W), [Eq(C, S), Eq(X * r, V), Eq(Y * r, W), r > 0]),
    )


@claim(
    "wang2016.A5-power",
    where="Appendix A.5",
    statement="For these chains (irreducible, aperiodic, reversible): P^t = D^(1/2)A^t D^(1/2) = "
    "D^(1/2)V Lam V^T D^(1/2) = [D^(-1/2)V]Lam[V^T D]D^(-1/2) = U Lam U^T D; hence P^t(x,y) = "
    "sum_i u_i(y) lam_i^t u_i(x) pi(y).",
    kind="closed form (proof step)",
    repair="wang2016.x-A5-power",
)
def power_form(check: Check) -> None:
    """The first three equalities fail, two for every chain and one from t = 2 on; the last and the
    conclusion are right.

    With D^(1/2) A D^(1/2) = D P and D^(-1/2) A D^(1/2) = P all but the last compare rational
    matrices.
    """
    pi = stationary_law(EVEN)
    with check.reading("P^t = D^(1/2) A^t D^(1/2)", "one chain of two states, t = 1") as argument:
        argument.counterexample(
            "two states",
            "This chain of two states is reversible. The first equality says P = D^(1/2) A D^(1/2) "
            "at t = 1; but the entries of the right side are pi(x) P(x,y). What is true is P^t = "
            "D^(-1/2) A^t D^(1/2)",
            {"P": EVEN, "pi": pi, "t": 1, "right": _scaled(EVEN, 1)},
            lambda: _scaled(EVEN, 1) != EVEN,
        )
    with check.reading(
        "D^(1/2) A^t D^(1/2) = D^(1/2) V Lam V^T D^(1/2)", "one chain of two states, t = 2"
    ) as argument:
        argument.counterexample(
            "two states",
            "The second equality says that A^t is V Lam V^T; but the power of Lam is left out. At "
            "t = 2 the entries of the left side are pi(x) P^2(x,y), those of the right side pi(x) "
            "P(x,y), and this chain has P^2 different from P. What is true is A^t = V Lam^t V^T",
            {"P": EVEN, "pi": pi, "t": 2, "left": _scaled(EVEN, 2), "right": _scaled(EVEN, 1)},
            lambda: _scaled(EVEN, 2) != _scaled(EVEN, 1),
        )
    with check.reading(
        "D^(1/2) V Lam V^T D^(1/2) = [D^(-1/2) V] Lam [V^T D] D^(-1/2)", "one chain of two states"
    ) as argument:
        argument.counterexample(
            "two states",
            "The third equality says that D^(1/2) A D^(1/2) and D^(-1/2) A D^(1/2) are the same, "
            "as D^(1/2) and D D^(-1/2) are; but the factor on the left has become D^(-1/2). The "
            "entries are pi(x) P(x,y) on the left and P(x,y) on the right: different wherever "
            "pi(x) < 1 and P(x,y) > 0",
            {"P": EVEN, "pi": pi, "left": _scaled(EVEN, 1), "right": EVEN},
            lambda: _scaled(EVEN, 1) != EVEN,
        )
    name = "[D^(-1/2) V] Lam [V^T D] D^(-1/2) = U Lam U^T D"
    with check.reading(name, "all chains with pi > 0") as argument:
        _last(argument)
    check.near_miss(f"{name}: U^T alone", lambda argument: _last(argument, bare=True))
    with check.reading(
        "P^t = U Lam U^T D, Lam without its power", "one chain of two states, t = 2"
    ) as argument:
        argument.counterexample(
            "two states",
            "The last equality says that P^t is U Lam U^T D for every t; but the right side does "
            "not depend on t, it is P, and this chain has P^2 different from P. What is true is "
            "P^t = U Lam^t U^T D",
            {"P": EVEN, "P^2": power(EVEN, 2), "t": 2},
            lambda: power(EVEN, 2) != EVEN,
        )
    name = "P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y)"
    with check.reading(name, REVERSIBLE) as argument:
        _power(argument)
    check.near_miss(f"{name}: with pi(x)", lambda argument: _power(argument, swapped=True))


def _scaled(rows: Matrix, exponent: int) -> Matrix:
    """D P^t = D^(1/2) A^t D^(1/2)."""
    law = stationary_law(rows)
    return tuple(
        tuple(law[x] * entry for entry in row) for x, row in enumerate(power(rows, exponent))
    )


def _last(argument: Argument, bare: bool = False) -> None:
    """Entries of one term: V = V(x), W = V(y), r^2 = pi(x), v^2 = pi(y)."""
    argument.inequality(
        "term by term",
        "the entry (V(x)/r) lam (V(y) v^2)/v of the left side and X lam Y v^2 of the right one, "
        "with X = U(x) = V(x)/r and Y = U(y) = V(y)/v",
        Eq((V / r) * lam * (W * v**2) / v, X * lam * Y * (1 if bare else v**2)),
        [Eq(X * r, V), Eq(Y * v, W), r > 0, v > 0],
    )


@claim(
    "wang2016.x-A5-power",
    where="Appendix A.5, repaired",
    statement="For an irreducible, aperiodic, reversible P and t >= 0: P^t = D^(-1/2) A^t D^(1/2) "
    "= U Lam^t U^T D, so that P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y).",
    kind="repair of wang2016.A5-power",
)
def power_repaired(check: Check) -> None:
    """By induction, with P u_i = lam_i u_i."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _power(argument)
    check.near_miss("as stated: with pi(x)", lambda argument: _power(argument, swapped=True))


def _power(argument: Argument, swapped: bool = False) -> None:
    square = r**2 if swapped else v**2
    argument.cite("eigenvectors", "P u_i = lam_i u_i, V V^T = 1", "wang2016.A5-symmetric")
    argument.induction(
        "t = 0: sums",
        "C is the sum of u_i(x) u_i(y) pi(y), S that of V(x) V(y) = V W over the first i; X = "
        "u_i(x) = V/r, Y = u_i(y) = W/v",
        base=(
            Eq(C * r, S * v),
            [Eq(C, X * Y * square), Eq(S, V * W), Eq(X * r, V), Eq(Y * v, W), r > 0, v > 0],
        ),
        step=(
            Eq((C + X * Y * square) * r, (S + V * W) * v),
            [Eq(C * r, S * v), Eq(X * r, V), Eq(Y * v, W), r > 0, v > 0],
        ),
    )
    argument.inequality(
        "t = 0",
        "over all i, S = 1 and v = r if x = y, and S = 0 if not: C is the entry S of P^0 = 1",
        Eq(C, S),
        [Eq(C * r, S * v), Or(And(Eq(S, 1), Eq(r, v)), Eq(S, 0)), r > 0, v > 0],
    )
    argument.induction(
        "t to t + 1",
        "P^(t+1)(x,y) = sum_z P(x,z) P^t(z,y). C sums P(x,z) l U(z) over the first z, l = lam^t "
        "u(y) pi(y), and S sums P(x,z) U(z): C = l S, for each i",
        base=(Eq(C, l * S), [Eq(C, P * l * U), Eq(S, P * U)]),
        step=(Eq(C + P * l * U, l * (S + P * U)), [Eq(C, l * S)]),
    )
    argument.inequality(
        "over all z",
        "S = lam u(x), so that C = lam^(t+1) u(y) pi(y) u(x)",
        Eq(C, (lam * l) * X),
        [Eq(C, l * S), Eq(S, lam * X)],
    )
    argument.cite("both sums", "over z and over i, in either order", "lemma.finite-sums")


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
    ) as argument:
        law = stationary_law(EVEN)
        argument.counterexample(
            "two states",
            "The printed sum starts with 1, the term of the eigenvalue 1; but that term is u_1(y) "
            "u_1(x) pi(y) = pi(y), as u_1 is constant 1. On this chain the sum over i >= 2 is "
            "P(x,y) - pi(y), so that the printed right side is 1 + P(x,y) - pi(y), which is P(x,y) "
            "for no x, y. What is true is P^t(x,y)/pi(y) = 1 + sum_{i>=2} u_i(y) lam_i^t u_i(x)",
            {"P": EVEN, "pi": law, "t": 1},
            lambda: all(1 + entry - law[y] != entry for row in EVEN for y, entry in enumerate(row)),
        )


@claim(
    "wang2016.x-A5-expansion",
    where="Appendix A.5, repaired",
    statement="For an irreducible, aperiodic, reversible P and t >= 0: P^t(x,y)/pi(y) = 1 + "
    "sum_{i>=2} u_i(y) lam_i^t u_i(x), with |lam_i| <= |lam_*| < 1 for i >= 2, lam_* the "
    "eigenvalue other than 1 with the largest absolute value (for one state the sum is empty).",
    kind="repair of wang2016.A5-expansion",
)
def expansion_repaired(check: Check) -> None:
    """The eigenvalue 1 is simple, and its eigenvector constant."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _expansion(argument)
    check.near_miss(
        "as stated: constant 2 in the first column", lambda argument: _expansion(argument, 2)
    )


def _expansion(argument: Argument, constant: int = 1) -> None:
    argument.cite("powers", "P^t(x,y) = sum_i u_i(y) lam_i^t u_i(x) pi(y)", "wang2016.x-A5-power")
    argument.assume(
        "Perron and Frobenius",
        "an irreducible and aperiodic P has the eigenvalue 1 once, with constant eigenvectors, and "
        "all others are smaller in absolute value",
        "levin2009, Lemma 12.1",
    )
    argument.inequality(
        "the first term",
        "u_1 is a constant U, <u_1, u_1>_pi = U^2 q = 1 with q = sum_x pi(x) = 1, and lam_1^t = l "
        "= 1; p = pi(y), P = P^t(x,y) and A is the sum over i >= 2",
        Eq(P / p, constant + A),
        [Eq(P, U * U * l * p + A * p), Eq(U**2 * q, 1), Eq(q, 1), Eq(l, 1), p > 0],
    )
