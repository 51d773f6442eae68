"""Library lemmas for sums and products of any length, proved once by induction and cited by the
claims.

Base and step of every induction are statements about a handful of real numbers, decided by Z3 and
cvc5; the sentence of each step says what its letters stand for. A sum is carried as its value so
far: `A` for the first n terms, `A + w a` for n + 1. Ratios are compared as products, so that 0/0 is
no violation and a/0 with a > 0 is one. No logarithms occur. Sources: hardy1934 (chapters 2 and 3),
dwork2014 (proposition 2.1).
"""

from sympy import Eq, Rational

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.lemma import statements
from pufferproof.claims.registry import Check, claim

m = letter("m", "m_x, a factor of a sum")
term, terms, multiples = letters(
    "term terms multiples", "the next term, and the sums of terms and of m times terms"
)
a, b = letters("a b", "a_i and b_i")
A, B = letters("A B", "sums of terms with a_i or P(y) and of terms with b_i or Q(y), so far")
both = letter("both", "the sum of the a_i + b_i so far")
row = letter("row", "sum_y r_xy k_y of the next row")
by_rows, by_columns = letters(
    "by_rows by_columns", "the double sum over the first rows, taken in either order"
)
w = letter("w", "w_i", at_least(0))
constant = letter("constant", "c, a bound of a_i by b_i, of any sign")
W = letter("W", "the sum of the weights w")
M, F = letters("M F", "the sums of w x and of w f(x) over the first points")
x, y = letters("x y", "points, or the next of several numbers")
t = letter("t", "the weight of the first of two points")
at_mean, at_x, at_new = letters(
    "at_mean at_x at_new",
    "f at the mean of the first points, at the next point and at the new mean",
)
n = letter("n", "how many terms there are")
r = letter("r", "a real number, or one for each pair of indices", at_least(0))
power = letter("power", "a power of r")
d = letter("d", "how far a factor may be below 1", between(0, 1))
product = letter("product", "the product of the first factors")
factor = letter("factor", "the next factor")
mean, mean_power = letters("mean mean_power", "the mean of the first n numbers, and its n-th power")
u = letter("u", "a number greater than v")
v = letter("v", "a number", at_least(0))
u_n, v_n = letters("u_n v_n", "u^n and v^n")
C = letter("C", "the number with C^N = prod_j A_j^k_j, A_j = sum_i a_ij", above(0))
c_i, T_i = letters("c_i T_i", "c_i, and sum_j (k_j/N) a_ij/A_j")
S, X = letters("S X", "the sums of the c_i and of the T_i so far")
A_j = letter("A_j", "A_j = sum_i a_ij", above(0))
weight, weights = letters("weight weights", "k_j/N, and the sum of these so far")
share, shares = letters("share shares", "(k_j/N) A_j/A_j, and the sum of these so far")
left, right = letters("left right", "the two sides of an inequality")
p, q = letters("p q", "P and Q of the first variables, or of one value", at_least(0))
next_p, next_q = letters(
    "next_p next_q", "the next conditional, or joint, probabilities", at_least(0)
)
bound = letter("bound", "the product of the bounds R_k so far")
R = letter("R", "a bound of ratios")
kernel = letter("kernel", "K(z|y)", between(0, 1))

STATED = "as stated"
NOTATION = {
    "r": "a real number, or one for each pair of indices",
    "t": "the weight of the first of two points",
    "m, k, c, z": "real numbers, one for each index; in K(z|y) what a variable becomes",
    "P, Q": "laws, of one variable y or of several",
    "K(z|y)": "a kernel: K(z|y) >= 0 with sum_z K(z|y) = 1",
    "K": "how many variables there are, or a kernel",
    "N": "the sum of the integer weights k",
}


@claim(
    "lemma.finite-sums",
    where="library",
    statement="Finite sums are linear, and a double sum may be taken in either order: "
    "sum_x m_x sum_y r_xy k_y = sum_y k_y sum_x m_x r_xy.",
    kind="lemma",
    says=statements.FINITE_SUMS,
)
def finite_sums(check: Check) -> None:
    """Prove that a factor may enter a sum, that sums of sums split, and by both that a double
    sum may be exchanged.
    """
    twice = Edit("the order of a double sum: step", put={by_columns: by_columns + m * row})
    proved(check, STATED, ALL_SIZES, _finite_sums, a_term_counted_in_one_order_only=twice)


