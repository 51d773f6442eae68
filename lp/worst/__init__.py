"""The worst joint leakage of any mechanisms within budgets: `composition` first, by closed forms
(`at_ratios`, `record_bound`), rays (`at_ratios`) or certified `bounds`.
"""
