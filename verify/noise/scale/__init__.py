"""The smallest scale of noise that keeps a level: `calibration` first, which asks `level` whether
one does; `smallest` for a delta or a Renyi divergence, by `sigma` for Gaussian noise on a line;
`least_approx` guesses where to begin.
"""
