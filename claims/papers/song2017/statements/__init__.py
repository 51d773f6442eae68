"""The claims as programs over short chains and small mechanisms.

`quilts.py`: which sets are quilts. `influence.py`: quotients of sums, one quilt and several.
`segments.py`: two mechanisms on two segments.
"""
