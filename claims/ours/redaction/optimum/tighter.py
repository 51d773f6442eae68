"""Convex programs for 3R mechanisms that are tighter than the published one: sound, and optimal in
closed form.

One side, lam > 0. A(q), B(q) are the likelihoods of the last output (see `shape`) given X_p = 0 and
1; p_S and r_S those of X_k = 0 for exactly the records S of M, divided by A(1) and B(1), so that
A(q) = A(1) sum_S p_S prod_S q_k; w_k is the sum of p_S over S with k in S. Source of the published
program: massny2025, appendix A.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    between,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.redaction.notation import FAMILY, LAST, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.statements.programs import (
    CONDENSED,
    CONDENSED_CONVEX,
    IMPLIED,
    WEIGHTED,
    WEIGHTED_OPTIMUM,
)
from pufferproof.claims.registry import Check, claim

E = letter("E", "e^budget", above(1))
budget = letter("budget", "the budget")
A, B = letters("A B", "A(q), B(q)")
X, Y = letters("X Y", "A(1), B(1)", above(0))
m = letter("m", "the product of q_k^(w_k)", above(0))
r = letter("r", "r_S, the share of S in B(1)", at_least(0))
x = letter("x", "x_S, the product of q_k over S", between(0, 1))
weighed, shares = letters("weighed shares", "the sums of r_S x_S and of r_S over the first S")
q = letter("q", "some q_k", at_least(0))
root = letter("root", "a number whose square is at most m")
w = letter("w", "w_k")
y = letter("y", "y_k = -log q_k", at_least(0))
U, V = letters("U V", "the sums of w_k y_k and of y_k over the first k")
d = letter("d", "delta_N")
with0, with1 = letters("with0 with1", "likelihoods of the last output with X_k = 0 and 1", above(0))
sum1, sum2 = letters("sum1 sum2", "the sums of w_k y_k for two feasible vectors")
t = letter("t", "the weight of the first of them", between(0, 1))
n = letter("n", "a large number", above(0))
exponent = letter("exponent", "x")
power = letter("power", "(1 + x/n)^n")
base = letter("base", "1 + x/n", at_least(0))
other, best = letters("other best", "another feasible q_k, and the stated one")
mu = letter("mu", "a number > 0")
l = letter("l", "log(other/best)")
S, T = letters("S T", "the sums of other - best and of w l over the first records")
log_other, log_best = letters("log_other log_best", "the sums of w log other and of w log best")
lowered = letter("lowered", "the share by which q_k is lowered", above(0), below(1))
cost = letter("cost", "-log(1 - lowered)", above(0))
Ap = letter("Ap", "A(q')", above(0))
factor = letter("factor", "the product of (q_k/q'_k)^(v_k)")
optimum, value, prime = letters(
    "optimum value prime", "the optimum of the program, its value at q', and the sum of q'"
)
u, v = letters("u v", "square roots of a term of B at two q", at_least(0))
F, G = letters("F G", "the sums of u^2 and of v^2 over the first S", at_least(0))
H = letter("H", "the sum of u v over the first S", at_least(0))
log1, log2 = letters("log1 log2", "log B at two points")
log_middle = letter("log_middle", "log B at their midpoint")
linear1, linear2 = letters("linear1 linear2", "the linear part at two points")
value1, value2 = letters("value1 value2", "the left side of the constraint at two points")
middle = letter("middle", "the left side of the constraint at their midpoint")
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
    says={
        "it keeps the budget": WEIGHTED,
        "implied by the published constraints": IMPLIED,
    },
)
def weighted_bound(check: Check) -> None:
    """Prove it by the inequality of means for A, and B(q) <= B(1)."""
    sound, tighter = "it keeps the budget", "implied by the published constraints"
    proved(
        check,
        sound,
        MEDIUM,
        _keeps_the_budget,
        weights_halved=Edit(
            "the constraint",
            without=Y <= E * X * m,
            given=[
                Y <= E * X * root,
                root**2 <= m,
                root > 0,
                Eq(m, sympy.Rational(1, 4)),
                Eq(root, sympy.Rational(1, 2)),
                Eq(A, X * m),
                Eq(B, Y),
                Eq(Y, E * X * root),
            ],
        ),
    )
    proved(
        check,
        tighter,
        MEDIUM,
        _implied,
        weights_above_1=Edit("smaller weights", without=w < 1, given=w < 2),
    )


def _keeps_the_budget(proof: Proof) -> None:
    proof.cite("one constraint", "E A(q) >= B(q)", "redaction.one-constraint")
    proof.cite(
        "means",
        "A(q)/A(1) = sum_S p_S x_S is at least the product of x_S^(p_S)",
        "bai2026.x-am-gm",
    )
    proof.cite(
        "exponents",
        "x_S is a product over S: q_k has the exponent sum of p_S over S with k in S, w_k",
        "lemma.finite-sums",
    )
    _less(proof)
    proof.cite(
        "delta_N",
        "B(1)/A(1) = e^delta_N, i1 of the first small record, or 1 at the end",
        "massny2025.prop1-closed",
    )
    _sound(proof)


def _implied(proof: Proof) -> None:
    _tighter(proof)
    _convex(proof)


def _less(proof: Proof) -> None:
    proof.summed(
        "B(q) <= B(1)",
        "weighed, shares are the sums of r_S x_S and of r_S over the first S; x_S in [0, 1]",
        so_far=weighed <= shares,
        adding={weighed: r * x, shares: r},
    )
    proof.induction(
        "products of q are in [0, 1]",
        "x_S, one factor q at a time",
        base=(And(q >= 0, q <= 1), [q >= 0, q <= 1]),
        step=(And(x * q >= 0, x * q <= 1), [x >= 0, x <= 1, q >= 0, q <= 1]),
    )


def _sound(proof: Proof) -> None:
    """X = A(1), Y = B(1), m is the product of q_k^(w_k), the constraint Y <= E X m."""
    proof.inequality(
        "the constraint",
        "A >= A(1) m, B <= B(1) and e^delta_N = B(1)/A(1) <= E m: B <= E A",
        B <= E * A,
        [A >= X * m, B <= Y, Y <= E * X * m],
    )


def _tighter(proof: Proof) -> None:
    weight = [w > 0, w < 1]
    proof.induction(
        "smaller weights",
        "U, V are the sums of w_k y_k and of y_k over the first k: U <= V; U < V from the first "
        "y_k > 0 on",
        base=(And(w * y <= y, Or(w * y < y, Eq(y, 0))), [*weight]),
        step=(
            And(U + w * y <= V + y, Or(U + w * y < V + y, And(Eq(U, V), Eq(y, 0)))),
            [U <= V, *weight],
        ),
    )
    proof.inequality(
        "the published constraint",
        "of the last record of M, delta_N + V <= budget",
        d + U <= budget,
        [d + V <= budget, U <= V],
    )
    proof.inequality(
        "w_k is in (0, 1)",
        "with0, with1 > 0 are the likelihoods of the last output with X_k = 0 and 1",
        And(w > 0, w < 1),
        [Eq(w * (with0 + with1), with0)],
    )


def _convex(proof: Proof) -> None:
    proof.inequality(
        "convex",
        "the constraint is linear in log q; a convex combination t of two feasible vectors of y is "
        "feasible",
        d + t * sum1 + (1 - t) * sum2 <= budget,
        [d + sum1 <= budget, d + sum2 <= budget],
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
    says=WEIGHTED_OPTIMUM,
)
def weighted_optimum(check: Check) -> None:
    """Prove it by log t <= t - 1, record by record."""
    name = "as stated"
    proved(check, name, MEDIUM, _closed_form)
    check.near_miss(
        f"{name}: q_k = mu w_k/2",
        edited(
            _closed_form,
            Edit(
                "one record",
                without=Or(Eq(best, mu * w), And(Eq(best, 1), mu * w >= 1, l <= 0)),
                given=Or(Eq(2 * best, mu * w), And(Eq(best, 1), mu * w >= 1, l <= 0)),
            ),
        ),
    )


def _closed_form(proof: Proof) -> None:
    proof.cite(
        "Bernoulli", "z = (1 + x/n)^n >= 1 + n (r - 1) with r = 1 + x/n >= 0", "lemma.bernoulli"
    )
    proof.inequality(
        "log t <= t - 1",
        "so power >= 1 + exponent for large n, and its limit e^exponent is at least 1 + "
        "exponent; with t = e^exponent",
        power >= 1 + exponent,
        [power >= 1 + n * (base - 1), Eq(n * (base - 1), exponent)],
    )
    _record(proof)
    _total(proof)
    proof.cite(
        "better than published",
        "its optimum satisfies the weighted constraint with slack",
        "redaction.weighted-bound",
    )
    _slack(proof)


def _record(proof: Proof) -> None:
    """x is another feasible q_k, y the stated one, m = mu, l = log(x/y) <= x/y - 1."""
    proof.inequality(
        "one record",
        "other - best >= mu w (log other - log best): best = mu w, or best = 1 <= mu w and log "
        "other <= 0",
        other - best >= mu * w * l,
        [
            best * l <= other - best,
            other > 0,
            other <= 1,
            best > 0,
            mu > 0,
            w > 0,
            w < 1,
            Or(Eq(best, mu * w), And(Eq(best, 1), mu * w >= 1, l <= 0)),
        ],
    )


def _total(proof: Proof) -> None:
    proof.summed(
        "all records",
        "S is the sum of other - best, T that of w l over the first records: S >= mu T",
        so_far=S >= mu * T,
        adding={S: other - best, T: w * l},
        given=[other - best >= mu * w * l],
    )
    proof.inequality(
        "optimal",
        "T = sum w log other - sum w log best >= 0: other is feasible, and best tight for some "
        "mu, as the left side of the constraint falls from infinity to delta_N continuously as mu "
        "grows, and delta_N is at most the budget",
        S >= 0,
        [
            S >= mu * T,
            mu > 0,
            Eq(T, log_other - log_best),
            d - log_other <= budget,
            Eq(d - log_best, budget),
        ],
    )


def _slack(proof: Proof) -> None:
    proof.inequality(
        "with slack",
        "some q_k = q < 1 can be lowered by a factor 1 - lowered, lowered > 0 small: w cost <= "
        "budget - d - U, cost = -log(1 - lowered)",
        And(d + U + w * cost <= budget, q * (1 - lowered) < q),
        [d + U < budget, w * cost <= budget - d - U, q > 0, w > 0],
    )


@claim(
    "redaction.condensed-bound",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: for every q' in (0, 1]^N "
    "the constraint log B(q) - log A(q') - v_1 (log q_1 - log q'_1) - .. - v_N (log q_N - log "
    "q'_N) <= budget, v_k the derivative of log A by log q_k at q', keeps the budget of the "
    "side and is convex in log q; at q = q' it is the exact constraint. So the program with "
    "this constraint, q' feasible, has an optimum that is never worse than q'.",
    says={
        "it keeps the budget, and is exact at q'": CONDENSED,
        "it is convex in log q": CONDENSED_CONVEX,
    },
)
def condensed_bound(check: Check) -> None:
    """Prove it by the inequality of means at q', and by Cauchy's inequality for B."""
    sound, convex = "it keeps the budget, and is exact at q'", "it is convex in log q"
    proved(
        check,
        sound,
        MEDIUM,
        _exact_at_prime,
        **{
            "A(q) replaced by A(q')": Edit("sound", without=B <= E * Ap * factor, given=B <= E * Ap)
        },
    )
    proved(
        check,
        convex,
        MEDIUM,
        _midpoint,
        strictly=Edit("Cauchy: step", instead=(H + u * v) ** 2 < (F + u**2) * (G + v**2)),
    )


def _exact_at_prime(proof: Proof) -> None:
    proof.cite("one constraint", "E A(q) >= B(q)", "redaction.one-constraint")
    proof.cite(
        "means",
        "A(q)/A(q') = sum_S p'_S x_S, p'_S the share of S in A(q') and x_S the product of "
        "q_k/q'_k over S, is at least the product of x_S^(p'_S)",
        "bai2026.x-am-gm",
    )
    proof.cite(
        "exponents",
        "of q_k/q'_k: the sum of p'_S over S with k in S, which is v_k",
        "lemma.finite-sums",
    )
    _condensed(proof)


def _condensed(proof: Proof) -> None:
    proof.inequality(
        "sound",
        "factor is the product of (q_k/q'_k)^(v_k), Ap = A(q'): B <= E Ap factor and A >= Ap "
        "factor",
        B <= E * A,
        [B <= E * Ap * factor, A >= Ap * factor, factor > 0, B > 0],
    )
    proof.inequality(
        "exact at q'",
        "factor = 1",
        sympy.Equivalent(B <= E * Ap * factor, B <= E * Ap),
        [Eq(factor, 1)],
    )
    proof.inequality(
        "never worse",
        "q' is feasible, so the optimum of the program is at most its sum prime",
        optimum <= prime,
        [optimum <= value, Eq(value, prime)],
    )


def _midpoint(proof: Proof) -> None:
    """Squares avoid roots: u^2, v^2 are the terms of B at two q, u v the one at their geometric
    mean.
    """
    proof.summed(
        "Cauchy",
        "F, G, H are the sums of u^2, v^2 and u v over the first S: H^2 <= F G. So log B at the "
        "midpoint of two log q is at most the mean; log B is continuous, hence convex",
        so_far=H**2 <= F * G,
        adding={H: u * v, F: u**2, G: v**2},
    )
    proof.inequality(
        "the rest is linear in log q",
        "value1, value2 are values at two points, middle that at the midpoint; log_middle is that "
        "of log B",
        2 * middle <= value1 + value2,
        [
            2 * log_middle <= log1 + log2,
            Eq(value1, log1 - linear1),
            Eq(value2, log2 - linear2),
            Eq(2 * middle, 2 * log_middle - linear1 - linear2),
        ],
    )
