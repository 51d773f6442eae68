"""Claims of "Between Close Enough to Reveal and Far Enough to Protect" (Massny, Bitar, Ye and
El Rouayheb, 2025).
"""

NOTATION = {
    "n": "the number of records, where [n] is 1, .., n, and between two sets, their intersection",
    "p": "the index of the private record X_p, 1 <= p <= n",
    "s, t": "the index of a record",
    "X": "the records X_1, .., X_n, a stationary Markov chain of bits; X_S are the records with "
    "indices in the set S",
    "P, Pr": "Pr is probability; P is the transition matrix [[1-a, a],[b, 1-b]] of the chain, P^D "
    "its power, for D steps",
    "a": "the probability of the step from 0 to 1; 0 < a <= b < 1 unless the statement says "
    "otherwise",
    "b": "the probability of the step from 1 to 0; 0 < a <= b < 1 unless the statement says "
    "otherwise",
    "lam": "lam = 1 - a - b, the second eigenvalue of P",
    "D": "a distance |t-p| >= 1 between records",
    "x": "a database of n bits; as a value of one record, a bit, of which 1 - x is the other; x_S "
    "are the bits in the set S",
    "Y": "the output, Y_t = X_t or *, where * says that X_t is redacted; Y_S are the outputs with "
    "indices in the set S",
    "y": "an output, y_t in {0, 1, *}",
    "supp": "the outputs of positive probability",
    "r": "r_t(x) is the probability that Y_t = * given X_t = x, and r_t = (r_t(0), r_t(1)); as a "
    "mark (r), see Y^(r)",
    "local mechanism": "one in which given X each Y_t depends on X_t alone, independently of the "
    "other outputs",
    "local redaction mechanism": "one in which given X each Y_t depends on X_t alone, "
    "independently of the other outputs",
    "Y^(l), Y^(r)": "the outputs Y_1, .., Y_p, and Y_p, .., Y_n",
    "l": "as a mark (l): the records up to p, as (r) for those from p on",
    "DIM": "a data-independent mechanism: a local redaction mechanism with r_t(0) = r_t(1) for all "
    "t",
    "DIMs": "data-independent mechanisms: local redaction mechanisms with r_t(0) = r_t(1) for all "
    "t",
    "pattern": "a data-independent mechanism with r_t(0) = r_t(1) in {0, 1}: the set of redacted "
    "records",
    "R_rel": "the released records: those t with Pr(Y_t=*) < 1",
    "R": "with the index rel: the records t with Pr(Y_t=*) < 1; in a quilt the remote records",
    "Lk": "leakage: Lk(X_p->Y) is the logarithm of the largest Pr(Y=y|X_p=x)/Pr(Y=y|X_p=1-x) over "
    "x and y in supp(Y), infinite for a positive number over 0; Lk(X_p->Y_S) that of the "
    "outputs in S alone",
    "epsilon, eps": "a level, or budget, in nats",
    "eps-private": "Lk(X_p->Y) <= eps",
    "Inf": "Inf(X_p~>X_S) is the largest i(X_p~>X_S=x_S) over x_S; 0 for the empty set, infinite "
    "if p is in S",
    "i": "pointwise influence: i(X_p~>X_S=x_S) is the logarithm of the largest "
    "Pr(X_S=x_S|X_p=x)/Pr(X_S=x_S|X_p=1-x) over x, for a set S of records, or one record t, "
    "where i(X_t=z) is short for i(X_p~>X_t=z); as an index, a record",
    "i0": "i0(D) is the pointwise influence of X_p on the value 0 of a record at distance D",
    "i1": "i1(D) is the pointwise influence of X_p on the value 1 of a record at distance D, its "
    "max-influence as a <= b; i1(0) is infinite",
    "i_c": "i_c(D) = |log((1 + c lam^D)/(1 - lam^D))|",
    "c": "b/a for the value 1 of X_t, a/b for the value 0",
    "nu": "utility, the expected share of records with Y_t = X_t; an index names the mechanism",
    "nu_DIM": "the utility of a data-independent mechanism",
    "nu_3R": "the utility of a 3R mechanism",
    "nu_MQ": "the utility of the Markov quilt mechanism",
    "D*": "D*(eps) is the least D >= 1 with i1(D) <= eps, in a chain without an end",
    "R1": "D*(eps) + p - 1",
    "R2": "the number of records that the second case of the theorem says are redacted",
    "MQ": "the Markov quilt mechanism, Algorithm 1 (massny2025.mq), for eps > 0 and 1 <= p <= n/2: "
    "it redacts records p-Dl, .., p+Dr and releases all others",
    "Dl": "the number of redacted records left of p up to the nearest released one, p-1 if none is "
    "released there",
    "Dr": "the number of redacted records right of p up to the nearest released one, n-p if none "
    "is released there",
    "De": "D*(eps)",
    "Dh": "D*(eps/2)",
    "L": "the records t with eps' < i(X_t=0), and p: always redacted in a 3R mechanism, where eps' "
    "is eps_l left of p, and eps_r right of it",
    "M": "the records t with i(X_t=0) <= eps' < i(X_t=1), where in a 3R mechanism eps' is eps_l "
    "left of p, and eps_r right; M^(l) and M^(r) are its parts",
    "S": "the records t with i(X_t=1) <= eps', where in a 3R mechanism eps' is eps_l left of p and "
    "eps_r right of it; as an index, any set of records",
    "M(eps')": "the region M at the level eps'",
    "3R": "a 3R mechanism, for budgets eps_l and eps_r with eps_l + eps_r <= eps, positive unless "
    "said otherwise, has r_t = (1,1) in L, (q_t,1) in M, (0,0) in S, where 0 < q_t <= 1 and "
    "Lk(X_p->Y^(l)) <= eps_l, Lk(X_p->Y^(r)) <= eps_r. A side with the budget 0 is redacted",
    "q": "q_t is the probability that the value 0 of a record t in M is redacted, 0 < q_t <= 1; "
    "the value 1 always is",
    "eps_l": "the budget of the left side",
    "eps_r": "the budget of the right side",
    "eps'": "the level of the regions",
    "t+": "the record after t, away from p: t+1 right of p, t-1 left of it",
    "M_t": "the records of M on the side of t, t itself included, that are not farther from p than "
    "t",
    "delta": "delta_t, for t in M, is 0 if t+ is outside [1,n], i(X_p~>X_{t+}=0) if t+ is in M, "
    "i(X_p~>X_{t+}=1) if t+ is in S",
    "G": "G(x) is the sum, over all subsets A of M_t, of prod_{i in A} q_i times Pr(X_i=0 for i in "
    "A, X_i=1 for the other i in M_t | X_p=x, X_{t+}=z), without the condition on X_{t+} where "
    "t is the last record of its side",
    "(5)": "log[Pr(X_{t+}=z|X_p=x)/Pr(X_{t+}=z|X_p=1-x)] + log[G(x)/G(1-x)] <= eps_r, for t in M "
    "with t+ in [1,n]",
    "(6)": "log[G(x)/G(1-x)] <= eps_r, for t in M with t+ outside [1,n]",
    "LHS": "the left side of an inequality",
    "z": "a value of X_{t+} that Y_{t+} shows with positive probability",
    "prod_A q": "the product of q_i over a set A of records",
    "Q": "a set of records; Q^(l) and Q^(r) are its parts in [1,p] and [p,n]",
    "N": "the nearby records of a quilt, p among them; the window that MQ redacts",
    "Markov quilt": "a set Q of records where [n] splits into Q, N and R, p is in N, and X_R is "
    "independent of X_N given X_Q",
    "A": "a set of records",
    "tl": "a record with tl <= p",
    "tr": "a record with tr >= p",
}
