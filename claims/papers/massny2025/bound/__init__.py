"""Theorem 2, the upper bound on the utility of data-independent mechanisms. Read `statement`
first.
"""
