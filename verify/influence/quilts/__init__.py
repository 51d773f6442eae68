"""Markov quilt mechanisms and the searches for their scale: `exact` first, `published` is the fast
one of the paper.
"""
