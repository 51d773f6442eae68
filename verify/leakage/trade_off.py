"""What a test of one secret against another can reach on listed outputs: exactly, by Neyman and
Pearson.

A test that says s on a set of outputs errs with probability Q(set) where s' holds and with
1 - P(set) where s does. Outputs in decreasing order of P/Q give the corners of the lower boundary,
and between them it is straight: one output is taken with some probability.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise, zip_longest

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.ratio import nothing_to_check

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


@dataclass(frozen=True)
class Corner(Plain):
    """A ratio e^epsilon at which the slope of the smallest delta changes, and that delta."""

    ratio: Fraction
    delta: Fraction


def recipe(laws: Iterable[Errors]) -> list[Corner]:
    """Return the finite ratios P/Q of outputs, those of at least 1, and the smallest delta of P
    against Q there, ascending: the slopes and shifts of "Composition Theorem for streaming
    CW-privacy", Section 1.1.

    >>> recipe([(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))])
    [Corner(ratio=Fraction(3, 1), delta=Fraction(0, 1))]
    """
    both = list(laws)
    return [
        Corner(r, sum((max(Fraction(0), p - r * q) for p, q in both), Fraction(0)))
        for r in sorted({p / q for p, q in both if q and p >= q})
    ]


@dataclass(frozen=True)
class Region:
    """The region R(M, s, s') of all (P(E | s), P(not E | s')) and what is between them, under a
    prior, for an ordered pair; `laws` has the probabilities of every output given both.
    """

    prior: str
    pair: Pair
    laws: tuple[Errors, ...]

    @property
    def corners(self) -> list[Corner]:
        """The slopes and shifts of the tangents from below, those of at least 1."""
        return recipe(self.laws)

    def vertices(self) -> list[Errors]:
        """Return the vertices of the region from (0, 1) along its lower edge to (1, 0) and back:
        the lower edge takes outputs in increasing order of P/Q, and the upper one is its image
        under (a, b) -> (1 - a, 1 - b).

        >>> third = Fraction(1, 3)
        >>> region = Region("p", ("s", "t"), ((2 * third, third), (third, 2 * third)))
        >>> [(str(a), str(b)) for a, b in region.vertices()]
        [('0', '1'), ('1/3', '1/3'), ('1', '0'), ('2/3', '2/3')]
        """
        rising = sorted((law for law in self.laws if any(law)), key=cmp_to_key(_likelier))[::-1]
        a, b = Fraction(0), Fraction(1)
        lower = [(a, b)]
        for (p, q), after in zip_longest(rising, rising[1:]):
            a, b = a + p, b - q
            if not after or _likelier((p, q), after):  # else the edge goes straight on
                lower.append((a, b))
        return [*lower, *((1 - a, 1 - b) for a, b in lower[1:-1])]

    def as_json(self) -> JsonObject:
        """Return the region object of the file formats."""
        turns = [corner.as_json() for corner in self.corners]
        vertices = [[text_of(a), text_of(b)] for a, b in self.vertices()]
        return {"prior": self.prior, "pair": list(self.pair), "corners": turns, "vertices": vertices}


def regions_of(framework: Framework, channel: Channel) -> Iterator[Region]:
    """Yield the region of every prior and ordered pair whose secrets are possible.

    Raises `ModelError` for mixtures of priors.
    """
    if framework.closure != "list":
        raise ModelError('expected "list": corners are those of listed priors', "closure")
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        for one, other in ordered_pairs(framework, prior):
            rows = [
                [Fraction(number, total) for number in numbers] for numbers, total in map(laws.exact_row, (one, other))
            ]
            yield Region(prior, (one, other), tuple(zip(*rows)))


def corners_of(framework: Framework, channel: Channel) -> list[Corner]:
    """Return the corners of delta(r) = max over priors, ordered pairs and events E of
    P(E | s) - r P(E | s'), those with r >= 1, ascending.

    Between two corners, and after the last one, delta is a straight line in r. Events of one pair
    are outputs in the order of their ratios, so that delta is the upper envelope of a line for each
    of them: the corners are the slopes of the upper hull of all (P(E | s'), P(E | s)).

    >>> from pufferproof import Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> channel = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> corners_of(framework, channel)
    [Corner(ratio=Fraction(3, 1), delta=Fraction(0, 1))]

    Raises `ModelError` for mixtures of priors, and unless there is something to check.
    """
    hull = upper_hull(each.laws for each in regions_of(framework, channel))
    if not hull:
        raise nothing_to_check()
    return turns_of(hull)


def upper_hull(every: Iterable[Iterable[Errors]]) -> list[Errors]:
    """Return the upper hull of (P(E | s'), P(E | s)) over the events of several pairs of laws, from
    the left: their largest delta at r is the largest second number less r times the first one.
    """
    points = {point for laws in every for point in _events(laws)}
    hull: list[Errors] = []
    for point in sorted(points, key=lambda point: (point[0], -point[1])):
        if hull and point[0] == hull[-1][0]:
            continue
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def turns_of(hull: list[Errors]) -> list[Corner]:
    """Return where the delta of an upper hull changes its slope, at ratios of at least 1."""
    steps = [(_slope(one, other), one) for one, other in pairwise(hull)]
    found = [Corner(r, above - r * below) for r, (below, above) in steps if r >= 1]
    return found[::-1]


def _events(laws: Iterable[Errors]) -> Iterator[Errors]:
    """Yield (P(E | s'), P(E | s)) of the likeliest outputs, one more each time, from none on."""
    below = above = Fraction(0)
    yield below, above
    for p, q in sorted((law for law in laws if any(law)), key=cmp_to_key(_likelier)):
        below, above = below + q, above + p
        yield below, above


def _slope(one: Errors, other: Errors) -> Fraction:
    return (other[1] - one[1]) / (other[0] - one[0])


def advantage(corners: Iterable[Errors]) -> Fraction:
    """Return the most by which errors fall short of 1 together: the total variation distance."""
    return max(1 - first - second for first, second in corners)


def _likelier(one: Errors, other: Errors) -> int:
    """Return -1 where P/Q is larger for the first, by cross products."""
    left, right = one[0] * other[1], other[0] * one[1]
    return (left < right) - (left > right)
