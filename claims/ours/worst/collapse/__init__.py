"""When bounded releases reveal a secret together. Read `statement` first; `bits` and `one_pair` are
the small cases.
"""
