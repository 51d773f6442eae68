"""Queries with additive noise on records: `additive` first; `distance` is the infinity-Wasserstein
distance. `tables` have listed outputs whose probabilities are not rational.
"""
