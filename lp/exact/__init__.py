"""Linear programs solved exactly: `linear` says what they are, `program` decides, `proposals` are floats that it
checks; `weights` for exponents. Read `linear` first.
"""
