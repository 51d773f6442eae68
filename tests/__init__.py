"""The tests, in folders named after what they test.

A package, so that `tests` is this folder: libraries may install one of that name.
"""
