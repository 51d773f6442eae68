"""What one noisy number of a Bayesian network leaks, from its law in floats with known errors: the
`whole` law, or tilted laws from two `halves` of a wide network.
"""
