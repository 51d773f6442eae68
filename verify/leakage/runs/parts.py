"""Sums of positive parts over all sequences of outputs of independent runs, exactly: what delta of
runs is made of.

Between two databases the likelihood ratio of k runs is the product of r_j^c_j over the counts c of
the distinct ratios r_j: those beyond e^epsilon are a half-space of counts, whose weights are summed
line after line (`lines`). Of many ratios that are powers of one number the law of the product is a
power of a polynomial with integer coefficients.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import comb, floor, gcd, lcm, prod
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, Self

from pufferproof.models.channel import Channel
from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable, between, listed
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import ball, dyadic, least, log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import LargestRatio, delta_json
from pufferproof.verify.leakage.runs.repeated import RESTS_ON as RUNS_REST_ON
from pufferproof.verify.leakage.runs.repeated import multisets_of
from pufferproof.verify.losses.account import RESTS_ON as GRID_RESTS_ON
from pufferproof.verify.losses.account import Bounds, LossAccount, Part
from pufferproof.verify.losses.laws import Listed

if TYPE_CHECKING:
    import numpy as np
    from flint import fmpz
    from numpy.typing import NDArray

# Sums of positive parts of runs of secrets that several rows make up, exactly.
#
# Given s the counts c have the probability k!/prod c_j! sum_x mu_x prod_j P(j|x)^c_j, and the sums over x are compared
# with e^epsilon: by logarithms in floats with a proven error, and by integers where these do not tell. Outputs whose
# columns are proportional are one. On every line of counts few intervals are beyond the level, and their weights under
# each row are summed from those of the line before (`lines`).
#
# This file also has weights of sets of counts between boundaries, summed line after line.

RESTS_ON = ("worst.columns",)
Ends = Callable[[Sequence[int]], list[int] | None]  # counts of the last outcome, by the others'
Row = tuple[int, ...]
Mixture = Mapping[Row, int]  # rows of integers with one sum, and their weights
_NEVER = -1e300  # the logarithm of 0
_MOST_NATS = 10**300


def merged(mixtures: Sequence[Mixture]) -> list[list[Row]]:
    """Return the rows of mixtures with outputs whose columns are proportional as one, without
    impossible ones.

    >>> merged([{(1, 2, 3, 0): 1}, {(2, 4, 0, 0): 5}])
    [[(3, 3)], [(6, 0)]]
    """
    kinds: dict[Row, list[int]] = {}
    for place, column in enumerate(zip(*(row for mixture in mixtures for row in mixture))):
        if common := gcd(*column):
            kinds.setdefault(tuple(n // common for n in column), []).append(place)
    return [[tuple(sum(row[i] for i in kind) for kind in kinds.values()) for row in mixture] for mixture in mixtures]


def mixed_parts(
    rows: Sequence[Sequence[Row]], weights: Sequence[Sequence[int]], level: Level, runs: int
) -> tuple[int, int]:
    """Return for both secrets the weights, summed over their rows and over the counts that are
    more than e^epsilon times as likely given the first.

    >>> mixed_parts([[(3, 1)], [(1, 3)]], [[1], [1]], Level("log(2)"), 2)
    (9, 1)
    """
    region = _CountsRegion(rows, weights, level, runs)
    sums = [0, 0]
    for support, members in region.supports().items():
        laws = [[rows[side][place][j] for j in support] for side, place in members]
        if len(support) > 1:
            found = weights_between(laws, region.runs, partial(region.ends, support))
        else:
            beyond = region.exceeds({support[0]: region.runs})
            found = [law[0] ** region.runs if beyond else 0 for law in laws]
        for (side, place), each in zip(members, found):
            sums[side] += weights[side][place] * each
    return sums[0], sums[1]


class _CountsRegion:
    """The counts that are more than e^epsilon times as likely given the first secret."""

    def __init__(
        self, rows: Sequence[Sequence[Row]], weights: Sequence[Sequence[int]], level: Level, runs: int
    ) -> None:
        import numpy as np

        self.rows, self.weights, self.level, self.runs = rows, weights, level, runs
        self.masses = [sum(weight) for weight in weights]
        every = [row for side in rows for row in side]
        self.logs = np.array([[math.log(n) if n else _NEVER for n in row] for row in every])
        self.shares = np.array(
            [math.log(weight) - math.log(mass) for side, mass in zip(weights, self.masses) for weight in side]
        )
        if level.nats is not None:
            self.nats = float(min(level.nats, Fraction(_MOST_NATS)))
        else:
            ratio = level.bounds()[0]
            self.nats = 0.0 if ratio == 1 else float(log_bounds(ratio, 60)[0])
        finite = [math.log(max(n, 1)) for side in self.rows for row in side for n in row]
        size = self.runs * (1 + max(finite)) + math.log(max(self.masses)) + self.nats + 2
        self.error = math.ldexp((sum(self.logs.shape) + 16) * size, -49)

    def supports(self) -> dict[Row, list[tuple[int, int]]]:
        """Return which rows, by side and place, have which possible outputs."""
        known: dict[Row, list[tuple[int, int]]] = {}
        for side, rows in enumerate(self.rows):
            for place, row in enumerate(rows):
                support = tuple(j for j, n in enumerate(row) if n)
                known.setdefault(support, []).append((side, place))
        return known

    def ends(self, support: Row, counts: Sequence[int]) -> list[int]:
        """Return where counts of the last output begin and cease to be in it, on a line."""
        import numpy as np

        low, *others, high = support
        left = self.runs - sum(counts)
        last = np.arange(left + 1)
        known = self.shares + self.logs[:, others] @ np.array(counts, dtype=np.float64)
        terms = known[:, None] + np.outer(self.logs[:, low], left - last)
        terms += np.outer(self.logs[:, high], last)
        with np.errstate(invalid="ignore"):
            above = _summed(terms[: len(self.rows[0])]) - _summed(terms[len(self.rows[0]) :])
        inside = above - self.nats > self.error
        fixed = dict(zip(others, counts))
        for n in np.flatnonzero(abs(above - self.nats) <= self.error).tolist():
            inside[n] = self.exceeds(fixed | {low: left - n, high: n})
        changes = np.flatnonzero(np.diff(inside)) + 1
        return [0] * bool(inside[0]) + changes.tolist()

    def exceeds(self, counts: Mapping[int, int]) -> bool:
        """Decide one set of counts, by outputs, in integers."""
        one, other = (
            sum(weight * prod(row[j] ** n for j, n in counts.items()) for row, weight in zip(rows, weights))
            for rows, weights in zip(self.rows, self.weights)
        )
        return self.level.sign(Fraction(one * self.masses[1]), Fraction(other * self.masses[0])) > 0


def _summed(terms: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the logarithm of sums by column, minus infinity where all is impossible."""
    import numpy as np

    most = terms.max(axis=0)
    sums = np.log(np.exp(terms - most).sum(axis=0)) + most
    return np.where(most < _NEVER / 2, -np.inf, sums)


