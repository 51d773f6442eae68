"""What listed mechanisms leak: `ratio` first; `mixtures` for sets of priors, `delta`, `runs`
for many of them. `largest` is the answer of every algorithm, also of those that list nothing.
"""
