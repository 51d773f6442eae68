"""What the report says of a paper.

`bibliography`; the names of claims (`titles`); formulas as printed (`latex`, and `shown` as lines
of text and to templates); sentences (`typesetting`); how bad what is false is (`grades`); and what
its page says first (`summary`).
"""
