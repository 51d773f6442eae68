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
    check.tried("as stated")


@claim(
    "noise.signed-count",
    where="Noise on queries of correlated bits",
    statement="On a finite tree of bits in which both values of the root are possible, let R_j >= "
    "1 and let a_j be 1 at the root and at a child that of its parent, times -1 if its kernel has "
    "P11 < P01. The query sum_j a_j b log(R_j) x_j with Laplace noise of scale b has the levels "
    "R_j and attains S and D: no mechanism of these levels leaks more. For lam >= 0 everywhere "
    "and one level it is the noisy count, on a chain with lam < 0 the alternating count.",
    kind="theorem",
    says=says.SIGNED,
)
def signed_count(check: Check) -> None:
    """Prove it at outputs beyond all values, where the column is a product over records.

    Beyond all values: At an output that no value of the query exceeds |w - F| = w - F: the density
    is e^(F/b) up to a constant. A product over records: Record j at 1 against 0, the others fixed,
    changes F/b by a_j log(R_j): the column is prod_j R_j^(a_j x_j), so R_j at x_j = 1 against 1 for
    a_j = 1, and at x_j = 0 for a_j = -1; at outputs below all values the other way round. Bits that
    stay: P11 >= P01: g at t = S is at least g at t = 1/D, written with S D >= 1. So the child's
    part of the column that attains S is one that attains its message up, and for D down. Bits that
    flip: P11 <= P01: the larger end for S is t = 1/D, that for D is t = S: signs change. Nothing
    leaks more: S and D bound all mechanisms of these levels, and are attained by choosing for each
    child the larger end, down to the leaves [worst.record-levels]. The query has the levels: record
    j changes it by b log(R_j) [noise.lipschitz-tree].
    """
    check.tried("as stated")


@claim(
    "noise.endless-chain",
    where="Noise on queries of correlated bits",
    statement="Let bits form a stationary symmetric chain of any length, the next bit the same "
    "with probability p, 1/2 <= p < 1, let E > 1, S the positive root of p S^2 - (1 - p)(E - 1) S "
    "- p E = 0 and R = S^2/E. Releases whose levels for each record multiply to at most R, chosen "
    "adaptively, have the promise log E for every bit: one query that a record changes by at most "
    "L needs Laplace noise of scale L/log(R). No larger R will do for chains of all lengths. The "
    "same with 1 - p for p if 0 < p <= 1/2.",
    kind="theorem",
    says=says.ENDLESS,
)
def endless_chain(check: Check) -> None:
    """Prove it by the fixed point of the recursion and its monotone convergence.

    E = S g(S): The quadratic says E ((1 - p) S + p) = S (p S + 1 - p). The fixed point: With R E =
    S^2: S = R g(S), and an inner bit of an endless chain has the ratio R g(S)^2 = E. R is a level:
    The quadratic gives S^2 >= E, as p >= 1/2 and E >= 1. Messages grow to the limit: that of k bits
    is at most S, with kernels P11 = P00 = p >= 1/2, and tends to it; up and down are the same,
    exchanging 0 and 1 [worst.infinite-chain]. Levels along the chain: The stationary symmetric
    chain is its own reverse: an inner bit of a finite chain has the ratio R g(t) g(u), t and u the
    messages of its sides, an end R g(t) [worst.record-levels-interior]. The promise: t, u <= S and
    g does not decrease: R g(t) g(u) <= R g(S)^2 = E, and g >= 1 covers ends. Attained in the limit:
    as the noisy count attains the ratio of every finite chain, which tends to E
    [noise.signed-count]. A larger level: has messages that are no smaller, so that the ratio tends
    to at least larger g(S)^2 > E. Levels of several releases: multiply, record by record
    [worst.record-levels-adaptive]. Bits that flip, p < 1/2: Exchanging 0 and 1 at every other
    record changes no level, and stay and go: 1 - p for p.
    """
    check.tried("as stated")


@claim(
    "noise.correlation-paid-once",
    where="Noise on queries of correlated bits",
    statement="On a finite tree of bits whose kernels have positive entries, releases whose levels "
    "for the root's record multiply to R_root leak at most log(R_root) + sum_c log(A_c) about the "
    "root, A_c the largest of P11/P01, P01/P11, P00/P10 and P10/P00 of the child c, whatever the "
    "levels of all other records: correlation is paid once.",
    kind="corollary",
    says=says.PAID_ONCE,
)
def correlation_paid_once(check: Check) -> None:
    """Prove it: what a child contributes is an average of two entries against another.

    A child: g(t) = (P11 t + P10)/(P01 t + P00) lies between P11/P01 and P10/P00: with both at most
    E = A_c, g(t) <= E; likewise 1/g(t). All children: S = R_root prod_c s_c, D likewise
    [worst.record-levels]. All releases: levels multiply [worst.record-levels-adaptive].
    """
    check.tried("as stated")
