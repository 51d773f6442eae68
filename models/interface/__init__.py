"""How callers meet the objects: public functions check arguments (`kinds`), answers
have a text for people (`readable`), files are written whole or not at all (`outputs`), plots are of
one style (`drawing`), many pieces of work are answered in order (`in_order`), or shared among
machines and kept (`sweeps`).
"""
