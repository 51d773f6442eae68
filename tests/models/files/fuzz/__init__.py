"""Edited files of every format that people hand in, read again. Read first: `formats.py`, then
`units.py`.
"""
