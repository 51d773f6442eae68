"""Listed outputs whose probabilities are not rational: `powers` of e, and `partial` tables, of
which a part is left.
"""
