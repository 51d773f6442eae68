"""What noisy queries of blocks of a chain of any number of values, hidden or not, leak together: `cones` first, with
the counts of blocks and their kernels, then `joint`, which has the answer.
"""
