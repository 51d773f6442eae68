"""Families of frameworks, gone through or drawn from: for each the exact worst case of per-record levels, beside the
account and the published bound.

Read first `family`, the file that says which frameworks there are, then `instances`, what is found of each, the gaps
between bounds, and noise against level. `conjectures` fits closed forms to exact values, and tries them.
"""
