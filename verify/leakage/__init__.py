"""What listed mechanisms leak: `ratio` first, with the answer of every algorithm, also of those that list nothing;
`mixtures` for sets of priors, `delta`, `runs` for many of them.
"""
