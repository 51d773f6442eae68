"""`pufferproof arena`: `command` first; `cases` are the frameworks, `contest` compares the methods
on one of them, `summary` over all.
"""
