"""Noise that decays exponentially on increasing queries of chains of two values: the outputs that
leak most, and the chain of a class that does.

Q is the sum of f_j(X_j), t the decay of the noise. t^|w - n| is t^w times t^-n times a part h(n)
that does not increase with n. W(x) is the mean of t^-(what later records count), given X_k = x,
r(x) that mean with the part h of all records as a further factor, divided by W(x).
"""

from sympy import Abs, Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.classes import statements as says
from pufferproof.claims.registry import Check, claim

p0, p1 = letters("p0 p1", "P(1, 0) and P(1, 1)", at_least(0))
q0, q1 = letters("q0 q1", "P(0, 0) and P(0, 1)", at_least(0))
W0, W1 = letters("W0 W1", "t^-f(y) W(y) of the next record, for y = 0 and 1", above(0))
r0, r1 = letters("r0 r1", "r(0) and r(1) of the next record, after larger counts", at_least(0))
s0, s1 = letters("s0 s1", "r(0) and r(1) of the next record, after smaller counts", at_least(0))
w = letter("w", "an output")
n, m = letters("n m", "two values of the query, and the smaller one first")
one, zero = letters("one zero", "r given X_i = 1 and X_i = 0", at_least(0))
up1, up0 = letters("up1 up0", "the means of t^-Q given X_i = 1 and X_i = 0", above(0))
a, b = letters("a b", "P(0, 1) and P(1, 0) of a chain", at_least(0))
a0, b0 = letters("a0 b0", "the least a and b of the class", above(0))
z, Z = letters("z Z", "lam u of a chain, and of the corner", at_least(1))
u, U = letters("u U", "u of a chain and of the corner")
lam = letter("lam", "t^-(f(1) - f(0)) of the next record", at_least(1))
pi0, pi1 = letters("pi0 pi1", "the stationary law", above(0))
back = letter("back", "P(X_j = 0 | X_(j+1) = 1)")
past, future = letters("past future", "u of both sides, of a chain", at_least(1))
PAST, FUTURE = letters("PAST FUTURE", "u of both sides, of the corner", at_least(1))

NOTATION = {
    "Q": "the query: the sum of f_j(X_j) over the records",
    "f_j": "what record j counts, by its value",
    "P": "the transition matrix of a step",
    "a, b": "P(0, 1) and P(1, 0)",
    "t": "the decay of the noise, e^(-1/scale) for Laplace noise",
    "w": "an output",
    "X_i": "record i",
    "i": "the record of the secret",
    "a_-, b_-": "the least a and b of the class",
}
CHAINS = "all chains of two values, any start, steps that change, all decays in (0, 1)"


@claim(
    "classes.extremes",
    where="Classes of priors",
    statement="Let the records be a Markov chain of two values, from any start and with steps that "
    "may change, P(1, 1) >= P(0, 1) in every step, and Q the sum of f_j(X_j) with f_j(0) <= "
    "f_j(1). Noise that decays exponentially (Laplace; geometric), t its decay, is added to Q. "
    "If X_i can be 0 and 1, then over all outputs w the largest P(w | X_i = 1)/P(w | X_i = 0) "
    "is E[t^-Q | X_i = 1]/E[t^-Q | X_i = 0], that of every output above all values of Q, and the "
    "largest P(w | X_i = 0)/P(w | X_i = 1) is E[t^Q | X_i = 0]/E[t^Q | X_i = 1], that of every "
    "output below them.",
    kind="theorem",
    says=says.EXTREMES,
)
def extremes(check: Check) -> None:
    """Prove it: tilted by t^-Q, the records given 1 are larger than given 0, step by step."""
    proved(
        check,
        "as stated",
        CHAINS,
        _extremes,
        bits_that_flip=Edit("one more record", without=p1 * q0 >= p0 * q1),
        a_part_that_counts_down=Edit("later counts are larger", without=r0 <= s0),
        a_query_that_falls=Edit("what is left of the noise", without=n <= m),
    )


def _extremes(proof: Proof) -> None:
    proof.inequality(
        "what is left of the noise",
        "t^|w - n| = t^w t^-n t^(|w - n| - (w - n)): the exponent of the last part does not fall "
        "as n grows, so that this part, h(n), does not rise",
        Abs(w - n) - (w - n) <= Abs(w - m) - (w - m),
        [n <= m],
    )
    proof.inequality(
        "later counts are larger",
        "r(x) is an average of r(y) with the weights P(x, y) t^-f(y) W(y). If h is taken at larger "
        "counts, the values of r are smaller, and so is their average",
        p1 * W1 * r1 + p0 * W0 * r0 <= p1 * W1 * s1 + p0 * W0 * s0,
        [r1 <= s1, r0 <= s0],
    )
    proof.inequality(
        "one more record",
        "r(1) <= r(0) of the next record carries over to this one: the averages, without "
        "denominators. The weights of x = 1 have more of y = 1",
        (p1 * W1 * s1 + p0 * W0 * s0) * (q1 * W1 + q0 * W0)
        <= (q1 * W1 * s1 + q0 * W0 * s0) * (p1 * W1 + p0 * W0),
        [p1 * q0 >= p0 * q1, s1 <= s0],
    )
    _both_sides(proof)


