"""Appendix A: the table of privacy definitions, row by row as frameworks or neighbour relations,
and whether each composes.
"""

NOTATION = {
    "V": "secrets D_i = alpha, pairs D_i = alpha against D_i = beta, for all records i",
    "D_i": "record i",
    "alpha, beta": "values of a record; bottom stands for an absent record",
    "DP": "differential privacy",
    "Q": "public constraints: a set of tables",
    "phi_0, phi_rest": "parameters of the law of a sensitive value, and of all others",
    "Theta": "the set of priors",
}
