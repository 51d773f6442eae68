"""The best mechanism with regions that are revealed, randomised and redacted (3R): `relaxed` is the
published program, `exact` the exact leakage.
"""
