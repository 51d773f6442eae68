"""Weighted geometric means with real weights: below arithmetic means, superadditive, homogeneous.

With u the likelihoods of one output, an NfC constraint reads u_D <= E prod_l u_l^beta_l. The means
are what makes the set of such u a convex cone, and what compares joint likelihoods with their
averages. 0^0 = 1, so that only databases with beta_l > 0 matter. Source: hardy1934 (sections 2.5
and 2.7), with weights that need not be rational.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, real weights"
NOTATION = {
    "l": "one of finitely many indices",
    "beta": "weights beta_l",
    "u, v": "columns: likelihoods u_l >= 0 of one output, one for each database; u_D is the entry "
    "at the database D",
}


@claim(
    "bai2026.x-am-gm",
    where="beside Theorem 5.1",
    statement="For finitely many real beta_l >= 0 with sum 1 and real x_l >= 0: prod_l x_l^beta_l "
    "<= sum_l beta_l x_l, with 0^0 = 1.",
    kind="lemma",
)
def am_gm(check: Check) -> None:
    """Prove the inequality of means for real weights from log t <= t - 1."""
    with check.reading("as stated", ALL_SIZES) as argument:
        _am_gm(argument)
    check.near_miss(
        "as stated: a logarithm lowered by a tenth",
        lambda argument: _am_gm(argument, sympy.Rational(9, 10)),
    )


def _am_gm(argument: Argument, factor: sympy.Rational | int = 1) -> None:
    p, y, n, r, m, L, x, b, S, X, B, P, e, d = sympy.symbols("p y n r m L x b S X B P e d")
    argument.cite(
        "Bernoulli",
        "p = (1 + y/n)^n >= 1 + n (r - 1) with r = 1 + y/n >= 0, n large",
        "lemma.bernoulli",
    )
    argument.inequality(
        "powers near e^y",
        "n (r - 1) = y, so p = (1 + y/n)^n >= 1 + y for every large n",
        p >= 1 + y,
        [p >= 1 + n * (r - 1), Eq(n * (r - 1), y), n > 0, r >= 0],
    )
    argument.inequality(
        "log t <= t - 1",
        "e = e^y is by definition the limit of these p: were e < 1 + y, some p would lie within d "
        "= (1 + y - e)/2 of e, hence below 1 + y. So e^y >= 1 + y; with t = e^y this is log t <= t "
        "- 1",
        p < 1 + y,
        [e < 1 + y, Eq(2 * d, 1 + y - e), p <= e + d],
    )
    argument.induction(
        "one more factor",
        "m > 0 is the arithmetic mean and L = log(x_l/m) <= x_l/m - 1, where beta_l, x_l > 0. S, X "
        "and B are the sums of beta L, beta x and beta over the first databases: m S <= X - m B",
        base=(m * b * L <= b * x - m * b, [m * L <= x - m, b >= 0, m > 0]),
        step=(
            m * (S + b * L) <= (X + b * x) - m * (B + b),
            [m * S <= X - m * B, m * L <= x - m, b >= 0, m > 0],
        ),
    )
    argument.inequality(
        "the means",
        "B = 1 and X is the mean: S, the logarithm of the quotient of the two means, is not "
        "positive",
        S <= (factor - 1),
        [m * S <= X - m * B, Eq(X, m), Eq(B, 1), m > 0],
    )
    argument.inequality(
        "a factor that is zero",
        "If beta_l > 0 and x_l = 0 for some l then the product P is 0; so it is if the mean is 0",
        sympy.Le(P, m),
        [Eq(P, 0), m >= 0],
    )


@claim(
    "bai2026.x-cone",
    where="beside Theorem 5.2",
    statement="For E >= 0, a database D and finitely many real beta_l >= 0 with sum 1 the set of "
    "columns u >= 0 with u_D <= E prod_l u_l^beta_l, where 0^0 = 1, contains u + v and k u "
    "with all u, v in it and every k >= 0: it is a convex cone.",
    kind="lemma",
)
def cone(check: Check) -> None:
    """Prove that weighted geometric means are superadditive and homogeneous."""
    with check.reading("as stated", ALL_SIZES) as argument:
        _superadditive(argument)
        _homogeneous(argument)
    check.near_miss(
        "as stated: weights summing to 11/10", lambda argument: _superadditive(argument, heavy=True)
    )
    check.near_miss(
        "as stated: E lowered for the sum",
        lambda argument: _superadditive(argument, sympy.Rational(99, 100)),
    )
    check.near_miss(
        "as stated: homogeneous of degree B for any sum B",
        lambda argument: _homogeneous(argument, True),
    )


def _superadditive(
    argument: Argument, lowered: sympy.Rational | int = 1, heavy: bool = False
) -> None:
    x, y, b, a, c, A, C, B, P, Q, G, E, u, v = sympy.symbols("x y b a c A C B P Q G E u v")
    argument.cite(
        "quotients of means",
        "Let x_l + y_l > 0 wherever beta_l > 0, and G > 0 the geometric mean of x + y. P = prod "
        "(x_l/(x_l + y_l))^beta_l is at most A = sum beta_l x_l/(x_l + y_l); so is Q at most C, "
        "with y_l in place of x_l",
        "bai2026.x-am-gm",
    )
    argument.induction(
        "the arithmetic means add up",
        "a and c are the terms of A and C, b = beta_l: A + C = B, the sum of the weights",
        base=(Eq(a + c, b), [Eq(a * (x + y), b * x), Eq(c * (x + y), b * y), x + y > 0]),
        step=(
            Eq(A + a + C + c, B + b),
            [Eq(A + C, B), Eq(a * (x + y), b * x), Eq(c * (x + y), b * y), x + y > 0],
        ),
    )
    argument.inequality(
        "the sum of two columns",
        "The geometric means of x and y are P G and Q G: u <= E P G and v <= E Q G give u + v <= E "
        "G",
        u + v <= lowered * E * G,
        [
            *[u <= E * P * G, v <= E * Q * G, P <= A, Q <= C, Eq(A + C, B)],
            *[
                Eq(B, sympy.Rational(11, 10) if heavy else 1),
                G > 0,
                E >= 0,
                P >= 0,
                Q >= 0,
                u >= 0,
                v >= 0,
            ],
        ],
    )
    argument.inequality(
        "a database with likelihood 0 in both",
        "If x_l = y_l = 0 and beta_l > 0, all three means are 0 and u = v = 0",
        u + v <= E * G,
        [Eq(P, 0), Eq(Q, 0), Eq(G, 0), u <= E * P, v <= E * Q, u >= 0, v >= 0, E >= 0],
    )


def _homogeneous(argument: Argument, anyway: bool = False) -> None:
    k, K, b, B, L, S, T, u, E, G, g = sympy.symbols("k K b B L S T u E G g")
    argument.induction(
        "a factor leaves the logarithm",
        "k > 0 and K = log k. T and S are the sums of beta_l log(k u_l) and beta_l log u_l over "
        "the first databases: T = S + B K, and B = 1 at the end",
        base=(Eq(b * (K + L), b * L + b * K), []),
        step=(Eq(T + b * (K + L), (S + b * L) + (B + b) * K), [Eq(T, S + B * K)]),
    )
    argument.inequality(
        "with weights that sum to 1",
        "T = S + K: the mean of k u is k times the mean of u",
        Eq(T, S + K),
        [Eq(T, S + B * K), *([] if anyway else [Eq(B, 1)])],
    )
    argument.inequality(
        "a multiple of a column",
        "G is the mean of u, g that of k u (both 0 if some u_l with beta_l > 0 is 0, and g = 0 if "
        "k = 0)",
        k * u <= E * g,
        [u <= E * G, Eq(g, k * G), k >= 0, E >= 0, G >= 0, u >= 0],
    )
