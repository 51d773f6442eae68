"""Theorem 4: what many releases leak. Read `statement` first, then `repaired`; `beside` asks what
the paper does not.
"""
