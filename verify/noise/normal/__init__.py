"""Gaussian noise: `leakage` first, then `lines`."""
