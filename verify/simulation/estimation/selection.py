"""Which prior, pair of secrets and events are worth evaluating: chosen on samples of their own.

Outputs fall into cells (`cells`). On the first half of the samples cells are sorted by their
likelihood ratio; on the second, sets of them are scored by the bound to be expected of so many
samples. Of vectors a score is learned, too, the sum of the logarithms of likelihood ratios of their
coordinates, which is best where these are independent. Where many pairs compete, the best are
compared again on fresh samples, as luck would choose among them. Nothing here has to be right: a
poor choice loses power, and no more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.verify.simulation.estimation.betting import Prior
from pufferproof.verify.simulation.estimation.cells import (
    OutputCells,
    SecretUnderPrior,
    ShareTable,
    all_cells,
    cuts_of,
)
from pufferproof.verify.simulation.estimation.events import Event, Feature, Score, feature_of
from pufferproof.verify.simulation.estimation.outputs import Outputs, Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

_COARSE, _COORDINATES, _BINS = 32, 64, 16
_SIGMAS, _CAUTION = 2.8, 1.5
_MOST_EVENTS, _FAMILIES, _MOST_PAIRS = 4, 4, 8  # pairs of each family
_FALLS_BEHIND = 0.1  # nats below the best event, so that another is not worth its share

Halves = tuple[Sequence[Outputs], Sequence[Outputs]]  # outputs by position of the database
PairOfSecrets = tuple[SecretUnderPrior, SecretUnderPrior]


@dataclass(frozen=True)
class Chosen:
    """What is evaluated: a prior, an ordered pair, and events; of each, what was seen when it was
    chosen, and the bets begin with (`betting`).
    """

    prior: str
    pair: tuple[str, str]
    events: tuple[Event, ...]
    seen: tuple[Prior, ...]


@dataclass(frozen=True)
class EventCandidate:
    """An ordered pair of secrets and events, the best first, with the score of that."""

    pair: PairOfSecrets
    events: tuple[Event, ...]
    seen: tuple[Prior, ...]
    score: float

    @property
    def chosen(self) -> Chosen:
        """What would be evaluated."""
        left, right = self.pair
        return Chosen(left.prior, (left.name, right.name), self.events, self.seen)


_Found = tuple[float, OutputCells, "Mask", Prior]


def candidates(
    secrets: Sequence[SecretUnderPrior],
    pairs: Sequence[PairOfSecrets],
    halves: Halves,
    samples: int,
) -> list[EventCandidate]:
    """Return pairs and events whose bound is expected to be largest, the best first."""
    best: list[list[_Found]] = [[] for _ in pairs]
    for cells in all_cells(halves[0]):
        tables = [ShareTable.of(cells, half, secrets) for half in halves]
        for found, pair in zip(best, pairs):
            found.extend(_scored(cells, tables, pair, samples))
    order = _foremost([[score for score, *_ in found] for found in best])
    for place in order:
        best[place].extend(_learned(pairs[place], halves, samples))
    made = [_candidate(pairs[place], best[place]) for place in order]
    return sorted(made, key=lambda each: -each.score)


def _foremost(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the best pair of each family, so that lucky families crowd out no others."""
    chosen: dict[int, None] = {}
    for family in range(_FAMILIES):
        order = sorted(range(len(scores)), key=lambda place: -max(scores[place][family::_FAMILIES]))
        chosen |= dict.fromkeys(order[:_MOST_PAIRS])
    return list(chosen)


def confirmed(
    known: Sequence[EventCandidate], fresh: Mapping[int, Outputs], samples: int
) -> EventCandidate:
    """Return the best candidate on fresh samples of the databases that they are about."""
    return max((_again(each, fresh, samples) for each in known), key=lambda each: each.score)


def _candidate(pair: PairOfSecrets, found: Sequence[_Found]) -> EventCandidate:
    ranked = sorted(found, key=lambda each: -each[0])
    return _kept(pair, [(score, cells.event(mask), seen) for score, cells, mask, seen in ranked])


def _kept(pair: PairOfSecrets, ranked: Sequence[tuple[float, Event, Prior]]) -> EventCandidate:
    top, near = ranked[0][0], dict[Event, Prior]()
    for score, event, seen in ranked:
        if score >= top - _FALLS_BEHIND and len(near) < _MOST_EVENTS:
            near.setdefault(event, seen)
    return EventCandidate(pair, tuple(near), tuple(near.values()), top)


