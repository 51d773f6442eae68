"""Statements about several priors: what releases leak together (`two_priors`), and from which
budget on they leak everything (`favourites`). Read first `two_priors`.
"""
