"""What the folder of a proof-check report holds beside its pages. Read first: `archives`, the queries and certificates
of a paper in one file, and which pages need not be written again.
"""
