"""Linear programs solved exactly: `program` decides, `proposals` are floats that it checks;
`weights` and `logarithms` for exponents.
"""
