"""Conditions under which releases compose: `compare` first, then `couplings`."""
