"""Definitions of privacy as secrets, pairs and a list of priors: `definition` first, with laws of dependent records and
bounds on pairs of neighbouring tables.
"""
