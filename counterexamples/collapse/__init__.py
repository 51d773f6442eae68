"""Releases within their budgets that reveal a secret together: `search` asks one of three engines
(`rays`, Z3 in `threshold`, and `pufferproof.lp.cones.separation`), `above` asks for a finite level,
`threshold` for the budget at which collapse starts.
"""
