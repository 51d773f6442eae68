"""The claims on worst mechanisms as programs over small frameworks.

Read `cones.py` first: the cone of columns by its inequalities, its extreme rays by brute force, the
largest joint ratio as a maximum over all tuples of rays or as a quotient of sums at columns that
are drawn. The other files have the statements, by the folders and files of the claims.
"""
