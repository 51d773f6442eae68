"""Seeded simulations, which illustrate and decide nothing: `draws` first. `estimation/` is about
samplers whose law is not known: bounds from samples, which are wrong with a stated probability; its
databases are drawn by `exact`, which rounds no probability.
"""
