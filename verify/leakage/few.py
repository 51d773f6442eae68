"""Exact pure leakage of small channels by integers alone: where there are few numbers, arrays
cost more than they save.

The same maximum, ties and witness as `pufferproof.verify.leakage.ratio`, by its definition: over
priors, pairs in file order, both orders and outputs, the first largest ratio of

    P(y | s, theta) = sum_{x in s} theta(x) n(x, y) / (theta(s) d(x)),

compared by cross products.
"""

from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

from pufferproof.models.channel import FEW_ENTRIES, Channel, Rows
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Listing

MOST_RATIOS = 256  # pairs times outputs times priors


class RatioPlace(NamedTuple):
    """Where a ratio is reached: positions of the prior, the pair and the output; the pair is
    swapped (1) or as written (0).
    """

    prior: int
    pair: int
    swapped: int
    output: int


class FirstLargest(NamedTuple):
    """The first place of the largest ratio, which is above / below."""

    place: RatioPlace
    above: int
    below: int


def is_small(framework: Framework, channel: Channel) -> bool:
    """Say whether a list of priors and a channel of integers are small enough."""
    entries = len(channel.databases) * len(channel.outputs)
    if channel.scales is not None or entries > FEW_ENTRIES:
        return False
    listing = framework.listed
    return len(listing.pairs) * len(listing.laws) * len(channel.outputs) <= MOST_RATIOS


def largest_of_few(framework: Framework, channel: Channel) -> FirstLargest | None:
    """Return the first place of the largest ratio, and the ratio, or None if nothing is positive.

    `channel` has its rows in the order of `framework.databases`.
    """
    listing, both = framework.listed, (0,) if framework.one_sided else (0, 1)
    rows = channel.held if isinstance(channel.held, Rows) else channel.numerators.tolist()
    best: FirstLargest | None = None
    for prior, name in enumerate(listing.laws):
        given = _conditional(listing, name, rows, channel.denominators)
        for index, (left, right) in enumerate(listing.pairs):
            if left not in given or right not in given:
                continue
            for swapped in both:
                above, below = given[right if swapped else left], given[left if swapped else right]
                output = _first_largest(above[0], below[0])
                if output is None:
                    continue
                # P(y | s) / P(y | s'), not reduced
                ratio = above[0][output] * below[1], below[0][output] * above[1]
                if best is None or _exceeds(*ratio, best.above, best.below):
                    best = FirstLargest(RatioPlace(prior, index, swapped, output), *ratio)
    return best


IntegerRow = tuple[list[int], int]  # numerators over outputs, and their common denominator


def _conditional(
    listing: Listing, prior: str, rows: Sequence[Sequence[int]], denominators: Sequence[int]
) -> dict[str, IntegerRow]:
    """Return P(. | secret) of the secrets of positive probability."""
    weights, given = listing.laws[prior].weights, {}
    for secret, mass in listing.masses[prior].items():
        if not mass:
            continue
        held = [x for x in listing.secrets[secret] if weights[x]]
        if len(held) == 1:
            given[secret] = list(rows[held[0]]), denominators[held[0]]
            continue
        common = lcm(*[denominators[x] for x in held])
        sums = [0] * len(rows[held[0]])
        for x in held:
            factor = weights[x] * (common // denominators[x])
            sums = [total + factor * number for total, number in zip(sums, rows[x])]
        given[secret] = sums, mass * common
    return given


def _first_largest(above: Sequence[int], below: Sequence[int]) -> int | None:
    """Return the first place of the largest quotient of two rows, None if no numerator is positive.
    The denominators of the rows are the same at every place.
    """
    place, most, least = None, 0, 0
    for output, (number, other) in enumerate(zip(above, below)):
        if number and (place is None or (least and number * least > most * other)):
            place, most, least = output, number, other
    return place


def _exceeds(above: int, below: int, most: int, least: int) -> bool:
    """Say whether above / below > most / least, numerators positive, infinite ones alike."""
    return least > 0 and above * least > most * below
