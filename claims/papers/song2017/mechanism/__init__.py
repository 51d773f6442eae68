"""The Markov quilt mechanism and its fast version, and the influences that it needs. Read
`statement` first, then `approximate`.
"""
