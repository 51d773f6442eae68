"""Levels per record as programs: chains and trees of records, hidden bits, privacy on top.

Read `trees.py` first: laws written out, the recursion, and columns that are products of factors.
"""
