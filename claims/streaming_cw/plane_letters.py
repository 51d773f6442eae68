"""The letters of the proofs about privacy regions in the plane.

P and Q are the rows of databases x and x', R = e^epsilon, and S a set of outcomes with complement S'. A set enters a proof
through p = P(S), 1 - p = P(S'), q and 1 - q, and a sum over outcomes through its partial sums, so that proofs hold for any
number of outcomes. Source: "Composition Theorem for streaming CW-privacy", Section 1.1.
"""

from typing import Any

import sympy
from sympy import And

ALL = "all finite sizes"
DROPPED: list[Any] = []  # in place of the assumptions that a near miss leaves out
P, Q, R, DELTA = sympy.symbols("p q R delta", real=True)
A, B, C, T, U, V, W = sympy.symbols("a b c t u v w", real=True)
LEFT, FLOOR, TOTAL, WEIGHT, HEIGHT = sympy.symbols("left floor total weight height", real=True)
UNIT = [P >= 0, P <= 1, Q >= 0, Q <= 1]
LEVEL = [R >= 1, DELTA >= 0, DELTA <= 1]
BOTH_ORDERS = And(P <= R * Q + DELTA, Q <= R * P + DELTA, 1 - P <= R * (1 - Q) + DELTA, 1 - Q <= R * (1 - P) + DELTA)
