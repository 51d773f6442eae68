"""Bounds that the literature prints for releases together, with their conditions checked: `every`
looks at all of song2017, `segments`, `far`, `divergence` and `runs` have one theorem each, `bound`
what is said of one, `seen` which records a mechanism looks at.
"""
