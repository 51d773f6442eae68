"""The largest Renyi divergence of queries with noise: `largest` first, which asks the file of the
kind of noise (`laplace`, `gaussian`) for every pair of laws, or `several` for several numbers, by
`products` of quadrature `rules` or by couplings; `moment` is what they return.
"""
