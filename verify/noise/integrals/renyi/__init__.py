"""The largest Renyi divergence of queries with noise: `largest` first, for every pair of laws of one number; `several`
for several numbers, by products of quadrature rules or by couplings.
"""
