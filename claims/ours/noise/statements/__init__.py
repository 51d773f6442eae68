"""The claims on noise as programs: `queries.py` with decays that are fractions, `trees.py` on
queries of correlated bits.
"""
