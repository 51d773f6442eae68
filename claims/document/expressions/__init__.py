"""Expressions of Python in documents: how they are read and written (`reading.py`), the brackets
that they need (`brackets.py`), and how they are made exact (`exact.py`).
"""
