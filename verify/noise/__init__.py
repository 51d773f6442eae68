"""What noise on queries leaks: `queries` first, which asks `leakage`, or `gaussian` for Gaussian
noise; `bounds` of what is too large; `delta` at a level; the scale that keeps one in `scale`.
`tables` has listed outputs of probabilities that are not rational.
"""
