"""What noise on queries leaks: `largest` first, which asks `queries`, and these ask `leakage`, or
`gaussian` for Gaussian noise; `records` that are not listed; `bounds` of what is too large;
`delta` at a level; `scale`; `tables` of listed outputs whose probabilities are not rational.
"""
