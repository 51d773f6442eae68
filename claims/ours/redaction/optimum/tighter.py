"""Convex programs for 3R mechanisms that are tighter than the published one: sound, and optimal in
closed form.

One side, lam > 0. A(q), B(q) are the likelihoods of the last output (see `optimum_shape`) given X_p
= 0 and 1; p_S and r_S those of X_k = 0 for exactly the records S of M, divided by A(1) and B(1), so
that A(q) = A(1) sum_S p_S prod_S q_k; w_k is the sum of p_S over S with k in S. E is e^budget, y_k
= -log q_k >= 0. Source of the published program: massny2025, appendix A.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, LAST, NUMBERED, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, C, E, F, G, H, L, N, P, S, T, U, V, W, X, Y, Z = sympy.symbols(
    "A B C E F G H L N P S T U V W X Y Z"
)
b, d, f, g, h, j, k, l, m, n, p, q, r, s, t, u, v, w, x, y, z = sympy.symbols(
    "b d f g h j k l m n p q r s t u v w x y z"
)
MEDIUM = "all a <= b with a + b < 1, every n, p and budget > 0, M not empty on this side"
NOTATION = {
    **SETTING,
    **FAMILY,
    **NUMBERED,
    **LAST,
    "A": "A(q) = P(last output|X_p=0)",
    "B": "B(q) = P(last output|X_p=1)",
    "v": "v_k, the exponents",
    "w": "w_k, the weights",
    "mu": "a number > 0",
}


@claim(
    "redaction.weighted-bound",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: with w_k = P(X_k=0 | X_p=0, "
    "last output when q = 1) in (0, 1) the single constraint delta_N - w_1 log q_1 - .. - w_N "
    "log q_N <= budget keeps the budget of the side. It is implied by the constraints of the "
    "published program, with slack unless all q_k = 1; it is convex in log q.",
)
def weighted_bound(check: Check) -> None:
    """Prove it by the inequality of means for A, and B(q) <= B(1)."""
    sound, tighter = "it keeps the budget", "implied by the published constraints"
    with check.reading(sound, MEDIUM) as argument:
        argument.cite("one constraint", "E A(q) >= B(q)", "redaction.one-constraint")
        argument.cite(
            "means",
            "A(q)/A(1) = sum_S p_S x_S is at least the product of x_S^(p_S)",
            "bai2026.x-am-gm",
        )
        argument.cite(
            "exponents",
            "x_S is a product over S: q_k has the exponent sum of p_S over S with k in S, w_k",
            "lemma.finite-sums",
        )
        _less(argument)
        argument.cite(
            "delta_N",
            "B(1)/A(1) = e^delta_N, i1 of the first small record, or 1 at the end",
            "massny2025.prop1-closed",
        )
        _sound(argument)
    check.near_miss(f"{sound}: weights halved", partial(_sound, halved=True))
    with check.reading(tighter, MEDIUM) as argument:
        _tighter(argument)
        _convex(argument)
    check.near_miss(f"{tighter}: weights above 1", partial(_tighter, heavy=True))


def _less(argument: Argument) -> None:
    argument.induction(
        "B(q) <= B(1)",
        "G, H are the sums of r_S x_S and of r_S over the first S; x_S in [0, 1]",
        base=(r * x <= r, [r >= 0, x >= 0, x <= 1]),
        step=(G + r * x <= H + r, [G <= H, r >= 0, x >= 0, x <= 1]),
    )
    argument.induction(
        "products of q are in [0, 1]",
        "x_S, one factor q at a time",
        base=(And(q >= 0, q <= 1), [q >= 0, q <= 1]),
        step=(And(x * q >= 0, x * q <= 1), [x >= 0, x <= 1, q >= 0, q <= 1]),
    )


def _sound(argument: Argument, halved: bool = False) -> None:
    """X = A(1), Y = B(1), m is the product of q_k^(w_k), the constraint Y <= E X m."""
    argument.inequality(
        "the constraint",
        "A >= A(1) m, B <= B(1) and e^delta_N = B(1)/A(1) <= E m: B <= E A",
        B <= E * A,
        [
            A >= X * m,
            B <= Y,
            Y <= E * X * (z if halved else m),
            *([z**2 <= m, z > 0] if halved else []),
            X > 0,
            Y > 0,
            m > 0,
            E > 1,
            *(
                [
                    Eq(m, sympy.Rational(1, 4)),
                    Eq(z, sympy.Rational(1, 2)),
                    Eq(A, X * m),
                    Eq(B, Y),
                    Eq(Y, E * X * z),
                ]
                if halved
                else []
            ),
        ],
    )


def _tighter(argument: Argument, heavy: bool = False) -> None:
    weight = [w > 0, w < (2 if heavy else 1)]
    argument.induction(
        "smaller weights",
        "U, V are the sums of w_k y_k and of y_k over the first k: U <= V; U < V from the first "
        "y_k > 0 on",
        base=(And(w * y <= y, Or(w * y < y, Eq(y, 0))), [y >= 0, *weight]),
        step=(
            And(U + w * y <= V + y, Or(U + w * y < V + y, And(Eq(U, V), Eq(y, 0)))),
            [U <= V, y >= 0, *weight],
        ),
    )
    argument.inequality(
        "the published constraint",
        "of the last record of M, delta_N + V <= eps",
        d + U <= E,
        [d + V <= E, U <= V],
    )
    argument.inequality(
        "w_k is in (0, 1)",
        "f, g > 0 are the likelihoods of the last output with X_k = 0 and 1",
        And(w > 0, w < 1),
        [Eq(w * (f + g), f), f > 0, g > 0],
    )


def _convex(argument: Argument) -> None:
    argument.inequality(
        "convex",
        "the constraint is linear in log q; a convex combination t of two feasible vectors of y is "
        "feasible",
        d + t * U + (1 - t) * V <= E,
        [d + U <= E, d + V <= E, t >= 0, t <= 1],
    )


@claim(
    "redaction.weighted-optimum",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: the weighted program, "
    "minimise q_1 + .. + q_N subject to delta_N - w_1 log q_1 - .. - w_N log q_N <= budget and "
    "0 < q_k <= 1, is solved by q_k = min{1, mu w_k} with mu > 0 such that the constraint is "
    "an equality. Its optimum is below that of the published program unless q = 1 is the only "
    "feasible choice of the latter.",
    kind="closed form",
)
def weighted_optimum(check: Check) -> None:
    """Prove it by log t <= t - 1, record by record."""
    name = "as stated"
    with check.reading(name, MEDIUM) as argument:
        argument.cite(
            "Bernoulli", "z = (1 + x/n)^n >= 1 + n (r - 1) with r = 1 + x/n >= 0", "lemma.bernoulli"
        )
        argument.inequality(
            "log t <= t - 1",
            "so z >= 1 + x for large n, and its limit e^x is at least 1 + x; with t = e^x",
            z >= 1 + x,
            [z >= 1 + n * (r - 1), Eq(n * (r - 1), x), n > 0, r >= 0],
        )
        _record(argument)
        _total(argument)
        argument.cite(
            "better than published",
            "its optimum satisfies the weighted constraint with slack",
            "redaction.weighted-bound",
        )
        _slack(argument)
    check.near_miss(f"{name}: q_k = mu w_k/2", partial(_record, half=True))


def _record(argument: Argument, half: bool = False) -> None:
    """x is another feasible q_k, y the stated one, m = mu, l = log(x/y) <= x/y - 1."""
    argument.inequality(
        "one record",
        "x - y >= mu w (log x - log y): y = mu w, or y = 1 <= mu w and log x <= 0",
        x - y >= m * w * l,
        [
            y * l <= x - y,
            x > 0,
            x <= 1,
            y > 0,
            m > 0,
            w > 0,
            w < 1,
            Or(Eq((2 if half else 1) * y, m * w), And(Eq(y, 1), m * w >= 1, l <= 0)),
        ],
    )


def _total(argument: Argument) -> None:
    argument.induction(
        "all records",
        "S is the sum of x - y, T that of w l over the first records: S >= mu T",
        base=(S >= m * T, [Eq(S, x - y), Eq(T, w * l), x - y >= m * w * l]),
        step=(S + x - y >= m * (T + w * l), [S >= m * T, x - y >= m * w * l]),
    )
    argument.inequality(
        "optimal",
        "T = sum w log x - sum w log y >= 0: x is feasible, and y tight for some mu, as the left "
        "side of the constraint falls from infinity to delta_N continuously as mu grows, and "
        "delta_N is at most the budget",
        S >= 0,
        [S >= m * T, m > 0, Eq(T, U - V), d - U <= E, Eq(d - V, E)],
    )


def _slack(argument: Argument) -> None:
    argument.inequality(
        "with slack",
        "some q_k = q < 1 can be lowered by a factor 1 - t, t > 0 small: w l <= E - d - U, l = "
        "-log(1 - t)",
        And(d + U + w * l <= E, q * (1 - t) < q),
        [d + U < E, w * l <= E - d - U, q > 0, t > 0, t < 1, w > 0, l > 0],
    )


@claim(
    "redaction.condensed-bound",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: for every q' in (0, 1]^N "
    "the constraint log B(q) - log A(q') - v_1 (log q_1 - log q'_1) - .. - v_N (log q_N - log "
    "q'_N) <= budget, v_k the derivative of log A by log q_k at q', keeps the budget of the "
    "side and is convex in log q; at q = q' it is the exact constraint. So the program with "
    "this constraint, q' feasible, has an optimum that is never worse than q'.",
)
def condensed_bound(check: Check) -> None:
    """Prove it by the inequality of means at q', and by Cauchy's inequality for B."""
    sound, convex = "it keeps the budget, and is exact at q'", "it is convex in log q"
    with check.reading(sound, MEDIUM) as argument:
        argument.cite("one constraint", "E A(q) >= B(q)", "redaction.one-constraint")
        argument.cite(
            "means",
            "A(q)/A(q') = sum_S p'_S x_S, p'_S the share of S in A(q') and x_S the product of "
            "q_k/q'_k over S, is at least the product of x_S^(p'_S)",
            "bai2026.x-am-gm",
        )
        argument.cite(
            "exponents",
            "of q_k/q'_k: the sum of p'_S over S with k in S, which is v_k",
            "lemma.finite-sums",
        )
        _condensed(argument)
    check.near_miss(f"{sound}: A(q) replaced by A(q')", partial(_condensed, flat=True))
    with check.reading(convex, MEDIUM) as argument:
        _midpoint(argument)
    check.near_miss(f"{convex}: strictly", partial(_midpoint, strict=True))


def _condensed(argument: Argument, flat: bool = False) -> None:
    argument.inequality(
        "sound",
        "m is the product of (q_k/q'_k)^(v_k), X = A(q'): B <= E X m and A >= X m",
        B <= E * A,
        [B <= E * X if flat else B <= E * X * m, A >= X * m, X > 0, m > 0, B > 0, E > 1],
    )
    argument.inequality(
        "exact at q'",
        "m = 1",
        sympy.Equivalent(B <= E * X * m, B <= E * X),
        [Eq(m, 1), X > 0, E > 1],
    )
    argument.inequality(
        "never worse",
        "q' is feasible, so the optimum V of the program is at most its sum U",
        V <= U,
        [V <= x, Eq(x, U)],
    )


def _midpoint(argument: Argument, strict: bool = False) -> None:
    """Squares avoid roots: u^2, v^2 are the terms of B at two q, u v the one at their geometric
    mean.
    """
    argument.induction(
        "Cauchy",
        "F, G, H are the sums of u^2, v^2 and u v over the first S: H^2 <= F G. So log B at the "
        "midpoint of two log q is at most the mean; log B is continuous, hence convex",
        base=((u * v) ** 2 <= u**2 * v**2, [u >= 0, v >= 0]),
        step=(
            (H + u * v) ** 2 < (F + u**2) * (G + v**2)
            if strict
            else (H + u * v) ** 2 <= (F + u**2) * (G + v**2),
            [H**2 <= F * G, u >= 0, v >= 0, F >= 0, G >= 0, H >= 0],
        ),
    )
    argument.inequality(
        "the rest is linear in log q",
        "U, V are values at two points, W that at the midpoint; H is that of log B",
        2 * W <= U + V,
        [2 * H <= F + G, Eq(U, F - s), Eq(V, G - t), Eq(2 * W, 2 * H - s - t)],
    )
