"""Definitions of privacy as secrets, pairs and a list of priors: `definition` first, with laws of
dependent records; `neighbours` has bounds on pairs of tables.
"""
