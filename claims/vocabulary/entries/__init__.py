"""The vocabulary, a file for each area of `formal/theory`: words, LaTeX, Coq and exact value of
every entry, side by side.
"""
