"""The largest Renyi divergence of queries with noise: `largest` first, which asks
`scalar` for every pair of laws of one number, or `several` for several numbers, by `products` of
quadrature `rules` or by couplings.
"""
