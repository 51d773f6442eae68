"""What claims do, as text: their words, readings, steps and statements, without asking an engine.
Read `record.py` first.

`statements.py` writes what readings say, and what that is true of.
"""
