"""How much a record of a Markov chain tells of one t steps away, from singular values: blocks of
two rows and two columns of P^t/pi - 1 are small as matrices, not only entry by entry.

K(x, y) = P^t(x, y)/pi(y) and D = sigma^t/pi_min < 1, sigma^2 the second largest eigenvalue of P P*.
A block of K - 1 is ((a, b), (c, d)) for rows x, x' and columns y, y', of norm at most D. In place
of lemmas 4.7 of wang2016 and II.3 of song2017, which bound entries by D.
"""

from sympy import Eq

from pufferproof.claims.general.statements import quilts
from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.registry import Check, claim

D = letter("D", "sigma^t/pi_min", at_least(0), below(1))
after = letter("after", "|P*^t f|^2")
shrunk = letter("shrunk", "s^t", at_least(0))
value = letter("value", "f(x) h(y) times the entry of K - 1, summed over the block")
norm_f, norm_h = letters("norm_f norm_h", "|f|^2 and |h|^2 in the plane of the block", at_least(0))
over_f, over_h = letters(
    "over_f over_h", "sums of f^2/pi and of h^2/pi over the block", at_least(0)
)
pimin = letter("pimin", "pi_min", above(0), between(0, 1))
root = letter("root", "sqrt(2 - D^2)", at_least(0))
top, low = letters("top low", "K(x, y) and K(x', y)", at_least(0))
a, b, c, d = letters("a b c d", "the entries of a block of K - 1")
turn, flip = letters(
    "turn flip", "half the sum and half the difference of singular values", at_least(0)
)
cos_t, sin_t = letters("cos_t sin_t", "cosine and sine of the angle of the turn", between(-1, 1))
cos_f, sin_f = letters("cos_f sin_f", "cosine and sine of the angle of the flip", between(-1, 1))
raised = letter("raised", "(1 - D)^2 (1 + turn cos_t)^2")
flipped = letter("flipped", "(1 - D)^2 flip^2 cos_f^2")
far = letter("far", "(1 + flip sin_f)^2")
turned = letter("turned", "turn^2 sin_t^2")
near = letter("near", "(1 - flip)^2")
next_a, next_b = letters("next_a next_b", "P(X_i = v)/pi(v) and P(X_i = w)/pi(w), or sums of them")
average = letter("average", "the weight of the next value of the earlier record", at_least(0))

SIMPLE = "1 is a simple eigenvalue of P P*"
SCOPE = "all irreducible chains, reversible or not, with D < 1"
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
    """Prove it by the norm of blocks, and that both bounds are at most the published ones."""
    smaller = Edit("forward", put={top * (1 - D**2): top * (1 - D**2) + low * D})
    proved(
        check,
        "forward",
        SCOPE,
        _forward,
        entries_by_themselves=Edit("a column of a block", without=a**2 + c**2 <= D**2),
        a_smaller_bound=smaller,
    )
    proved(
        check,
        "backward",
        SCOPE,
        _backward,
        exponent_1=Edit("turn against flip", put={(1 - D) ** 2: 1 - D}),
    )
    proved(
        check,
        "no more than the published bounds",
        "all 0 <= D < 1",
        _smaller,
        less_than_half=Edit("forward bounds", put={1 + D: 1}),
    )


def _norms(proof: Proof) -> None:
    proof.theorem(
        "t steps",
        "f has mean 0: |P*^t f|^2 <= s^t |f|^2, as 1 is a simple eigenvalue of P P* and s bounds "
        "the others",
        "textbook.Eigenvalues.contraction",
    )
    proof.cite(
        "Cauchy-Schwarz",
        "The sum of f(x) h(y) (K(x, y) - 1) over the block is <P*^t F, H> with F = f/pi without "
        "its mean and H = h/pi: its square is at most |P*^t F|^2 |H|^2",
        "lemma.hoelder",
    )
    proof.inequality(
        "blocks",
        "|H|^2 = over_h = sum h^2/pi <= |h|^2/pi_min, |F|^2 <= over_f, which a mean only lowers: "
        "value^2 <= D^2 |f|^2 |h|^2, D^2 = s^t/pi_min^2: the block has norm at most D",
        value**2 <= D**2 * norm_f * norm_h,
        [
            value**2 <= after * over_h,
            after <= shrunk * over_f,
            over_f * pimin <= norm_f,
            over_h * pimin <= norm_h,
            Eq(D**2 * pimin**2, shrunk),
            after >= 0,
        ],
    )


