"""Names and common assumptions of the readings of Section 2: above all, how alt(X_1), .., alt(X_t) are drawn together.

They may be drawn for each window on its own (ALT w), by scrubbing the stream once (ALT s), or with a common coin (ALT c);
the paper does not say which. Source: "Composition Theorem for streaming CW-privacy", Section 2.
"""

from fractions import Fraction

import sympy

ALL_SIZES = "all finite sizes"
WINDOW = "alternatives drawn for each window on its own"
STREAM = "stream scrubbed once"
COIN = "one common coin"
SMALLEST = "bits, B = 2"
FLOOR = Fraction(5, 4)  # the least e^gamma that counterexamples use: Assumption 3 allows any bound above 1
INDEPENDENT = [
    "i.i.d. blocks (or independent ones, a law for each position)",
    "given the stream, each alt(X_i) is drawn on its own, from X_i only",
    "M uses fresh coins at each step",
]
EVERY = "eq. (1) for every outcome"
HUNDREDTH = sympy.Rational(1, 100)
