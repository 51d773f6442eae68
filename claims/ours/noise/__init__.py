"""What noise on a query leaks: where the largest ratio is, what bounds it, how releases add up.
Results of our own.

F is a query with finitely many values, M = F + Z with Z independent of the database, its
coordinates independent. Given a secret s, F = v has probability p_v; given s', q_v. N(w) and D(w)
are the likelihoods of the output w given s and s', without the constant that both have. t =
e^(-1/b) is the decay of Laplace noise of scale b, and of geometric noise of ratio t.
"""
