"""Seeded simulations of the figures: `chains` and `quilts` for noisy histograms of long chains,
which `figure` draws, `rankings` for noisy top-K queries.
"""
