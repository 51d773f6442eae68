"""Sections 6.1 to 6.3: influence curves, the translation of per-entry privacy into Pufferfish, how
it composes, and curves of binary chains. Read `definition` first.

Cells are the entries of a table, shown ones in L, hidden ones in H. Levels and influences are
ratios in formulas: A = e^a, R = e^epsilon.
"""

NOTATION = {
    "I": "the set of all cells of a table (entries, one attribute of one record each)",
    "L, H": "a set of cells, which are shown, and all other cells, which are hidden",
    "D_L": "the cells of L with their values; Data_L as a random variable",
    "a_dagger(L)": "what the cells of L tell of an ordered pair (s_i, s_j): the supremum over "
    "theta of the largest log of P(D_L | s_i, theta)/P(D_L | s_j, theta)",
    "a*(b)": "the least a_dagger(L) over all L with at most b other cells, for an ordered pair, or "
    "the largest of these over S",
    "a(b)": "a curve: at least a*(b) of every ordered pair in S",
    "b": "the number of hidden cells that are allowed",
    "eps_DP": "the per-entry level of a mechanism",
    "eps_puffer": "the level of its Pufferfish promise",
    "X_i": "the i-th record of a chain, or the i-th cell; X_A those in the set A",
    "e(X_A | X_i)": "the max-influence of X_i on X_A",
    "Q, N, R": "a quilt X_Q of X_i, its nearby records X_N, and the remote ones X_R",
    "X_Q u X_R": "the union of both sets of records",
    "MQM": "the Markov quilt mechanism",
    "T": "the number of records of a chain",
    "P": "the transition matrix of a chain of bits, rows p, 1-p and 1-q, q",
    "p, q": "P(0 -> 0) and P(1 -> 1) of a chain of bits",
    "lam": "p + q - 1, the second eigenvalue of P",
    "pi0, pi1": "the stationary law of P",
    "z": "pi0 if q > p, else pi1: the smaller one",
    "dL, dR": "the distances of the nearest shown records on the left and on the right",
    "k": "a number of mechanisms, or of steps of a chain",
    "Theta": "the set of priors",
    "B": "a bound of what is inferred from all other records",
}
