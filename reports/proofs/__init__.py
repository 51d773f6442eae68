"""`pufferproof prove` and the pages of claims: `prove` first, then `site`, which writes the
pages.
"""
