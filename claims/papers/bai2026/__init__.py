"""Claims of "Composition for Pufferfish Privacy" (Bai, He, Gu, Kifer and Maeng, 2026).

Databases are finitely many. Levels are ratios R = e^epsilon >= 1 in formulas; "a <= R b" for
likelihoods a and b says that 0/0 is no violation and that a/0 with a > 0 is one. Each file says
which letters its formulas use beside these.
"""

NOTATION = {
    "U": "the set of all databases; there are finitely many",
    "D": "a database (the paper says dataset); D' is another one, D_l the one with the number l",
    "l": "the number of a database D_l",
    "Data": "the database as a random variable, whose law is a prior",
    "s_i": "secrets: statements that are true of some databases, or the sets of these databases; "
    "(s_i, s_j) is a pair of two",
    "s1, s2": "the two secrets of an ordered pair (s1, s2)",
    "S": "the set of pairs of secrets that shall be hard to tell apart",
    "M": "a mechanism, whose output depends on the database and on randomness of its own; M(D)(w) "
    "= P(M(D) = w)",
    "theta(D | s)": "the probability of D given the secret s under the prior theta; theta(s) is "
    "that of s",
    "NfC": "necessary for composition; an NfC constraint of a database D at epsilon, with weights "
    "beta over the databases D_l, is M(D)(w) <= e^epsilon prod_l M(D_l)(w)^beta_l for every "
    "output w, where 0^0 = 1",
    "beta": "weights: beta_l >= 0 with sum 1, one for each of some databases D_l",
    "A o M": "the mechanism that runs M and passes its output to the randomised processing A, "
    "which sees nothing else",
}
