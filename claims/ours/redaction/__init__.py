"""Designs of local redaction on a binary chain: what is optimal, and what it leaks. Results of our
own, proved here.

A stationary chain of bits with P = [[1-a, a], [b, 1-b]], lam = 1-a-b, one private record p; record
t is replaced by * with probability r_t(x). Influences i0(D), i1(D), regions, 3R mechanisms and
data-independent mechanisms (DIMs) are those of massny2025, whose open questions these claims
answer. R or E stands for e^eps throughout.
"""
