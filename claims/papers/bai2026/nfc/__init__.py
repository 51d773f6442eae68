"""Section 5, Theorem 5.1: the necessary condition for composition. Read `statement` first, then
`failures`; `steps` has the proof.
"""
