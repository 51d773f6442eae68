"""Whether recordings end by chance, and whether groups are independent of one another.

**Ends.** A recording of a fixed length ends with a step like any other. With n_c last steps among
the N_c steps from context c, K_cy of which lead to y, the number of ends at y has

    mean sum over c of n_c K_cy / N_c

under the permutations of steps from the same context. The statistic is the sum over y of the
squared distance from the mean, over the variance; its p-value is that of drawn permutations.

**In step.** What comes next in group g at time t is an indicator vector; e_gt is its distance from
the mean over all steps of g from the same context. Independent groups have products e_gt . e_ht of
mean about 0, whatever chains they have. The statistic is their sum over all t and all pairs of
groups; its p-value is that of permutations of what comes next among the steps of a group from the
same context. They are drawn if the sum exceeds 1.5 standard deviations, until 20 reach it; if not,
p = 1.

**Copies.** For groups g and h, the product over t of

    1/2 + 1/2 [x_ht = x_gt] / P_h(x_h,t-1, x_gt),   P_h the frequencies of h itself

has mean about 1 if h goes on whatever g does. By Markov's inequality p = 1 / product; the p-value
is the least of all pairs, times their number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import DRAWS, Comparison, share_approx
from pufferproof.models.files.recorded.doubts.phases import Steps

if TYPE_CHECKING:
    import numpy as np

MORE_DRAWS = 20_000  # if no draw of the first ones reaches the data
_FEWEST_ENDS = 5
_FEWEST_TOGETHER = 10  # steps that two groups have at the same times
_MOST_GROUPS = 400  # of which copies are looked for
_MOST_CELLS = 4_000_000  # of groups, times and values
_MOST_DRAWN = 10_000_000  # steps of all draws
_FEWEST_DRAWS = 99
_UNREMARKABLE = 1.5  # standard deviations
_ENOUGH = 20  # draws that reach the data
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
    size, contexts = 1 + int(steps.value.max()), 1 + int(steps.context.max())
    flat = steps.context * size + steps.value
    every = np.bincount(flat[free], minlength=contexts * size).reshape(contexts, size)
    ending = np.bincount(flat[finals], minlength=contexts * size).reshape(contexts, size)
    number, left = ending.sum(1), every.sum(1)
    random = (number > 0) & (number < left) & ((every > 0).sum(1) > 1)
    every, number, left = every[random], number[random], left[random]
    share = every / left[:, None]
    mean = number[:, None] * share
    spread = (number * (left - number) / np.maximum(left - 1, 1))[:, None] * share * (1 - share)
    seen, middle, variance = ending[random].sum(0), mean.sum(0), spread.sum(0)
    moving = variance > 0
    if not moving.any():
        return Ends(_APART)

    def statistic(counts: "np.ndarray") -> "np.ndarray":
        off: np.ndarray = ((counts - middle) ** 2)[..., moving] / variance[moving]
        return off.sum(-1)

    def drawn(draws: int, generator: "np.random.Generator") -> "np.ndarray":
        counts = np.zeros((draws, size), dtype=np.int64)
        for colours, several in zip(every, number):
            counts += generator.multivariate_hypergeometric(colours, several, draws)
        return statistic(counts)

    observed = float(statistic(seen))
    generator = np.random.default_rng(0)
    drawn_values = drawn(DRAWS, generator).tolist()
    if observed > max(drawn_values):
        drawn_values += drawn(MORE_DRAWS, generator).tolist()
    worst = int(np.where(moving, (seen - middle) / np.sqrt(np.maximum(variance, 1e-300)), 0).argmax())
    whole = np.bincount(steps.value[finals], minlength=size)
    p, exact = share_approx(observed, drawn_values), Fraction(observed).limit_denominator(10**6)
    comparison = Comparison(exact, int(moving.sum()), p, draws=len(drawn_values))
    return Ends(comparison, worst, int(whole[worst]), len(finals))


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

    group = np.asarray(members)[steps.recording]
    names, place = np.unique(group, return_inverse=True)
    times, column = np.unique(np.round(steps.time).astype(np.int64), return_inverse=True)
    shared = np.bincount(column)[column] > 1
    size = 1 + int(steps.value.max(initial=0))
    fits = len(names) * len(times) * size <= _MOST_CELLS
    if len(names) < 2 or int(shared.sum()) < 2 * _FEWEST_TOGETHER:
        return Together(_APART, tested=False)
    strata = np.unique(place * (1 + int(steps.context.max())) + steps.context, return_inverse=True)
    step_sum = _in_step(steps.value, strata[1], column, shared)
    pair, p_pair = (None, 1.0)
    if fits:
        table = np.full((len(names), len(times)), -1, dtype=np.int64)
        table[place, column] = steps.value
        left, taken = np.bincount(strata[1]), np.unique(
            strata[1] * size + steps.value, return_inverse=True, return_counts=True
        )
        weights = np.zeros(table.shape)
        weights[place, column] = np.log1p(left[strata[1]] / taken[2][taken[1]])
        chosen = np.unique(np.linspace(0, len(names) - 1, min(len(names), _MOST_GROUPS)).astype(int))
        pair, p_pair = _copied(table[chosen], weights[chosen], size)
        pair = pair and (int(names[chosen[pair[0]]]), int(names[chosen[pair[1]]]))
    p_sum, draws, opposite, statistic = step_sum
    p = min(1.0, 2 * min(p_sum, p_pair))
    if p_pair <= p_sum:
        draws = 0
    exact = Fraction(statistic).limit_denominator(10**6)
    return Together(
        Comparison(exact, 1, p, draws=draws), pair if p_pair <= p_sum else None, opposite
    )


def _copied(
    table: "np.ndarray", weights: "np.ndarray", size: int
) -> tuple[tuple[int, int] | None, float]:
    """Return the pair of groups most alike, and its p-value among all pairs."""
    import numpy as np

    present = (table >= 0).astype(float)
    total = -log(2) * (present @ present.T)
    for value in range(size):
        alike = (table == value).astype(float)
        total += alike @ (weights * alike).T
    # the mean of both directions has mean 1 too
    both = np.logaddexp(total, total.T) - log(2)
    both[np.tril_indices(len(both))] = -np.inf
    first, second = np.unravel_index(int(both.argmax()), both.shape)
    pairs = len(both) * (len(both) - 1) // 2
    best = float(both[first, second])
    if best <= 0:
        return None, 1.0
    return (int(first), int(second)), min(1.0, max(pairs * exp(-min(best, 600.0)), 1e-250))


def _in_step(
    value: "np.ndarray", strata: "np.ndarray", column: "np.ndarray", shared: "np.ndarray"
) -> tuple[float, int, bool, float]:
    """Return the p-value of the sum of products between groups, on both sides; how many draws it
    is of; whether groups move against one another; and the sum over its standard deviation.
    """
    import numpy as np

    common = np.argsort(-np.bincount(value), kind="stable")[: _MOST_VALUES - 1]
    value = np.where(np.isin(value, common), value, -1)
    value = np.unique(value, return_inverse=True)[1]
    size = 1 + int(value.max())
    number = np.bincount(strata)
    means = np.bincount(strata * size + value, minlength=len(number) * size).reshape(-1, size)
    means = means / number[:, None]
    chosen = np.flatnonzero(shared)
    times = np.unique(column[chosen], return_inverse=True)[1]
    mean = means[strata[chosen]]
    base = np.stack(
        [np.bincount(times, mean[:, y], times.max() + 1) for y in range(size)], axis=1
    ).ravel()

    def squares(values: "np.ndarray") -> float:
        """Return the sum over times of the squared sum of e, less the squares of each group."""
        own = values[chosen]
        total = np.bincount(times * size + own, minlength=len(base)) - base
        within = 1 - 2 * mean[np.arange(len(own)), own] + (mean * mean).sum(1)
        return float(total @ total - within.sum())

    observed = squares(value)
    # given the past: variance of sum over g < h of 2 e_g . e_h, traces of products of covariances
    spread = _variance(mean, times)
    if spread <= 0:
        return 1.0, 0, False, 0.0
    z = observed / spread**0.5
    if abs(z) < _UNREMARKABLE:
        return 1.0, 0, z < 0, z
    order = np.argsort(strata, kind="stable")
    most = int(max(_FEWEST_DRAWS, min(DRAWS, _MOST_DRAWN // len(value))))
    drawn = exceed = 0
    for each in _permuted(value, strata, order, most):
        drawn += 1
        exceed += abs(squares(each)) >= abs(observed) * (1 - 1e-9)
        if exceed == _ENOUGH:  # Besag and Clifford: then p = exceed / draws
            return exceed / drawn, drawn, z < 0, z
    return (1 + exceed) / (1 + drawn), drawn, z < 0, z


def _permuted(
    value: "np.ndarray", strata: "np.ndarray", order: "np.ndarray", draws: int
) -> "Iterator[np.ndarray]":
    """Yield values that are permuted within strata, `order` having those of one together."""
    import numpy as np

    generator = np.random.default_rng(0)
    base = strata[order].astype(float)
    sorted_values = value[order]
    for _ in range(draws):
        permuted = np.empty_like(value)
        permuted[order] = sorted_values[np.argsort(base + generator.random(len(base)))]
        yield permuted


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
