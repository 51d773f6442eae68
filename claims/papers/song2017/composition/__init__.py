"""Section III: releases one after another and side by side. Read `sequential` first, then
`parallel`.
"""
