"""Claims of the paper "Composition Theorem for streaming CW-privacy" (sections 1 and 2; authors
not given in the text).
"""

NOTATION = {
    "M": "the mechanism; M(x) is its law of outputs on the database x",
    "X": "the set of databases; in CW-privacy the database as a random variable; in streams all "
    "rows that ever come",
    "Y": "the set of outcomes",
    "x": "a database; x and x' are neighbours",
    "x'": "a database that is a neighbour of x",
    "y": "an outcome, or the tuple (y_1, .., y_t) of the outcomes of t steps",
    "S": "a set of outcomes, or of tuples of outcomes",
    "S'": "the outcomes that are not in S",
    "R": "e^epsilon, a factor that bounds ratios of probabilities",
    "epsilon": "a privacy level, in nats",
    "delta": "the probability that a bound by a factor may miss, called the shift",
    "(epsilon, delta)-differentially": "P(S) <= R Q(S) + delta for all neighbours, in both orders, "
    "and all sets S of outcomes",
    "R(epsilon, delta)": "the points (a, b) of the plane with a + R b >= 1 - delta and R a + b >= "
    "1 - delta",
    "H_R": "H_R(P||Q) is the largest P(S) - R Q(S) over all sets S",
    "DP": "differentially private",
    "CW": "coupled-worlds: for every D in Delta, (priv, alt) in Gamma and (v, z) of positive "
    "probability, the law of M(X) given priv(X) = v, Z = z is bounded by R times that of "
    "Sim(alt(X)) plus delta on every set, and the same exchanged",
    "Delta": "the laws of database and auxiliary information that are considered",
    "Gamma": "the pairs (priv, alt) that are considered",
    "priv": "a private value, a function of the database",
    "alt": "alt(X) is a scrubbed version of X, without what is private",
    "Sim": "the simulator of CW-privacy, which runs on the scrubbed database; the paper takes Sim "
    "= M",
    "c": "the fraction of a window that each step replaces",
    "delta_min": "delta_{z|min}, the least shift at z",
    "n": "the number of rows of a window",
    "t": "the number of steps",
    "X_i": "the window of step i: the blocks b_i, .., b_{i+1/c-1} of the stream, b_i the oldest",
    "X_t": "the window of the last step",
    "X_{i down}": "the window of step i without its oldest block",
    "X_{t down}": "the last window without its oldest block",
    "X_{t1}": "the oldest block of the last window",
    "t1": "in X_{t1}: the oldest block of window t",
    "G": "the outputs of all t steps, (M(X_1), .., M(X_t))",
    "z": "a value of positive probability of the known blocks, X_{i down} or X_{t down}",
    "z'": "a value of positive probability of the known blocks, independent of z",
    "z*": "a value of positive probability of the oldest block; [z*,z] is the window with the "
    "oldest block z* and the rest z, and [z*,z]_up the same without its newest block",
    "z#": "a value of positive probability of the oldest block, as z*",
    "z1": "a value of the known blocks of window t-1",
    "z2": "a value of the known blocks of window t-1",
    "p": "p(z*) is the probability of the block z*",
    "P0": "P0(y|z) is the probability of M(X_i) = y given X_{i down} = z, one step",
    "P1": "P1(y|z) is the probability of M(alt(X_i)) = y given X_{i down} = z, one step",
    "P^0": "P^0(y_1..y_t|z) is the probability of the outputs y_1..y_t of M on X_1, .., X_t given "
    "X_{t down} = z",
    "P^1": "P^1(y_1..y_t|z) is the probability of the outputs y_1..y_t of M on alt(X_1), .., "
    "alt(X_t) given X_{t down} = z",
    "P^k": "P^0 (k = 0) or P^1 (k = 1)",
    "k": "0 for outputs on the data, 1 for outputs on the scrubbed data",
    "W": "the outcomes that are possible: those that Assumption 1 names",
    "Assumption 1": "one set W of outcomes has P0(y|z) > 0 and P1(y|z) > 0 for all z and y in W, "
    "and both are 0 outside W",
    "Assumption 3": "P0(y|z) <= e^{gamma(y)} P1(y|z') for all y in W and all z, z', with gamma(y) "
    "> 0",
    "Assumptions 1 and 3": "one set W has P0(y|z), P1(y|z) > 0 for all z and y in W, and both 0 "
    "outside; and P0(y|z) <= e^{gamma(y)} P1(y|z') for all y in W and all z, z', with gamma(y) "
    "> 0",
    "Assumptions 1 to 3": "one set W has P0(y|z), P1(y|z) > 0 for all z and y in W, and both 0 "
    "outside (1); slopes as in eq. (1) and shifts as in eq. (2) (2); and P0(y|z) <= "
    "e^{gamma(y)} P1(y|z') for all y in W and all z, z', with gamma(y) > 0 (3)",
    "eq. (1)": "e^{eps_{y|z}} = P0(y|z)/P1(y|z) is the slope at the outcome y given z, printed "
    "with >= 1",
    "gamma": "the largest gamma_j",
    "gamma_j": "a bound: P0(y_j|z) <= e^{gamma_j} P1(y_j|z') for all z, z' (Assumption 3)",
    "eps": "the logarithm of a slope, or of a bound for z' = z",
    "eps_max": "the largest logarithm of a slope, over all outcomes and all z",
    "eps_{z|max}": "the largest logarithm of a slope P0(y|z)/P1(y|z) at z",
    "eps_{z|min}": "the smallest logarithm of a slope that is listed at z",
    "eps_t|z": "the logarithm of the slope P0(y_t|z)/P1(y_t|z) of the last step",
    "delta_{z|min}": "the smallest shift at z, that of the largest slope",
    "delta_max": "the largest shift, over all slopes and all z",
    "S_t": "the tuples y = (y_1, .., y_t) with P^1(y|z) != 0",
    "V": "V_{t-1|z*}: the tuples (y_1, .., y_{t-1}) that P^1 makes possible given [z*,z]_up; "
    "V_{t|z*}: the outcomes that M(alt([z*,z])) makes possible; V_t: the outcomes with P1(y|z) "
    "!= 0",
}
