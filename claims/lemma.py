"""Library lemmas for sums and products of any length, proved once by induction and cited by the
claims.

Base and step of every induction are statements about a handful of real numbers, decided by Z3 and
cvc5; the sentence of each step says what its letters stand for. A sum is carried as its value so
far: `A` for the first n terms, `A + w a` for n + 1. Ratios are compared as products, so that 0/0 is
no violation and a/0 with a > 0 is one. No logarithms occur. Sources: hardy1934 (chapters 2 and 3),
dwork2014 (proposition 2.1).
"""

from typing import Any

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

PRINTED = "as stated"
ALL_SIZES = "all finite sizes"
NOTATION = {
    "m, r, k, c, z": "real numbers, one for each index; in K(z|y) what a variable becomes",
    "n": "how many terms there are",
    "P, Q": "laws, of one variable y or of several",
    "R": "a bound of ratios",
    "K(z|y)": "a kernel: K(z|y) >= 0 with sum_z K(z|y) = 1",
    "K": "how many variables there are, or a kernel",
    "N": "the sum of the integer weights k",
    "W": "the sum of the weights w",
}


@claim(
    "lemma.finite-sums",
    where="library",
    statement="Finite sums are linear, and a double sum may be taken in either order: "
    "sum_x m_x sum_y r_xy k_y = sum_y k_y sum_x m_x r_xy.",
    kind="lemma",
)
def finite_sums(check: Check) -> None:
    """Prove that a factor may enter a sum, that sums of sums split, and by both that a double
    sum may be exchanged.
    """
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _finite_sums(argument)
    check.near_miss(
        f"{PRINTED}: a term counted in one order only", lambda argument: _finite_sums(argument, 1)
    )


def _finite_sums(argument: Argument, extra: int = 0) -> None:
    m, S, t, T, A, B, a, b, U, V, u = sympy.symbols("m S t T A B a b U V u")
    argument.induction(
        "a factor enters a sum",
        "S is the sum of the first n terms and T the sum of m times these terms: T = m S. Adding a "
        "term t keeps it",
        base=(sympy.Eq(T, m * S), [sympy.Eq(S, t), sympy.Eq(T, m * t)]),
        step=(sympy.Eq(T + m * t, m * (S + t)), [sympy.Eq(T, m * S)]),
    )
    argument.induction(
        "a sum of sums splits",
        "A, B and S are the sums of the first n values a, b and a + b: S = A + B. Adding one more "
        "keeps it",
        base=(sympy.Eq(S, A + B), [sympy.Eq(A, a), sympy.Eq(B, b), sympy.Eq(S, a + b)]),
        step=(sympy.Eq(S + a + b, (A + a) + (B + b)), [sympy.Eq(S, A + B)]),
    )
    argument.induction(
        "the order of a double sum",
        "U is the double sum over the first n rows taken by rows, V by columns. The next row adds "
        "u = m sum_y r_y k_y to U; it adds sum_y k_y (m r_y) to V, because sums of sums split, and "
        "that is m sum_y r_y k_y, because a factor enters a sum",
        base=(sympy.Eq(U, V), [sympy.Eq(U, m * u), sympy.Eq(V, m * u)]),
        step=(sympy.Eq(U + m * u, V + (1 + extra) * m * u), [sympy.Eq(U, V)]),
    )


@claim(
    "lemma.mediant",
    where="library",
    statement="For real a_i, b_i, w_i, i = 1..n, and c of any sign: if a_i <= c b_i and w_i >= 0 "
    "for all i then sum_i w_i a_i <= c sum_i w_i b_i; the same with >= in the first and the "
    "last place.",
    kind="lemma",
)
def mediant(check: Check) -> None:
    """Prove the weighted mediant inequality: a quotient of sums is at most the largest quotient
    of terms.
    """
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _mediant(argument)
    check.near_miss(f"{PRINTED}: a smaller constant", lambda argument: _mediant(argument, slack=1))
    check.near_miss(
        f"{PRINTED}: weights of any sign", lambda argument: _mediant(argument, signed=True)
    )


