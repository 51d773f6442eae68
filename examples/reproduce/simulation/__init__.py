"""Seeded simulations of the figures: `chains` and `quilts` for noisy histograms of long chains,
`rankings` for noisy top-K queries.
"""
