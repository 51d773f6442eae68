"""Claims of "Composition for Pufferfish Privacy" (Bai, He, Gu, Kifer and Maeng, 2026).

Databases are finitely many. Levels are ratios R = e^epsilon >= 1 in formulas; "a <= R b" for
likelihoods a and b says that 0/0 is no violation and that a/0 with a > 0 is one. Each file says
which letters its formulas use beside these.
"""
