"""Which prior, pair of secrets and events are worth evaluating: chosen on samples of their own.

Every database is sampled twice. Outputs fall into cells: each label, or quantiles of a number. On
the first half, cells are sorted by their likelihood ratio; on the second, sets of them are scored
by the bound to be expected of so many samples. Nothing here has to be right: a poor choice loses
power, and no more.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pufferproof.verify.simulation.estimation.events import (
    Event,
    LabelEvent,
    NumberEvent,
    feature_of,
    features,
)
from pufferproof.verify.simulation.estimation.outputs import Labels, Outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

_MOST_LABELS, _QUANTILES, _COARSE = 512, 256, 32
_TAILS = (1 / 4096, 1 / 1024)
_SIGMAS, _CAUTION = 2.8, 1.0
_MOST_EVENTS = 4
_FALLS_BEHIND = 0.1  # nats below the best event, so that another is not worth its share


@dataclass(frozen=True)
class Secret:
    """A secret under a prior: the probabilities of databases given it, by position."""

    prior: str
    name: str
    law: dict[int, float]


@dataclass(frozen=True)
class Chosen:
    """What is evaluated: a prior, an ordered pair, and events."""

    prior: str
    pair: tuple[str, str]
    events: tuple[Event, ...]


@dataclass
class _Cells:
    """Cells of outputs: `codes` of every batch of outputs, and how a set of cells is an event."""

    feature: str
    cuts: "Floats | None"
    labels: list[str]

    @property
    def size(self) -> int:
        return len(self.labels) + 1 if self.cuts is None else len(self.cuts) + 1

    def counts(self, outputs: Outputs) -> "Floats":
        import numpy as np

        if isinstance(outputs, Labels):
            known = [outputs.counts[label] for label in self.labels]
            return np.array([*known, outputs.count - sum(known)], dtype=float)
        values, cuts = feature_of(outputs, self.feature), self.cuts
        codes = np.searchsorted([] if cuts is None else cuts, values, side="right")
        return np.bincount(codes, minlength=self.size).astype(float)

    def event(self, mask: "Mask") -> Event:
        if self.cuts is None:
            others = bool(mask[-1])
            chosen = [label for label, inside in zip(self.labels, mask) if bool(inside) != others]
            return LabelEvent(frozenset(chosen), others)
        ends = [-math.inf, *map(float, self.cuts), math.inf]
        intervals: list[tuple[float, float]] = []
        for cell in (cell for cell, inside in enumerate(mask) if inside):
            if intervals and intervals[-1][1] == ends[cell]:
                intervals[-1] = intervals[-1][0], ends[cell + 1]
            else:
                intervals.append((ends[cell], ends[cell + 1]))
        return NumberEvent(tuple(intervals), self.feature)


Halves = tuple[Sequence[Outputs], Sequence[Outputs]]  # outputs by position of the database


def choose(
    secrets: Sequence[Secret],
    pairs: Sequence[tuple[Secret, Secret]],
    halves: Halves,
    samples: int,
) -> Chosen:
    """Return the prior, ordered pair and events of which the bound from so many samples is
    expected to be the largest.
    """
    best: dict[int, list[tuple[float, int, _Cells, Mask]]] = {}
    for cells in _all_cells(halves[0]):
        tables = [_Table.of(cells, half, secrets) for half in halves]
        for place, (left, right) in enumerate(pairs):
            for family, (score, mask) in enumerate(_scored(tables, left, right, samples)):
                best.setdefault(place, []).append((score, -family, cells, mask))
    place = max(best, key=lambda each: max(score for score, *_ in best[each]))
    left, right = pairs[place]
    ranked = sorted(best[place], key=lambda one: one[:2], reverse=True)
    enough = ranked[0][0] - _FALLS_BEHIND
    worth = [cells.event(mask) for score, _, cells, mask in ranked if score >= enough][
        :_MOST_EVENTS
    ]
    events = tuple(dict.fromkeys(worth))
    return Chosen(left.prior, (left.name, right.name), events)


def _all_cells(outputs: Sequence[Outputs]) -> Iterator[_Cells]:
    """Yield the ways in which outputs fall into cells, one per number that they have."""
    labelled = [each for each in outputs if isinstance(each, Labels)]
    if labelled:
        together: Counter[str] = Counter()
        for each in labelled:
            together.update(each.counts)
        yield _Cells("label", None, [label for label, _ in together.most_common(_MOST_LABELS)])
        return
    for name in features(outputs[0]):
        yield _Cells(name, _cuts([feature_of(each, name) for each in outputs]), [])


def _cuts(values: Sequence[Any]) -> "Floats":
    """Return where cells end: quantiles, values that come often on both sides, and both tails."""
    import numpy as np

    every = np.sort(np.concatenate(values).astype(np.float64))
    atoms, counts = np.unique(every, return_counts=True)
    if len(atoms) <= _QUANTILES:
        return atoms[1:]
    levels = np.concatenate([np.arange(1, _QUANTILES) / _QUANTILES, _TAILS])
    levels = np.concatenate([levels, 1 - np.array(_TAILS)])
    often = atoms[counts > len(every) / _QUANTILES]
    cuts = every[(levels * (len(every) - 1)).astype(np.int64)]
    cuts = np.unique(np.concatenate([cuts, often, np.nextafter(often, np.inf)]))
    return cuts[np.isfinite(cuts)]


@dataclass
class _Table:
    """The share of every cell given every secret, and how many samples it is worth."""

    shares: dict[tuple[str, str], "Floats"]
    worth: dict[tuple[str, str], float]
    numbers: bool

    @classmethod
    def of(cls, cells: _Cells, half: Sequence[Outputs], secrets: Sequence[Secret]) -> "_Table":
        import numpy as np

        shares = {(each.prior, each.name): np.zeros(cells.size) for each in secrets}
        spread = dict.fromkeys(shares, 0.0)
        holding: dict[int, list[tuple[tuple[str, str], float]]] = {}
        for each in secrets:
            for database, weight in each.law.items():
                holding.setdefault(database, []).append(((each.prior, each.name), weight))
        for database, outputs in enumerate(half):
            counts = cells.counts(outputs) / outputs.count
            for key, weight in holding.get(database, []):
                shares[key] += weight * counts
                spread[key] += weight**2 / outputs.count
        worth = {key: 1 / value for key, value in spread.items()}
        return cls(shares, worth, cells.cuts is not None)


def _scored(
    tables: Sequence[_Table], left: Secret, right: Secret, samples: int
) -> "Iterator[tuple[float, Mask]]":
    """Yield the best set of cells of each family with its score: sets with the largest likelihood
    ratios, single cells, the lowest cells, the highest.
    """
    import numpy as np

    keys = (left.prior, left.name), (right.prior, right.name)
    first, second = ([table.shares[key] for key in keys] for table in tables)
    worth = [tables[1].worth[key] for key in keys]
    floor = [1 / (2 * tables[0].worth[key]) for key in keys]
    blocks = _blocks(first[0] + first[1], tables[0].numbers)
    coarse = [np.bincount(blocks, weights=each) for each in first]
    ratio = (coarse[0] + floor[0]) / (coarse[1] + floor[1])
    orders = [
        np.argsort(-ratio[blocks], kind="stable"),
        np.arange(len(blocks)),
        np.arange(len(blocks))[::-1],
    ]
    for order in orders:
        left_sums, right_sums = (each[order].cumsum() for each in second)
        scores = _scores(left_sums, right_sums, worth, samples)
        end = int(np.argmax(scores))
        mask = np.zeros(len(blocks), dtype=bool)
        mask[order[: end + 1]] = True
        yield float(scores[end]), mask
    scores = _scores(second[0], second[1], worth, samples)
    cell = int(np.argmax(scores))
    yield float(scores[cell]), np.arange(len(blocks)) == cell


def _blocks(shares: "Floats", numbers: bool) -> "NDArray[np.int64]":
    """Group neighbouring cells of numbers that are rare, so that noise does not sort them."""
    import numpy as np

    if len(shares) <= _COARSE or not numbers:
        return np.arange(len(shares))
    whole = np.floor(np.cumsum(shares) / shares.sum() * _COARSE * (1 - 1e-9)).astype(np.int64)
    return np.unique(whole, return_inverse=True)[1]


def _scores(left: "Floats", right: "Floats", worth: Sequence[float], samples: int) -> "Floats":
    """Return the bounds to be expected: both shares moved towards caution by what is not known of
    them, and then by what will not be known.
    """
    import numpy as np

    low = _wilson(_wilson(left, worth[0], -_CAUTION), samples, -_SIGMAS)
    high = _wilson(_wilson(right, worth[1], _CAUTION), samples, _SIGMAS)
    scores: Floats = np.log(np.maximum(low, 1e-300)) - np.log(high)
    return scores


def _wilson(share: "Floats", trials: float, sigmas: float) -> "Floats":
    """Return Wilson's bound of a probability, below for negative `sigmas`."""
    import numpy as np

    share, z2 = np.clip(share, 0.0, 1.0), sigmas**2
    spread = np.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    bound: Floats = (share + z2 / (2 * trials) + sigmas * spread) / (1 + z2 / trials)
    return np.clip(bound, 0.0, 1.0)
