"""Section 2: differential privacy, Pufferfish privacy and what they are for. Read `pufferfish`
first.
"""
