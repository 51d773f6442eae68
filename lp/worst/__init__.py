"""The worst joint leakage of any mechanisms within budgets: `composition` first, by closed forms
(`one_pair`, `record_bound`), rays (`at_ratios`) or certified `bounds`.
"""
