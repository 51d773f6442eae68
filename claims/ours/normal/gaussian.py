"""Gaussian noise on linear queries of normal records: one number tells all that they tell of X_i,
and its ratio rises.
"""

from sympy import Eq, Equivalent

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.normal import statements as says
from pufferproof.claims.registry import Check, claim

p, q, r1, r2 = letters("p q r1 r2", "c_1, c_2 and the output less its mean at X_i = 0")
A, B, C = letters("A B C", "the entries of K^-1")
x = letter("x", "a value of X_i")
D = letter("D", "the distance", above(0))
place = letter("place", "e/D + D/2")
z, e = letters("z e", "an output of the one number, in its standard deviations, and epsilon")
alpha = letter("alpha", "the order", above(1))
high, low = letters("high low", "outputs, low <= high")
right, left = letters("right left", "a value of s and one of t")
a, b, g, h = letters(
    "a b g h", "the sums so far of p(high | x) over s and t, and of p(low | x)", at_least(0)
)
x0, d = letters("x0 d", "a number between the windows, and how far a value of s is beyond")
y = letter("y", "a value of t")
share = letter("share", "P(X_i >= x0 + d | s)", at_least(0))
gains = letter("gains", "exp((2 (z - x0) d - d^2)/(2 sigma^2))", at_least(0))
seen_s, seen_t = letters("seen_s seen_t", "p(z | s) and p(z | t)", at_least(0))
high_x, low_x = letters("high_x low_x", "p(z | x0 + d) and p(z | x0)", at_least(0))
most, far = letters("most far", "any number, and (most + d^2)/(2 d)")
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
    """Prove it by completing squares."""
    proved(
        check,
        JOINT,
        "two numbers, all K; more are alike",
        _joint,
        distances_that_add_up=Edit("one number tells all", put={B: 0}),
    )
    proved(
        check,
        DELTA,
        "all distances, levels and orders",
        _delta,
        an_order_less=Edit("the divergence", put={alpha: alpha - 1}),
    )


def _joint(proof: Proof) -> None:
    square = A * (r1 - p * x) ** 2 + 2 * B * (r1 - p * x) * (r2 - q * x) + C * (r2 - q * x) ** 2
    told = p * (A * r1 + B * r2) + q * (B * r1 + C * r2)
    proof.identity(
        "one number tells all",
        "the exponent is -1/2 times this square: x meets outputs in c'K^-1 w alone, and its square "
        "has the factor c'K^-1 c",
        square,
        (A * r1**2 + 2 * B * r1 * r2 + C * r2**2)
        - 2 * x * told
        + x**2 * (A * p**2 + 2 * B * p * q + C * q**2),
    )


def _delta(proof: Proof) -> None:
    proof.identity(
        "the log-ratio",
        "of laws with means D and 0 rises with z",
        z**2 / 2 - (z - D) ** 2 / 2,
        D * (z - D / 2),
    )
    proof.inequality(
        "one threshold",
        "it exceeds every e, beyond e/D + D/2 alone: delta is P(z > e/D + D/2) of the first law, "
        "Phi(D/2 - e/D), less exp(e) times that of the second, Phi(-D/2 - e/D)",
        Equivalent(D * (z - D / 2) > e, z > place),
        [Eq(place * D, e + D**2 / 2)],
    )
    proof.identity(
        "the divergence",
        "the exponent of p^alpha q^(1 - alpha) is -1/2 times this: a normal law with the mean "
        "alpha D, times exp(alpha (alpha - 1) D^2 / 2); the logarithm is divided by alpha - 1",
        alpha * (z - D) ** 2 + (1 - alpha) * z**2,
        (z - alpha * D) ** 2 - alpha * (alpha - 1) * D**2,
    )


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
    """Prove it for two values, and for means of them."""
    proved(
        check,
        "as stated",
        "all laws of X_i, all variances",
        _rises,
        windows_that_overlap=Edit("two values", without=left <= right),
        a_pair_that_falls=Edit("one more pair", without=g <= h),
    )


def _rises(proof: Proof) -> None:
    proof.inequality(
        "two values",
        "the squares in the exponents: p(high | right) p(low | left) is at least p(low | right) "
        "p(high | left)",
        (high - right) ** 2 + (low - left) ** 2 <= (low - right) ** 2 + (high - left) ** 2,
        [low <= high, left <= right],
    )
    proof.inequality(
        "one more pair",
        "p(high | s) p(low | t) less p(low | s) p(high | t) is the mean of these differences over "
        "pairs of a value of s and one of t: sums so far are a <= b, and g <= h is the next pair",
        a + g <= b + h,
        [a <= b, g <= h],
    )
    proof.assume("means", "a mean keeps an inequality that holds everywhere", "Lebesgue 1902")


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
    """Prove it by the squares in the exponents."""
    proved(
        check,
        "as stated",
        "all laws of X_i with windows that end, all variances",
        _unbounded,
        an_output_within_the_window=Edit("values beyond", without=x <= z),
        a_window_that_reaches_further=Edit("values of t", without=y <= x0),
        windows_that_touch=Edit("no bound", without=d > 0),
    )


def _unbounded(proof: Proof) -> None:
    proof.inequality(
        "values beyond",
        "a value x of s of at least x0 + d is nearer to z than x0 + d is, or as near",
        (z - x) ** 2 <= (z - x0 - d) ** 2,
        [x0 + d <= x, x <= z],
    )
    proof.inequality(
        "values of t",
        "are no nearer than x0; z is at least x0, unless nothing of s is above x0",
        (z - x0) ** 2 <= (z - y) ** 2,
        [y <= x0, x0 <= z],
    )
    proof.assume("means", "a mean keeps an inequality that holds everywhere", "Lebesgue 1902")
    proof.inequality(
        "both windows",
        "of s the share is as likely as x0 + d, or likelier; t is at most as likely as x0",
        share * gains * seen_t <= seen_s,
        [share * high_x <= seen_s, seen_t <= low_x, Eq(high_x, gains * low_x)],
    )
    proof.inequality(
        "no bound",
        "the exponent exceeds any number once z - x0 exceeds (most + d^2)/(2 d)",
        2 * (z - x0) * d - d**2 > most,
        [d > 0, z - x0 > far, Eq(far * 2 * d, most + d**2)],
    )