def _finite_sums(proof: Proof) -> None:
    proof.induction(
        "a factor enters a sum",
        "terms is the sum of the first n terms and multiples that of m times these terms: "
        "multiples = m terms. Adding a term keeps it",
        base=(Eq(multiples, m * terms), [Eq(terms, term), Eq(multiples, m * term)]),
        step=(Eq(multiples + m * term, m * (terms + term)), [Eq(multiples, m * terms)]),
    )
    proof.induction(
        "a sum of sums splits",
        "A, B and both are the sums of the first n values a, b and a + b: both = A + B. Adding one "
        "more keeps it",
        base=(Eq(both, A + B), [Eq(A, a), Eq(B, b), Eq(both, a + b)]),
        step=(Eq(both + a + b, (A + a) + (B + b)), [Eq(both, A + B)]),
    )
    proof.induction(
        "the order of a double sum",
        "by_rows and by_columns are the double sum over the first n rows taken in these orders. "
        "The next row adds m sum_y r_y k_y = m row to the one; it adds sum_y k_y (m r_y) to the "
        "other, because sums of sums split, and that is m sum_y r_y k_y, because a factor enters a "
        "sum",
        base=(Eq(by_rows, by_columns), [Eq(by_rows, m * row), Eq(by_columns, m * row)]),
        step=(Eq(by_rows + m * row, by_columns + m * row), [Eq(by_rows, by_columns)]),
    )


@claim(
    "lemma.mediant",
    where="library",
    statement="For real a_i, b_i, w_i, i = 1..n, and c of any sign: if a_i <= c b_i and w_i >= 0 "
    "for all i then sum_i w_i a_i <= c sum_i w_i b_i; the same with >= in the first and the "
    "last place.",
    kind="lemma",
    says=statements.MEDIANT,
)
def mediant(check: Check) -> None:
    """Prove the weighted mediant inequality: a quotient of sums is at most the largest quotient
    of terms.
    """
    bounds = ("upper bound", "lower bound")
    proved(
        check,
        STATED,
        ALL_SIZES,
        _mediant,
        a_smaller_constant=[Edit(step, put={constant: constant - 1}) for step in bounds],
        weights_of_any_sign=[Edit(step, without=w >= 0) for step in bounds],
    )


def _mediant(proof: Proof) -> None:
    sentence = (
        "A = sum of w a and B = sum of w b over the first n terms satisfy the inequality, and "
        "adding one term that satisfies it keeps it"
    )
    adding = {A: w * a, B: w * b}
    proof.summed(
        "upper bound", sentence, so_far=A <= constant * B, adding=adding, given=[a <= constant * b]
    )
    proof.summed(
        "lower bound", sentence, so_far=A >= constant * B, adding=adding, given=[a >= constant * b]
    )


@claim(
    "lemma.jensen",
    where="library",
    statement="If a function f on an interval lies below its chords, f(t x + (1-t) y) <= t f(x) + "
    "(1-t) f(y) for all x, y in it and 0 <= t <= 1, then f(sum_i w_i x_i / W) <= sum_i w_i "
    "f(x_i) / W for all points x_i of the interval and w_i > 0, i = 1..n, W = sum_i w_i. "
    "Squaring, and 1/x on x > 0, lie below their chords.",
    kind="lemma",
    says=statements.JENSEN,
)
def jensen(check: Check) -> None:
    """Prove Jensen's inequality for finite positive weights from the chord inequality alone."""
    below = W * at_mean <= F
    strict = [
        Edit("adding a point: base", put={below: W * at_mean < F}),
        Edit(
            "adding a point: step",
            put={at_new * (W + w) <= F + w * at_x: at_new * (W + w) < F + w * at_x},
        ),
    ]
    chord = at_new * (W + w) <= W * at_mean + w * at_x
    proved(
        check,
        STATED,
        ALL_SIZES,
        _jensen,
        strict_inequality=strict,
        no_chord_inequality=Edit("adding a point: step", without=chord),
    )


