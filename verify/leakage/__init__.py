"""What listed mechanisms leak: `ratio` first; `mixtures` for sets of priors, `delta`, `repeated`
for many runs. `largest` is the answer of every algorithm, also of those that list nothing.
"""
