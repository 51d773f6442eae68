"""Redaction of a chain of bits by its definitions, on small cases that tests compare claims
with.
"""

from fractions import Fraction
from itertools import combinations, product
from random import Random

from pufferproof.claims.papers.massny2025.influence.instances import Chain

PROBABILITIES = [Fraction(k, 4) for k in range(5)]
SIGNS = {
    "positive": Chain(Fraction(1, 4), Fraction(1, 2)),
    "zero": Chain(Fraction(1, 3), Fraction(2, 3)),
    "negative": Chain(Fraction(2, 3), Fraction(3, 4)),
    "tie": Chain(Fraction(3, 4), Fraction(3, 4)),
}


def subsets(indices):
    indices = list(indices)
    return [each for size in range(len(indices) + 1) for each in combinations(indices, size)]


def random_redaction(seed, count, private, *, hidden=True):
    """Draw r_t(x) from quarters; X_p always redacted unless `hidden` is False."""
    draw = Random(seed)
    pairs = [(draw.choice(PROBABILITIES), draw.choice(PROBABILITIES)) for _ in range(count)]
    if hidden:
        pairs[private - 1] = (Fraction(1), Fraction(1))
    return pairs


def cells(largest):
    """Yield (sign, chain, n, p)."""
    for (sign, of), count in product(SIGNS.items(), range(1, largest + 1)):
        for private in range(1, count + 1):
            yield sign, of, count, private
