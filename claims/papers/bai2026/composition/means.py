"""Weighted geometric means with real weights: below arithmetic means, superadditive, homogeneous.

With u the likelihoods of one output, an NfC constraint reads u_D <= E prod_l u_l^beta_l. The means
are what makes the set of such u a convex cone, and what compares joint likelihoods with their
averages. 0^0 = 1, so that only databases with beta_l > 0 matter. Source: hardy1934 (sections 2.5
and 2.7), with weights that need not be rational.
"""

from sympy import Eq, Rational

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import constraints
from pufferproof.claims.registry import Check, claim

z = letter("z", "an exponent")
n = letter("n", "a large integer", above(0))
p = letter("p", "(1 + z/n)^n")
r = letter("r", "1 + z/n", at_least(0))
e = letter("e", "e^z, the limit of these p")
d = letter("d", "half of what e lacks of 1 + z")
m = letter("m", "the arithmetic mean", at_least(0))
b, B = letters("b B", "beta_l, and the sum of the beta_l so far")
x, y = letters("x y", "x_l and y_l, entries of two vectors")
L = letter("L", "log(x_l/m)")
S, X = letters("S X", "the sums of beta_l log(x_l/m) and of beta_l x_l so far")
product = letter("product", "prod_l x_l^beta_l")
a, c = letters("a c", "the next terms of A and C")
A, C = letters("A C", "sum beta_l x_l/(x_l + y_l), and the same with y_l above")
P, Q = letters("P Q", "prod_l (x_l/(x_l + y_l))^beta_l, and the same with y_l above")
G, g = letters("G g", "the geometric mean of x + y or of u, and that of k u")
u, v = letters(
    "u v",
    "columns: likelihoods u_l >= 0 of one output, one for each database; in formulas their entries "
    "at D",
    at_least(0),
)
E = letter("E", "a number, e to the level of a constraint", at_least(0))
k = letter("k", "a factor of a column", at_least(0))
log_k, log_u = letters("log_k log_u", "log k and log u_l")
of_u, of_ku = letters("of_u of_ku", "the sums of beta_l log u_l and of beta_l log(k u_l)")

REAL_WEIGHTS = "all finite sizes, real weights"
NOTATION = {
    "l": "one of finitely many indices",
    "beta": "weights beta_l",
    "E": "a number, e to the level of a constraint",
    "u_D": "the entry of a column u at the database D",
}


@claim(
    "bai2026.x-am-gm",
    where="beside Theorem 5.1",
    statement="For finitely many real beta_l >= 0 with sum 1 and real x_l >= 0: prod_l x_l^beta_l "
    "<= sum_l beta_l x_l, with 0^0 = 1.",
    kind="lemma",
    says=constraints.MEANS,
)
def am_gm(check: Check) -> None:
    """Prove the inequality of means for real weights from log t <= t - 1."""
    tenth = Edit("the means", instead=S <= -Rational(1, 10))
    proved(check, "as stated", REAL_WEIGHTS, _am_gm, a_logarithm_lowered_by_a_tenth=tenth)


def _am_gm(proof: Proof) -> None:
    _logarithm(proof)
    proof.induction(
        "one more factor",
        "m > 0 is the arithmetic mean and L = log(x_l/m) <= x_l/m - 1, where beta_l, x_l > 0. S, X "
        "and B are the sums of beta L, beta x and beta over the first databases: m S <= X - m B",
        base=(m * b * L <= b * x - m * b, [m * L <= x - m, b >= 0, m > 0]),
        step=(
            m * (S + b * L) <= (X + b * x) - m * (B + b),
            [m * S <= X - m * B, m * L <= x - m, b >= 0, m > 0],
        ),
    )
    proof.inequality(
        "the means",
        "B = 1 and X is the mean: S, the logarithm of the quotient of the two means, is not "
        "positive",
        S <= 0,
        [m * S <= X - m * B, Eq(X, m), Eq(B, 1), m > 0],
    )
    proof.inequality(
        "a factor that is zero",
        "If beta_l > 0 and x_l = 0 for some l then the product is 0; so it is if the mean is 0",
        product <= m,
        [Eq(product, 0)],
    )


