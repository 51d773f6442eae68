"""How callers meet the objects: arguments are checked by their annotations (`signatures`), answers
have a text for people (`readable`), plots are of one style (`drawing`), and many pieces of work are
answered in order (`in_order`).
"""
