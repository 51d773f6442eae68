"""The Markov quilt mechanism and the searches for its scale. Read `influence` first, then
`statement`.
"""
