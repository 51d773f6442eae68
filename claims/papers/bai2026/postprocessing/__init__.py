"""Section 5, Theorem 5.2: the condition under post-processing. Read `statement` first, then
`implication`.
"""