def _again(candidate: EventCandidate, fresh: Mapping[int, Outputs], samples: int) -> EventCandidate:
    """Score the events of a candidate on other samples."""
    import numpy as np

    laws = [each.law for each in candidate.pair]
    worth = [1 / sum(p**2 / fresh[x].count for x, p in law.items()) for law in laws]
    ranked = []
    for event in candidate.events:
        left, right = (
            np.array([sum(p * event.count(fresh[x]) / fresh[x].count for x, p in law.items())])
            for law in laws
        )
        score = float(_scores(left, right, worth, samples)[0])
        ranked.append((score, event, _seen(float(left[0]), float(right[0]), worth)))
    return _kept(candidate.pair, sorted(ranked, key=lambda each: -each[0]))


def _learned(pair: PairOfSecrets, halves: Halves, samples: int) -> "Iterator[_Found]":
    """Learn the score of vectors on the first half, and yield sets of its cells."""
    first = [halves[0][place] for each in pair for place in each.law]
    if not isinstance(first[0], Vectors) or first[0].values.shape[1] == 1:
        return
    size = min(first[0].values.shape[1], _COORDINATES)
    score = Score(tuple(_weights(pair, halves[0], first, place) for place in range(1, size + 1)))
    cells = _numbered(score, first, None)
    tables = [ShareTable.of(cells, half, pair) for half in halves]
    yield from _scored(cells, tables, pair, samples)


def _weights(
    pair: PairOfSecrets, half: Sequence[Outputs], outputs: Sequence[Outputs], place: int
) -> tuple[int, tuple[float, ...], tuple[float, ...]]:
    """Return the logarithms of the likelihood ratios of one coordinate's cells."""
    import numpy as np

    cells = _numbered(f"coordinate {place}", outputs, _BINS)
    table = ShareTable.of(cells, half, pair)
    left, right = (table.shares[each.prior, each.name] for each in pair)
    floor = 1 / min(table.worth.values())
    weights = np.round(np.log((left + floor) / (right + floor)), 3)
    ends = () if cells.cuts is None else tuple(map(float, cells.cuts))
    return place, ends, tuple(map(float, weights))


def _numbered(feature: Feature, outputs: Sequence[Outputs], bins: int | None) -> OutputCells:
    return OutputCells(
        feature, cuts_of([feature_of(output, feature) for output in outputs], bins), []
    )


def _scored(
    cells: OutputCells, tables: Sequence[ShareTable], pair: PairOfSecrets, samples: int
) -> "Iterator[_Found]":
    """Yield the best set of cells of each family with its score, and what was seen of it: sets with
    the largest likelihood ratios, single cells, the lowest cells, the highest.
    """
    import numpy as np

    keys = [(each.prior, each.name) for each in pair]
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
        end = int(np.argmax(scores[:-1])) if len(scores) > 1 else 0  # all cells tell nothing
        mask = np.zeros(len(blocks), dtype=bool)
        mask[order[: end + 1]] = True
        seen = _seen(float(left_sums[end]), float(right_sums[end]), worth)
        yield float(scores[end]), cells, mask, seen
    worth_before = [tables[0].worth[key] for key in keys]
    cell = int(np.argmax(_scores(first[0], first[1], worth_before, samples)))
    scores = _scores(second[0], second[1], worth, samples)
    seen = _seen(float(second[0][cell]), float(second[1][cell]), worth)
    yield float(scores[cell]), cells, np.arange(len(blocks)) == cell, seen


def _seen(left: float, right: float, worth: Sequence[float]) -> Prior:
    """Return what so many samples of either secret would have seen, one more of each."""
    calls = min(worth)
    return 1 + int(left * calls), 1 + int(right * calls)


def _blocks(shares: "Floats", numbers: bool) -> "NDArray[np.int64]":
    """Group neighbouring cells of numbers that are rare, so that noise does not sort them."""
    import numpy as np

    if len(shares) <= _COARSE or not numbers:
        return np.arange(len(shares))
    whole = np.floor(np.cumsum(shares) / shares.sum() * _COARSE * (1 - 1e-9)).astype(np.int64)
    return np.unique(whole, return_inverse=True)[1]


def _scores(left: "Floats", right: "Floats", worth: Sequence[float], samples: int) -> "Floats":
    """Return about the bounds to be expected: both shares moved towards caution by what is not
    known of them, and then by what will not be known after so many calls.
    """
    import numpy as np

    low = _wilson(_wilson(left, worth[0], -_CAUTION), samples / 2, -_SIGMAS)
    high = _wilson(_wilson(right, worth[1], _CAUTION), samples / 2, _SIGMAS)
    scores: Floats = np.log(np.maximum(low, 1e-300)) - np.log(high)
    return scores


def _wilson(share: "Floats", trials: float, sigmas: float) -> "Floats":
    """Return Wilson's bound of a probability, below for negative `sigmas`."""
    import numpy as np

    share, z2 = np.clip(share, 0.0, 1.0), sigmas**2
    spread = np.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    bound: Floats = (share + z2 / (2 * trials) + sigmas * spread) / (1 + z2 / trials)
    return np.clip(bound, 0.0, 1.0)
