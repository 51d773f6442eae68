"""The columns that a budget allows: `columns` first, with their symmetries; their extreme `rays`, and what separates
zero patterns (`separation`).
"""
