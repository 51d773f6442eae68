"""Laplace noise on an integer query, rounded to integers and restricted to a range: by clamping, or
wrongly by redrawing.

The noise has scale 1 / log(R), so its distribution function is F(x) = R^x / 2 for x <= 0 and 1 -
R^-x / 2 for x >= 0; after rounding to the nearest integer probabilities are rational when R is the
square of a rational.

Source: Dwork, McSherry, Nissim and Smith, "Calibrating noise to sensitivity in private data
analysis", TCC 2006; on redrawing Holohan, Antonatos, Braghin and Mac Aonghusa, "The bounded Laplace
mechanism in differential privacy", JPC 2020.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from pufferproof.examples.builders.mechanisms.arguments import checked_query, checked_range
from pufferproof.models.channel import Channel
from pufferproof.models.interface.kinds import Number, checked_ratio, rational_root


def discretised_laplace(query: Mapping[str, int], ratio: Number, least: int, most: int) -> Channel:
    """Return the query plus Laplace noise, rounded to the nearest integer and clamped to
    least..most.

    Rounding and clamping are post-processing: (Delta log R)-differentially private for a query of
    sensitivity Delta.

    Args:
        query: database -> integer, inside the range or not.
        ratio: R = e^(epsilon / Delta) > 1, the square of a rational.
        least, most: ends of the range; outputs are the integers from one to the other.

    >>> discretised_laplace({"a": 0, "b": 1}, "4", 0, 2).probability("a", "1")
    Fraction(3, 16)

    Raises `ModelError` unless the query is integer-valued, R > 1 a square, and least < most.
    """
    root, outputs = rational_root(checked_ratio(ratio)), checked_range(least, most)

    def row(value: int) -> list[Fraction]:
        cuts = [_distribution(root, 2 * (output - value) - 1) for output in outputs[1:]]
        return [after - before for before, after in pairwise([Fraction(0), *cuts, Fraction(1)])]

    return Channel.by_value(checked_query(query), row, [str(output) for output in outputs])


def renormalised_laplace(query: Mapping[str, int], ratio: Number, least: int, most: int) -> Channel:
    """Return the query plus Laplace noise, rounded, and redrawn until it falls into least..most.

    Each row is divided by the mass of the range, which depends on the database: this is *not*
    post-processing, and the level Delta log R is lost (at most 2 Delta log R remains). A common
    error.

    Args, Raises: as `discretised_laplace`.

    >>> renormalised_laplace({"a": 0, "b": 1}, "4", 0, 2).probability("a", "1")
    Fraction(12, 47)
    """
    root, outputs = rational_root(checked_ratio(ratio)), checked_range(least, most)

    def row(value: int) -> list[Fraction]:
        cuts = [_distribution(root, 2 * (output - value) - 1) for output in (*outputs, most + 1)]
        masses = [after - before for before, after in pairwise(cuts)]
        return [mass / (cuts[-1] - cuts[0]) for mass in masses]

    return Channel.by_value(checked_query(query), row, [str(output) for output in outputs])


def _distribution(root: Fraction, halves: int) -> Fraction:
    """Return F(halves / 2), with R = root^2.

    [k - 1/2, k + 1/2] has mass F(k + 1/2) - F(k - 1/2): with s = R^(1/2) it is 1 - 1/s for k = 0
    and R^-|k| (s - 1/s) / 2 otherwise. (A rounding tie has probability 0.)
    """
    tail = root ** -abs(halves) / 2
    return tail if halves <= 0 else 1 - tail
