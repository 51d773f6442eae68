"""Bounds of influence on Markov chains by eigenvalues. Read `statement` first, then `bounds`."""
