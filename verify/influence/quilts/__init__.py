"""Markov quilt mechanisms and the searches for their scale: `exact` first; `worst_record` has the fast search of the
paper.
"""
