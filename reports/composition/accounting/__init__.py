"""What releases leak together at most: `accounts` of noisy ones, and `ledger`, which adds up those
of different days.
"""
