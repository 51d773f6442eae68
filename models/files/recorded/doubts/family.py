"""All tests of a fitted chain, as one family: words and doubts go by p-values that are corrected
for the number of tests (`comparison.holm`).

A test counts if the data are long enough for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import exp, log
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import (
    DRAWS,
    EVIDENCE,
    WEAK,
    About,
    Comparison,
    Doubt,
    Likeness,
    Share,
    holm,
    likeness,
    share_approx,
)
from pufferproof.models.files.recorded.doubts.order import Season, Steps, order_test, season, trend
from pufferproof.models.priors.records import preview

if TYPE_CHECKING:
    import numpy as np


# Recordings ---------------------------------------------------------------------------------------
#
# Whether recordings end by chance, and whether groups are independent of one another.
#
# A recording of a fixed length ends with a step like any other. With n_c last steps among the N_c
# steps from context c (of each group, if groups are not alike), K_cy of which lead to y,
# permutations of these steps have at y
#
#     mean sum over c of n_c K_cy / N_c
#
# ends. Groups move together if what comes next at the same times agrees more than in permutations.
# Two groups are copies if a bet that h does what g does wins: the product over t of
#
#     1/2 + 1/2 [x_ht = x_gt] / P_h(x_h,t-1, x_gt),   P_h the frequencies of h itself
#
# has mean about 1 if it does not, so that p = 1 / product (Markov's inequality).

MORE_DRAWS = 20_000  # if no draw of the first ones reaches the data
_FEWEST_ENDS = 5
_FEWEST_TOGETHER = 10  # steps that two groups have at the same times
_MOST_GROUPS = 400  # of which copies are looked for
_MOST_CELLS = 4_000_000  # of groups, times and values
_MOST_DRAWN = 10_000_000  # steps of all draws
_FEWEST_DRAWS = 99
_MOST_NATS = 500.0
_LEAST = 1e-9  # of a variance
_UNREMARKABLE = 1.5  # standard deviations
_MOST_VALUES = 8  # that are told apart in step; rarer ones count together
_APART = Comparison(Fraction(0), 0, 1.0)


@dataclass(frozen=True)
class Ends:
    """The comparison of last steps with others, the value at which most recordings more than
    expected end, and how many of how many do.
    """

    comparison: Comparison
    value: int = 0
    count: int = 0
    ends: int = 0


def ends(steps: Steps, last: Sequence[int], skipped: Sequence[int] = ()) -> Ends:
    """Compare the last step of the sequences numbered `last` with all others; steps to a value that
    is `skipped`, as nothing can follow it, do not count.

    The statistic is the sum over y of the squared distance of the ends at y from their mean, over
    the variance, and its p-value that of drawn permutations.
    """
    import numpy as np

    if not len(steps.value):
        return Ends(_APART)
    finals = np.flatnonzero(np.diff(steps.recording, append=-1))
    finals = finals[np.isin(steps.recording[finals], last)]
    free = ~np.isin(steps.value, skipped)
    finals = finals[free[finals]]
    if len(finals) < _FEWEST_ENDS:
        return Ends(_APART)
    urns = _Urns.of(steps, finals, free)
    middle, variance = urns.moments
    moving = variance > _LEAST
    if not moving.any():
        return Ends(_APART)
    seen = np.bincount(steps.value[finals], minlength=urns.size)
    off = np.where(moving, (seen - middle) / np.sqrt(np.maximum(variance, _LEAST)), 0)

    def statistics(draws: int) -> list[float]:
        counts = urns.drawn(draws, generator)[:, moving]
        found: list[float] = ((counts - middle[moving]) ** 2 / variance[moving]).sum(1).tolist()
        return found

    observed, generator = float((off**2).sum()), np.random.default_rng(0)
    drawn = statistics(DRAWS)
    if observed > max(drawn):
        drawn += statistics(MORE_DRAWS)
    worst, p = int(off.argmax()), share_approx(observed, drawn)
    exact = Fraction(observed).limit_denominator(10**6)
    comparison = Comparison(exact, int(moving.sum()), p, draws=len(drawn))
    return Ends(comparison, worst, int(seen[worst]), len(finals))


@dataclass(frozen=True)
class _Urns:
    """Steps from the same context in the same stratum, an urn for each with a last step: how many
    last steps are drawn from it, and how often its steps lead to every value.
    """

    number: "np.ndarray"
    counts: "np.ndarray"

    @classmethod
    def of(cls, steps: Steps, finals: "np.ndarray", free: "np.ndarray") -> "_Urns":
        """Return the urns of the last steps, with the steps that are `free`."""
        import numpy as np

        size, contexts = 1 + int(steps.value.max()), 1 + int(steps.context.max())
        cell = steps.stratum * contexts + steps.context
        cells, number = np.unique(cell[finals], return_counts=True)
        own = free & np.isin(cell, cells)
        codes = np.searchsorted(cells, cell[own]) * size + steps.value[own]
        counts = np.bincount(codes, minlength=len(cells) * size).reshape(-1, size)
        return cls(number, counts)

    @property
    def size(self) -> int:
        return int(self.counts.shape[1])

    @property
    def moments(self) -> "tuple[np.ndarray, np.ndarray]":
        """The mean and the variance of how many last steps lead to every value."""
        import numpy as np

        left, number = self.counts.sum(1)[:, None], self.number[:, None]
        share = self.counts / left
        spread = number * (left - number) / np.maximum(left - 1, 1) * share * (1 - share)
        return (number * share).sum(0), spread.sum(0)

    def drawn(self, draws: int, generator: "np.random.Generator") -> "np.ndarray":
        """Return how many last steps lead to every value, a row for every draw."""
        import numpy as np

        found = np.zeros((draws, self.size), dtype=np.int64)
        for counts, number in zip(self.counts[self.number > 1], self.number[self.number > 1]):
            found += generator.multivariate_hypergeometric(counts, number, draws)
        single = np.cumsum(self.counts[self.number == 1], axis=1)
        if len(single):
            for row in range(draws):
                balls = generator.random(len(single)) * single[:, -1]
                values = (balls[:, None] >= single).sum(1)
                found[row] += np.bincount(values, minlength=self.size)
        return found


@dataclass(frozen=True)
class Together:
    """The comparison of groups with independent ones; the `pair` of groups that copy each other
    most, if it is their likeness that decides. `tested` is false if groups share too few times.
    """

    comparison: Comparison
    pair: tuple[int, int] | None = None
    against: bool = False
    tested: bool = True


def together(steps: Steps, members: Sequence[int]) -> Together:
    """Compare groups, `members` being the group of every sequence, at the same times."""
    import numpy as np

    names, group = np.unique(np.asarray(members)[steps.recording], return_inverse=True)
    times, column = np.unique(np.round(steps.time).astype(np.int64), return_inverse=True)
    shared = np.bincount(column)[column] > 1
    if len(names) < 2 or int(shared.sum()) < 2 * _FEWEST_TOGETHER:
        return Together(_APART, tested=False)
    p_sum, draws, opposite = _in_step(steps, column, shared)
    pair, p_pair = None, 1.0
    if len(names) * len(times) * (1 + int(steps.value.max())) <= _MOST_CELLS:
        pair, p_pair = _copied(steps, group, column)
    p = min(1.0, 2 * min(p_sum, p_pair))
    if pair is not None and p_pair < p_sum:
        alike = int(names[pair[0]]), int(names[pair[1]])
        return Together(Comparison(Fraction(0), 1, p), alike)
    return Together(Comparison(Fraction(0), 1, p, draws=draws), against=opposite)


def _copied(steps: Steps, group: "np.ndarray", column: "np.ndarray") -> tuple[tuple[int, int] | None, float]:
    """Return the two groups that are most alike, and the p-value among all pairs; of many groups,
    some are compared.
    """
    import numpy as np

    size, contexts = 1 + int(steps.value.max()), 1 + int(steps.context.max())
    table = np.full((1 + int(group.max()), 1 + int(column.max())), -1)
    table[group, column] = steps.value
    cell = np.unique(group * contexts + steps.context, return_inverse=True)[1]
    step = np.unique(cell * size + steps.value, return_inverse=True)[1]
    weights = np.zeros(table.shape)
    # 1/2 + 1/(2 P) = 1/2 (1 + left / count)
    weights[group, column] = np.log1p(np.bincount(cell)[cell] / np.bincount(step)[step])
    some = np.unique(np.linspace(0, len(table) - 1, min(len(table), _MOST_GROUPS)).astype(int))
    table, weights = table[some], weights[some]
    present = (table >= 0).astype(float)
    total = -log(2) * (present @ present.T)
    for value in range(size):
        alike = (table == value).astype(float)
        total += alike @ (weights * alike).T
    # the mean of both directions has mean 1 too
    both = np.logaddexp(total, total.T) - log(2)
    both[np.tril_indices(len(both))] = -np.inf
    first, second = np.unravel_index(int(both.argmax()), both.shape)
    pairs, best = len(both) * (len(both) - 1) // 2, float(both[first, second])
    p = min(1.0, pairs * exp(-min(best, _MOST_NATS)))
    return ((int(some[first]), int(some[second])), p) if best > 0 else (None, 1.0)


def _in_step(steps: Steps, column: "np.ndarray", shared: "np.ndarray") -> tuple[float, int, bool]:
    """Return the p-value of the sum of products between groups, on both sides; how many draws it
    is of; and whether groups move against one another.

    What comes next in group g at time t is an indicator vector, and e_gt its distance from the mean
    over all steps from the same context (of the same group, if groups are not alike). Independent
    groups have products e_gt . e_ht of mean about 0. Permutations of what comes next among these
    steps are drawn (`Share`) if the sum exceeds 1.5 standard deviations; if not, p = 1.
    """
    import numpy as np

    strata = steps.stratum * (1 + int(steps.context.max())) + steps.context
    order = np.argsort(strata, kind="stable")  # a stratum after the other
    value, column, shared = steps.value[order], column[order], shared[order]
    strata = np.unique(strata[order], return_inverse=True)[1]
    common = np.argsort(-np.bincount(value), kind="stable")[: _MOST_VALUES - 1]
    value = np.where(np.isin(value, common), value, -1)
    value = np.unique(value, return_inverse=True)[1].astype(np.uint8)
    size = 1 + int(value.max())
    number = np.bincount(strata)
    counts = np.bincount(strata * size + value, minlength=len(number) * size).reshape(-1, size)
    means = counts / number[:, None]
    chosen = np.flatnonzero(shared)
    times = np.unique(column[chosen], return_inverse=True)[1]
    mean = means[strata[chosen]]
    base = np.stack([np.bincount(times, mean[:, y], times.max() + 1) for y in range(size)], axis=1).ravel()

    cells, kinds, norms = times * size, strata[chosen] * size, len(chosen) + float((mean * mean).sum())

    def squares(values: "np.ndarray") -> float:
        """Return the sum over times of the squared sum of e, less the squares of each group."""
        own = values[chosen]
        total = np.bincount(cells + own, minlength=len(base)) - base
        likely = np.bincount(kinds + own, minlength=means.size) @ means.ravel()
        return float(total @ total - norms + 2 * likely)

    observed = squares(value)
    # given the past: variance of sum over g < h of 2 e_g . e_h, traces of products of covariances
    spread = _variance(mean, times)
    if spread <= 0:
        return 1.0, 0, False
    z = observed / spread**0.5
    if abs(z) < _UNREMARKABLE:
        return 1.0, 0, z < 0
    most = int(max(_FEWEST_DRAWS, min(DRAWS, _MOST_DRAWN // len(value))))
    share, generator = Share(abs(observed), most, WEAK / 2), np.random.default_rng(0)  # the p-value is doubled
    parts = np.split(value, np.cumsum(number)[:-1])
    while not share.done:
        for part in parts:
            generator.shuffle(part)  # in `value`
        share.take([abs(squares(value))])
    return share.p_value, share.draws, z < 0


def _variance(mean: "np.ndarray", times: "np.ndarray") -> float:
    """Return the variance of the sum of products of all pairs of groups at the same times:

    sum over t of 2 (|sum over g of C_g|^2 - sum over g of |C_g|^2),   C_g = diag(m) - m m'
    """
    import numpy as np

    size = mean.shape[1]
    total = 0.0
    for a in range(size):
        for b in range(size):
            entries = (a == b) * mean[:, a] - mean[:, a] * mean[:, b]
            together = np.bincount(times, entries)
            total += 2 * float((together**2).sum() - (entries**2).sum())
    return total


# Family -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evidence:
    """What is tested: sequences of values, the group of each, by its number, those that groups end
    with, the time of the first value of each in steps, and the periods of time in steps.
    """

    sequences: Sequence[Sequence[int]]
    members: Sequence[int]
    order: int = 1
    last: Sequence[int] = ()
    starts: Sequence[float] = ()
    periods: Sequence[tuple[str, float]] = ()
    absorbing: Sequence[int] = field(default=())

    @property
    def several(self) -> bool:
        """Whether there are two groups or more."""
        return len(set(self.members)) > 1


@dataclass(frozen=True)
class Family:
    """The tests of a chain. Comparisons that it returns know how many there are."""

    evidence: Evidence

    @cached_property
    def _steps(self) -> Steps:
        import numpy as np

        of = self.evidence
        steps = Steps.of(of.sequences, of.order, of.starts, of.members)
        likely = self._likeness is None or self._likeness.comparison.p_value >= WEAK
        # if groups are not alike, each is a stratum
        return steps if likely else replace(steps, stratum=np.asarray(of.members)[steps.recording])

    @cached_property
    def _likeness(self) -> Likeness | None:
        of = self.evidence
        return likeness(of.sequences, of.order, of.members) if of.several else None

    @cached_property
    def _season(self) -> Season:
        return season(self._steps, self.evidence.periods)

    @cached_property
    def _ends(self) -> Ends:
        return ends(self._steps, self.evidence.last, self.evidence.absorbing)

    @cached_property
    def _together(self) -> Together | None:
        return together(self._steps, self.evidence.members) if self.evidence.several else None

    @cached_property
    def tests(self) -> Mapping[About, Comparison]:
        """Every test by what it is about, those that data are too short for with the rest."""
        tests: dict[About, Comparison] = {
            "order": order_test(self.evidence.sequences, self.evidence.order, self.evidence.members),
            "season": self._season.comparison,
            "trend": trend(self._steps),
            "ends": self._ends.comparison,
        }
        if self._likeness is not None:
            tests["groups"] = self._likeness.comparison
            if self._likeness.odd is not None:
                tests["odd"] = self._likeness.odd.comparison
        if self._together is not None:
            tests["copies"] = self._together.comparison
        corrected = holm({name: test.p_value for name, test in tests.items() if test.degrees})
        return {name: replace(test, corrected=corrected.get(name, 1.0)) for name, test in tests.items()}

    @property
    def likeness(self) -> Likeness | None:
        """The comparison of groups with one chain for all, None without groups; that of the group
        that is least like all, if its p-value is smaller and the sum of all is no evidence.
        """
        found, tests = self._likeness, self.tests
        if found is None or found.odd is None or tests["groups"].judged < EVIDENCE:
            return found and Likeness(tests["groups"], found.farthest)
        if tests["odd"].judged < tests["groups"].judged:
            return Likeness(tests["odd"], found.odd.group)
        return Likeness(tests["groups"], found.farthest)

    @property
    def independence(self) -> bool:
        """Whether it was tested that groups are independent of one another."""
        return self._together is None or self._together.tested

    def doubts(self, states: Sequence[str], groups: Sequence[str]) -> list[Doubt]:
        """Return what speaks against the chain at all times, in all recordings."""
        together, ends = self._together, self._ends
        how = "groups move together"
        if together is not None and together.pair is not None:
            how = f"groups {preview([groups[k] for k in together.pair])} are alike at the same times"
        elif together is not None and together.against:
            how = "groups move against one another"
        model_and_what: Mapping[About, tuple[str, str]] = {
            "season": (
                "one chain at all times",
                f"what follows a value depends on the place in a period of {self._season.period}: the chain is "
                "an average over the period, and some part of it may leak more (a higher order seldom "
                'mends this; a framework may have a matrix for every step, as "transitions")',
            ),
            "trend": (
                "one chain at all times",
                "what follows a value is not the same in all quarters of the recordings, as it changes or as the "
                "past matters for long (fit a part that is like the time to come)",
            ),
            "ends": (
                "recordings that end by chance",
                f"{ends.count} of {ends.ends} end with {preview([states[ends.value]])}, and the chain goes on "
                "there (if recordings end because of what was recorded, add a last row to each, such as end, and "
                "name it with --absorbing)",
            ),
            "copies": (
                "groups that are independent of one another",
                f"{how}, so that what is released of all tells more about each than the chain says (release each "
                "group by itself, or write a framework whose records have all of them)",
            ),
        }
        doubts = []
        for name, (model, what) in model_and_what.items():
            test = self.tests.get(name)
            if test is not None and test.doubtful:
                says = f"{test.p_text}: {test.against(model)}: {what}"
                doubts.append(Doubt(name, says, test.p_value, test.corrected))
        return doubts
