"""The claims on redaction as programs over short sequences: laws are listed and outputs summed.

Read `shapes.py` first. Chains, regions and leakages come from `claims/language/instances/`;
nothing here uses what proves the claims.
"""
