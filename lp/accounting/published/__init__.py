"""Bounds that the literature prints for releases together, with their conditions checked: `every`
looks at all of song2017, `segments`, `far` and `divergence` have one theorem each, `bound` what is
said of one.
"""
