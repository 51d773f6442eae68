"""The rate of one mechanism over many runs, and the necessary condition for composition: `nfc`
first, on `games`.
"""
