"""The worst joint leakage of any mechanisms within budgets: `composition` first, which also writes certificates; closed
forms, rays and certified bounds are chosen in `at_ratios`, `branching` and `relaxation` bound what is too large.
"""
