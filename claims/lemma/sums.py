"""Library lemmas for sums and products of any length, proved once by induction and cited by the
claims.

Base and step of every induction are statements about a handful of real numbers, decided by Z3 and
cvc5; the sentence of each step says what its letters stand for. A sum is carried as its value so
far: `A` for the first n terms, `A + w a` for n + 1. Ratios are compared as products, so that 0/0 is
no violation and a/0 with a > 0 is one. No logarithms occur. Sources: hardy1934 (chapters 2 and 3),
dwork2014 (proposition 2.1).
"""

from pufferproof.claims.lemma import said, statements
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "r": "a real number, or one for each pair of indices",
    "t": "the weight of the first of two points",
    "m, k, c, z": "real numbers, one for each index; in K(z|y) what a variable becomes",
    "P, Q": "laws, of one variable y or of several",
    "K(z|y)": "a kernel: K(z|y) >= 0 with sum_z K(z|y) = 1",
    "K": "how many variables there are, or a kernel",
    "N": "the sum of the integer weights k",
    "n": "how many terms there are",
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

    A factor enters a sum: terms is the sum of the first n terms and multiples that of m times these
    terms: multiples = m terms. Adding a term keeps it. A sum of sums splits: A, B and both are the
    sums of the first n values a, b and a + b: both = A + B. Adding one more keeps it. The order of
    a double sum: by_rows and by_columns are the double sum over the first n rows taken in these
    orders. The next row adds m sum_y r_y k_y = m row to the one; it adds sum_y k_y (m r_y) to the
    other, because sums of sums split, and that is m sum_y r_y k_y, because a factor enters a sum.
    """


@claim(
    "lemma.mediant",
    where="library",
    kind="lemma",
    says={"at most": said.AT_MOST, "at least": said.AT_LEAST},
)
def mediant(check: Check) -> None:
    """Add one term after another: a quotient of sums is at most the largest quotient of terms,
    and at least the least.
    """


@claim(
    "lemma.bernoulli",
    where="library",
    statement="For every n = 0, 1, 2, ..: r^n >= 1 + n (r - 1) for real r >= 0; and a product of n "
    "real factors, each at least 1 - d with 0 <= d <= 1, is at least 0 and at least 1 - n d.",
    kind="lemma",
    says=statements.BERNOULLI,
)
def bernoulli(check: Check) -> None:
    """Prove Bernoulli's inequality, for powers and for products of numbers near 1.

    Powers: power = r^n satisfies power >= 1 + n (r - 1); for n = 0 it is 1. Products: product is
    that of n factors, each at least 1 - d, and satisfies product >= 0 and product >= 1 - n d.
    """


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
    """Prove the weighted inequality of means by adding one factor at a time.

    Bernoulli: r^(n+1) >= 1 + (n + 1)(r - 1) for r >= 0 [lemma.bernoulli]. The mean of n + 1
    numbers: Write each x_i k_i times, so that N numbers are multiplied, and add them one by one.
    With mean > 0 that of n of them, x the next and r = (n + x/mean)/(n + 1), the new mean is mean
    r. Adding a factor: product is that of n positive numbers, mean_power the n-th power of their
    mean: product <= mean_power. The next number is x = mean ((n + 1) r - n), and power = r^(n+1) >=
    1 + (n + 1)(r - 1); then product x <= (mean r)^(n+1) = mean mean_power power. A number that is
    zero: If some x_i is 0 the product is 0, and a power of a mean is not negative.
    """


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
    """Prove Hoelder's inequality for any number of sequences from weighted AM-GM, term by term.

    Weighted AM-GM: If all A_j = sum_i a_ij are positive, let C > 0 be the real number with C^N =
    prod_j A_j^k_j. Then (c_i/C)^N = prod_j (a_ij/A_j)^k_j <= T_i^N, where T_i = sum_j (k_j/N)
    a_ij/A_j [lemma.am-gm]. Powers keep the order: If u > v >= 0 then u^N > v^N: u_n = u^n and v_n =
    v^n satisfy u_n > v_n >= 0. Hence (c_i/C)^N <= T_i^N gives c_i <= C T_i. Adding a term: S = sum
    of c_i and X = sum of T_i over the first n terms satisfy S <= C X. Order of summation: sum_i T_i
    = sum_j (k_j/N) (sum_i a_ij)/A_j, exchanging the sums [lemma.finite-sums]. The weights add up:
    shares, the sum over the first sequences of (k_j/N) A_j/A_j, equals weights, the sum of the
    k_j/N: with all of them 1. Conclusion: Over all terms X = 1, so sum_i c_i <= C, and N-th powers
    keep the order. A sequence of zeros: If A_j = 0 then all a_ij = 0, every c_i = 0 and both sides
    are 0.
    """


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
    """Prove that bounds on ratios of conditional probabilities multiply.

    One more variable: p and q are the joint probabilities of the first variables, bound the product
    of their bounds: p <= bound q and bound >= 0. The next conditionals are next_p and next_q, the
    next joint probabilities p next_p and q next_q. An event that Q excludes: If q = 0 then p <=
    bound q gives p = 0, and the next joint probabilities, at most p and q, are 0: the bound holds.
    An event that P excludes: If p = 0 the next joint probability under P is 0.
    """


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
    """Prove the data processing inequality for max-divergence, one output at a time.

    Mediant: A sum with weights w = K(z|y) >= 0 keeps the bound of its terms [lemma.mediant]. One
    more output: A and B are the sums of K(z|y) P(y) and K(z|y) Q(y) over the first outputs; kernel
    = K(z|y), p = P(y), q = Q(y) belong to the next.
    """
