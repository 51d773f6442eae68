"""The command `explore`: a family of frameworks, each with its exact worst case and the bounds
beside it. `command` has also tables and the plot. `formula` answers
`explore --formula`, and writes claims.
"""
