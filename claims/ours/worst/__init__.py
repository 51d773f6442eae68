"""What the worst mechanisms within given budgets do under composition, on finite frameworks:
results of our own, proved here.

A framework gives a list T of ordered pairs (mu, nu) of laws of the database, mu = law(X | s,
theta), nu = law(X | s', theta); the usual definition takes both orders. R = e^epsilon. C_R = {u >=
0 : <mu, u> <= R <nu, u> for all (mu, nu) in T} is the cone of columns; L*_K(R_1 .. R_K) the largest
<mu, u_1 o .. o u_K> / <nu, u_1 o .. o u_K> over columns of mechanisms within their budgets, `o` the
entrywise product. A *collapse* is an infinite L*_K.
"""

NOTATION = {
    "T": "a finite list of ordered pairs (mu, nu) of laws on finitely many databases: mu is the "
    "law of X given s, nu that given s', under one prior; with both orders of a pair T is "
    "symmetric, else one-sided",
    "mu, nu": "laws of the database given two secrets, under one prior",
    "supp mu, supp nu": "the databases of positive probability under the law",
    "R": "e to a level; R_k that of the k-th release",
    "C_R": "the cone of columns: u >= 0 with <mu, u> <= R <nu, u> for all (mu, nu) in T",
    "u, v": "columns, one entry u_x for each database x: the probabilities P(w | x) of one output, "
    "up to scale",
    "columns that occur": "those u in C_R of which a positive multiple is a column of a mechanism "
    "of level R: all of C_R for R > 1; for R = 1 those with <mu, u> = <nu, u> for all of T",
    "extreme ray": "a column of the cone that is no sum of two others of it, up to scale",
    "<mu, u>": "the sum of mu_x u_x over the databases x",
    "o": "the entrywise product; joint releases multiply columns entry by entry (o(k) is less than "
    "any multiple of k in the end)",
    "L*_K": "the largest <mu, u_1 o .. o u_K> / <nu, u_1 o .. o u_K> over (mu, nu) in T and "
    "columns u_k of mechanisms of levels R_k: e to the worst joint leakage of K releases",
    "K": "how many releases there are",
    "collapse": "an infinite ratio: releases that reveal a secret together",
    "collapse number": "the fewest releases that collapse",
    "P11, P10, P01, P00": "the kernel of a child: P_ab = P(child = b | parent = a)",
    "S": "the message up of a bit, the largest ratio 1 against 0; or e to a per-record level",
    "D": "the message down of a bit, the largest ratio 0 against 1; or a database",
    "g": "g(t) = (P11 t + P10)/(P01 t + P00)",
    "rho_x": "mu_x/nu_x, infinite where nu_x = 0",
    "P, N, Z": "the databases with rho_x > R, with rho_x < 1/R, and the others",
    "NfC": "the necessary condition for composition: v_w[x] <= e^epsilon prod_y v_w[y]^beta_y for "
    "all outputs w, weights beta on supp nu",
    "beta": "weights >= 0 of sum 1 on databases; as a matrix, a row for each database",
    "v_w[x]": "P(w | x), the entry of the column of the output w",
    "V_x": "the value of the game of x and (mu, nu): rows are the outputs w with v_w[x] > 0, "
    "columns the y in supp nu with v_w[y] > 0 for all these w, entries log(v_w[x]/v_w[y])",
    "b": "the smallest positive entry of the laws nu",
    "k": "a number of runs of one mechanism, or of bits",
    "x, y, z": "databases, or values of one record",
    "X": "the database; X = x is the secret that it is x",
    "a, b1, b2, b3, a1, a2": "databases",
    "d(x, y)": "a distance of databases; for per-record privacy the number of records in which "
    "they differ",
    "n": "the number of records",
    "p, q": "numbers of pairs and priors, or probabilities",
    "delta": "the smallest delta of a release at epsilon: the largest sum over outputs of P(w | s) "
    "- e^epsilon P(w | s') where that is positive",
    "m": "numbers >= 0, one for each value of a record",
    "A": "a matrix whose rows are inequalities, or an event",
    "W, N": "a matrix, and the number of databases, where a relaxation is meant",
    "kappa": "a constant",
    "c": "in (c) the third of four conditions",
}
