"""The smallest delta of queries with noise at a level: `smallest` first, which asks `one_number`, a part for each kind
of noise, for every pair of laws, or `several`.
"""
