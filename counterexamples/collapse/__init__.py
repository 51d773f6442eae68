"""Releases within their budgets that reveal a secret together: `search` asks one of three engines (extreme rays, Z3,
and `pufferproof.lp.cones.separation`), `above` asks for a finite level, `threshold` for the budget at which collapse
starts.
"""
