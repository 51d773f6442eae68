"""Gaussian noise: `leakage` first, then `supremum`."""
