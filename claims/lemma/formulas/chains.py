"""Chains, queries and regions of bai2026, wang2016 and streaming_cw, and influence of chains of
two values.
"""

from pufferproof.claims.lemma.formulas import lemma

lemma(
    "lemma.chain-even-split",
    "bai2026.chain-steps",
    "(1 - w)*(c*u + 1)*(1 - k*u)*(c*k*w + 1) - (1 - u)*(c*w + 1)*(1 - k*w)*(c*k*u + 1) = (c + "
    "1)*(1 - k)*(u - w)*(c*k*u*w + 1)",
    "Factor the difference of two splits of a block, k = lam, u and w powers of lam: an even "
    "split leaks least.",
)

lemma(
    "lemma.chain-midpoints",
    "bai2026.chain-steps",
    "(c*u + 1)*(1 - k*u)**2*(c*k**2*u + 1) - (1 - u)*(1 - k**2*u)*(c*k*u + 1)**2 = u*(c + 1)*(1 - "
    "k)**2*(c*k**2*u**2 + 1)",
    "Factor the difference of the ratio of a side at three distances: its logarithm is convex.",
)

lemma(
    "lemma.chain-rarer-value",
    "bai2026.chain-steps",
    "z*(1 - z + u*z) <= (1 - z)*(z + u*(1 - z))",
    "Compare the ratios of both values at an even distance: the rarer value is the worst.",
    given="2*z <= 1, u >= 0",
)

lemma(
    "lemma.chain-rarer-value-odd",
    "bai2026.chain-steps",
    "(1 - z)*(z - v*(1 - z)) <= z*(1 - z - v*z)",
    "Compare the ratios of both values at an odd distance: the rarer value is the worst.",
    given="2*z <= 1, v >= 0",
)

lemma(
    "lemma.priors-needed",
    "bai2026.priors-needed",
    "p*(h*(1 - q) + 1) + (1 - p)*(1 - h*q) = h*(p - q) + 1",
    "Average a column that is high at one database, under a prior with p there.",
)

lemma(
    "lemma.smallest-scale",
    "bai2026.laplace-repaired",
    "least <= scale",
    "Compare the scales of two budgets for one sensitivity: the larger budget has the smaller "
    "scale.",
    given="best*least = constant, eps_dp*scale = constant, eps_dp <= best, scale > 0, best > 0",
)

lemma(
    "lemma.two-states-in-p",
    "influence.two-states",
    "(L/r - (d*L/c)*(1 - c - r)/r)*(1 - L) - (1 + L*(1 - c - r)/r)*(d*L/c) = L/(r*c)*(c*(1 - L) - "
    "d*(1 - c))",
    "Give the derivative of the influence by p for c >= 0, times the square of its denominator, L "
    "= c^d.",
)

lemma(
    "lemma.two-states-in-r",
    "influence.two-states",
    "((1 + m - r)/r*(d*L/m) - L*(1 + m - r)/r**2)*(1 - L) + (1 + L*(1 + m - r)/r)*(d*L/m) = "
    "L/r**2*(r*(1 + m)*d/m - (1 + m - r)*(1 - L))",
    "Give the derivative of the influence by r for c <= 0 and even distances, times the square of "
    "its denominator.",
)

lemma(
    "lemma.two-states-odd",
    "influence.two-states",
    "(d*M/m)*(1 - M*(1 + m - p)/p) + (1 + M)*((d*M/m)*(1 + m - p)/p - M*(1 + m - p)/p**2) = "
    "M/p**2*(p*(1 + m)*d/m - (1 + m - p)*(1 + M))",
    "Give the derivative of the influence by p for c <= 0 and odd distances, times the square of "
    "its denominator.",
)

lemma(
    "lemma.rows-forget",
    "influence.contrast",
    "v*t + 1 <= (w*t + 1)*(t*(v - w) + 1)",
    "Bound the quotient of two affine functions of the spread t by one of the difference of "
    "masses.",
    given="w >= 0, w <= v",
)

lemma(
    "lemma.few-to-many",
    "influence.two-states",
    "few*(1 - upper)*(lower*still + many) <= many*(1 - lower)*(few + still*upper)",
    "Compare influences as r grows from few to many, multiplied by the denominators.",
    given="0 <= few, few <= many, 0 <= lower, lower <= upper, upper <= 1, still >= 0",
)

lemma(
    "lemma.laplace-square",
    "wang2016.x-laplace-deviation",
    "2*s + 2*z - (2*s**2 + 2*s*z + z**2)/s = -z**2/s",
    "Differentiate the antiderivative of z^2 e^(-z/s), e^(-z/s) left out.",
)
