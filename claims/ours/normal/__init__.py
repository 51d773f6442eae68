"""Noise on linear queries of normal records. Results of our own.

F = c X_i + R, with R independent of X_i: of normal records c_k = Cov(F_k, X_i) / Var(X_i). Noise Z,
its coordinates independent, is added: the outputs are w = F + Z.
"""

NOTATION = {
    "X_i": "the secret record",
    "x, x'": "values of all records, or of X_i",
    "F": "the queries: F_k = c_k X_i + R_k",
    "R": "the rest of the queries; of normal records F - c X_i, uncorrelated with X_i and so "
    "independent of it",
    "c_k": "what a unit of X_i adds to number k: Cov(F_k, X_i) / Var(X_i) of normal records",
    "Z": "the noise, independent of the records",
    "w": "the outputs, F + Z",
    "t_k": "the decay of the noise on number k, e^(-1/h_k) for Laplace noise of scale h_k",
    "u, v": "two values of X_i",
    "s, t": "two windows of X_i, t left of s: they at most touch",
    "K": "the covariance of R + Z",
    "D^2": "(u - v)^2 c' K^-1 c",
    "QX_i": "Q times X_i",
    "delta": "the smallest delta at a level: how much likelier a set of outputs is than the level "
    "allows",
    "Phi": "the distribution function of a standard normal variable",
}
