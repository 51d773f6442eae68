"""Documents of claims as pages.

`formulas` turns what was parsed into LaTeX, `shown` is what templates show of a document, `found`
says which documents a report has, and `site` writes the pages of the documentation.
"""
