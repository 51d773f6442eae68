"""Letters that several modules of claims about optimal designs share; each module's `NOTATION`
is made of them and its own.
"""

SETTING = {
    "X": "the records X_1, .., X_n: if nothing else is said, a stationary chain of bits with the matrix P",
    "n": "the number of records, n >= 1",
    "p": "the index of the private record X_p",
    "P": "probability; alone the transition matrix [[1-a, a], [b, 1-b]]",
    "a": "the probability of 1 after 0, in (0, 1); 0 < a <= b < 1 unless other a, b are named",
    "b": "the probability of 0 after 1, in (0, 1)",
    "lam": "the eigenvalue 1 - a - b of P",
    "t": "the index of a record",
    "D": "a distance |p-t| >= 1 of a record t from p",
    "Y": "the output: a local mechanism shows one symbol for each record, drawn from that record "
    "alone; y is a value of Y",
    "local redaction mechanism": "shows X_t, or * instead of it with the probability r_t(X_t), for each t by itself",
    "r": "r_t = (r_t(0), r_t(1)), the probabilities that 0 and that 1 at t is replaced by *",
    "release": "show a record; a mechanism releases as many records as it shows in expectation, its utility",
    "Lk": "the leakage about X_p: e^Lk is the largest P(Y=y|X_p=x)/P(Y=y|X_p=1-x) over x and the outputs y that occur",
    "eps": "the level, in nats; eps-private means Lk <= eps",
    "sides": "the records left and those right of p; Lk_l and Lk_r are the leakages of what one "
    "side shows, 0 if it is empty",
    "i0": "i0(D) = |log(P(X_t=0|X_p=0)/P(X_t=0|X_p=1))| at distance D, left and right of p alike; i0(0) is infinite",
    "i1": "i1(D) = |log(P(X_t=1|X_p=0)/P(X_t=1|X_p=1))| at distance D, left and right of p alike; i1(0) is infinite",
    "DIM": "a data-independent mechanism: a local redaction mechanism with r_t(0) = r_t(1) for all t",
    "D*": "D*(eps) is the least k >= 1 with i1(k) <= eps, however long the chain is",
}
"""The chain, its mechanisms and influences."""

FAMILY = {
    "budget": "the level that one side may leak: eps_l on the left, eps_r on the right, both >= 0, "
    "eps_l + eps_r <= eps",
    "L": "the records of a side with i0(D) > budget, always redacted",
    "M": "the records of a side with i0(D) <= budget < i1(D)",
    "S": "the records of a side with i1(D) <= budget, always released",
    "q": "q_t in (0, 1], if nothing else is said, for t in M: the probability that X_t = 0 is "
    "replaced by *; X_t = 1 always is",
    "3R": "a mechanism with r_p = (1, 1) and r_t = (1, 1) in L, (q_t, 1) in M, (0, 0) in S, each "
    "side within its budget",
    "feasible": "of q: the side leaks at most its budget, by its exact leakage",
    "optimal": "of q: feasible with the least sum of all q_t, so that most records are released",
}
"""Mechanisms of three regions, with the regions of the budgets."""

NUMBERED = {
    "N": "the number |M| of medium records of the side, which are numbered 1, .., N away from p",
    "q": "q_k in (0, 1] is q_t for the medium record k: the probability that its value 0 is replaced by *; 1 always is",
    "delta": "delta_k is i0 of the medium record k+1 for k < N; delta_N is i1 of the first record "
    "of S, 0 if S is empty",
    "published program": "minimise q_1 + .. + q_N subject to delta_k - log q_1 - .. - log q_k <= "
    "budget for k = 1, .., N and 0 < q_k <= 1; also called relaxed, as it asks for more than "
    "the exact leakage",
}
"""The medium records of one side, and the published program for their q."""

LAST = {
    "last output": "of a side with M not empty: all of M redacted and, where S is not empty, X_t = "
    "1 shown at the first record t of S; where S is empty, nothing shown at all"
}
"""The one output of a side that decides."""
