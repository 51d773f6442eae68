"""Exact numbers: `grammar` reads and `text` writes them, `enclosures` bounds what is irrational, `intervals` are arrays
of floats with proved errors, `means` weighted sums of them, `level` is e^epsilon, `proportions` shortens long integers
and says whether floats of a solver are numbers, `exponential_sums` compares sums of exponentials.
"""
