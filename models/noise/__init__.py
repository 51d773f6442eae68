"""Queries with additive noise on records: `additive` first; `distance` is the infinity-Wasserstein
distance.
"""