def _logarithm(proof: Proof) -> None:
    proof.cite(
        "Bernoulli",
        "p = (1 + z/n)^n >= 1 + n (r - 1) with r = 1 + z/n >= 0, n large",
        "lemma.bernoulli",
    )
    proof.inequality(
        "powers near e^y",
        "n (r - 1) = z, so p = (1 + z/n)^n >= 1 + z for every large n",
        p >= 1 + z,
        [p >= 1 + n * (r - 1), Eq(n * (r - 1), z)],
    )
    proof.inequality(
        "log t <= t - 1",
        "e = e^z is by definition the limit of these p: were e < 1 + z, some p would lie within d "
        "= (1 + z - e)/2 of e, hence below 1 + z. So e^z >= 1 + z; with t = e^z this is log t <= t "
        "- 1",
        p < 1 + z,
        [e < 1 + z, Eq(2 * d, 1 + z - e), p <= e + d],
    )


@claim(
    "bai2026.x-cone",
    where="beside Theorem 5.2",
    statement="For E >= 0, a database D and finitely many real beta_l >= 0 with sum 1 the set of "
    "columns u >= 0 with u_D <= E prod_l u_l^beta_l, where 0^0 = 1, contains u + v and k u "
    "with all u, v in it and every k >= 0: it is a convex cone.",
    kind="lemma",
    says=constraints.CONE,
)
def cone(check: Check) -> None:
    """Prove that weighted geometric means are superadditive and homogeneous."""
    proved(
        check,
        "as stated",
        REAL_WEIGHTS,
        _cone,
        **{
            "weights summing to 11/10": Edit(
                "the sum of two columns", without=Eq(B, 1), given=Eq(B, Rational(11, 10))
            ),
            "E lowered for the sum": Edit(
                "the sum of two columns", put={E * G: Rational(99, 100) * E * G}
            ),
            "homogeneous of degree B for any sum B": Edit(
                "with weights that sum to 1", without=Eq(B, 1)
            ),
        },
    )


def _cone(proof: Proof) -> None:
    _superadditive(proof)
    _homogeneous(proof)


def _superadditive(proof: Proof) -> None:
    proof.cite(
        "quotients of means",
        "Let x_l + y_l > 0 wherever beta_l > 0, and G > 0 the geometric mean of x + y. P = prod "
        "(x_l/(x_l + y_l))^beta_l is at most A = sum beta_l x_l/(x_l + y_l); so is Q at most C, "
        "with y_l in place of x_l",
        "bai2026.x-am-gm",
    )
    proof.summed(
        "the arithmetic means add up",
        "a and c are the terms of A and C, b = beta_l: A + C = B, the sum of the weights",
        so_far=Eq(A + C, B),
        adding={A: a, C: c, B: b},
        given=[Eq(a * (x + y), b * x), Eq(c * (x + y), b * y), x + y > 0],
    )
    proof.inequality(
        "the sum of two columns",
        "The geometric means of x and y are P G and Q G: u <= E P G and v <= E Q G give u + v <= E "
        "G",
        u + v <= E * G,
        [
            u <= E * P * G,
            v <= E * Q * G,
            P <= A,
            Q <= C,
            Eq(A + C, B),
            Eq(B, 1),
            G > 0,
            P >= 0,
            Q >= 0,
        ],
    )
    proof.inequality(
        "a database with likelihood 0 in both",
        "If x_l = y_l = 0 and beta_l > 0, all three means are 0 and u = v = 0",
        u + v <= E * G,
        [Eq(P, 0), Eq(Q, 0), Eq(G, 0), u <= E * P, v <= E * Q],
    )


def _homogeneous(proof: Proof) -> None:
    proof.induction(
        "a factor leaves the logarithm",
        "k > 0. of_ku and of_u are the sums of beta_l log(k u_l) and beta_l log u_l over the first "
        "databases: of_ku = of_u + B log k, and B = 1 at the end",
        base=(Eq(b * (log_k + log_u), b * log_u + b * log_k), []),
        step=(
            Eq(of_ku + b * (log_k + log_u), (of_u + b * log_u) + (B + b) * log_k),
            [Eq(of_ku, of_u + B * log_k)],
        ),
    )
    proof.inequality(
        "with weights that sum to 1",
        "of_ku = of_u + log k: the mean of k u is k times the mean of u",
        Eq(of_ku, of_u + log_k),
        [Eq(of_ku, of_u + B * log_k), Eq(B, 1)],
    )
    proof.inequality(
        "a multiple of a column",
        "G is the mean of u, g that of k u (both 0 if some u_l with beta_l > 0 is 0, and g = 0 if "
        "k = 0)",
        k * u <= E * g,
        [u <= E * G, Eq(g, k * G), G >= 0],
    )
