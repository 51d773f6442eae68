"""Influence curves of truncated Gaussian priors: `definition` first, then `box`, which
encloses the integrals it needs, `supremum` over what is shown, and `published`, a recipe.
"""
