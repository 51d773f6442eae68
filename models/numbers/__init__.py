"""Exact numbers: `grammar` reads and `text` writes them, `enclosures` bounds what is irrational,
`level` is e^epsilon, `binomial` has confidence intervals, `proportions` shortens long integers,
`exponential_sums` compares sums of exponentials.
"""
