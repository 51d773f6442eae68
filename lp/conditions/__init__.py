"""Conditions under which releases compose: `compare` first, then `level`, which has the couplings."""
