"""Section 6.4 and Appendix B: the Laplace and the exponential mechanism at a translated level, and
the two algorithms that choose it. Read `laplace` first.
"""

NOTATION = {
    "I": "the set of all cells of a table",
    "b": "a number of hidden cells",
    "a(b)": "the influence curve",
    "a, b": "a point (a, b) of the curve",
    "a_l, b_l": "the points of a collection, l counting them",
    "l": "the number of a point",
    "eps_DP": "the per-entry level of a mechanism; eps_DP,l that of one point",
    "eps_puffer": "the level of its Pufferfish promise",
    "F": "a query with values in R^n; the collection of points in the algorithms is C",
    "L": "the Lipschitz constant of the query in L1, or of u",
    "u": "u(D, r), a score of the output r on the table D",
    "r": "an output",
    "Delta_u": "the most that u changes between neighbours, over all r",
    "C": "a collection of points of the influence curve",
    "L1": "the sum of the distances of coordinates",
    "Lap": "Lap(s) is Laplace noise of scale s",
    "Z": "the output",
}
