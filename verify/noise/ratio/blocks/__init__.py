"""What noisy queries of blocks of a chain of any number of values, hidden or not, leak together:
`cones` first, then `counts` and `kernels`, `around`, and `joint`, which has the answer.
"""
