"""Influence curves of truncated Gaussian priors: `definition` first, with the supremum over what is shown, then `law`,
which encloses the integrals it needs, and has a published recipe.
"""
