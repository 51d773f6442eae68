"""Sections 6.1 to 6.3: influence curves, the translation of per-entry privacy into Pufferfish, how
it composes, and curves of binary chains. Read `definition` first.

Cells are the entries of a table, shown ones in L, hidden ones in H. Levels and influences are
ratios in formulas: A = e^a, R = e^epsilon.
"""
