"""What redaction of a chain leaks, side by side, and the shape of good designs. Read `sides` first,
then `regions`.
"""
