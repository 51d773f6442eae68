"""How callers meet the objects: arguments are checked by their annotations (`signatures`), answers
have a text for people (`readable`), and plots are of one style (`drawing`).
"""
