"""What queries with noise leak: `audit` first, then `leakage`; `bounds` where values are too many,
`calibration` for scales.
"""
