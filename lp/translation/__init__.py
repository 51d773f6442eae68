"""From per-record differential privacy to a Pufferfish promise: the worst case over all mechanisms
of given per-record levels (`lp/levels.py`). Read `bits` first, the recursion along records, and
`translate`, which chooses how to compute it.
"""
