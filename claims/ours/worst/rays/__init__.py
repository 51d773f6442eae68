"""The cone of columns: the worst releases stand at its extreme rays. Read `columns` first, then
`vertices`.
"""
