"""The letters of the proofs about privacy regions in the plane.

P and Q are the rows of databases x and x', R = e^epsilon, and S a set of outcomes with complement
S'. A set enters a proof through p = P(S), p_rest = P(S'), q and q_rest, and a sum over outcomes
through its partial sums, so that proofs hold for any number of outcomes. Source: "Composition
Theorem for streaming CW-privacy", Section 1.1.
"""

NOTATION = {
    "P": "the law of outputs on x, P = M(x); P(S) is the probability of the set S",
    "Q": "the law of outputs on x', Q = M(x')",
    "R(M,x,x')": "the region of two rows: the convex hull of the points (P(S), Q(S')) of all sets S",
    "R(M)": "the region of M: the union of R(M,x,x') over all neighbours x, x'",
    "f": "f(R) is the sum over all outcomes y of min(P(y), R Q(y))",
    "alpha": "a number alpha_y in [0, 1] for every outcome y; P . alpha is the sum of P(y) alpha_y",
    "beta": "a number beta_y in [0, 1] for every outcome y",
    "R_i": "R_i = e^epsilon_i is a slope of the recipe",
    "epsilon_i": "the logarithm of a slope of the recipe",
    "delta_i": "the shift of the slope R_i",
    "P_y": "P(y), the probability of the outcome y on x",
    "Q_y": "Q(y), the probability of the outcome y on x'",
    "a": "the first coordinate of a point of the plane, as P(S)",
    "b": "the second coordinate of a point of the plane, as Q(S')",
}
