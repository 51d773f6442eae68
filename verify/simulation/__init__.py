"""Seeded simulations, which illustrate and decide nothing: `draws` first."""
