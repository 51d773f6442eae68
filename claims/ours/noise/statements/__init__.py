"""The claims on noise as programs: `queries.py` with decays that are fractions, `gaussian.py` with
outputs where exponentials are, `trees.py` on queries of correlated bits, `mixtures.py` of several
releases of one,
`segments.py` of a chain, `deltas.py` of what a level leaves.
"""
