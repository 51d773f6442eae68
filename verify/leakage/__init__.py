"""What listed mechanisms leak: `ratio` first; `mixtures` for sets of priors, `delta`, `repeated`
for many runs.
"""