def _jensen(proof: Proof) -> None:
    _means_on_chords(proof)
    proof.inequality(
        "squares lie below their chords",
        "For f(x) = x^2",
        (t * x + (1 - t) * y) ** 2 <= t * x**2 + (1 - t) * y**2,
        [t >= 0, t <= 1],
    )
    proof.inequality(
        "reciprocals lie below their chords",
        "For f(x) = 1/x with x, y > 0, multiplied by x y (t x + (1 - t) y) > 0",
        x * y <= (t * y + (1 - t) * x) * (t * x + (1 - t) * y),
        [t >= 0, t <= 1, x > 0, y > 0],
    )


def _means_on_chords(proof: Proof) -> None:
    proof.identity(
        "the mean of n + 1 points lies on a chord",
        "With W and M the sums of w and w x over n points, the new mean is the point of the chord "
        "from the old mean M/W to x at t = W/(W + w)",
        (M + w * x) / (W + w),
        W / (W + w) * (M / W) + (1 - W / (W + w)) * x,
    )
    proof.inequality(
        "t is a weight",
        "W/(W + w) lies between 0 and 1",
        (t > 0) & (t < 1),
        [t * (W + w) - W >= 0, t * (W + w) - W <= 0, W > 0, w > 0],
    )
    proof.induction(
        "adding a point",
        "F is the sum of w f(x) over n points, at_mean = f(M/W), at_x = f(x), at_new = f at the "
        "new mean. The statement is W at_mean <= F; the chord inequality at t gives at_new (W + w) "
        "<= W at_mean + w at_x, hence the statement for n + 1",
        base=(W * at_mean <= F, [Eq(W, w), Eq(F, w * at_x), Eq(at_mean, at_x), w > 0]),
        step=(
            at_new * (W + w) <= F + w * at_x,
            [W > 0, w > 0, W * at_mean <= F, at_new * (W + w) <= W * at_mean + w * at_x],
        ),
    )


@claim(
    "lemma.bernoulli",
    where="library",
    statement="For every n = 0, 1, 2, ..: r^n >= 1 + n (r - 1) for real r >= 0; and a product of n "
    "real factors, each at least 1 - d with 0 <= d <= 1, is at least 0 and at least 1 - n d.",
    kind="lemma",
    says=statements.BERNOULLI,
)
def bernoulli(check: Check) -> None:
    """Prove Bernoulli's inequality, for powers and for products of numbers near 1."""
    steeper = [
        Edit("powers: base", put={n * (r - 1): (n + 1) * (r - 1)}),
        Edit(
            "powers: step",
            put={(n + 1) * (r - 1): (n + 2) * (r - 1)},
            without=power >= 1 + n * (r - 1),
            given=power >= 1 + (n + 1) * (r - 1),
        ),
    ]
    lower = 1 - (n + Rational(1, 2)) * d
    half = Edit("products: step", instead=(product * factor >= 0) & (product * factor >= lower))
    proved(
        check,
        STATED,
        ALL_SIZES,
        _bernoulli,
        **{"slope n + 1": steeper},
        **{"half of d for the last factor": half},
    )


def _bernoulli(proof: Proof) -> None:
    proof.induction(
        "powers",
        "power = r^n satisfies power >= 1 + n (r - 1); for n = 0 it is 1",
        base=(power >= 1 + n * (r - 1), [Eq(power, 1), Eq(n, 0)]),
        step=(power * r >= 1 + (n + 1) * (r - 1), [power >= 1 + n * (r - 1), n >= 0]),
    )
    proof.induction(
        "products",
        "product is that of n factors, each at least 1 - d, and satisfies product >= 0 and product "
        ">= 1 - n d",
        base=((product >= 0) & (product >= 1 - n * d), [Eq(product, 1), Eq(n, 0)]),
        step=(
            (product * factor >= 0) & (product * factor >= 1 - (n + 1) * d),
            [product >= 0, product >= 1 - n * d, factor >= 1 - d, n >= 0],
        ),
    )


