"""Gaussian noise on linear queries of normal records: one number tells all that they tell of X_i,
and its ratio rises.
"""

from pufferproof.claims.ours.normal import statements as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "a": "a vector of real numbers",
    "z": "an output",
    "x0": "a number that no value of the window t exceeds",
    "p": "the density of Z",
}

JOINT, DELTA = "what is joint", "delta and divergences"


@claim(
    "normal.gaussian-values",
    where="Normal records",
    statement="Let F = c X_i + R, (R, Z) normal and independent of X_i, K = Cov(R + Z) positive "
    "definite. All that w = F + Z says of X_i is said by c' K^-1 w, and X_i = u and X_i = v look "
    "as two normal laws of variance 1 whose means differ by D, D^2 = (u - v)^2 c' K^-1 c: no "
    "linear statistic a'w has a larger (u - v)^2 (a'c)^2 / a'Ka. Where D > 0, ratios are "
    "unbounded, delta at level e is Phi(D/2 - e/D) - exp(e) Phi(-D/2 - e/D), and the divergence of "
    "order alpha is alpha D^2 / 2.",
    kind="theorem",
    says={JOINT: says.JOINT, DELTA: says.SHIFTED},
)
def gaussian_values(check: Check) -> None:
    """Prove it by completing squares.

    What is joint. One number tells all: the exponent is -1/2 times this square: x meets outputs in
    c'K^-1 w alone, and its square has the factor c'K^-1 c.

    Delta and divergences. The log-ratio: of laws with means D and 0 rises with z. One threshold: it
    exceeds every e, beyond e/D + D/2 alone: delta is P(z > e/D + D/2) of the first law, Phi(D/2 -
    e/D), less exp(e) times that of the second, Phi(-D/2 - e/D). The divergence: the exponent of
    p^alpha q^(1 - alpha) is -1/2 times this: a normal law with the mean alpha D, times exp(alpha
    (alpha - 1) D^2 / 2); the logarithm is divided by alpha - 1.

    Engines prove its formulas [lemma.gaussian-number], [lemma.gaussian-divergence].
    """


@claim(
    "normal.gaussian-windows",
    where="Normal records",
    statement="Let the number Z given X_i = x be normal with mean x and one variance for all x, "
    "and no value of the window s be less than one of t. Then p(z | s)/p(z | t) does not fall as z "
    "rises: what is above exp(e) are all z beyond one threshold, and delta at level e is P(Z > z | "
    "s) - exp(e) P(Z > z | t) there.",
    kind="theorem",
    says=says.RISES,
)
def gaussian_windows(check: Check) -> None:
    """Prove it for two values, and for means of them.

    Two values: the squares in the exponents: p(high | right) p(low | left) is at least p(low |
    right) p(high | left). One more pair: p(high | s) p(low | t) less p(low | s) p(high | t) is the
    mean of these differences over pairs of a value of s and one of t: sums so far are a <= b, and g
    <= h is the next pair. Means: a mean keeps an inequality that holds everywhere.
    """


@claim(
    "normal.gaussian-unbounded",
    where="Normal records",
    statement="Let the number Z given X_i = x be normal with mean x and variance sigma^2 for all "
    "x, no value of the window t be above x0, and d > 0. For every z that is at least every value "
    "of the window s, p(z | s) is at least P(X_i >= x0 + d | s) exp((2 (z - x0) d - d^2)/(2 "
    "sigma^2)) times p(z | t). This grows without bound as z does: where X_i is above x0 with a "
    "positive probability given s, Gaussian noise keeps no level without a delta.",
    kind="theorem",
    says=says.UNBOUNDED,
)
def gaussian_unbounded(check: Check) -> None:
    """Prove it by the squares in the exponents.

    Values beyond: a value x of s of at least x0 + d is nearer to z than x0 + d is, or as near.
    Values of t: are no nearer than x0; z is at least x0, unless nothing of s is above x0. Means: a
    mean keeps an inequality that holds everywhere. Both windows: of s the share is as likely as x0
    + d, or likelier; t is at most as likely as x0. No bound: the exponent exceeds any number once z
    - x0 exceeds (most + d^2)/(2 d).
    """
