"""Arithmetic that decides formulas by itself: exact polynomials, and intervals."""
