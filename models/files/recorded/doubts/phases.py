"""Whether steps are alike at all times: at every phase of a season, and early and late.

A period is cut into equal bins. From each context, the last values that a chain goes by, what comes
next is compared between bins, by Pearson's chi-square for independent rows and columns. Contexts
are part of the rows, so that no order of the chain hides a season.

Bins are as fine, from `_FINEST` down to three, as leaves the law of chi-square right (`comparison`);
values that seldom follow a context are counted together. A context that leaves less is left out.

Periods are the day, the week and the year if times say how long a step is. Otherwise they are 24,
7 and 12 steps, and one more: the period that stands out in the first half of the recordings, which
the second half then tests. With K periods the p-value is K times the least. A period counts if the
longest recording has three of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import Comparison, tail_approx

if TYPE_CHECKING:
    import numpy as np

_FINEST, _COARSEST = 24, 3
_LEAST = 5  # counts that are expected are at least so many
_CYCLES = 3  # of a period, in the longest recording
_USUAL = {"24 steps": 24.0, "7 steps": 7.0, "12 steps": 12.0}
_LONGEST_PERIOD = 200  # steps, of those that are looked for
_SEARCHED = 4_000  # values of the longest recording, and
_PAIRS = 16  # of context and next value, in which periods are looked for
_PARTS = 4  # of recordings, which are compared for a trend
_FEWEST = 60  # values in which a period is looked for


@dataclass(frozen=True)
class Steps:
    """All steps of recordings: the number of the context that each leaves, the value that it leads
    to, the time of that value in steps, and the share of all steps that are earlier in the
    recordings of their groups.
    """

    context: "np.ndarray"
    value: "np.ndarray"
    time: "np.ndarray"
    share: "np.ndarray"
    recording: "np.ndarray"

    @classmethod
    def of(
        cls,
        sequences: Sequence[Sequence[int]],
        order: int,
        starts: Sequence[float] = (),
        members: Sequence[int] = (),
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
        parts: list[list[np.ndarray]] = [[], [], [], [], []]
        for k, values in given:
            count = len(values) - order
            code = np.zeros(count, dtype=np.int64)
            for lag in range(order):
                code = code * size + values[lag : lag + count]
            places = np.arange(order, len(values))
            begin, since = begins[k], begins[k] - first[of[k]] + places
            own = (code, values[order:], begin + places, since, np.full(count, k))
            for part, array in zip(parts, own):
                part.append(array)
        codes, value, time, since, recording = map(np.concatenate, parts)
        share = np.searchsorted(np.sort(since), since) / len(since)
        return cls(np.unique(codes, return_inverse=True)[1], value, time, share, recording)

    def some(self, chosen: "np.ndarray") -> "Steps":
        """Return the steps that are chosen."""
        fields = (self.context, self.value, self.time, self.share, self.recording)
        return Steps(*(field[chosen] for field in fields))

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
            "mends this; a framework may have a matrix for every step, as \"transitions\")"
        )


def season(steps: Steps, periods: Iterable[tuple[str, float]]) -> Season:
    """Compare the phases of every period that steps hold three times; if there are no `periods`,
    of the usual ones and of one that the first half of the recordings shows.
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
        f"{test.p_text}: {test.against('one chain at all times')}: what follows a value is not the "
        "same in all quarters of the recordings, as it changes or as the past matters for long (fit "
        "a part that is like the time to come)"
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
    """Compare bins of phases from every context, and add up."""
    import numpy as np

    statistic, degrees, cells, inverse = 0.0, 0, 0, 0.0
    order = np.argsort(steps.context, kind="stable")
    bounds = np.flatnonzero(np.diff(steps.context[order], prepend=-1))
    for own in np.split(order, bounds[1:]) if len(order) else []:
        counts = _table(steps.value[own], phase[own], finest)
        if counts is None:
            continue
        expected = counts.sum(1, keepdims=True) * counts.sum(0) / counts.sum()
        statistic += float(((counts - expected) ** 2 / expected).sum())
        degrees += (counts.shape[0] - 1) * (counts.shape[1] - 1)
        cells, inverse = cells + counts.size, inverse + float((1 / expected).sum())
    exact = Fraction(statistic).limit_denominator(10**6)
    return Comparison(exact, degrees, tail_approx(exact, degrees), cells, inverse=inverse)


def _table(value: "np.ndarray", phase: "np.ndarray", finest: int) -> "np.ndarray | None":
    """Return how often values, rare ones together, come next in each bin; None if all are rare."""
    import numpy as np

    names, place = np.unique(value, return_inverse=True)
    if len(names) < 2:
        return None
    for bins in range(finest, _COARSEST - 1, -1):
        if finest % bins and bins > _COARSEST:
            continue
        rows = np.minimum((phase * bins).astype(np.int64), bins - 1)
        flat = np.bincount(rows * len(names) + place, minlength=bins * len(names))
        counts = merged(flat.reshape(bins, len(names)).astype(float))
        if counts is not None and lawful(counts):
            return counts
    return None


def merged(counts: "np.ndarray") -> "np.ndarray | None":
    """Return a table whose columns are expected to count at least 5 in every row, rare ones put
    together; None if fewer than two are left, or a row is too rare.
    """
    import numpy as np

    rows = counts.sum(1)
    if not rows.min():
        return None
    needed = _LEAST * counts.sum() / rows.min()
    common = counts.sum(0) >= needed
    others = counts[:, ~common].sum(1)
    table = counts[:, common]
    if others.sum() >= needed:
        table = np.column_stack([table, others])
    elif others.sum() and table.shape[1]:
        smallest = int(table.sum(0).argmin())
        table[:, smallest] += others
    return table if table.shape[1] > 1 else None


def lawful(counts: "np.ndarray") -> bool:
    """Return whether the law of chi-square holds well enough for a table."""
    expected = counts.sum(1, keepdims=True) * counts.sum(0) / counts.sum()
    degrees = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return bool(expected.min() >= _LEAST and (1 / expected).sum() <= sqrt(2 * degrees) / 3)


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
    pairs, place, number = np.unique(
        own.context * (1 + int(own.value.max())) + own.value, return_inverse=True, return_counts=True
    )
    periods = np.arange(2, longest + 1)
    waves = np.exp(2j * np.pi * np.outer(own.time, 1 / periods))
    power = np.zeros(len(periods))
    left = np.bincount(own.context)
    size = 1 + int(own.value.max())
    for pair in np.argsort(-number)[:_PAIRS]:
        here = own.context == pairs[pair] // size
        share = number[pair] / left[pairs[pair] // size]
        if share < 1:
            off = ((place == pair) - share * here).astype(float)
            power += np.abs(off @ waves) ** 2 / (number[pair] * (1 - share))
    return int(periods[power.argmax()]) if power.any() else None


