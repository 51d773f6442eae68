"""Bounds that the literature prints for releases together, with their conditions checked: `every` looks at all of
song2017, `far` has the theorems on segments.
"""
