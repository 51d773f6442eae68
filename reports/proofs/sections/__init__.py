"""Documents of claims as pages.

`blocks` turns what was parsed into LaTeX, `found` says which documents a report has and what templates show of them,
and `site` writes the pages of the documentation.
"""
