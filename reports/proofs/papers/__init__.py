"""What the report says of a paper.

Its entry, the names of claims, and what a page says first (`titles`); formulas as printed and sentences (`typesetting`,
and `shown` as lines of text and to templates); and how bad what is false is (`grades`).
"""
