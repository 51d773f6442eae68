"""The geometric mechanism: an integer query plus two-sided geometric noise, restricted to a range
by clamping.

Source: Ghosh, Roughgarden and Sundararajan, "Universally utility-maximizing privacy mechanisms",
STOC 2009 (counts 0..n, "truncated"); Gupte and Sundararajan, "Universally optimal privacy
mechanisms for minimax agents", PODS 2010 ("range-restricted").
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from pufferproof.examples.builders.mechanisms.arguments import checked_query, checked_range
from pufferproof.examples.builders.mechanisms.tails import Tail, TwoSided
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number


def truncated_geometric(count: int, ratio: Number) -> Channel:
    """Return the truncated geometric mechanism on the counts 0..n: databases and outputs are "0" ..
    "n".

    With alpha = 1/R: P(k | q) = alpha^|k-q| / (1 + alpha) for k = 0 and k = n, and (1 - alpha) / (1
    + alpha) alpha^|k-q| in between. log(R)-differentially private when consecutive counts are
    neighbours, tightly.

    Args:
        count: n >= 1, the largest count.
        ratio: R = e^epsilon > 1.

    >>> truncated_geometric(2, "2").probability("0", "1")
    Fraction(1, 6)

    Raises `ModelError` unless n >= 1 and R > 1.
    Source: Ghosh, Roughgarden and Sundararajan 2009.
    """
    if count < 1:
        raise ModelError(f"expected at least 1, found {count}", "count")
    return range_restricted_geometric({str(value): value for value in range(count + 1)}, ratio, 0, count)


def range_restricted_geometric(query: Mapping[str, int], ratio: Number, least: int, most: int) -> Channel:
    """Return min(max(query + Z, least), most) with two-sided geometric noise Z, P(Z = z)
    proportional to R^-|z|.

    Clamping is post-processing: the mechanism is (Delta log R)-differentially private for a query
    of sensitivity Delta.

    Args:
        query: database -> integer, inside the range or not.
        ratio: R = e^(epsilon / Delta) > 1.
        least, most: ends of the range; outputs are the integers from one to the other.

    >>> range_restricted_geometric({"ann": 0, "bob": 1}, "3", 0, 1).probability("ann", "0")
    Fraction(3, 4)

    Raises `ModelError` unless the query is integer-valued, R > 1 and least < most.
    """
    noise, outputs = TwoSided(ratio), checked_range(least, most)
    return Channel.by_value(
        checked_query(query),
        lambda value: _clamped(noise.at_least(value), outputs),
        [str(output) for output in outputs],
    )


def _clamped(at_least: Tail, outputs: range) -> list[Fraction]:
    tails = [Fraction(1), *(at_least.at(output) for output in outputs[1:]), Fraction(0)]
    return [above - beyond for above, beyond in pairwise(tails)]
