"""The claims on privacy regions as programs over rows of one to three outcomes.

`privacy.py`: Theorems 1 and 2, in sets and in regions. `shape.py`: choices, mixtures, tangents,
and the lines around a region. `recipe.py`: slopes and shifts, what they determine, and curves.
Regions are hulls of points that are listed, as `planar.py` has them.
"""
