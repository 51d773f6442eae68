"""Designs of local redaction on a binary chain: what is optimal, and what it leaks. Results of our
own, proved here.

A stationary chain of bits with P = [[1-a, a], [b, 1-b]], lam = 1-a-b, one private record p; record
t is replaced by * with probability r_t(x). Influences i0(D), i1(D), regions, 3R mechanisms and
data-independent mechanisms (DIMs) are those of massny2025, whose open questions these claims
answer. R or E stands for e^eps throughout.
"""

NOTATION = {
    "X": "the records X_1, .., X_n, a stationary chain of bits with the transition matrix P where "
    "a claim names no other law",
    "n": "the number of records",
    "t": "the index of a record",
    "p": "the index of the private record, 1 <= p <= n; whether X_p is 0 or 1 is the pair of "
    "secrets",
    "l": "the index of a record left of p, l < p; as a distance, that of p from the nearest "
    "released record on its left",
    "r": "a local redaction mechanism: X_t = x is replaced by * with probability r_t(x) and "
    "released else, each record by itself; r_t = (r_t(0), r_t(1)); r' <= r says so of each "
    "r_t(x). As an index, a record right of p, as a distance that of p from the nearest "
    "released record on its right",
    "x": "a value of a record, or of all of them",
    "v": "a value of a record",
    "Y": "the output: Y_t is X_t or *; the leakage is about X_p",
    "y": "an output, or a value of a record",
    "a": "P(X_(t+1) = 1 | X_t = 0), in (0, 1)",
    "b": "P(X_(t+1) = 0 | X_t = 1), in (0, 1)",
    "P": "probability; alone the transition matrix [[1-a, a], [b, 1-b]]",
    "lam": "the second eigenvalue of P, 1 - a - b, between -1 and 1",
    "pi": "the stationary law of P: pi_0 = pi0 = b/(a+b), pi_1 = pi1 = a/(a+b)",
    "pi0": "P(X_t = 0) = b/(a+b)",
    "pi1": "P(X_t = 1) = a/(a+b)",
    "D": "a distance |t - p| >= 1 of a record from p",
    "i0": "i0(D) is the pointwise influence of X_t = 0 at distance D = |t - p|, from P^D, so that "
    "it exists for every D >= 1: e^(i0(D)) is the larger one of P(X_t=0|X_p=0) / "
    "P(X_t=0|X_p=1) and its inverse; i0(0) is infinite",
    "i1": "i1(D) is the pointwise influence of X_t = 1 at distance D, as i0(D) is of X_t = 0; for "
    "a <= b it is at least i0(D), so that it is the max-influence",
    "i": "i_v(D), or i of a value v, is its pointwise influence: e^i is the largest P(X_t=v|X_p=x) "
    "/ P(X_t=v|X_p=x') over possible values x, x' of X_p, 1 if v is impossible",
    "Inf": "Inf(X_p ~> X_S) is the max-influence on the records S: e^Inf is the largest "
    "P(X_S=y|X_p=x) / P(X_S=y|X_p=x') over all y and possible x, x'",
    "eps": "a level in nats: eps-private mechanisms have leakage at most eps; eps_l and eps_r are "
    "budgets of the sides of p",
    "R": "e^eps",
    "E": "e^eps; of a budget, e to this budget",
    "D0": "the least distance D with i0(D) <= eps",
    "D1": "the least distance D with i1(D) <= eps, for a <= b at least D0",
    "D*": "D*(eps) is the least distance D with i1(D) <= eps, for a <= b",
    "Lk": "the leakage about X_p: e^Lk is the largest ratio of P(Y=y|X_p=0) and P(Y=y|X_p=1), "
    "either way round, over all outputs y; Lk_l and Lk_r are those of the outputs on one side "
    "of p alone",
    "DIM": "a data-independent mechanism: r_t(0) = r_t(1) for every t; the best ones release some "
    "records always, others never",
    "3R": "a 3R mechanism, for a <= b: budgets eps_l, eps_r >= 0 of the sides with eps_l + eps_r "
    "<= eps; on a side with budget e the records of the region L, i0 > e, are always redacted, "
    "those of S, i1 <= e, always released, and those of M, i0 <= e < i1, have r_t = (q_t, 1), "
    "0 < q_t <= 1, such that the side alone leaks at most e",
    "L": "the region of the records of a side with i0 above its budget",
    "M": "the region of the records of a side with i0 at most its budget and i1 above it; |M| is "
    "how many there are",
    "S": "the region of the records of a side with i1 at most its budget",
    "q": "q_t = r_t(0), or r_t(1), the probability that the value is redacted which a record of "
    "the middle part can show; rows (q, 1) and (1, q) of r say which value it is",
    "k": "an integer",
    "K": "a number, as large as one likes",
    "c": "a distance from which on all records are released; n if there is none",
    "nu": "the utility, the expected fraction of the n records that are released",
    "A": "the set of private records, and X_A their values",
    "O": "O(1/n) is at most a constant times 1/n, which depends on a, b and eps alone",
}
