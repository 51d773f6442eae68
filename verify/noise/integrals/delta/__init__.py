"""The smallest delta of queries with noise at a level: `smallest` first, which asks the file of the
kind of noise (`laplace`, `integers`, `gaussian`) for every pair of laws, or `several`, which asks
`boxes`.
"""
