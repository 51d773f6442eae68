"""How a fitted law loses its zeros (appendix D.2), and the law of a ranking (section 7.1.3)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import text_of

TAU = Fraction(1, 100_000)


def smoothed(row: Sequence[Fraction], tau: Fraction = TAU) -> tuple[Fraction, ...]:
    """Return a law without zeros: tau in their place, what is added taken from the rest in
    proportion.

    >>> smoothed([Fraction(0), Fraction(1, 4), Fraction(3, 4)], Fraction(1, 5))
    (Fraction(1, 5), Fraction(1, 5), Fraction(3, 5))

    Raises `ModelError` unless the row is a law, tau is at least 0 and the zeros leave something to
    the rest.
    """
    if min(row) < 0 or sum(row, Fraction(0)) != 1:
        raise ModelError(f"expected a law, found entries of sum {text_of(sum(row, Fraction(0)))}", "row")
    kept = 1 - tau * sum(entry == 0 for entry in row)
    if tau < 0 or kept <= 0:
        raise ModelError(f"expected from 0 to less than 1/{len(row) - 1}, found {text_of(tau)}", "tau")
    return tuple(entry * kept if entry else tau for entry in row)


def ranking_probability(ranking: Sequence[str], weights: Mapping[str, Fraction]) -> Fraction:
    """Return the probability that draws without replacement, proportional to weights, come in this
    order.

    >>> ranking_probability("xy", {"x": Fraction(2), "y": Fraction(1), "z": Fraction(1)})
    Fraction(1, 4)
    """
    left, found = sum(weights.values(), Fraction(0)), Fraction(1)
    for each in ranking:
        found *= weights[each] / left
        left -= weights[each]
    return found
