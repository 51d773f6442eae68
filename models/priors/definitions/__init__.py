"""Definitions of privacy as secrets, pairs and a list of priors: `definition` first; `neighbours`
has bounds on pairs of tables, `beliefs` has laws of dependent records.
"""
