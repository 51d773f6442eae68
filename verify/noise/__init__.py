"""What queries with noise leak: `queries` first, then `leakage`; `bounds` where values are too
many, `calibration` for scales.
"""