def _mediant(argument: Argument, slack: int = 0, signed: bool = False) -> None:
    a, b, c, w, A, B = sympy.symbols("a b c w A B")
    weight = [] if signed else [w >= 0]
    for relation, name in [(sympy.Le, "upper bound"), (sympy.Ge, "lower bound")]:
        argument.induction(
            name,
            "A = sum of w a and B = sum of w b over the first n terms satisfy the inequality, and "
            "adding one term that satisfies it keeps it",
            base=(relation(w * a, (c - slack) * w * b), [relation(a, c * b), *weight]),
            step=(
                relation(A + w * a, (c - slack) * (B + w * b)),
                [relation(A, c * B), relation(a, c * b), *weight],
            ),
        )


@claim(
    "lemma.jensen",
    where="library",
    statement="If a function f on an interval lies below its chords, f(t x + (1-t) y) <= t f(x) + "
    "(1-t) f(y) for all x, y in it and 0 <= t <= 1, then f(sum_i w_i x_i / W) <= sum_i w_i "
    "f(x_i) / W for all points x_i of the interval and w_i > 0, i = 1..n, W = sum_i w_i. "
    "Squaring, and 1/x on x > 0, lie below their chords.",
    kind="lemma",
)
def jensen(check: Check) -> None:
    """Prove Jensen's inequality for finite positive weights from the chord inequality alone."""
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _jensen(argument)
    check.near_miss(
        f"{PRINTED}: strict inequality", lambda argument: _jensen(argument, strict=True)
    )
    check.near_miss(
        f"{PRINTED}: no chord inequality", lambda argument: _jensen(argument, chord=False)
    )


def _jensen(argument: Argument, strict: bool = False, chord: bool = True) -> None:
    W, M, F, w, x, y, t, g, h, k = sympy.symbols("W M F w x y t g h k")
    below = sympy.Lt if strict else sympy.Le
    argument.identity(
        "the mean of n + 1 points lies on a chord",
        "With W and M the sums of w and w x over n points, the new mean is the point of the chord "
        "from the old mean M/W to x at t = W/(W + w)",
        (M + w * x) / (W + w),
        W / (W + w) * (M / W) + (1 - W / (W + w)) * x,
    )
    argument.inequality(
        "t is a weight",
        "W/(W + w) lies between 0 and 1",
        (t > 0) & (t < 1),
        [t * (W + w) - W >= 0, t * (W + w) - W <= 0, W > 0, w > 0],
    )
    chords = [k * (W + w) <= W * g + w * h] if chord else []
    argument.induction(
        "adding a point",
        "F is the sum of w f(x) over n points, g = f(M/W), h = f(x), k = f at the new mean. The "
        "statement is W g <= F; the chord inequality at t gives k (W + w) <= W g + w h, hence the "
        "statement for n + 1",
        base=(below(W * g, F), [sympy.Eq(W, w), sympy.Eq(F, w * h), sympy.Eq(g, h), w > 0]),
        step=(below(k * (W + w), F + w * h), [W > 0, w > 0, W * g <= F, *chords]),
    )
    argument.inequality(
        "squares lie below their chords",
        "For f(x) = x^2",
        (t * x + (1 - t) * y) ** 2 <= t * x**2 + (1 - t) * y**2,
        [t >= 0, t <= 1],
    )
    argument.inequality(
        "reciprocals lie below their chords",
        "For f(x) = 1/x with x, y > 0, multiplied by x y (t x + (1 - t) y) > 0",
        x * y <= (t * y + (1 - t) * x) * (t * x + (1 - t) * y),
        [t >= 0, t <= 1, x > 0, y > 0],
    )


