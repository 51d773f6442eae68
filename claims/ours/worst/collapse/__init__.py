"""When bounded releases reveal a secret together. Read `statement` first; `one_pair` is the small
case.
"""
