"""Which designs of local redaction are optimal for a given leakage. Read `shape` first, then
`levels`.
"""