@claim(
    "lemma.bernoulli",
    where="library",
    statement="For every n = 0, 1, 2, ..: r^n >= 1 + n (r - 1) for real r >= 0; and a product of n "
    "real factors, each at least 1 - d with 0 <= d <= 1, is at least 0 and at least 1 - n d.",
    kind="lemma",
)
def bernoulli(check: Check) -> None:
    """Prove Bernoulli's inequality, for powers and for products of numbers near 1."""
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _bernoulli(argument)
    check.near_miss(f"{PRINTED}: slope n + 1", lambda argument: _bernoulli(argument, 1))
    half = sympy.Rational(1, 2)
    check.near_miss(
        f"{PRINTED}: half of d for the last factor",
        lambda argument: _bernoulli(argument, saved=half),
    )


def _bernoulli(argument: Argument, extra: int = 0, saved: Any = 0) -> None:
    r, p, n, d, f = sympy.symbols("r p n d f")
    argument.induction(
        "powers",
        "p = r^n satisfies p >= 1 + n (r - 1); for n = 0 it is 1",
        base=(p >= 1 + (n + extra) * (r - 1), [sympy.Eq(p, 1), sympy.Eq(n, 0), r >= 0]),
        step=(
            p * r >= 1 + (n + extra + 1) * (r - 1),
            [p >= 1 + (n + extra) * (r - 1), r >= 0, n >= 0],
        ),
    )
    argument.induction(
        "products",
        "p is a product of n factors, each at least 1 - d, and satisfies p >= 0 and p >= 1 - n d; "
        "the next factor is f",
        base=((p >= 0) & (p >= 1 - n * d), [sympy.Eq(p, 1), sympy.Eq(n, 0), d >= 0, d <= 1]),
        step=(
            (p * f >= 0) & (p * f >= 1 - (n + 1 - saved) * d),
            [p >= 0, p >= 1 - n * d, f >= 1 - d, n >= 0, d >= 0, d <= 1],
        ),
    )


@claim(
    "lemma.am-gm",
    where="library",
    statement="For real x_i >= 0 and positive integers k_i, i = 1..m, with sum N: prod_i x_i^k_i "
    "<= (sum_i k_i x_i / N)^N, the weighted inequality of means with the rational weights k_i "
    "/ N; each list of positive rationals with sum 1 has this form.",
    kind="lemma",
)
def am_gm(check: Check) -> None:
    """Prove the weighted inequality of means by adding one factor at a time."""
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _am_gm(argument)
    check.near_miss(
        f"{PRINTED}: mean lowered by a tenth",
        lambda argument: _am_gm(argument, sympy.Rational(1, 10)),
    )


def _am_gm(argument: Argument, lowered: Any = 0) -> None:
    A, P, q, r, p, n, x, m = sympy.symbols("A P q r p n x m")
    argument.cite("Bernoulli", "r^(n+1) >= 1 + (n + 1)(r - 1) for r >= 0", "lemma.bernoulli")
    argument.identity(
        "the mean of n + 1 numbers",
        "Write each x_i k_i times, so that N numbers are multiplied, and add them one by one. With "
        "A > 0 the mean of n of them, x the next and r = (n + x/A)/(n + 1), the new mean is A r",
        (n * A + x) / (n + 1),
        A * ((n + x / A) / (n + 1)),
    )
    argument.induction(
        "adding a factor",
        "P is the product of n positive numbers, q = A^n the power of their mean: P <= q. The next "
        "number is x = A ((n + 1) r - n), and p = r^(n+1) >= 1 + (n + 1)(r - 1); then P x <= (A "
        "r)^(n+1) = A q p",
        base=(x <= A - lowered * A, [sympy.Eq(A, x), x > 0]),
        step=(
            P * x <= A * q * p - lowered * A * q * p,
            [
                A > 0,
                P > 0,
                sympy.Le(P, q),
                sympy.Eq(x, A * ((n + 1) * r - n)),
                x > 0,
                r > 0,
                p >= 1 + (n + 1) * (r - 1),
                n >= 1,
            ],
        ),
    )
    argument.inequality(
        "a number that is zero",
        "If some x_i is 0 the product P is 0, and a power q of a mean m >= 0 is not negative",
        sympy.Le(P, q),
        [sympy.Eq(P, 0), q >= 0, m >= 0],
    )


