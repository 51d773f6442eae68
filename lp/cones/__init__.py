"""The columns that a budget allows: `columns` first; their extreme rays (`rays`, `products`),
symmetries (`orbits`) and zero patterns (`separation`, `supports`, `critical`).
"""
