"""What the worst mechanisms within given budgets do under composition, on finite frameworks:
results of our own, proved here.

A framework gives a list T of ordered pairs (mu, nu) of laws of the database, mu = law(X | s,
theta), nu = law(X | s', theta); the usual definition takes both orders. R = e^epsilon. C_R = {u >=
0 : <mu, u> <= R <nu, u> for all (mu, nu) in T} is the cone of columns; L*_K(R_1 .. R_K) the largest
<mu, u_1 o .. o u_K> / <nu, u_1 o .. o u_K> over columns of mechanisms within their budgets, `o` the
entrywise product. A *collapse* is an infinite L*_K.
"""