@claim(
    "lemma.am-gm",
    where="library",
    statement="For real x_i >= 0 and positive integers k_i, i = 1..m, with sum N: prod_i x_i^k_i "
    "<= (sum_i k_i x_i / N)^N, the weighted inequality of means with the rational weights k_i "
    "/ N; each list of positive rationals with sum 1 has this form.",
    kind="lemma",
    says=statements.AM_GM,
)
def am_gm(check: Check) -> None:
    """Prove the weighted inequality of means by adding one factor at a time."""
    lowered = Rational(9, 10)
    tenth = [
        Edit("adding a factor: base", put={mean: lowered * mean}),
        Edit(
            "adding a factor: step",
            put={mean * mean_power * power: lowered * mean * mean_power * power},
        ),
    ]
    proved(check, STATED, ALL_SIZES, _am_gm, mean_lowered_by_a_tenth=tenth)


def _am_gm(proof: Proof) -> None:
    proof.cite("Bernoulli", "r^(n+1) >= 1 + (n + 1)(r - 1) for r >= 0", "lemma.bernoulli")
    proof.identity(
        "the mean of n + 1 numbers",
        "Write each x_i k_i times, so that N numbers are multiplied, and add them one by one. With "
        "mean > 0 that of n of them, x the next and r = (n + x/mean)/(n + 1), the new mean is mean "
        "r",
        (n * mean + x) / (n + 1),
        mean * ((n + x / mean) / (n + 1)),
    )
    proof.induction(
        "adding a factor",
        "product is that of n positive numbers, mean_power the n-th power of their mean: product "
        "<= mean_power. The next number is x = mean ((n + 1) r - n), and power = r^(n+1) >= 1 + (n "
        "+ 1)(r - 1); then product x <= (mean r)^(n+1) = mean mean_power power",
        base=(x <= mean, [Eq(mean, x), x > 0]),
        step=(
            product * x <= mean * mean_power * power,
            [
                mean > 0,
                product > 0,
                product <= mean_power,
                Eq(x, mean * ((n + 1) * r - n)),
                x > 0,
                r > 0,
                power >= 1 + (n + 1) * (r - 1),
                n >= 1,
            ],
        ),
    )
    proof.inequality(
        "a number that is zero",
        "If some x_i is 0 the product is 0, and a power of a mean is not negative",
        product <= mean_power,
        [Eq(product, 0), mean_power >= 0],
    )


@claim(
    "lemma.hoelder",
    where="library",
    statement="For real a_ij >= 0, i = 1..n, j = 1..m with m >= 1, positive integers k_j with sum "
    "N and c_i >= 0 with c_i^N = prod_j a_ij^k_j: (sum_i c_i)^N <= prod_j (sum_i a_ij)^k_j, "
    "which is Hoelder's inequality with the rational weights k_j / N.",
    kind="lemma",
    says=statements.HOELDER,
)
def hoelder(check: Check) -> None:
    """Prove Hoelder's inequality for any number of sequences from weighted AM-GM, term by term."""
    lighter = Edit("conclusion", put={C: Rational(9, 10) * C})
    proved(check, STATED, ALL_SIZES, _hoelder, **{"weights summing to 9/10": lighter})


def _hoelder(proof: Proof) -> None:
    proof.cite(
        "weighted AM-GM",
        "If all A_j = sum_i a_ij are positive, let C > 0 be the real number with C^N = prod_j "
        "A_j^k_j. Then (c_i/C)^N = prod_j (a_ij/A_j)^k_j <= T_i^N, where T_i = sum_j (k_j/N) "
        "a_ij/A_j",
        "lemma.am-gm",
    )
    _terms_and_weights(proof)
    proof.inequality(
        "conclusion",
        "Over all terms X = 1, so sum_i c_i <= C, and N-th powers keep the order",
        S <= C,
        [S <= C * X, Eq(X, 1)],
    )
    proof.inequality(
        "a sequence of zeros",
        "If A_j = 0 then all a_ij = 0, every c_i = 0 and both sides are 0",
        left <= right,
        [Eq(left, 0), right >= 0],
    )


