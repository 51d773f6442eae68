"""What noise on a query leaks: where the largest ratio is, what bounds it, how releases add up.
Results of our own.

F is a query with finitely many values, M = F + Z with Z independent of the database, its
coordinates independent. Given a secret s, F = v has probability p_v; given s', q_v. N(w) and D(w)
are the likelihoods of the output w given s and s', without the constant that both have. t =
e^(-1/b) is the decay of Laplace noise of scale b, and of geometric noise of ratio t.
"""

NOTATION = {
    "F": "the query, with finitely many values; a vector has coordinates",
    "p_v, q_v, v": "v is a value of the query; p_v and q_v are the probabilities of F = v given "
    "the secret s, and given s'",
    "g_i, v_i, u_i": "a coupling: the mass g_i is at the value v_i of F given s, "
    "and at u_i given s'",
    "N(w), D(w)": "the likelihoods of the output w given s and s', without the constant that both "
    "have",
    "m": "a bound of the ratios of likelihoods",
    "b": "the scale of Laplace noise, whose density is e^(-|z|/b) / (2b) at z",
    "t, a": "decay: t = e^(-1/b) for Laplace noise of scale b, and geometric noise of ratio a has "
    "a^|z| at the integer z",
    "a_j, w_j": "the decay and the output of release j",
    "phi(n), m(x)": "the likelihood of the outputs w_j at the value n, and the weight of a^|x - n| "
    "in it",
    "L1": "the sum of the distances of the coordinates",
    "K": "how many releases there are; of blocks a set of vectors",
    "x, y": "values of records: in M_w(x, y) of the first and of the last one of a block",
    "k, l": "numbers of coordinates, or an integer of which a scale is k/log(r)",
    "r, c": "real numbers; in a scale k/log(r) the rational r is more than 1",
    "tau": "the place of a value v + tau d on a line",
}
