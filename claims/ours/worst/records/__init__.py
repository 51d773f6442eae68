"""Budgets with per-record differential privacy on top: `privacy` first, then `chains`."""
