"""Optimal redactions of a chain of two values, and worst cases of composition."""

from pufferproof.claims.lemma.formulas import lemma

lemma(
    "lemma.messages",
    "redaction.messages",
    "(a*j*v + k*u*(1 - a))*(b*f*k + g*j*(1 - b)) - (a*g*j + f*k*(1 - a))*(b*k*u + j*v*(1 - b)) = "
    "j*k*(g*u - f*v)*(1 - a - b)",
    "Multiply a determinant: the sign of 1 - a - b decides whether a step keeps the order of "
    "messages.",
)

lemma(
    "lemma.one-constraint",
    "redaction.one-constraint",
    "(A*q*(1 - a) + C*b)*(B*a*q + G*(1 - b)) - (A*a*q + C*(1 - b))*(B*q*(1 - a) + G*b) = q*(A*G - "
    "B*C)*(1 - a - b)",
    "Multiply the determinant of the likelihoods at the next record.",
)

lemma(
    "lemma.one-constraint-start",
    "redaction.one-constraint",
    "(b + a*v)/(a + b)*((a + b*v)/(a + b)) - b*(1 - v)/(a + b)*(a*(1 - v)/(a + b)) = v",
    "Give the determinant of P^D at the first record: v = lam^D.",
)

lemma(
    "lemma.central-pairing",
    "redaction.central-pairing",
    "m*(R*x + y) + (1 - m)*(R*y + x) = x*(R*m - m + 1) + y*(R*(1 - m) + m)",
    "Count the mass of an output by what its two parts bring.",
)

lemma(
    "lemma.dim-pairs",
    "redaction.dim-pairs",
    "c*m*t**2 + 1 >= c*m*t + t",
    "Compare two pairs of distances of odd sum.",
    given="0 <= t, t <= 1, c*m <= 1",
)

lemma(
    "lemma.infinite-chain-root",
    "worst.infinite-chain",
    "S*(b*t**2 + t*(1 - b - R*a) - R*(1 - a)) - t*(S**2*b + S*(1 - b - R*a) - R*(1 - a)) = (t - "
    "S)*(R*(1 - a) + S*b*t)",
    "Compare the quadratic of an endless chain at t and at its root S: there is one positive root.",
)

lemma(
    "lemma.infinite-chain-order",
    "worst.infinite-chain",
    "(S*a - a + 1)*(b*t - b + 1) - (S*b - b + 1)*(a*t - a + 1) = (S - t)*(a - b)",
    "Compare the images of two ends.",
)

lemma(
    "lemma.symmetric-chains",
    "worst.symmetric-chains",
    "(g*t + 1)*(t*(a + r) + 1) <= (a*t + 1)*(t*(g + r) + 1)",
    "Add other values to a set: the ratio of its masses falls.",
    given="g <= a, r >= 0",
)

lemma(
    "lemma.endless-root-bound",
    "worst.infinite-chain",
    "R**2*b - R*(1 - a) + R*(1 - b - R*a) <= 0",
    "Give the sign of the quadratic at R: its root is at least R.",
    given="b <= a, R >= 1",
)
