"""Conjectures about a family of frameworks: a closed form fitted to exact values, or a relation that somebody guessed,
tried on fresh members; what fails has its simplest counterexample.

Read first `quantities`, the exact values that a conjecture is about and the file that asks, then `fitting`, quotients
of polynomials by linear algebra over the rationals, and `trying`, fresh members and counterexamples.
"""
