"""Exact numbers: `grammar` reads and `text` writes them, `enclosures` bounds what is irrational,
`level` is e^epsilon, `proportions` shortens long integers, `exponential_sums` compares sums of
exponentials, `binomial` bounds probabilities from counts, `lasting` at all times together,
`proposals` says whether floats of a solver are numbers.
"""
