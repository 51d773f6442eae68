"""How callers meet the objects: public functions check arguments (`kinds`), answers have a text for people
(`readable`), files are written whole or not at all (`outputs`), plots are of one style (`tabular`), many pieces of work
are answered in order (`steps`), or shared among machines and kept (`sweeps`).
"""
