"""From per-record differential privacy to a Pufferfish promise: the worst case over all mechanisms
of given per-record levels. Read `levels` first, then `messages`, the recursion along records.
"""
