"""The exact leakage of many runs of a mechanism, by counting how often each output occurs.

The likelihood of k independent runs depends only on the counts c_w of the outputs, sum c_w = k. So
e^(leakage of k runs) is

    max over priors, ordered pairs and counts of
        sum_x mu_x prod_w P(w|x)^c_w / sum_x nu_x prod_w P(w|x)^c_w,

over C(k + m - 1, m - 1) sets of counts for m outputs instead of m^k sequences: k in the thousands
for three outputs. Of secrets of one row each, one output in all runs decides. Logarithms in floats
with a proven error bound pick the counts that could be the largest (the pattern of zeros is exact),
exact integers decide among them. Mixtures of priors are not covered: `compose` has them, for few
runs.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from math import comb, lcm, prod
from typing import TYPE_CHECKING

from pufferproof.models.channel import MAX_RUNS, Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import least, log_bounds
from pufferproof.verify.leakage.laws import included
from pufferproof.verify.leakage.ratio import Leakage, nothing_to_check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.columns",)
MAX_COUNTS = 100_000_000  # sets of counts, times databases or ordered pairs, whichever are more
MAX_ENTRIES = 40_000_000  # sets of counts, times outputs
_CHUNK_ENTRIES = 2_000_000


@dataclass(frozen=True)
class Counts:
    """Where a joint ratio stands: prior, ordered pair, and how often each output occurs (all
    mechanisms' outputs in a row).
    """

    prior: str
    pair: Pair
    counts: tuple[int, ...]

    @property
    def runs(self) -> int:
        """How many releases there are."""
        return sum(self.counts)


@dataclass(frozen=True)
class RatioPlace:
    """A prior and an ordered pair, by position in the framework's files, with the laws' weights."""

    order: tuple[int, int, int]
    prior: str
    pair: Pair


class Multisets:
    """Joint likelihood ratios of sets of counts over the outputs of some mechanisms, under the
    listed priors.

    Raises `ModelError` unless every mechanism fits and there is something to check.
    """

    def __init__(self, framework: Framework, mechanisms: Sequence[Channel]) -> None:
        import numpy as np

        aligned = [mechanism.aligned(framework.databases, framework.support) for mechanism in mechanisms]
        self.framework = framework
        self.places = list(_places(framework))
        if not self.places:
            raise nothing_to_check()
        self._live = sorted(framework.support)
        self._row = {x: i for i, x in enumerate(self._live)}
        self.logs = np.hstack([logs_approx(mechanism)[self._live] for mechanism in aligned])
        self.possible = np.hstack([mechanism.positive[self._live] for mechanism in aligned])
        # rows over denominators that all rows of a mechanism share
        self._integers: list[list[int]] = [[] for _ in self._live]
        for mechanism in aligned:
            common = lcm(*(mechanism.denominators[x] for x in self._live))
            for row, x in zip(self._integers, self._live):
                row += [n * (common // mechanism.denominators[x]) for n in mechanism.numerators_of(x)]

        kinds: dict[tuple[int, ...], int] = {}
        self._kind = [kinds.setdefault(tuple(row), len(kinds)) for row in self._integers]
        self._firsts = sorted(set(self.possible.argmax(axis=1).tolist()))  # possible outputs

    def error(self, runs: int) -> float:
        """Return a bound of the error of `log_ratios`, for so many runs."""
        size = sum(self.logs.shape) + 32
        weight = 2 + max(float(law.total.bit_length()) for law in self.framework.laws.values())
        return 2.0 * math.ldexp(size * (runs * (1 + float(abs(self.logs).max())) + weight), -51)

    def log_ratios(
        self, counts: "NDArray[np.int64]", places: Sequence[RatioPlace] | None = None
    ) -> "Iterator[tuple[RatioPlace, NDArray[np.float64]]]":
        """Yield every prior and ordered pair with the log-ratio of each row of counts: within
        `error`, zeros exact.

        Infinite where only the second secret excludes the counts, minus infinite the other way
        round, and where both do, not a number.
        """
        import numpy as np

        joint = counts @ self.logs.T
        joint[(counts @ ~self.possible.T) > 0] = -np.inf
        known: dict[tuple[str, str], NDArray[np.float64]] = {}
        for place in self.places if places is None else places:
            sides = []
            for secret in place.pair:
                if (place.prior, secret) not in known:
                    known[place.prior, secret] = self._law(joint, place.prior, secret)
                sides.append(known[place.prior, secret])
            with np.errstate(invalid="ignore"):
                yield place, sides[0] - sides[1]

    def _law(self, joint: "NDArray[np.float64]", prior: str, secret: str) -> "NDArray[np.float64]":
        """Return log P(counts | secret) up to the number of orders, by row."""
        import numpy as np

        law = self.framework.laws[prior]
        held = [x for x in self.framework.secrets[secret] if law.weights[x]]
        mass = self.framework.mass(prior, secret)
        weights = np.array([math.log(law.weights[x]) - math.log(mass) for x in held])
        terms = joint[:, [self._row[x] for x in held]] + weights
        top = terms.max(axis=1)
        shift = np.where(np.isfinite(top), top, 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.exp(terms - shift[:, None]).sum(axis=1)) + shift)

    def plain(self, place: RatioPlace) -> bool:
        """Say whether both secrets have one row each: the ratio is then largest, and infinite
        first, where one output occurs in all runs, or in all but one.
        """
        outputs = self.possible.shape[1]
        if outputs * outputs * (1 + len(self._firsts)) > MAX_ENTRIES // 4:
            return False
        law = self.framework.laws[place.prior]
        for secret in place.pair:
            held = [x for x in self.framework.secrets[secret] if law.weights[x]]
            if any(self._kind[self._row[x]] != self._kind[self._row[held[0]]] for x in held):
                return False
        return True

    def extreme(self, runs: int) -> "NDArray[np.int64]":
        """Return the counts of one output alone, and of the first that a row makes possible
        beside another one, in the order of sorted sequences.
        """
        import numpy as np

        outputs = self.possible.shape[1]
        rows = np.zeros((1 + len(self._firsts), outputs, outputs), dtype=np.int64)
        rows[0] = np.eye(outputs, dtype=np.int64) * runs
        for place, first in enumerate(self._firsts, 1):
            rows[place] = np.eye(outputs, dtype=np.int64)
            rows[place, :, first] += runs - 1
        return np.unique(rows.reshape(-1, outputs), axis=0)[::-1]

    def exact(self, place: RatioPlace, counts: Sequence[int]) -> tuple[int, int]:
        """Return the joint ratio of one set of counts as two integers; over 0 is infinite."""
        law = self.framework.laws[place.prior]
        used = [(w, c) for w, c in enumerate(counts) if c]
        sums = []
        for secret in place.pair:
            held = [x for x in self.framework.secrets[secret] if law.weights[x]]
            rows = ((law.weights[x], self._integers[self._row[x]]) for x in held)
            sums.append(sum(weight * prod(row[w] ** c for w, c in used) for weight, row in rows))
        left, right = (self.framework.mass(place.prior, secret) for secret in place.pair)
        return sums[0] * right, sums[1] * left


def repeated_leakage(framework: Framework, channel: Channel, runs: int) -> tuple[Leakage, Counts]:
    """Return the exact leakage of `runs` independent runs of a mechanism, and the first counts that
    reach it.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> response = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> largest, where = repeated_leakage(framework, response, 200)
    >>> largest.ratio == 3**200, where.pair, where.counts
    (True, ('s', 't'), (200, 0))

    Raises `ModelError` as `Multisets`, and when there are too many sets of counts.
    """
    framework = check_type(framework, Framework, "framework")
    channel = check_type(channel, Channel, "channel")
    runs = check_type(runs, int, "runs")
    return _leakage(Multisets(framework, [channel]), len(channel.outputs), runs)


def leakage_curve(framework: Framework, channel: Channel, runs: Sequence[int]) -> list[Leakage]:
    """Return the exact leakage of each number of runs."""
    multisets = Multisets(framework, [channel])
    return [_leakage(multisets, len(channel.outputs), k)[0] for k in runs]


def multisets_of(outputs: int, runs: int) -> int:
    """Return how many sets of counts of `runs` runs there are."""
    return comb(outputs + runs - 1, runs)


def counted_work(framework: Framework, outputs: int, runs: int) -> int:
    """Return how many floats the leakage of `runs` runs takes, roughly."""
    return multisets_of(outputs, runs) * max(len(framework.support), 2 * len(framework.pairs) * len(framework.priors))


@lru_cache(maxsize=2)
def all_counts(outputs: int, runs: int) -> "NDArray[np.int64]":
    """Return all sets of counts as rows, in the order of sorted sequences of outputs."""
    return counts_between(outputs, runs, 0, multisets_of(outputs, runs))


def counts_between(outputs: int, runs: int, start: int, end: int) -> "NDArray[np.int64]":
    """Return some of all sets of counts, by their places in the order of sorted sequences.

    >>> counts_between(3, 2, 1, 4).tolist()
    [[1, 1, 0], [1, 0, 1], [0, 2, 0]]
    """
    import numpy as np

    places = np.arange(start, end)
    left = np.full(len(places), runs, dtype=np.int64)  # what this output and those to come share
    columns = []
    for several in range(outputs, 1, -1):
        # rest runs of the others: before them stand all counts of less, C(m + rest - 1, rest - 1)
        before = np.array([multisets_of(several, rest - 1) if rest else 0 for rest in range(runs + 1)])
        rest = np.searchsorted(before, places, side="right") - 1
        places = places - before[rest]
        columns.append(left - rest)
        left = rest
    return np.stack([*columns, left], axis=1)


def logs_approx(mechanism: Channel) -> "NDArray[np.float64]":
    """Return log P(w | x) within 2^-50 (1 + its size), 0 where P(w | x) = 0; exact numbers help
    where floats are too small.
    """
    import numpy as np

    entries = mechanism.floats_approx
    with np.errstate(divide="ignore"):
        logs = np.where(mechanism.positive, np.log(entries), 0.0)
    for x, w in np.argwhere(mechanism.positive & (entries < 2.0**-900)).tolist():
        value = Fraction(mechanism.numerator(x, w), mechanism.denominators[x])
        logs[x, w] = float(log_bounds(value, 60)[0])
    return np.asarray(logs)


def _leakage(multisets: Multisets, outputs: int, runs: int) -> tuple[Leakage, Counts]:
    # raise `ModelError` unless runs can be counted
    if runs < 1:
        raise ModelError(f"expected at least 1 run, found {runs}", "runs")
    if multisets.framework.closure == "convex":
        raise ModelError('runs are counted for listed priors only, not over "closure": "convex"', "closure")
    if runs > MAX_RUNS:
        raise ModelError(f"expected at most {MAX_RUNS} runs, found {runs}", "runs")
    sides = [multisets.plain(place) for place in multisets.places]
    plain = list(compress(multisets.places, sides))
    mixed = [place for place, alone in zip(multisets.places, sides) if not alone]
    candidates = []
    if plain:
        candidates += _candidates(multisets, [multisets.extreme(runs)], runs, plain)
    if mixed:
        # raise `ModelError` unless the sets of counts are few enough
        def few(runs: int) -> bool:
            entries = multisets_of(outputs, runs) * outputs
            return counted_work(multisets.framework, outputs, runs) <= MAX_COUNTS and entries <= MAX_ENTRIES

        if not few(runs):
            most, _ = least(lambda k: not few(k), (0, runs))
            raise ModelError(
                f"{multisets_of(outputs, runs)} sets of counts of {outputs} outputs: expected at most {most} runs",
                "runs",
            )
        candidates += _candidates(multisets, _chunks(multisets, outputs, runs), runs, mixed)
    candidates.sort(key=lambda candidate: candidate[0].order)
    place, row = _largest(multisets, candidates)
    above, below = multisets.exact(place, row)
    where = Counts(place.prior, place.pair, row)
    return Leakage.of(Fraction(above, below) if below else None), where


def _chunks(multisets: Multisets, outputs: int, runs: int) -> "Iterator[NDArray[np.int64]]":
    """Yield all sets of counts, as many at a time as memory should hold."""
    step = max(1, _CHUNK_ENTRIES // (len(multisets.logs) + outputs))
    count = multisets_of(outputs, runs)
    for start in range(0, count, step):
        yield counts_between(outputs, runs, start, min(count, start + step))


def _candidates(
    multisets: Multisets, counts: "Iterable[NDArray[np.int64]]", runs: int, places: Sequence[RatioPlace] | None = None
) -> list[tuple[RatioPlace, tuple[int, ...]]]:
    """Return, in order, places and counts whose ratio could be the largest."""
    import numpy as np

    slack = 2 * multisets.error(runs)
    top, kept, start = -math.inf, list[tuple[float, RatioPlace, int, tuple[int, ...]]](), 0
    for chunk in counts:
        for place, ratios in multisets.log_ratios(chunk, places):
            top = max(top, float(np.fmax.reduce(ratios)))
            kept += [
                (float(ratios[i]), place, start + i, tuple(chunk[i].tolist()))
                for i in np.flatnonzero(ratios >= top - slack).tolist()
            ]
        start += len(chunk)
        kept = [each for each in kept if each[0] >= top - slack]
    kept.sort(key=lambda candidate: (candidate[1].order, candidate[2]))
    return [(place, row) for _, place, _, row in (kept[:1] if top == math.inf else kept)]


def _largest(
    multisets: Multisets, candidates: list[tuple[RatioPlace, tuple[int, ...]]]
) -> tuple[RatioPlace, tuple[int, ...]]:
    """Return the first candidate of the largest ratio, decided in integers."""
    best = candidates[0]
    most, least = multisets.exact(*best)
    for candidate in candidates[1:]:
        above, below = multisets.exact(*candidate)
        if above * least > most * below:
            best, most, least = candidate, above, below
    return best


def _places(framework: Framework) -> Iterator[RatioPlace]:
    for i, prior in enumerate(framework.priors):
        for j, pair in enumerate(framework.pairs):
            if included(framework, prior, pair):
                for swapped, ordered in enumerate(framework.orders(pair)):
                    yield RatioPlace((i, j, swapped), prior, ordered)
