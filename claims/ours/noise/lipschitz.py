"""Noise for every query that one record changes little: what per-record levels along trees and
chains of bits promise, the noisy count that attains it, and the scale for an endless chain.

A query with L1 changes of at most L_j by record j and Laplace noise of scale b has the level R_j =
e^(L_j/b) for record j. What such levels leak about one bit is the recursion of worst.record-levels.
No quilt is chosen, and the promise does not depend on the query.
"""

from pufferproof.claims.ours.noise.statements import trees as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "L_j": "the most that record j changes the query, in L1",
    "R_j": "e to the level of record j",
    "S, D": "the messages up and down of the root: the largest ratios 1 against 0 and 0 against 1 "
    "by the recursion of worst.record-levels",
    "a_j": "1 or -1",
    "x_j": "the value of record j",
    "x": "a table of bits",
    "X_i": "record i",
    "R": "e to the level of every record",
    "E": "e to the promise",
    "p": "the probability that the next bit is the same",
    "g": "g(t) = (p t + 1 - p)/((1 - p) t + p)",
    "L": "the most that a record changes a query, in L1",
    "lam": "the second eigenvalue of a kernel, P11 - P01",
}


@claim(
    "noise.lipschitz-tree",
    where="Noise on queries of correlated bits",
    statement="Let records be a finite tree of bits, or a Markov chain seen from one of its bits, "
    "and let queries F_k with any number of coordinates change by at most L_kj in L1 when record j "
    "does, released with Laplace noise of scale b_k on every coordinate, each query chosen by "
    "the outputs before it. The likelihoods of all outputs given root = 1 and root = 0 have a "
    "ratio of at most S, and of at most D in the other order, for the levels R_j = exp(sum_k "
    "L_kj/b_k).",
    kind="theorem",
    says=says.LIPSCHITZ,
)
def lipschitz_tree(check: Check) -> None:
    """Prove it: noise gives levels for each record, they add up, and the recursion bounds them.

    One more coordinate: The density at w is prop. to exp(-|w - F(x)|_1/b): b times the logarithm of
    the ratio at x and y is d, the sum of |w - F(y)| - |w - F(x)| over coordinates, at most e, the
    L1 distance of F(x) and F(y). The level of a record: x and y differ in record j alone: change,
    their distance under F, is at most L_j, and the ratio of densities at most e^(L_j/b). Levels
    multiply: over releases, chosen adaptively, at every outcome of the noise: R_j = exp(sum_k
    L_kj/b_k) [worst.record-levels-adaptive]. The recursion: bounds every column of these levels:
    here x -> density of all outputs at x [worst.record-levels]. Chains: a chain seen from a bit is
    such a tree [worst.record-levels-interior].
    """
