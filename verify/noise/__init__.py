"""What queries with noise leak: `queries` first, then `leakage`; `bounds` where values are too
many, `calibration` for scales. `tables` has listed outputs of probabilities that are not rational.
"""
