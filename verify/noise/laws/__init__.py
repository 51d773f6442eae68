"""Laws of queries given secrets: `of_framework` first, also written out as a channel where databases are few;
`of_records` that are not listed, along a chain or on a network, which make polynomials of packed counts. `passes` sums
products along chains and trees.
"""
