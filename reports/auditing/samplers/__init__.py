"""The `command` that estimates, with its plot, its `evidence`, and the program `bets` that makes
the bets of the evidence again.
"""
