"""The (epsilon, delta) variant of Pufferfish, exactly: for a level, the smallest delta, and the
privacy profile.

    delta(epsilon) = max over theta, (s, s') of
        sum over outputs of max(0, P(y | s, theta) - e^epsilon P(y | s', theta)).

For the outputs where the difference is positive (decided exactly) the sum is alpha - e^epsilon beta
with rational alpha and beta, so delta is exact whenever e^epsilon is rational and enclosed to any
accuracy otherwise.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Plain, check_type
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.leakage.runs.parts import RESTS_ON as RUNS_REST_ON
from pufferproof.verify.leakage.runs.parts import BoundedDelta, CountedRuns, DeltaPlace, KnownDelta, runs_bounds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[Any]  # int64, or Python integers

# What a test of one secret against another can reach on listed outputs: exactly, by Neyman and Pearson.
#
# A test that says s on a set of outputs errs with probability Q(set) where s' holds and with 1 - P(set) where s does.
# Outputs in decreasing order of P/Q give the corners of the lower boundary, and between them it is straight: one
# output is taken with some probability.

Errors = tuple[Fraction, Fraction]  # where the second secret holds, and where the first does


def trade_off(laws: Iterable[Errors]) -> list[Errors]:
    """Return the corners of the least errors (type I, type II), from (0, .) to (., 0).

    Args:
        laws: for every output its probability given s and given s'.

    >>> quarter = Fraction(1, 4)
    >>> corners = trade_off([(3 * quarter, quarter), (quarter, 3 * quarter)])
    >>> [(str(one), str(other)) for one, other in corners]
    [('0', '1'), ('1/4', '1/4'), ('1', '0')]
    """
    turns = _turns((p, q) for p, q in laws if p and q)  # what one secret alone allows is never mistaken
    return [(below, turns[-1][1] - above) for below, above in turns]


def _turns(laws: Iterable[Errors]) -> list[Errors]:
    """Return (P(E | s'), P(E | s)) of the likeliest outputs, from none on, wherever P/Q falls."""
    falling = sorted((law for law in laws if any(law)), key=cmp_to_key(_likelier))
    below = above = Fraction(0)
    turns = [(below, above)]
    for (p, q), after in zip_longest(falling, falling[1:]):
        below, above = below + q, above + p
        if not after or _likelier((p, q), after):  # else the boundary goes straight on
            turns.append((below, above))
    return turns


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
        lower = [(a, 1 - b) for a, b in _turns((q, p) for p, q in self.laws)]
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
    points = {point for laws in every for point in _turns(laws)}
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


def _slope(one: Errors, other: Errors) -> Fraction:
    return (other[1] - one[1]) / (other[0] - one[0])


def advantage(corners: Iterable[Errors]) -> Fraction:
    """Return the most by which errors fall short of 1 together: the total variation distance."""
    return max(1 - first - second for first, second in corners)


def _likelier(one: Errors, other: Errors) -> int:
    """Return -1 where P/Q is larger for the first, by cross products."""
    left, right = one[0] * other[1], other[0] * one[1]
    return (left < right) - (left > right)


_CHUNK_ENTRIES = 2_000_000


@dataclass(frozen=True, repr=False)
class Delta(KnownDelta):
    """The number alpha - e^epsilon * beta at a level, and where it is reached.

    `outputs` are those with P(y | pair[0]) > e^epsilon P(y | pair[1]); none means delta = 0.
    """

    level: Level
    alpha: Fraction
    beta: Fraction
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

    def compare(self, bound: Fraction) -> int:
        """Return the sign of delta - bound, exactly."""
        return self.level.sign(self.alpha - bound, self.beta)

    @property
    def value(self) -> Fraction | None:
        """Delta when it is a known rational, else None."""
        if self.level.ratio is not None:
            return self.alpha - self.level.ratio * self.beta
        return self.alpha if self.beta == 0 else None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds with relative width at most 2^-60."""
        if self.value is not None:
            return self.value, self.value
        accuracy = 96
        while True:
            low, high = self.level.bounds(accuracy)
            lower, upper = self.alpha - high * self.beta, self.alpha - low * self.beta
            if (upper - lower) * 2**60 < lower:
                return lower, upper
            accuracy *= 2


def smallest_delta(framework: Framework, channel: Channel, level: LevelLike, runs: int = 1) -> Delta | BoundedDelta:
    """Return the exact smallest delta for which the channel is (epsilon, delta)-Pufferfish over the
    listed priors, or that of several independent `runs` of it released together.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> channel = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> smallest_delta(framework, channel, "log(2)").value
    Fraction(1, 4)
    >>> smallest_delta(framework, channel, "50", runs=1000).bounds()[0] > Fraction(99, 100)
    True

    Of several runs `outputs` is one text in words, as there are too many sequences. Where their
    counts are too many to sum, and every secret has one row, the answer is a `BoundedDelta`. Over
    mixtures of priors it is in `pufferproof.verify.leakage.mixtures`. Raises `ModelError` unless
    there is something to check, and `TooLargeError` where runs of secrets of several rows have too
    many counts.
    """
    framework = check_type(framework, Framework, "framework")
    channel = check_type(channel, Channel, "channel")
    runs = check_type(runs, int, "runs")
    level = Level.coerce(level, "level")
    if runs == 1:
        return delta_of(framework, channel, level)
    channel = channel.aligned(framework.databases, framework.support)
    return _delta_of_runs(framework, channel, level, runs)


def delta_of(framework: Framework, channel: Channel, level: Level) -> Delta:
    """Return the exact smallest delta of one release."""
    channel = channel.aligned(framework.databases, framework.support)
    best: Delta | None = None
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        rows = _ExactRows(laws, level)
        for pair in _candidates(laws, list(ordered_pairs(framework, prior)), level):
            delta = rows.delta(pair)
            if best is None or level.sign(delta.alpha - best.alpha, delta.beta - best.beta) > 0:
                best = delta
    if best is None:
        raise nothing_to_check()
    return best


def privacy_profile_approx(framework: Framework, channel: Channel, epsilons: Sequence[float]) -> "NDArray[np.float64]":
    """Return delta(epsilon) in float64 at every epsilon from 0 to 700 nats, for plots; absolute
    error below 1e-9.
    """
    import numpy as np

    channel = channel.aligned(framework.databases, framework.support)
    best = np.zeros(len(epsilons))
    factors = np.exp(np.asarray(epsilons))[:, None]
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        rows = laws.probabilities_approx()
        for left, right in ordered_pairs(framework, prior):
            excess = rows[laws.row[left]] - factors * rows[laws.row[right]]
            best = np.maximum(best, np.maximum(excess, 0).sum(axis=1))
    return best


def _candidates(laws: ConditionalLaws, pairs: list[Pair], level: Level) -> Iterator[Pair]:
    """Yield the ordered pairs whose delta could be the largest under one prior, by a float pass;
    more is harmless.

    A sum of m positive parts has an absolute error of at most tolerance * (1 + e^epsilon): each
    probability has a relative error of at most tolerance / 2, the parts are at most their
    probabilities, and these sum to 1.
    """
    import numpy as np

    low, high = level.filter_bounds()
    if not laws.reliable or high is None or high > 2**40 or len(pairs) < 2:
        yield from pairs
        return
    factor, rows = float(low), laws.floats_approx
    step = max(1, _CHUNK_ENTRIES // rows.shape[1])
    parts = []
    for start in range(0, len(pairs), step):
        chunk = pairs[start : start + step]
        left, right = (rows[[laws.row[pair[side]] for pair in chunk]] for side in (0, 1))
        parts.append(np.maximum(left - factor * right, 0).sum(axis=1))
    approximate = np.concatenate(parts)
    error = 4 * (laws.tolerance + rows.shape[1] * 2.0**-52) * (1 + factor)
    for position in np.flatnonzero(approximate >= approximate.max() - 2 * error).tolist():
        yield pairs[position]


class _ExactRows:
    """Exact sums of positive parts under one prior: int64 over outputs if they fit."""

    def __init__(self, laws: ConditionalLaws, level: Level) -> None:
        self.laws = laws
        self.level = level
        self.low, self.high = level.filter_bounds()
        self._rows: dict[str, tuple[Integers, int]] = {}

    def delta(self, pair: Pair) -> Delta:
        """Return the sum of the positive parts for an ordered pair, and their outputs."""
        import numpy as np

        (above, above_scale), (below, below_scale) = self._row(pair[0]), self._row(pair[1])
        surely = np.zeros(len(above), dtype=np.bool_)
        if self.high is not None:
            surely = self._exceeds(above, above_scale, below, below_scale, self.high)
        maybe = surely if self.low == self.high else self._exceeds(above, above_scale, below, below_scale, self.low)
        positive = surely.copy()
        for output in np.flatnonzero(maybe & ~surely).tolist():
            left, right = (Fraction(int(above[output]), above_scale), Fraction(int(below[output]), below_scale))
            positive[output] = self.level.sign(left, right) > 0
        chosen = np.flatnonzero(positive).tolist()
        return Delta(
            self.level,
            Fraction(sum(above[positive].tolist()), above_scale),
            Fraction(sum(below[positive].tolist()), below_scale),
            self.laws.prior,
            pair,
            tuple(self.laws.channel.outputs[output] for output in chosen),
        )

    @staticmethod
    def _exceeds(
        above: "Integers", above_scale: int, below: "Integers", below_scale: int, ratio: Fraction
    ) -> "NDArray[np.bool_]":
        """Say where above / above_scale > ratio * below / below_scale."""
        import numpy as np

        left, right = below_scale * ratio.denominator, above_scale * ratio.numerator
        if above_scale * below_scale * max(ratio.as_integer_ratio()) >= 2**63:
            above, below = above.astype(object), below.astype(object)
        return np.asarray(above * left > below * right, dtype=np.bool_)

    def _row(self, secret: str) -> "tuple[Integers, int]":
        import numpy as np

        if secret not in self._rows:
            numerators, denominator = self.laws.exact_row(secret)
            kind = np.int64 if denominator < 2**63 else object
            self._rows[secret] = np.array(numerators, dtype=kind), denominator
        return self._rows[secret]


def _delta_of_runs(framework: Framework, channel: Channel, level: Level, runs: int) -> Delta | BoundedDelta:
    """Return the smallest delta of independent runs, by the laws of how often outputs occur."""
    if runs < 1:
        raise ModelError(f"expected at least 1 run, found {runs}", "runs")
    counted = {prior: CountedRuns(framework, channel, prior, runs) for prior in framework.priors}
    every = [(prior, pair) for prior in counted for pair in ordered_pairs(framework, prior)]
    beyond = [counted[prior].beyond_counting(pair) for prior, pair in every]
    best: Delta | None = None
    said = f"all {runs} together that are more than e^epsilon times as likely"
    for (prior, pair), law in zip(every, beyond):
        if law is None:
            alpha, beta = counted[prior].positive_parts(pair, level)
            if best is None or level.sign(alpha - best.alpha, beta - best.beta) > 0:
                shown = (said,) if alpha else ()
                best = Delta(level, alpha, beta, prior, pair, shown, claims=RUNS_REST_ON)
    places = {
        tuple(law): DeltaPlace(prior, pair, partial(runs_bounds, law, level, runs))
        for (prior, pair), law in reversed([*zip(every, beyond)])
        if law is not None
    }
    if places:
        exact = [] if best is None else [_exactly(best)]
        return BoundedDelta.of(level, [*reversed(places.values()), *exact], (said,))
    if best is None:
        raise nothing_to_check()
    return best


def expect_few_runs(framework: Framework, channel: Channel, runs: int) -> None:
    """Raise `TooLargeError` where the smallest delta of so many runs is refused."""
    channel = channel.aligned(framework.databases, framework.support)
    for prior in framework.priors:
        counted = CountedRuns(framework, channel, prior, runs)
        for pair in ordered_pairs(framework, prior):
            counted.beyond_counting(pair)


def _exactly(delta: Delta) -> DeltaPlace:
    bounds = delta.bounds()
    return DeltaPlace(delta.prior, delta.pair, lambda close, bound: bounds)
