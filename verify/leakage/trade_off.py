"""What a test of one secret against another can reach on listed outputs: exactly, by Neyman and
Pearson.

A test that says s on a set of outputs errs with probability Q(set) where s' holds and with
1 - P(set) where s does. Outputs in decreasing order of P/Q give the corners of the lower boundary,
and between them it is straight: one output is taken with some probability.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key
from itertools import zip_longest

Errors = tuple[Fraction, Fraction]  # where the second secret holds, and where the first does


def trade_off(laws: Iterable[tuple[Fraction, Fraction]]) -> list[Errors]:
    """Return the corners of the least errors (type I, type II), from (0, .) to (., 0).

    Args:
        laws: for every output its probability given s and given s'.

    >>> quarter = Fraction(1, 4)
    >>> corners = trade_off([(3 * quarter, quarter), (quarter, 3 * quarter)])
    >>> [(str(one), str(other)) for one, other in corners]
    [('0', '1'), ('1/4', '1/4'), ('1', '0')]
    """
    both = [(p, q) for p, q in laws if p and q]  # what one secret alone allows is never mistaken
    falling = sorted(both, key=cmp_to_key(_likelier))
    first, second = Fraction(0), sum((p for p, _ in both), Fraction(0))
    corners = [(first, second)]
    for (p, q), after in zip_longest(falling, falling[1:]):
        first, second = first + q, second - p
        if not after or _likelier((p, q), after):  # else the boundary goes straight on
            corners.append((first, second))
    return corners


def advantage(corners: Iterable[Errors]) -> Fraction:
    """Return the most by which errors fall short of 1 together: the total variation distance."""
    return max(1 - first - second for first, second in corners)


def _likelier(one: Errors, other: Errors) -> int:
    """Return -1 where P/Q is larger for the first, by cross products."""
    left, right = one[0] * other[1], other[0] * one[1]
    return (left < right) - (left > right)
