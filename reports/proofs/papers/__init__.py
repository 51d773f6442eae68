"""What the report says of a paper: `bibliography`, formulas as printed (`latex`), how bad what is
false is (`grades`), and what its page says first (`summary`).
"""
