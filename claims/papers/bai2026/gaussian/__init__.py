"""Section 6.3, Example 4 and Theorem 5: influence curves of truncated Gaussian priors. Read
`statement` first.
"""
