"""How much a record of a Markov chain tells of one t steps away, from singular values: blocks of
two rows and two columns of P^t/pi - 1 are small as matrices, not only entry by entry.

K(x, y) = P^t(x, y)/pi(y) and D = sigma^t/pi_min < 1, sigma^2 the second largest eigenvalue of P P*.
A block of K - 1 is ((a, b), (c, d)) for rows x, x' and columns y, y', of norm at most D. In place
of lemmas 4.7 of wang2016 and II.3 of song2017, which bound entries by D.
"""

from pufferproof.claims.general.statements import quilts
from pufferproof.claims.registry import Check, claim

SIMPLE = "1 is a simple eigenvalue of P P*"
NOTATION = {
    "P": "the transition matrix of a chain, P* that of the reversed one under pi",
    "pi, pi_min": "the stationary law, and its least probability",
    "s": "sigma^2",
    "sigma": "the square root of the second largest eigenvalue of P P*",
    "t": "a distance of records",
    "D": "sigma^t/pi_min",
    "X_i": "the i-th record",
    "v, w": "values of X_i",
    "x": "a value of another record",
}


@claim(
    "general.spectral-influence",
    where="influence along chains",
    statement="Let a chain be irreducible, 1 a simple eigenvalue of P P*, D = sigma^t/pi_min < 1. "
    "For any law of X_1: P(X_(i+t) = x | X_i = v) <= B P(X_(i+t) = x | X_i = w) with B = (1 + D "
    "sqrt(2 - D^2))/(1 - D^2), and P(X_(i-t) = x | X_i = v) <= C P(X_(i-t) = x | X_i = w) with C "
    "= 1/(1 - D)^2, for all x and all possible v, w. If X_1 has the law pi, B serves both. B <= "
    "(1 + D)/(1 - D) and C <= ((1 + D)/(1 - D))^2, the published bounds.",
    kind="theorem",
    assumes=[SIMPLE],
    says={
        "forward": quilts.FORWARD,
        "backward": quilts.BACKWARD,
        "no more than the published bounds": quilts.PUBLISHED,
    },
)
def spectral_influence(check: Check) -> None:
    """Prove it by the norm of blocks, and that both bounds are at most the published ones.

    Forward. f of mean 0 has |P*^t f|^2 <= s^t |f|^2 [textbook.Eigenvalues.contraction]. The sum of
    f(x) h(y) (K(x, y) - 1) over a block of two rows and two columns is <P*^t F, H> with F = f/pi
    without its mean and H = h/pi: its square is at most |P*^t F|^2 |H|^2 [lemma.hoelder], and |F|^2
    <= |f|^2/pi_min, |H|^2 <= |h|^2/pi_min: the block has norm at most D. So for a column (a, c),
    top = 1 + a and low = 1 + c, the point (top, low) is within D of (1, 1): (1 - D^2)(top^2 +
    low^2) <= 2 top low, whose larger root is B. A row is the same; with the law pi it is the
    backward ratio.

    Backward. The block (a, b; c, d) has singular values turn + flip <= D and |turn - flip|: a =
    turn cos_t + flip cos_f, d = turn cos_t - flip cos_f, b = flip sin_f - turn sin_t, c = flip
    sin_f + turn sin_t. (1 + a)(1 + d) = (1 + turn cos_t)^2 - flip^2 cos_f^2 and (1 + b)(1 + c) = (1
    + flip sin_f)^2 - turn^2 sin_t^2, at least (1 - flip)^2 - turn^2 (1 - cos_t^2): (1 + a)(1 + d)(1
    - D)^2 <= (1 + b)(1 + c). By Bayes the backward ratio at x is K(x, v) P(X_i = w)/pi(w) against
    K(x, w) P(X_i = v)/pi(v), and P(X_i = v)/pi(v) averages K(x', v) over x': each term is such a
    cross ratio.

    No more than the published bounds. (1 + D sqrt(2 - D^2))/(1 - D^2) <= (1 + D)^2/(1 - D^2), and
    1/(1 - D)^2 <= ((1 + D)/(1 - D))^2.
    """
