"""What records of a chain tell of one of them: which quotients of probabilities influences are, and
where they are largest. `quilts` first. Results of our own.
"""

NOTATION = {
    "X_i": "the i-th record of a Markov chain with the transition matrix P",
    "m_i": "the law of X_i: m_i(v) = P(X_i = v)",
    "v, w": "values of X_i",
    "a, b": "distances of a record to the left of X_i, and of one to its right",
    "x, y": "values of X_(i-a) and of X_(i+b)",
    "z": "a value of X_1, or of any record",
    "T": "the number of records",
    "d": "a distance of two records",
    "c": "any number above 0, in c/0",
    "Q, C": "Q is a power of P, C a set of values",
    "R": "the largest quotient of two entries of a column of P^d",
    "S, A(S), B(S)": "S is a set of values; A(S) bounds the mass of a row on it from above, B(S) "
    "that of another row from below",
    "e(a, b)": "the influence of {X_(i-a), X_(i+b)}: the largest log-ratio of P(X_(i-a) = x, "
    "X_(i+b) = y | X_i = v) for two values v; a missing record shows nothing",
}
