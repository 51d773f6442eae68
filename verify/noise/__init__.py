"""What noise on queries leaks: `queries` first, which asks `leakage`, or `gaussian` for Gaussian
noise; `records` that are not listed; `bounds` of what is too large;
`delta` at a level; `scale`; `tables` of listed outputs whose probabilities are not rational.
"""
