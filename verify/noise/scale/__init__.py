"""The smallest scale of noise that keeps a level: `calibration` first, which asks `level` whether
one does; `least_approx` guesses where to begin.
"""
