"""Exact pure leakage of small channels by integers alone: where there are few numbers, arrays
cost more than they save.

The same maximum, ties and witness as `pufferproof.verify.leakage.ratio`, by its definition: over
priors, pairs in file order, both orders and outputs, the first largest ratio of

    P(y | s, theta) = sum_{x in s} theta(x) n(x, y) / (theta(s) d(x)),

compared by cross products.
"""

from collections.abc import Iterator, Sequence
from math import lcm
from typing import NamedTuple

from pufferproof.models.channel import FEW_ENTRIES, Channel, Rows
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Listing

MOST_RATIOS = 256  # pairs times outputs times priors


class Place(NamedTuple):
    """Where a ratio is reached: positions of the prior, the pair and the output; the pair is
    swapped (1) or as written (0).
    """

    prior: int
    pair: int
    swapped: int
    output: int


class Largest(NamedTuple):
    """The first place of the largest ratio, which is above / below."""

    place: Place
    above: int
    below: int


def is_small(framework: Framework, channel: Channel) -> bool:
    """Say whether a list of priors and a channel of integers are small enough."""
    entries = len(channel.databases) * len(channel.outputs)
    if channel.scales is not None or entries > FEW_ENTRIES:
        return False
    return len(framework.pairs) * len(framework.priors) * len(channel.outputs) <= MOST_RATIOS


def largest_of_few(framework: Framework, channel: Channel) -> Largest | None:
    """Return the first place of the largest ratio, and the ratio, or None if nothing is positive.

    `channel` has its rows in the order of `framework.databases`.
    """
    listing, both = framework.listed, (0,) if framework.one_sided else (0, 1)
    rows = channel.held if isinstance(channel.held, Rows) else channel.numerators.tolist()
    best: Largest | None = None
    for prior, name in enumerate(listing.laws):
        given = _conditional(listing, name, rows, channel.denominators)
        for index, (left, right) in enumerate(listing.pairs):
            if left not in given or right not in given:
                continue
            for swapped in both:
                ordered = (right, left) if swapped else (left, right)
                above, below = given[ordered[0]], given[ordered[1]]
                for output, ratio in enumerate(_ratios(above, below)):
                    if ratio[0] and (best is None or _exceeds(ratio, best)):
                        best = Largest(Place(prior, index, swapped, output), *ratio)
    return best


Row = tuple[list[int], int]  # numerators over outputs, and their common denominator


def _conditional(
    listing: Listing, prior: str, rows: Sequence[Sequence[int]], denominators: Sequence[int]
) -> dict[str, Row]:
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
        factors = [weights[x] * (common // denominators[x]) for x in held]
        columns = zip(*[rows[x] for x in held])
        given[secret] = (
            [sum(map(int.__mul__, factors, column)) for column in columns],
            mass * common,
        )
    return given


def _ratios(above: Row, below: Row) -> Iterator[tuple[int, int]]:
    """Yield numerator and denominator of P(y | s) / P(y | s') over outputs y, not reduced."""
    scale, other = below[1], above[1]
    return ((mine * scale, theirs * other) for mine, theirs in zip(above[0], below[0]))


def _exceeds(ratio: tuple[int, int], best: Largest) -> bool:
    """Say whether a ratio of positive numerator is larger than the best, infinite ones alike."""
    if not best.below:
        return False
    return not ratio[1] or ratio[0] * best.below > best.above * ratio[1]
