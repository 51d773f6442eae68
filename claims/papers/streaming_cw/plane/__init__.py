"""Regions of pairs of probabilities in the plane. Read `regions` first, then `inclusion`."""
