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

    Forward. T steps: f has mean 0: |P*^t f|^2 <= s^t |f|^2, as 1 is a simple eigenvalue of P P* and
    s bounds the others [textbook.Eigenvalues.contraction]. Cauchy-Schwarz: The sum of f(x) h(y)
    (K(x, y) - 1) over the block is <P*^t F, H> with F = f/pi without its mean and H = h/pi: its
    square is at most |P*^t F|^2 |H|^2 [lemma.hoelder]. Blocks: |H|^2 = over_h = sum h^2/pi <=
    |h|^2/pi_min, |F|^2 <= over_f, which a mean only lowers: value^2 <= D^2 |f|^2 |h|^2, D^2 =
    s^t/pi_min^2: the block has norm at most D. A column of a block: (a, c) has length at most D:
    for top = 1 + a and low = 1 + c the point (top, low) is within D of (1, 1), so (1 - D^2) (top^2
    + low^2) <= 2 top low. A row is the same; with the law pi it is the backward ratio. Forward: the
    larger root: top (1 - D^2) <= low (1 + D sqrt(2 - D^2)), as (1 - (1 - D^2)^2) = D^2 (2 - D^2).

    Backward. From "T steps" to "Cauchy-Schwarz": as above. Blocks: |H|^2 = over_h = sum h^2/pi <=
    |h|^2/pi_min, |F|^2 <= over_f, which a mean only lowers: value^2 <= D^2 |f|^2 |h|^2, D^2 =
    s^t/pi_min^2: the block has norm at most D. Singular values: a = turn cos_t + flip cos_f, d =
    turn cos_t - flip cos_f, b = flip sin_f - turn sin_t and c = flip sin_f + turn sin_t, as every
    block is: the squares of entries sum to 2 turn^2 + 2 flip^2 and the determinant is turn^2 -
    flip^2, where squares of cosine and sine sum to 1, so the singular values are turn + flip and
    |turn - flip|. Their product: is the determinant, up to its sign. The least of BC: flip <= D < 1
    and sin_f >= -1. Turn against flip: AD = (1 + turn cos_t)^2 - flip^2 cos_f^2 and BC = (1 + flip
    sin_f)^2 - turn^2 sin_t^2, for A = 1 + a and so on: with BC at least (1 - flip)^2 - turn^2 (1 -
    cos_t^2). The least of B C: sin_f is at least -1, and flip at most D < 1. A D without its
    square: (1 - D)^2 (1 + turn cos_t)^2. That square: (1 - D)^2 flip^2 cos_f^2. B C without its
    square: (1 + flip sin_f)^2. The square of B C: turn^2 sin_t^2. The least of B C without it: (1 -
    flip)^2. Cross ratio: (1 + a)(1 + d)(1 - D)^2 <= (1 + b)(1 + c), that is raised - flipped <= far
    - turned: the step before, where 1 - cos_t^2 = sin_t^2, says raised + turned <= near. Any law of
    the first record: By Bayes the backward ratio at x is K(x, v) P(X_i = w)/pi(w) against K(x, w)
    P(X_i = v)/pi(v), and P(X_i = v)/pi(v) averages K(x', v) over x': each term is a cross ratio.

    No more than the published bounds. Forward bounds: (1 + D sqrt(2 - D^2))/(1 - D^2) <= (1 + D)/(1
    - D) = (1 + D)^2/(1 - D^2). Backward bounds: 1/(1 - D)^2 <= ((1 + D)/(1 - D))^2.
    """
    check.tried("forward")
    check.tried("backward")
    check.tried("no more than the published bounds")