@claim(
    "lemma.hoelder",
    where="library",
    statement="For real a_ij >= 0, i = 1..n, j = 1..m with m >= 1, positive integers k_j with sum "
    "N and c_i >= 0 with c_i^N = prod_j a_ij^k_j: (sum_i c_i)^N <= prod_j (sum_i a_ij)^k_j, "
    "which is Hoelder's inequality with the rational weights k_j / N.",
    kind="lemma",
)
def hoelder(check: Check) -> None:
    """Prove Hoelder's inequality for any number of sequences from weighted AM-GM, term by term."""
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _hoelder(argument)
    check.near_miss(
        f"{PRINTED}: weights summing to 9/10",
        lambda argument: _hoelder(argument, sympy.Rational(9, 10)),
    )


def _hoelder(argument: Argument, total: Any = 1) -> None:
    c, C, T, X, S, u, v, p, q, t, A, Y, a, P, Q, s = sympy.symbols(
        "c C T X S u v p q t A Y a P Q s"
    )
    argument.cite(
        "weighted AM-GM",
        "If all A_j = sum_i a_ij are positive, let C > 0 be the real number with C^N = prod_j "
        "A_j^k_j. Then (c_i/C)^N = prod_j (a_ij/A_j)^k_j <= T_i^N, where T_i = sum_j (k_j/N) "
        "a_ij/A_j",
        "lemma.am-gm",
    )
    argument.induction(
        "powers keep the order",
        "If u > v >= 0 then u^N > v^N: p = u^n and q = v^n satisfy p > q >= 0. Hence (c_i/C)^N <= "
        "T_i^N gives c_i <= C T_i",
        base=((p > q) & (q >= 0), [sympy.Eq(p, u), sympy.Eq(q, v), u > v, v >= 0]),
        step=((p * u > q * v) & (q * v >= 0), [p > q, q >= 0, u > v, v >= 0]),
    )
    argument.induction(
        "adding a term",
        "S = sum of c_i and X = sum of T_i over the first n terms satisfy S <= C X",
        base=(S <= C * X, [sympy.Eq(S, c), sympy.Eq(X, T), c <= C * T, C > 0]),
        step=(S + c <= C * (X + T), [S <= C * X, c <= C * T, C > 0]),
    )
    argument.cite(
        "order of summation",
        "sum_i T_i = sum_j (k_j/N) (sum_i a_ij)/A_j, exchanging the sums",
        "lemma.finite-sums",
    )
    argument.induction(
        "the weights add up",
        "Y = sum over the first sequences of (k_j/N) A_j/A_j equals s, the sum of their weights t "
        "= k_j/N: with all of them 1",
        base=(sympy.Eq(Y, s), [sympy.Eq(Y * A, t * A), sympy.Eq(s, t), A > 0]),
        step=(sympy.Eq(Y + a, s + t), [sympy.Eq(Y, s), sympy.Eq(a * A, t * A), A > 0]),
    )
    argument.inequality(
        "conclusion",
        "Over all terms X = 1, so sum_i c_i <= C, and N-th powers keep the order",
        sympy.Le(S, total * C),
        [S <= C * X, sympy.Eq(X, 1), C > 0],
    )
    argument.inequality(
        "a sequence of zeros",
        "If A_j = 0 then all a_ij = 0, every c_i = 0 and both sides are 0",
        sympy.Le(P, Q),
        [sympy.Eq(P, 0), Q >= 0],
    )


