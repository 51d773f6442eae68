"""Laws of the database: `laws` first; networks in `bayesian_network`, classes of chains in
`box`.
"""
