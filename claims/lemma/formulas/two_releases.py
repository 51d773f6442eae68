"""Ratios of two releases of one Laplace mechanism on two correlated records, Section III of
song2017: c is e^epsilon, p and q are P(X_2 = 1 | X_1 = 1) and P(X_2 = 1 | X_1 = 0).
"""

from pufferproof.claims.lemma.formulas import lemma

lemma(
    "lemma.III4-side",
    "song2017.III4-quadratic",
    "(c*(1 - q) + q)*(c*q + 1 - q) = c + (1/4 - (q - 1/2)**2)*(c - 1)**2",
    "Complete the square: the product falls as q leaves 1/2; c is the ratio of one release, or "
    "its square for two.",
)

lemma(
    "lemma.III4-two-releases",
    "song2017.III4-witness",
    "(1 - r)*(o_1*r*s_1*(1 - p) + o_2*p*r*s_2)/(r*(o_0*s_0*(1 - q)*(1 - r) + o_1*q*s_1*(1 - r))) "
    "= (o_1*s_1*(1 - p) + o_2*p*s_2)/(o_0*s_0*(1 - q) + o_1*q*s_1)",
    "Cancel the law r of the first record from the ratio of two releases, whose densities are "
    "products s o.",
)

lemma(
    "lemma.III4-ratio-of-ratios",
    "song2017.x-III4-corners",
    "(o_1*s_1*(1 - p) + o_2*p*s_2)/(o_0*s_0*(1 - q) + o_1*q*s_1) = (1 - p + "
    "o_2*p*s_2/(o_1*s_1))/(q + o_0*s_0*(1 - q)/(o_1*s_1))",
    "Divide by the middle density of each output: the ratio depends on two quotients an output.",
)

lemma(
    "lemma.III4-left",
    "song2017.III4-cases",
    "(t*(1 - p)/c + p*t/c**2)/(t*(1 - q) + q*t/c) = (c*(1 - p) + p)/(c**2*(1 - q) + c*q)",
    "Give the ratio for w <= 0, where the densities are t/c^2, t/c and t.",
)

lemma(
    "lemma.III4-middle-left",
    "song2017.III4-cases",
    "(t*(1 - p)/c + p*t/c**2)/((1 - q)/t + q*t/c) = (c*(1 - p) + p)/(c**2*(1 - q)/t**2 + c*q)",
    "Give the ratio for 0 <= w <= 1, where the densities are t/c^2, t/c and 1/t.",
)

lemma(
    "lemma.III4-middle-right",
    "song2017.III4-cases",
    "(c*(1 - p)/t + p*t/c**2)/(c*q/t + (1 - q)/t) = (c*(1 - p) + p*t**2/c**2)/(c*q - q + 1)",
    "Give the ratio for 1 <= w <= 2, where the densities are t/c^2, c/t and 1/t.",
)

lemma(
    "lemma.III4-right",
    "song2017.III4-cases",
    "(c**2*p/t + c*(1 - p)/t)/(c*q/t + (1 - q)/t) = c*(c*p + 1 - p)/(c*q + 1 - q)",
    "Give the ratio for w >= 2, where the densities are c^2/t, c/t and 1/t.",
)

lemma(
    "lemma.III4-value-1",
    "song2017.III4-numbers",
    "((99*exp(x)/100 + 1/100)**2/(exp(x)/10 + 9/10)**2 - 13283/2500)**2 < 1/400000000",
    "Enclose the first value of S, squared, at epsilon = 1: it is 5.3132 to four decimals.",
    given="x = 1",
)

lemma(
    "lemma.III4-value-2",
    "song2017.III4-numbers",
    "((9*exp(x)/10 + 1/10)**2/(exp(x)/100 + 99/100)**2 - 3917/625)**2 < 1/400000000",
    "Enclose the second value of S, squared, at epsilon = 1: it is 6.2672 to four decimals.",
    given="x = 1",
)

lemma(
    "lemma.III4-value-3",
    "song2017.III4-numbers",
    "((99*exp(2*x)/100 + 1/100)/(exp(2*x)/10 + 9/10) - 8939/2000)**2 < 1/400000000",
    "Enclose the first value of D, at epsilon = 1: it is 4.4695 to four decimals.",
    given="x = 1",
)

lemma(
    "lemma.III4-value-4",
    "song2017.III4-numbers",
    "((9*exp(2*x)/10 + 1/10)/(exp(2*x)/100 + 99/100) - 7931/1250)**2 < 1/400000000",
    "Enclose the second value of D, at epsilon = 1: it is 6.3448 to four decimals.",
    given="x = 1",
)

lemma(
    "lemma.III4-level-one",
    "song2017.III4-numbers",
    "(99*exp(x)/100 + 1/100)/(exp(x)/10 + 9/10) < (9*exp(x)/10 + 1/10)/(exp(x)/100 + 99/100)",
    "Compare the two values of S: the second is the level of one release, also for levels up to 2.",
    given="1 <= x <= 2",
)

lemma(
    "lemma.III4-level-two",
    "song2017.III4-numbers",
    "(9*exp(2*x)/10 + 1/10)/(exp(2*x)/100 + 99/100) > (9*exp(x)/10 + 1/10)**2/(exp(x)/100 + "
    "99/100)**2",
    "Compare two releases with one: the level of two exceeds twice that of one, also for levels "
    "from 1/10.",
    given="1/10 <= x <= 1",
)

lemma(
    "lemma.II3-start",
    "song2017.lem-II3-repaired",
    "x*(1/x - 1)**2 + 1 - x = 1/x - 1",
    "Give the squared norm of 1_x/pi(x) - 1 under the stationary law, x for pi(x).",
)
