"""How fast leakage grows with the number of releases: `rates`, then `finite`, `conditions` and
`games`.
"""
