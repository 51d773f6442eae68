"""Experiments of bai2026 on top-K queries: `experiment` first.

`budgets` turns a level into levels per record, `mechanisms` says which noise each mechanism adds,
`sources` where people come from, `printed` what the paper has; `words` and `pictures` show it all.
"""
