"""Influence curves of truncated Gaussian priors: `definition` first, then `integral`, which
encloses what it needs, `supremum` over what is shown, and `published`, the recipe of bai2026.
"""
