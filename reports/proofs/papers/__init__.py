"""What the report says of a paper, and to its authors: `bibliography`, formulas as printed
(`latex`), how bad what is false is (`grades`), what its page says first (`summary`), and `letter`.
"""
