"""Names and common assumptions of the readings of Section 2: above all, how alt(X_1), .., alt(X_t)
are drawn together.

They may be drawn for each window on its own (ALT w), by scrubbing the stream once (ALT s), or with
a common coin (ALT c); the paper does not say which. Source: "Composition Theorem for streaming
CW-privacy", Section 2.
"""

from fractions import Fraction

ALL_SIZES = "all finite sizes"
WINDOW = "alternatives drawn for each window on its own"
STREAM = "stream scrubbed once"
COIN = "one common coin"
SMALLEST = "bits, B = 2"
# the least e^gamma that counterexamples use: Assumption 3 allows any bound above 1
FLOOR = Fraction(5, 4)
BLOCKS = "i.i.d. blocks (or independent ones, a law for each position)"
APART = "given the stream, each alt(X_i) is drawn on its own, from X_i only"
COINS = "M uses fresh coins at each step"
INDEPENDENT = [BLOCKS, APART, COINS]
STEPS = "Assumptions 1 and 3 (for every step)"
KNOWN = "only X_{t down} is known"
RECURSION = "the recursion of Lemma 1 for P^0 and P^1"
EVERY = "eq. (1) for every outcome"
