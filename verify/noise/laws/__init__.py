"""Laws of queries given secrets: `of_framework` first; `of_records` that are not listed, along a chain or on a network,
which make polynomials of packed counts; `written` out as a channel where databases are few. `passes` sums products
along chains and trees.
"""