def _terms_and_weights(proof: Proof) -> None:
    proof.induction(
        "powers keep the order",
        "If u > v >= 0 then u^N > v^N: u_n = u^n and v_n = v^n satisfy u_n > v_n >= 0. Hence "
        "(c_i/C)^N <= T_i^N gives c_i <= C T_i",
        base=((u_n > v_n) & (v_n >= 0), [Eq(u_n, u), Eq(v_n, v), u > v]),
        step=((u_n * u > v_n * v) & (v_n * v >= 0), [u_n > v_n, v_n >= 0, u > v]),
    )
    proof.induction(
        "adding a term",
        "S = sum of c_i and X = sum of T_i over the first n terms satisfy S <= C X",
        base=(S <= C * X, [Eq(S, c_i), Eq(X, T_i), c_i <= C * T_i]),
        step=(S + c_i <= C * (X + T_i), [S <= C * X, c_i <= C * T_i]),
    )
    proof.cite(
        "order of summation",
        "sum_i T_i = sum_j (k_j/N) (sum_i a_ij)/A_j, exchanging the sums",
        "lemma.finite-sums",
    )
    proof.induction(
        "the weights add up",
        "shares, the sum over the first sequences of (k_j/N) A_j/A_j, equals weights, the sum of "
        "the k_j/N: with all of them 1",
        base=(Eq(shares, weights), [Eq(shares * A_j, weight * A_j), Eq(weights, weight)]),
        step=(
            Eq(shares + share, weights + weight),
            [Eq(shares, weights), Eq(share * A_j, weight * A_j)],
        ),
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
    says=statements.CHAIN_RULE,
)
def chain_rule(check: Check) -> None:
    """Prove that bounds on ratios of conditional probabilities multiply."""
    missing = {bound * R * next_q: bound * next_q}
    left_out = [
        Edit("one more variable: base", put={bound * q: q}),
        Edit("one more variable: step", put={bound * R * q * next_q: bound * q * next_q}),
        Edit("an event that Q excludes", put=missing),
        Edit("an event that P excludes", put=missing),
    ]
    proved(check, STATED, ALL_SIZES, _chain_rule, the_last_factor_left_out=left_out)


def _chain_rule(proof: Proof) -> None:
    proof.induction(
        "one more variable",
        "p and q are the joint probabilities of the first variables, bound the product of their "
        "bounds: p <= bound q and bound >= 0. The next conditionals are next_p and next_q, the "
        "next joint probabilities p next_p and q next_q",
        base=((p <= bound * q) & (bound >= 0), [Eq(bound, R), p <= R * q, R >= 0]),
        step=(
            (p * next_p <= bound * R * q * next_q) & (bound * R >= 0),
            [p <= bound * q, bound >= 0, next_p <= R * next_q, p > 0, q > 0, R >= 0],
        ),
    )
    proof.inequality(
        "an event that Q excludes",
        "If q = 0 then p <= bound q gives p = 0, and the next joint probabilities, at most p and "
        "q, are 0: the bound holds",
        next_p <= bound * R * next_q,
        [p <= bound * q, Eq(q, 0), next_p <= p, next_q <= q, bound >= 0, R >= 0],
    )
    proof.inequality(
        "an event that P excludes",
        "If p = 0 the next joint probability under P is 0",
        next_p <= bound * R * next_q,
        [Eq(p, 0), next_p <= p, bound >= 0, R >= 0],
    )


@claim(
    "lemma.data-processing",
    where="library",
    statement="Let P and Q be laws on finitely many y and R >= 1. If P(y) <= R Q(y) for all y, "
    "then sum_y K(z|y) P(y) <= R sum_y K(z|y) Q(y) for every stochastic K and every z: "
    "processing never raises max-divergence.",
    kind="lemma",
    says=statements.DATA_PROCESSING,
)
def data_processing(check: Check) -> None:
    """Prove the data processing inequality for max-divergence, one output at a time."""
    step = "one more output"
    proved(
        check,
        STATED,
        ALL_SIZES,
        _data_processing,
        a_smaller_ratio=Edit(step, put={R: R - 1}),
        a_signed_kernel=Edit(step, without=kernel >= 0),
    )


def _data_processing(proof: Proof) -> None:
    proof.cite(
        "mediant",
        "A sum with weights w = K(z|y) >= 0 keeps the bound of its terms",
        "lemma.mediant",
    )
    proof.summed(
        "one more output",
        "A and B are the sums of K(z|y) P(y) and K(z|y) Q(y) over the first outputs; kernel = "
        "K(z|y), p = P(y), q = Q(y) belong to the next",
        so_far=A <= R * B,
        adding={A: kernel * p, B: kernel * q},
        given=[p <= R * q, R >= 1],
    )
