"""The largest influence over a box of transition matrices, enclosed: `largest` first, then
`search`.
"""
