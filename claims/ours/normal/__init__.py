"""Noise on linear queries of normal records. Results of our own.

F = c X_i + R, with R independent of X_i: of normal records c_k = Cov(F_k, X_i) / Var(X_i). Noise Z,
its coordinates independent, is added: the outputs are w = F + Z.
"""