def _forward(proof: Proof) -> None:
    _norms(proof)
    proof.inequality(
        "a column of a block",
        "(a, c) has length at most D: for top = 1 + a and low = 1 + c the point (top, low) is "
        "within D of (1, 1), so (1 - D^2) (top^2 + low^2) <= 2 top low. A row is the same; with "
        "the law pi it is the backward ratio",
        (1 - D**2) * (top**2 + low**2) <= 2 * top * low,
        [Eq(top, 1 + a), Eq(low, 1 + c), a**2 + c**2 <= D**2],
    )
    proof.inequality(
        "forward",
        "the larger root: top (1 - D^2) <= low (1 + D sqrt(2 - D^2)), as (1 - (1 - D^2)^2) = D^2 "
        "(2 - D^2)",
        top * (1 - D**2) <= low * (1 + D * root),
        [(1 - D**2) * (top**2 + low**2) <= 2 * top * low, Eq(root**2, 2 - D**2)],
    )


def _backward(proof: Proof) -> None:
    _norms(proof)
    _singular(proof)
    proof.inequality(
        "turn against flip",
        "AD = (1 + turn cos_t)^2 - flip^2 cos_f^2 and BC = (1 + flip sin_f)^2 - turn^2 sin_t^2, "
        "for A = 1 + a and so on: with BC at least (1 - flip)^2 - turn^2 (1 - cos_t^2)",
        (1 - D) ** 2 * (1 + turn * cos_t) ** 2 + turn**2 * (1 - cos_t**2) <= (1 - flip) ** 2,
        [turn + flip <= D],
    )
    proof.inequality(
        "the least of B C",
        "sin_f is at least -1, and flip at most D < 1",
        (1 + flip * sin_f) ** 2 >= (1 - flip) ** 2,
        [turn + flip <= D],
    )
    for name, product, value in (
        ("A D without its square", raised, (1 - D) ** 2 * (1 + turn * cos_t) ** 2),
        ("that square", flipped, flip**2 * cos_f**2 * (1 - D) ** 2),
        ("B C without its square", far, (1 + flip * sin_f) ** 2),
        ("the square of B C", turned, turn**2 * sin_t**2),
        ("the least of B C without it", near, (1 - flip) ** 2),
    ):
        proof.definition(name, product.meaning, Eq(product, value))
    proof.inequality(
        "cross ratio",
        "(1 + a)(1 + d)(1 - D)^2 <= (1 + b)(1 + c), that is raised - flipped <= far - turned: the "
        "step before, where 1 - cos_t^2 = sin_t^2, says raised + turned <= near",
        raised - flipped <= far - turned,
        [raised + turned <= near, far >= near, flipped >= 0],
    )
    _bayes(proof)


def _singular(proof: Proof) -> None:
    proof.identity(
        "singular values",
        "a = turn cos_t + flip cos_f, d = turn cos_t - flip cos_f, b = flip sin_f - turn sin_t "
        "and c = flip sin_f + turn sin_t, as every block is: the squares of entries sum to 2 "
        "turn^2 + 2 flip^2 and the determinant is turn^2 - flip^2, where squares of cosine and "
        "sine sum to 1, so the singular values are turn + flip and |turn - flip|",
        "(turn + flip)**2 + (turn - flip)**2",
        "2*turn**2 + 2*flip**2",
    )
    proof.identity(
        "their product",
        "is the determinant, up to its sign",
        "(turn + flip)*(turn - flip)",
        "turn**2 - flip**2",
    )
    proof.inequality(
        "the least of BC",
        "flip <= D < 1 and sin_f >= -1",
        (1 + flip * sin_f) ** 2 >= (1 - flip) ** 2,
        [flip <= D, sin_f >= -1],
    )


def _bayes(proof: Proof) -> None:
    proof.summed(
        "any law of the first record",
        "By Bayes the backward ratio at x is K(x, v) P(X_i = w)/pi(w) against K(x, w) P(X_i = "
        "v)/pi(v), and P(X_i = v)/pi(v) averages K(x', v) over x': each term is a cross ratio",
        so_far=top * next_b * (1 - D) ** 2 <= low * next_a,
        adding={next_b: average * (1 + d), next_a: average * (1 + b)},
        given=[top * (1 + d) * (1 - D) ** 2 <= low * (1 + b)],
    )


def _smaller(proof: Proof) -> None:
    proof.inequality(
        "forward bounds",
        "(1 + D sqrt(2 - D^2))/(1 - D^2) <= (1 + D)/(1 - D) = (1 + D)^2/(1 - D^2)",
        1 + D * root <= (1 + D) ** 2,
        [Eq(root**2, 2 - D**2)],
    )
    proof.inequality(
        "backward bounds",
        "1/(1 - D)^2 <= ((1 + D)/(1 - D))^2",
        (1 - D) ** 2 <= (1 + D) ** 2 * (1 - D) ** 2,
    )
