"""The worst joint leakage of any mechanisms within budgets: `composition` first, by closed forms
(`at_ratios`, `record_bound`), rays (`at_ratios`) or certified `bounds`. `certificates` writes those
of optima and worst cases, without a search where none is needed.
"""
