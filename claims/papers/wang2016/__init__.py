"""Wang, Song and Chaudhuri, "Privacy-preserving Analysis of Correlated Data": the Wasserstein
and Markov Quilt mechanisms.
"""

NOTATION = {
    "X": "the data, X_1, .., X_n or X_1, .., X_T: the nodes of a Bayesian network or of a Markov "
    "chain; X_A are those in A",
    "D": "the database; in a proof about a spectrum the diagonal matrix of pi",
    "D'": "a neighbour of D",
    "DP": "differential privacy",
    "x": "a value; x_A are values of X_A, also without index where A is clear; of a matrix a row, "
    "hence a state",
    "x'": "a value",
    "y": "a value; of a matrix a column, hence a state",
    "a": "a value of X_i; with b, of a quilt {X_{i-a}, X_{i+b}}, the distance of its left node "
    "from X_i",
    "b": "a value of X_i; with a, of a quilt {X_{i-a}, X_{i+b}}, the distance of its right node "
    "from X_i",
    "a*": "the distance of the left node of the best quilt",
    "b*": "the distance of the right node of the best quilt",
    "a_i": "the distance of the left node of the quilt that is found for X_i",
    "b_i": "the distance of the right node of the quilt that is found for X_i",
    "m": "the index of a node",
    "n": "the number of people, or of nodes",
    "T": "the number of records of a chain; after a matrix, its transpose",
    "t": "a time, or a number of steps",
    "tau": "a time",
    "k": "the number of states, [k] the set of them; in Appendix B an index of a node",
    "DOM": "the finite set of values of a node",
    "G": "the network, a directed acyclic graph on the nodes X_1, .., X_n",
    "(S,Q,Theta)": "a framework: secrets, pairs of secrets, and priors",
    "S": "the set of secrets, in a chain or network s^i_a for every node i and value a; with an "
    "index the set S_{Q,i}; of differential privacy a set of outcomes",
    "Q": "the set of pairs of secrets, in a chain or network (s^i_a, s^i_b) for every node i; of a "
    "quilt X_Q its indices",
    "S_{Q,i}": "the set of quilts of X_i that is searched",
    "s_i": "a secret",
    "s_j": "a secret",
    "s^i_a": "the secret X_i = a",
    "theta": "a prior",
    "Theta": "the set of priors",
    "P": "probability; of a chain the transition matrix, P(x,y) the probability of y after x, and "
    "P^t that of t steps",
    "P_theta": "the transition matrix of the prior theta",
    "p": "a probability, or a density where noise is added",
    "q": "the law of X_1",
    "pi": "the stationary law, pi(x) the probability of x; without an argument pi_Theta",
    "pi_theta": "the stationary law of P_theta",
    "pi_Theta": "the least stationary probability, over all theta and all states",
    "pi_min": "the least stationary probability of one chain",
    "g": "g_Theta, the least eigengap over all theta; beside f, a function of states",
    "g_*": "the eigengap of one chain",
    "lam": "an eigenvalue; lam_i the i-th, lam_1 = 1",
    "lam_*": "the eigenvalue other than lam_1 that is largest in absolute value",
    "Lam": "the diagonal matrix of the eigenvalues",
    "A": "a set of nodes; in a proof about a spectrum the matrix with entries pi(x)^(1/2) "
    "pi(y)^(-1/2) P(x,y)",
    "V": "the orthogonal matrix whose columns are eigenvectors of A",
    "U": "the matrix D^(-1/2) V, of columns u_i",
    "u": "between sets, their union; with an index, u_i, the i-th column of U, u_i(x) its entry at "
    "x",
    "f": "a function of states",
    "Delta": "Delta_t = exp(-t g)/pi; Delta_t^theta the same with g and pi of one chain",
    "h": "h(t) = log[(pi+exp(-g t))/(pi-exp(-g t))], infinite where the denominator is 0",
    "M": "a mechanism",
    "w": "an output",
    "W": "W_inf, the infinity-Wasserstein distance, or the largest one over pairs and priors",
    "F": "a query; it is 1-Lipschitz if it changes by at most 1 (in the L1 norm) when one "
    "coordinate does",
    "GS": "the global sensitivity, the largest change of F between neighbours",
    "L1": "the L1 norm, the sum of absolute values",
    "Lap": "Lap(s) is a Laplace variable of mean 0 and scale s, independent of all else",
    "Z": "Lap(1), Laplace noise of scale 1",
    "eps": "the level of privacy, in nats",
    "epsilon": "the level of privacy, in nats",
    "e": "e(X_A|X_i) is the max-influence of X_i on X_A, Definition 4.2, and e(a,b) its bound for "
    "a quilt; with an exponent, the base of natural logarithms",
    "delta": "a bound of the influence",
    "X_Q": "a Markov quilt of X_i, Definition 4.3",
    "X_N": "the nearby nodes of a quilt, X_i among them",
    "X_R": "the remote nodes of a quilt",
    "N": "the indices of the nearby nodes of a quilt",
    "R": "the indices of the remote nodes of a quilt",
    "RuQ": "the indices of the remote nodes and of the quilt",
    "card": "the number of nodes of a set",
    "sigma": "sigma(X_Q) is the score of a quilt, card(X_N)/(eps - e(X_Q|X_i)), infinite if "
    "e(X_Q|X_i) >= eps; sigma_i is the least score of X_i over its quilts",
    "sigma_max": "the scale of the noise, the largest sigma_i",
    "O": "O(T): at most a constant times T",
}
