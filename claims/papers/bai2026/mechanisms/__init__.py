"""Section 6.4 and Appendix B: the Laplace and the exponential mechanism at a translated level, and
the two algorithms that choose it. Read `laplace` first.
"""
