"""The `command` that estimates, its plot (`drawing`), its `evidence`, and the program `bets` that
makes the bets of the evidence again.
"""
