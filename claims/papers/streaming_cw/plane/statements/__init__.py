"""The claims on privacy regions as programs over rows of one to three outcomes.

`privacy.py`: Theorems 1 and 2, in sets and in regions. `shape.py`: mixtures, tangents, and the
lines around a region. Regions are hulls of points that are listed, as `planar.py` has them.
"""