def _both_sides(proof: Proof) -> None:
    proof.inequality(
        "the past",
        "From X_i backwards the records are a chain with steps of their own: P(X_j = x, X_(j+1) = "
        "y) = m P(x, y) with m = P(X_j = x) and l = P(X_j = 1 - x). Its rows are ordered as those "
        "of P are, so that averages over the past are smaller given X_i = 1, too",
        (u * p1) * (U * q0) >= (U * q1) * (u * p0),
        [p1 * q0 >= p0 * q1, u >= 0, U >= 0],
    )
    proof.inequality(
        "the ratio",
        "given X_i the two sides are independent: P(w | X_i = x) is t^w E[t^-Q | X_i = x] times "
        "the average r of h over both sides, and r is no larger given 1",
        one * up1 * up0 <= zero * up0 * up1,
        [one <= zero],
    )
    proof.inequality(
        "above all values",
        "h is 1 at all of them, so that this ratio is reached; below all values, and for the "
        "other order of the values, exchange 0 and 1 and change the sign of Q and w",
        Eq(Abs(w - n) - (w - n), 0),
        [n <= w],
    )


@claim(
    "classes.corner",
    where="Classes of priors",
    statement="Let a class have the stationary chains of two values with a_- <= a = P(0, 1), b_- "
    "<= b = P(1, 0) and a + b <= 1, where a_- > 0 and b_- > 0, and Q the sum of f_j(X_j) with "
    "f_j(0) <= f_j(1), released with noise that decays exponentially. No chain of the class leaks "
    "more about X_i than that of a = a_- and b = b_-.",
    kind="theorem",
    says=says.CORNER,
)
def corner(check: Check) -> None:
    """Prove it by the recursion of the odds at both ends of the query."""
    proved(
        check,
        "as stated",
        "all boxes with a + b <= 1, all lengths and records",
        _corner,
        any_sign=Edit("odds rise with those before", without=a + b <= 1),
        a_corner_of_larger_a=Edit("a smaller a", without=a0 <= a),
        a_corner_of_larger_b=Edit("a smaller b", without=b0 <= b),
    )


IN_BOX = [a <= 1, b <= 1, a0 <= a, b0 <= b, a + b <= 1]


def _corner(proof: Proof) -> None:
    proof.cite(
        "two outputs",
        "P(1, 1) >= P(0, 1) is a + b <= 1. So the largest ratio is that of E[t^-Q | X_i], and in "
        "the other order that of E[t^Q | X_i], which is the first with 0 and 1, a and b exchanged",
        "classes.extremes",
    )
    proof.inequality(
        "the odds",
        "u = W(1)/W(0) of a record is (b + (1 - b) z)/(1 - a + a z), z = lam u of the next one: at "
        "least 1 if that is, and 1 at the last record",
        b + (1 - b) * z >= (1 - a) + a * z,
        [a + b <= 1],
    )
    proof.inequality(
        "odds rise with those before",
        "for one chain, without denominators",
        (b + (1 - b) * z) * ((1 - a) + a * Z) <= (b + (1 - b) * Z) * ((1 - a) + a * z),
        [z <= Z, a + b <= 1],
    )
    proof.inequality(
        "a smaller a",
        "has a smaller denominator, as Z >= 1",
        (1 - a0) + a0 * Z <= (1 - a) + a * Z,
        [a0 <= a],
    )
    proof.inequality(
        "a smaller b",
        "has a larger numerator",
        b + (1 - b) * Z <= b0 + (1 - b0) * Z,
        [b0 <= b],
    )
    _stationary_sides(proof)


def _stationary_sides(proof: Proof) -> None:
    proof.inequality(
        "the past",
        "back is P(X_j = 0 | X_(j+1) = 1): a stationary chain of two values is its own reverse, "
        "and the past is the same recursion",
        Eq(back, b),
        [Eq(back * pi1, pi0 * a), Eq(pi1, pi0 * a + pi1 * (1 - b))],
    )
    proof.inequality(
        "both sides",
        "given X_i they are independent, and X_i itself counts the same for all chains",
        lam * past * future <= lam * PAST * FUTURE,
        [past <= PAST, future <= FUTURE],
    )
