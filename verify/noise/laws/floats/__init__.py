"""Laws of a count on a Bayesian network in floats whose errors are bounded: by `elimination` of
records, or from two `halves` of a wide network.
"""