@claim(
    "lemma.chain-rule",
    where="library",
    statement="Let P and Q be laws of (y_1, .., y_K), each y_k with finitely many values, and let "
    "R_k >= 0. If P(y_1) <= R_1 Q(y_1) for every y_1, and for k = 2..K the conditional "
    "probability of y_k given y_1 .. y_(k-1) under P is at most R_k times the one under Q "
    "wherever y_1 .. y_(k-1) has positive probability under both, then P(y_1, .., y_K) <= R_1 "
    "... R_K Q(y_1, .., y_K): ratios of joint probabilities multiply.",
    kind="lemma",
)
def chain_rule(check: Check) -> None:
    """Prove that bounds on ratios of conditional probabilities multiply."""
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _chain_rule(argument)
    check.near_miss(
        f"{PRINTED}: the last factor left out", lambda argument: _chain_rule(argument, dropped=True)
    )


def _chain_rule(argument: Argument, dropped: bool = False) -> None:
    p, q, c, d, B, R = sympy.symbols("p q c d B R")
    bound = B if dropped else B * R
    argument.induction(
        "one more variable",
        "p and q are the joint probabilities of the first variables, B the product of their "
        "bounds: p <= B q and B >= 0. The next conditionals are c and d, the next joint "
        "probabilities p c and q d",
        base=(
            (p <= (1 if dropped else B) * q) & (B >= 0),
            [sympy.Eq(B, R), p <= R * q, p >= 0, q >= 0, R >= 0],
        ),
        step=(
            (p * c <= bound * q * d) & (B * R >= 0),
            [p <= B * q, B >= 0, c <= R * d, p > 0, q > 0, c >= 0, d >= 0, R >= 0],
        ),
    )
    argument.inequality(
        "an event that Q excludes",
        "If q = 0 then p <= B q gives p = 0, and the next joint probabilities, at most p and q, "
        "are 0: the bound holds",
        c <= bound * d,
        [p <= B * q, p >= 0, sympy.Eq(q, 0), c >= 0, c <= p, d >= 0, d <= q, B >= 0, R >= 0],
    )
    argument.inequality(
        "an event that P excludes",
        "If p = 0 the next joint probability c under P is 0",
        c <= bound * d,
        [sympy.Eq(p, 0), c >= 0, c <= p, d >= 0, B >= 0, R >= 0],
    )


@claim(
    "lemma.data-processing",
    where="library",
    statement="Let P and Q be laws on finitely many y and R >= 1. If P(y) <= R Q(y) for all y, "
    "then sum_y K(z|y) P(y) <= R sum_y K(z|y) Q(y) for every stochastic K and every z: "
    "processing never raises max-divergence.",
    kind="lemma",
)
def data_processing(check: Check) -> None:
    """Prove the data processing inequality for max-divergence, one output at a time."""
    with check.reading(PRINTED, ALL_SIZES) as argument:
        _data_processing(argument)
    check.near_miss(
        f"{PRINTED}: a smaller ratio", lambda argument: _data_processing(argument, slack=1)
    )
    check.near_miss(
        f"{PRINTED}: a signed kernel", lambda argument: _data_processing(argument, signed=True)
    )


def _data_processing(argument: Argument, slack: int = 0, signed: bool = False) -> None:
    k, p, q, R, A, B = sympy.symbols("k p q R A B")
    kernel = [k <= 1] if signed else [k >= 0, k <= 1]
    argument.cite(
        "mediant",
        "A sum with weights w = K(z|y) >= 0 keeps the bound of its terms",
        "lemma.mediant",
    )
    argument.induction(
        "one more output",
        "A and B are the sums of K(z|y) P(y) and K(z|y) Q(y) over the first outputs; k = K(z|y), p "
        "= P(y), q = Q(y) belong to the next",
        base=(k * p <= (R - slack) * k * q, [p <= R * q, *kernel, p >= 0, q >= 0, R >= 1]),
        step=(
            A + k * p <= (R - slack) * (B + k * q),
            [A <= R * B, p <= R * q, *kernel, p >= 0, q >= 0, R >= 1],
        ),
    )
