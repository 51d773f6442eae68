"""Whether steps are alike at all times: at every phase of a season, and early and late.

A period is cut into equal bins. From each value, what comes next is compared between bins, by the
chi-square of Mantel and Haenszel (of Pearson but for a factor 1 - 1/N in one stratum). Strata are
the contexts, the last values that a chain goes by, so that no order hides a season; and the groups
if they are not alike. Bins are as fine, from 24 down to three, as keeps the law of chi-square
(`comparison`); rare next values are counted together. A value that leaves less is left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import Comparison, tail_approx

if TYPE_CHECKING:
    import numpy as np

_FINEST, _COARSEST = 24, 3
_LEAST = 5  # counts that are expected are at least so many
_MOST_COLUMNS = 8  # next values that are told apart
_CYCLES = 3  # of a period, in the longest recording
_USUAL = {"24 steps": 24.0, "7 steps": 7.0, "12 steps": 12.0}
_LONGEST_PERIOD = 400  # steps, of those that are looked for
_SEARCHED = 4_000  # values of the longest recording, and
_PAIRS = 16  # of context and next value, in which periods are looked for
_PARTS = 4  # of recordings, which are compared for a trend
_FEWEST = 60  # values in which a period is looked for


@dataclass(frozen=True)
class Steps:
    """All steps of recordings: the number of the context that each leaves, the value that it leads
    to, the time of that value in steps, the share of all steps that are earlier in the recordings
    of their groups, the number of the recording, the value before, and the stratum: only steps of
    the same one are compared.
    """

    context: "np.ndarray"
    value: "np.ndarray"
    time: "np.ndarray"
    share: "np.ndarray"
    recording: "np.ndarray"
    before: "np.ndarray"
    stratum: "np.ndarray"

    @classmethod
    def of(
        cls, sequences: Sequence[Sequence[int]], order: int, starts: Sequence[float] = (), members: Sequence[int] = ()
    ) -> "Steps":
        """Return the steps; `starts` has the time of the first value of each sequence, and
        `members` its group: by default it begins at 0, and is of its own.
        """
        import numpy as np

        of, begins = members or range(len(sequences)), starts or [0.0] * len(sequences)
        first: dict[int, float] = {}
        for group, begin in zip(of, begins):
            first.setdefault(group, begin)

        size = 1 + max(max(values, default=0) for values in sequences)
        given = [(k, np.asarray(v)) for k, v in enumerate(sequences) if len(v) > order]
        parts: list[list[np.ndarray]] = [[] for _ in range(6)]
        for k, values in given:
            count = len(values) - order
            code = np.zeros(count, dtype=np.int64)
            for lag in range(order):
                code = code * size + values[lag : lag + count]
            places = np.arange(order, len(values))
            begin, since = begins[k], begins[k] - first[of[k]] + places
            number, before = np.full(count, k), values[order - 1 : -1]
            own = (code, values[order:], begin + places, since, number, before)
            for part, array in zip(parts, own):
                part.append(array)
        codes, value, time, since, recording, before = map(np.concatenate, parts)
        share = np.searchsorted(np.sort(since), since) / len(since)
        context = np.unique(codes, return_inverse=True)[1]
        return cls(context, value, time, share, recording, before, np.zeros_like(value))

    def some(self, chosen: "np.ndarray") -> "Steps":
        """Return the steps that are chosen."""
        return Steps(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def by(self, members: Sequence[int]) -> "Steps":
        """Return the steps with a stratum for every group; `members` has that of each recording."""
        import numpy as np

        return replace(self, stratum=np.asarray(members)[self.recording])

    @property
    def span(self) -> float:
        """How long the longest recording is, in steps, gaps included."""
        if not len(self.time):
            return 0.0
        return float(self.time.max() - self.time.min())


@dataclass(frozen=True)
class Season:
    """The comparison of phases of the period that stands out most, and the name of that period."""

    comparison: Comparison
    period: str

    @property
    def says(self) -> str:
        """Say what was found, and what to do."""
        return (
            f"what follows a value depends on the place in a period of {self.period}: the chain is "
            "an average over the period, and some part of it may leak more (a higher order seldom "
            'mends this; a framework may have a matrix for every step, as "transitions")'
        )


def season(steps: Steps, periods: Iterable[tuple[str, float]]) -> Season:
    """Compare the phases of every period that steps hold three times: of the `periods` of the
    calendar; if there are none, of 24, 7 and 12 steps and of the period that stands out in the
    first half of the recordings, which the second half then tests. With K periods the p-value is K
    times the least.
    """
    named = [(name, length, steps) for name, length in periods]
    if not named:
        named = [(name, length, steps) for name, length in _USUAL.items()]
        early = steps.share < 0.5
        if len(steps.value) >= _FEWEST and (period := _outstanding(steps.some(early))):
            named.append((f"{period} steps", float(period), steps.some(~early)))
    found = []
    for name, length, some in named:
        if length >= 2 and some.span >= _CYCLES * length - 1:
            phase = (some.time / length) % 1.0
            found.append(Season(_compared(some, phase, _finest(length)), name))
    tried = [each for each in found if each.comparison.degrees]
    if not tried:
        return Season(Comparison(Fraction(0), 0, 1.0), "")
    best = min(tried, key=lambda each: each.comparison.p_value)
    p = min(1.0, len(tried) * best.comparison.p_value)
    return replace(best, comparison=replace(best.comparison, p_value=p))


def trend(steps: Steps) -> Comparison:
    """Compare the quarters of the recordings."""
    return _compared(steps, steps.share, _PARTS)


def says_of_trend(test: Comparison) -> str:
    """Say what is found about the quarters of recordings."""
    return (
        f"{test.p_text}: {test.against('one chain at all times')}: what follows a value is not "
        "the same in all quarters of the recordings, as it changes or as the past matters for long "
        "(fit a part that is like the time to come)"
    )


def says_of_season(found: Season) -> str:
    """Say what is found about a season."""
    test = found.comparison
    words = test.against("one chain at all times")
    return f"{test.p_text}: {words}: {found.says}"


def _finest(length: float) -> int:
    """Return how many bins a period has at most: a whole number of steps each, if it can."""
    return int(min(_FINEST, max(_COARSEST, length)))


def _compared(steps: Steps, phase: "np.ndarray", finest: int) -> Comparison:
    """Compare bins of phases from every value, and add up."""
    import numpy as np

    statistic, degrees = 0.0, 0
    stratum = steps.stratum * (1 + int(steps.context.max(initial=0))) + steps.context
    order = np.argsort(steps.before, kind="stable")
    bounds = np.flatnonzero(np.diff(steps.before[order], prepend=-1))
    for own in np.split(order, bounds[1:]) if len(order) else []:
        counts = _counts(steps.value[own], phase[own], stratum[own], finest)
        if counts is not None:
            statistic += _mantel_haenszel(counts)
            degrees += (counts.shape[1] - 1) * (counts.shape[2] - 1)
    exact = Fraction(statistic).limit_denominator(10**6)
    return Comparison(exact, degrees, tail_approx(exact, degrees))


def _counts(value: "np.ndarray", phase: "np.ndarray", stratum: "np.ndarray", finest: int) -> "np.ndarray | None":
    """Return how often values, rare ones together, come next in each bin, for every stratum; None
    if all are rare.
    """
    import numpy as np

    names, place = np.unique(value, return_inverse=True)
    strata = np.unique(stratum, return_inverse=True)[1]
    if len(names) < 2:
        return None
    for bins in range(finest, _COARSEST - 1, -1):
        if finest % bins and bins > _COARSEST:
            continue
        rows = np.minimum((phase * bins).astype(np.int64), bins - 1)
        flat = np.bincount(rows * len(names) + place, minlength=bins * len(names))
        column = _columns(flat.reshape(bins, len(names)))
        if column is not None:
            width, depth = 1 + int(column.max()), 1 + int(strata.max())
            codes = (strata * bins + rows) * width + column[place]
            counts = np.bincount(codes, minlength=depth * bins * width)
            return counts.reshape(depth, bins, width).astype(float)
    return None


def _columns(counts: "np.ndarray") -> "np.ndarray | None":
    """Return for each column of a table the one that it is counted in, rare ones together, so that
    the law of chi-square holds well enough; None if that leaves fewer than two.
    """
    import numpy as np

    rows, total = counts.sum(1), counts.sum()
    if not rows.min():
        return None
    ranked = np.argsort(-counts.sum(0), kind="stable")
    for kept in range(min(len(ranked), _MOST_COLUMNS), 1, -1):
        column = np.full(len(ranked), kept - 1)
        column[ranked[:kept]] = np.arange(kept)
        sums = np.bincount(column, counts.sum(0))
        inverse = total * (1 / rows).sum() * (1 / sums).sum()
        degrees = (len(rows) - 1) * (kept - 1)
        if rows.min() * sums.min() >= _LEAST * total and inverse <= sqrt(2 * degrees) / 3:
            return column
    return None


def _mantel_haenszel(counts: "np.ndarray") -> float:
    """Return the statistic d' V^-1 d of tables, one for every stratum, whose rows are bins:

    d = sum over strata of n - r c' / N   (less the last row and column),
    V = sum over strata of N^2 / (N - 1) (diag(r) / N - r r' / N^2) x (diag(c) / N - c c' / N^2)
    """
    import numpy as np

    total = counts.sum((1, 2))
    counts = counts[total > 1]
    total = total[total > 1]
    rows, columns = counts.sum(2) / total[:, None], counts.sum(1) / total[:, None]
    off = (counts - total[:, None, None] * rows[:, :, None] * columns[:, None, :]).sum(0)

    def spread(shares: "np.ndarray") -> "np.ndarray":
        squares = shares[:, :, None] * shares[:, None, :]
        found: np.ndarray = shares[:, :, None] * np.eye(shares.shape[1]) - squares
        return found[:, :-1, :-1]

    weights = total**2 / (total - 1)
    variance = np.einsum("g,gab,gcd->acbd", weights, spread(rows), spread(columns), optimize=True)
    d = off[:-1, :-1].ravel()
    solved = np.linalg.lstsq(variance.reshape(len(d), len(d)), d, rcond=1e-9)[0]
    return max(0.0, float(d @ solved))


def _outstanding(steps: Steps) -> int | None:
    """Return the period, in steps, at which what comes next varies most around its context's mean:
    the largest periodogram, over the commonest pairs of a context and a next value.
    """
    import numpy as np

    if not len(steps.recording):
        return None
    names, counts = np.unique(steps.recording, return_counts=True)
    own = steps.some(steps.recording == names[counts.argmax()])
    own = own.some(np.arange(len(own.value)) < _SEARCHED)
    longest = min(_LONGEST_PERIOD, int(own.span) // _CYCLES)
    if longest < 2:
        return None
    size = 1 + int(own.value.max())
    codes = own.context * size + own.value
    pairs, place, number = np.unique(codes, return_inverse=True, return_counts=True)
    periods = np.arange(2, longest + 1)
    waves = np.exp(2j * np.pi * np.outer(own.time, 1 / periods))
    power = np.zeros(len(periods))
    left = np.bincount(own.context)
    for pair in np.argsort(-number)[:_PAIRS]:
        here = own.context == pairs[pair] // size
        share = number[pair] / left[pairs[pair] // size]
        if share < 1:
            off = ((place == pair) - share * here).astype(float)
            power += np.abs(off @ waves) ** 2 / (number[pair] * (1 - share))
    return int(periods[power.argmax()]) if power.any() else None
