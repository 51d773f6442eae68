"""Queries with additive noise on records: `additive` first; `distance` is the infinity-Wasserstein
distance. `power_table` has listed outputs whose probabilities are not rational.
"""
