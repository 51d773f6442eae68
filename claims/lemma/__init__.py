"""Library lemmas that claims cite: sums and products of any length, ratios of laws.

`sums.py` proves them; `statements.py` says each of them as a program.
"""
