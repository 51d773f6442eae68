"""Lower bounds of what local redaction leaks (appendix E). Read `statement` first, then
`radius`.
"""