class _RunsTail(NamedTuple):
    """A count of the last outcome, the weight there, and the sum from there on."""

    start: int
    weight: "fmpz"
    beyond: "fmpz"


class _SharedRuns(NamedTuple):
    """How many runs the first and the last outcome share, whether there is anything from each
    boundary on, and there the sums of every law; at least one, to go on from.
    """

    left: int
    ends: list[bool]
    tails: list[list[_RunsTail]]


def how_many_lines(outcomes: int, runs: int) -> int:
    """Return how many counts there are of all outcomes but two, in at most so many runs."""
    return comb(runs + outcomes - 2, runs)


def weights_between(laws: Sequence[Sequence[int]], runs: int, ends: Ends) -> list[int]:
    """Return for every law, a list of positive weights of outcomes, the sum of the weights of the
    counts whose last one is from the first of the `ends` on, without those from the second on, with
    those from the third on, and so forth. With None there are none, nor of more of an outcome.

    >>> weights_between([(1, 2, 3)], 2, lambda counts: [1 - sum(counts)])
    [35]
    """
    return _Lines(laws, runs, ends).sums()


class _Lines:
    def __init__(self, laws: Sequence[Sequence[int]], runs: int, ends: Ends) -> None:
        from flint import fmpz

        self.laws = [[fmpz(weight) for weight in law] for law in laws]
        self.runs, self.ends = runs, ends
        self.counts = [0] * (len(laws[0]) - 2)
        self.totals = [fmpz(0) for _ in laws]

    def sums(self) -> list[int]:
        start = [_RunsTail(self.runs, law[-1] ** self.runs, law[-1] ** self.runs) for law in self.laws]
        line = self._with_ends(self.runs, [start])
        if line is not None:
            self._from(line, 0)
        return [int(total) for total in self.totals]

    def _from(self, line: _SharedRuns, place: int) -> None:
        """Add the lines from one on, on which outcomes after `place` do not occur yet."""
        if place == len(self.counts):
            for i in range(len(self.laws)):
                for number, (some, tails) in enumerate(zip(line.ends, line.tails)):
                    if some:
                        self.totals[i] += -tails[i].beyond if number % 2 else tails[i].beyond
            return
        onward: _SharedRuns | None = line
        while onward is not None:
            self._from(onward, place + 1)
            self.counts[place] += 1
            if onward.left == 0:
                break
            moved = [
                [self._onward(law, tail, onward.left, place) for law, tail in zip(self.laws, each)]
                for each in onward.tails
            ]
            onward = self._with_ends(onward.left - 1, moved)
        self.counts[place] = 0

    def _with_ends(self, left: int, tails: list[list[_RunsTail]]) -> _SharedRuns | None:
        """Return the line with sums moved to its boundaries."""
        ends = self.ends(self.counts)
        if ends is None:
            return None
        places = [min(max(end, 0), left) for end in ends] or [tails[0][0].start]
        tails += [tails[-1]] * (len(places) - len(tails))
        moved = [
            [_moved(law, tail, left, place) for law, tail in zip(self.laws, each)] for each, place in zip(tails, places)
        ]
        return _SharedRuns(left, [end <= left for end in ends], moved)

    def _onward(self, law: "Sequence[fmpz]", tail: _RunsTail, left: int, place: int) -> _RunsTail:
        low, each, high, times = law[0], law[place + 1], law[-1], self.counts[place]
        count, weight, beyond = tail if tail.start < left else _moved(law, tail, left, left - 1)
        beyond = (beyond * left - weight * count) * each // (times * (low + high))
        return _RunsTail(count, weight * ((left - count) * each) // (times * low), beyond)


def _moved(law: "Sequence[fmpz]", tail: _RunsTail, left: int, place: int) -> _RunsTail:
    """Return the sum from another count of the last outcome on."""
    start, weight, beyond = tail
    low, high = law[0], law[-1]
    while start > place:  # C(m, t - 1) = C(m, t) t / (m - t + 1)
        weight = weight * (start * low) // ((left - start + 1) * high)
        beyond += weight
        start -= 1
    while start < place:
        beyond -= weight
        weight = weight * ((left - start) * high) // ((start + 1) * low)
        start += 1
    return _RunsTail(place, weight, beyond)


_MOST_POWERS = 1_000_000  # exponents of one law of runs
_MOST_BYTES = 200_000_000  # of its coefficients
_MOST_WORK = 200_000_000  # words of 64 bits of all lines: five to ten seconds
_WORK_OF_LINE, _WORK_OF_COUNT = 5_000, 3  # beside, of mixtures
_MOST_DIGITS, _MOST_POWER = 400, 1_000  # of ratios that are powers of one number
_SCALE = 2**128  # of logarithms in integers

Likelihoods = Sequence[tuple[Fraction, Fraction]]
First = Callable[[Sequence[int]], int]  # the least count of the last ratio, by the others'
_Class = tuple[Fraction, tuple[int, int]]  # a ratio of likelihoods, and both likelihoods


class CountedRuns:
    """Sums of positive parts over all sequences of outputs of independent runs, under one prior.

    Between two databases outputs with one ratio are merged, and sequences whose ratio is infinite
    are counted at once.
    """

    def __init__(self, framework: Framework, channel: Channel, prior: str, runs: int) -> None:
        self.framework, self.prior, self.runs = framework, prior, runs
        self._unit = lcm(*(channel.denominators[x] for x in framework.support))
        self._rows = {
            x: tuple(n * (self._unit // channel.denominators[x]) for n in channel.numerators_of(x))
            for x in framework.support
        }

    def positive_parts(self, pair: Pair, level: Level) -> tuple[Fraction, Fraction]:
        """Return alpha and beta: the probabilities, given each secret, of the sequences that are
        more than e^epsilon times as likely given the first.
        """
        above, below = (self._mixture(secret) for secret in pair)
        if len(above) == len(below) == 1:
            # two databases, with their rows over the least denominators
            pure = next(iter(above)), next(iter(below))
            classes = self._classes(*pure)
            alpha, beta = self._finite(classes, level) if classes else (0, 0)
            totals = [(self._unit // gcd(*row)) ** self.runs for row in pure]
            finite = sum(a for _, (a, _) in classes)
            return Fraction(alpha + totals[0] - finite**self.runs, totals[0]), Fraction(beta, totals[1])
        # the parts of secrets that several rows make up
        rows, weights = merged([above, below]), [[*above.values()], [*below.values()]]
        self._check_mixtures(len(rows[0][0]), len(above) + len(below))
        alpha, beta = mixed_parts(rows, weights, level, self.runs)
        total = self._unit**self.runs
        return Fraction(alpha, sum(weights[0]) * total), Fraction(beta, sum(weights[1]) * total)

    def beyond_counting(self, pair: Pair) -> Likelihoods | None:
        """Return both likelihoods of every finite ratio of two databases whose runs are too many
        to count, or None if they are few enough.

        Raises `TooLargeError` where runs of secrets of several rows are too many.
        """
        above, below = (self._mixture(secret) for secret in pair)
        if not len(above) == len(below) == 1:
            self._check_mixtures(len(merged([above, below])[0][0]), len(above) + len(below))
            return None
        rows = next(iter(above)), next(iter(below))
        classes = self._classes(*rows)
        lines = 0 if len(classes) < 2 else how_many_lines(len(classes), self.runs)
        if lines * (160 + self._words(self.runs)) <= _MOST_WORK or self._by_powers_of([ratio for ratio, _ in classes]):
            return None
        one, other = (self._unit // gcd(*row) for row in rows)
        return [(Fraction(a, one), Fraction(b, other)) for _, (a, b) in classes]

    def _mixture(self, secret: str) -> dict[tuple[int, ...], int]:
        """Return the rows that differ of a secret, with their weights under the prior."""
        law, weights = self.framework.laws[self.prior], dict[tuple[int, ...], int]()
        for x in self.framework.secrets[secret]:
            if law.weights[x]:
                weights[self._rows[x]] = weights.get(self._rows[x], 0) + law.weights[x]
        return weights

    @staticmethod
    def _classes(above: Sequence[int], below: Sequence[int]) -> list[_Class]:
        """Return the finite ratios of two rows, and both likelihoods of each."""
        scales = [gcd(*row) for row in (above, below)]
        known: dict[Fraction, tuple[int, int]] = {}
        for one, other in zip(above, below):
            if one and other:
                a, b = known.get(Fraction(one, other), (0, 0))
                known[Fraction(one, other)] = a + one // scales[0], b + other // scales[1]
        return sorted(known.items())

    def _finite(self, classes: Sequence[_Class], level: Level) -> tuple[int, int]:
        """Return the parts of the sequences with a finite ratio."""
        ratios = [ratio for ratio, _ in classes]
        if powers := self._by_powers_of(ratios):
            return self._by_powers(classes, *powers, level)
        if len(classes) == 1:
            beyond = level.compare(ratios[0] ** self.runs) > 0
            a, b = classes[0][1]
            return (a**self.runs, b**self.runs) if beyond else (0, 0)
        powers = self._powers_of(ratios)
        first = (
            _first_by_logs(ratios, level, self.runs)
            if powers is None
            else _first_by_powers(ratios, *powers, level, self.runs)
        )
        laws = [[entries[side] for _, entries in classes] for side in (0, 1)]

        # the count beyond on every line, or None if no more can be
        def ends(counts: Sequence[int]) -> list[int] | None:
            start = first(counts)
            return None if start > self.runs - sum(counts) else [start]

        alpha, beta = weights_between(laws, self.runs, ends)
        return alpha, beta

    def _powers_of(self, ratios: Sequence[Fraction]) -> tuple[Fraction, list[int]] | None:
        """Return how ratios are powers of one number, or None if these are not few."""
        powers = _powers(ratios)
        return powers if powers and powers[1][-1] * self.runs <= _MOST_POWERS else None

    def _by_powers_of(self, ratios: Sequence[Fraction]) -> tuple[Fraction, list[int]] | None:
        """Return the same, or None if a law by powers is no better than lines."""
        powers = self._powers_of(ratios) if len(ratios) > 3 else None
        return powers if powers and powers[1][-1] * self.runs * self._words(self.runs) * 8 <= _MOST_BYTES else None

    def _words(self, runs: int) -> int:
        return runs * self._unit.bit_length() // 64

    def _by_powers(
        self, classes: Sequence[_Class], base: Fraction, exponents: Sequence[int], level: Level
    ) -> tuple[int, int]:
        """Return the parts where the ratios are r q^e: that of runs is r^k q^j, j a sum of e."""
        from flint import fmpz_poly

        least = classes[0][0] ** self.runs
        first = _first(level, least, base, exponents[-1] * self.runs + 1)
        sides = []
        for side in (0, 1):
            weights = [0] * (exponents[-1] + 1)
            for (_, entries), exponent in zip(classes, exponents):
                weights[exponent] += entries[side]
            law = fmpz_poly(weights) ** self.runs
            sides.append(sum(map(int, law.coeffs()[first:])))
        return sides[0], sides[1]

    def _check_mixtures(self, outputs: int, rows: int) -> None:
        """Raise `TooLargeError` unless the lines and the sets of counts of mixtures are few."""

        def work(runs: int) -> int:
            numbers = rows * (160 + self._words(runs))
            lines = how_many_lines(outputs, runs) * (_WORK_OF_LINE + numbers) + runs * numbers
            return lines + multisets_of(outputs, runs) * rows * _WORK_OF_COUNT

        if work(self.runs) > _MOST_WORK:
            most, _ = least(lambda runs: work(runs) > _MOST_WORK, (0, self.runs))
            raise TooLargeError(
                f"{rows} rows of {outputs} outputs: expected at most {most} runs, found {self.runs}", "runs"
            )


def _first_by_powers(
    ratios: Sequence[Fraction], base: Fraction, exponents: Sequence[int], level: Level, runs: int
) -> First:
    """Return where ratios r q^e pass the level: the least count of the last one, by the others'."""
    last = exponents[-1]
    least = _first(level, ratios[0] ** runs, base, last * runs + 1)
    others = exponents[1:-1]
    return lambda counts: -((sum(map(mul, others, counts)) - least) // last)


def _first_by_logs(ratios: Sequence[Fraction], level: Level, runs: int) -> First:
    """Return where the product of ratios passes the level: the least count of the last one, by the
    others', by logarithms, and by the product itself where they do not tell.

    Of c_j runs with ratio r_j the last one needs n > S / log(r_last / r_0), where
    S = epsilon - k log r_0 - sum c_j log(r_j / r_0).
    """
    *others, last = (_scaled(ratio / ratios[0]) for ratio in ratios[1:])
    if level.nats is None:
        lower, upper = _scaled(level.bounds()[0])
    else:
        lower, upper = floor(level.nats * _SCALE), -floor(-level.nats * _SCALE)
    low, high = _scaled(ratios[0])
    lower, upper = lower - runs * high, upper - runs * low

    def exact(counts: Sequence[int], start: int, end: int) -> int:
        left = runs - sum(counts)
        known = prod(map(pow, ratios[1:-1], counts), start=ratios[0] ** left)
        return _first(level, known, ratios[-1] / ratios[0], end, start)

    def first(counts: Sequence[int]) -> int:
        least = lower - sum(log[1] * count for log, count in zip(others, counts))
        most = upper - sum(log[0] * count for log, count in zip(others, counts))
        if not last[0]:  # ratios are so close together that integers do not tell
            return exact(counts, 0, runs + 1)
        start = least // last[1 if least > 0 else 0] + 1
        end = most // last[0 if most > 0 else 1] + 1
        if start == end or end <= 0 or start > runs:
            return end
        return exact(counts, max(0, start), end)

    return first


def _scaled(ratio: Fraction) -> tuple[int, int]:
    """Return integers about the logarithm of a ratio, times 2^128."""
    if ratio == 1:
        return 0, 0
    low, high = log_bounds(ratio, 128)
    return floor(low * _SCALE), -floor(-high * _SCALE)


def _first(level: Level, ratio: Fraction, step: Fraction, end: int, start: int = 0) -> int:
    """Return the first n of start .. end - 1 with ratio * step^n > e^epsilon, or `end`."""
    return least(lambda n: level.compare(ratio * step**n) > 0, (start - 1, end))[1]


def _powers(ratios: Sequence[Fraction]) -> tuple[Fraction, list[int]] | None:
    """Return q > 1 and integers e with ratios[i] = ratios[0] q^e[i], or None if small ones are not
    found.

    >>> _powers([Fraction(1, 9), Fraction(1, 3), Fraction(9)])
    (Fraction(3, 1), [0, 1, 4])
    """
    shares, base = [ratio / ratios[0] for ratio in ratios], Fraction(1)
    for share in shares[1:]:
        base, left = share, base
        while left != 1:  # Euclid's algorithm on exponents
            power = _power(base, left)
            if power is None:
                return None
            base, left = left, base / left**power
    exponents = [_power(share, base) if base != 1 else 0 for share in shares]
    known = [exponent for exponent in exponents if exponent is not None]
    return (base, known) if len(known) == len(ratios) else None


def _power(value: Fraction, base: Fraction) -> int | None:
    """Return the largest n with base^n <= value, both at least 1, or None if it is long."""
    if max(value.numerator, base.numerator).bit_length() > _MOST_DIGITS:
        return None
    power, product = 0, base
    while product <= value:
        power, product = power + 1, product * base
        if power > _MOST_POWER:
            return None
    return power


# Smallest deltas at a level, known exactly or between bounds: those of runs that are too many to count are bounded by
# the account of privacy losses (`pufferproof.verify.losses.account`), on finer grids until they decide.

_ROUGH, _CLOSE = Fraction(1, 1000), Fraction(1, 2**20)  # relative widths
_MANY_BITS, _MOST_BITS = 2**24, 2**26  # of a grid: for the width, and to decide
_BITS, _LITTLE = 384, Fraction(1, 2**80)  # of the probability that some ratio is infinite


class KnownDelta(Readable):
    """A smallest delta: a known rational, or between bounds, and where it is reached."""

    level: Level
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    claims: tuple[str, ...]

    @property
    def value(self) -> Fraction | None:
        """Delta when it is a known rational, else None."""
        raise NotImplementedError

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        raise NotImplementedError

    def against(self, bound: Fraction) -> Self:
        """Return the same with bounds that tell it from a number, if any do."""
        return self

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on, beside the largest ratio."""
        return largest.trust(self.level)

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on, and the largest ratio with it."""
        return united(self.claims, largest.rests_on(self.level))

    def as_json(self) -> JsonObject:
        """Return `{"ratio", "lower", "upper", "witness"}`: value, enclosure, and place."""
        return delta_json(self.value, self.bounds(), self.prior, self.pair, self.outputs)

    def __str__(self) -> str:
        above, below = self.pair
        value, where = (between(*self.bounds()), f"for {above!r} against {below!r}, prior {self.prior!r}")
        return f"delta {value} at {self.level}, {where}, outputs {listed(self.outputs)}"


def runs_bounds(law: Likelihoods, level: Level, runs: int, close: Fraction, bound: Fraction | None = None) -> Bounds:
    """Return bounds of delta at a level of so many runs between two databases, of a relative width,
    or which tell delta from a bound, if a grid has such.

    Args: law: both likelihoods of the outputs that have both, those of one ratio together, in the
        order of ratios p/q.

    >>> law = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4))]
    >>> [round(float(end), 9) for end in runs_bounds(law, Level("log(2)"), 1, Fraction(1, 1000))]
    [0.25, 0.25]
    """
    from flint import ctx

    if not law:
        return Fraction(1), Fraction(1)
    finite = [sum(side, Fraction(0)) for side in zip(*law)]
    with ctx.workprec(_BITS):
        nats = level.ball().log() if level.nats is None else ball(level.nats)
        rest = (runs * ball(finite[0]).log()).exp()
        certain = max(dyadic((1 - rest).lower()), Fraction(0))  # some ratio is infinite
        if nats >= runs * ball(law[-1][0] / law[-1][1]).log():  # no other exceeds the level
            return certain, dyadic((1 - rest).upper())
        if rest < ball(_LITTLE):
            return certain, Fraction(1)
    outputs = Listed(lambda _: [(ball(p), ball(q)) for p, q in law], *(1 - each for each in finite))
    bits = _MANY_BITS if bound is None else _MOST_BITS
    return LossAccount([Part(outputs, runs)], order=0).delta(level, bound, close, bits)


class DeltaPlace(NamedTuple):
    """Where a delta of runs may be largest, and its bounds of a relative width, or which tell it
    from a number.
    """

    prior: str
    pair: Pair
    evaluate: Callable[[Fraction, Fraction | None], Bounds]


@dataclass(frozen=True, repr=False)
class BoundedDelta(KnownDelta):
    """A smallest delta of runs that are too many to count, between proved bounds.

    `prior` and `pair` are those of the largest upper bound.
    """

    level: Level
    lower: Fraction
    upper: Fraction
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    _places: tuple[DeltaPlace, ...] = field(repr=False)
    claims: tuple[str, ...] = field(default=united(RUNS_REST_ON, GRID_RESTS_ON), kw_only=True, repr=False)

    @classmethod
    def of(cls, level: Level, places: Sequence[DeltaPlace], outputs: tuple[str, ...]) -> "BoundedDelta":
        """Return the largest of the deltas at some places, within 2^-20 of itself if a grid tells
        it so well.
        """
        first = places[0]
        whole = Fraction(0), Fraction(1)
        found = cls(level, *whole, first.prior, first.pair, outputs, tuple(places))
        return found._closer(_ROUGH)._closer(_CLOSE)

    @property
    def value(self) -> None:
        """None: delta is not a known rational."""
        return None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        return self.lower, self.upper

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return that, and the arithmetic of intervals."""
        return tuple(dict.fromkeys((*super().trust(largest), "INTERVAL")))

    def against(self, bound: Fraction) -> "BoundedDelta":
        """Return the same with bounds that tell it from a number, if a grid of 8 MB does."""
        return self._closer(_CLOSE, bound) if self.lower <= bound < self.upper else self

    def compare(self, bound: Fraction) -> int | None:
        """Return 1 if delta is more than a bound, and -1 if it is at most that; None if no grid of
        8 MB tells.
        """
        lower, upper = self.against(bound).bounds()
        if lower > bound:
            return 1
        return -1 if upper <= bound else None

    def _closer(self, close: Fraction, bound: Fraction | None = None) -> "BoundedDelta":
        """Return the same with bounds of a relative width, or which tell it from a number."""
        if bound is None and self.upper - self.lower <= close * self.upper:
            return self
        known = [(place, *place.evaluate(close, bound)) for place in self._places]
        lower = max(self.lower, *(low for _, low, _ in known))
        known = [each for each in known if each[2] >= lower]
        place, _, upper = max(known, key=lambda each: each[2])
        return replace(
            self,
            lower=lower,
            upper=min(self.upper, upper),
            prior=place.prior,
            pair=place.pair,
            _places=tuple(place for place, _, _ in known),
        )
