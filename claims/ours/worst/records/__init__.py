"""Budgets with per-record differential privacy on top: `privacy` first, then `chains`, then
`levels`, where they differ from record to record, and `hidden`, where records show hidden bits.
"""
