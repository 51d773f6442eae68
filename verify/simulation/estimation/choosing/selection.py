"""Which prior, pair of secrets and events are worth evaluating: chosen on samples of their own.

Outputs fall into cells (`cells`). On the first half of the samples cells are sorted by their
likelihood ratio; on the second, sets of them are scored by the bound to be expected of so many
samples. Of vectors numbers are learned, too (`learning`). Where many pairs compete, the best are
compared again on fresh samples, as luck would choose among them. Nothing here has to be right: a
poor choice loses power, and no more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.simulation.estimation.bets.additive import Bet, placed
from pufferproof.verify.simulation.estimation.bets.claims import Claim
from pufferproof.verify.simulation.estimation.bets.coins import Prior
from pufferproof.verify.simulation.estimation.choosing.cells import (
    OutputCells,
    SecretUnderPrior,
    ShareTable,
    all_cells,
)
from pufferproof.verify.simulation.estimation.choosing.learning import learned
from pufferproof.verify.simulation.estimation.events import Event
from pufferproof.verify.simulation.estimation.outputs import Outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

_COARSE = 32
_SIGMAS, _CAUTION = 2.8, 1.5
_MOST_EVENTS, _FAMILIES, _MOST_PAIRS = 4, 4, 8  # pairs of each family
_FALLS_BEHIND = 0.1  # nats, or a part of a claim's value, below the best event: not worth a share

Halves = tuple[Mapping[int, Outputs], Mapping[int, Outputs]]  # outputs by position of the database
PairOfSecrets = tuple[SecretUnderPrior, SecretUnderPrior]


@dataclass(frozen=True)
class Chosen:
    """What is evaluated: a prior, an ordered pair, and events; of each, what was seen when it was
    chosen, which the bets on `coins` begin with, and `bets` of its own against a claim.
    """

    prior: str
    pair: tuple[str, str]
    events: tuple[Event, ...]
    seen: tuple[Prior, ...]
    bets: tuple[tuple[Bet, ...], ...] = ()

    def as_json(self) -> JsonObject:
        """Return all that is fixed before the first call that is bet on."""
        return {
            "prior": self.prior,
            "pair": list(self.pair),
            "events": [event.as_json() for event in self.events],
            "expected": [list(each) for each in self.seen],
            "bets": [[bet.as_json() for bet in bets] for bets in self.bets],
        }


@dataclass(frozen=True)
class Seen:
    """The shares of an event given either secret, from about so many samples."""

    left: float
    right: float
    calls: float

    @property
    def prior(self) -> Prior:
        """What so many samples would have seen, one more of each."""
        return 1 + int(self.left * self.calls), 1 + int(self.right * self.calls)


@dataclass(frozen=True)
class Aim:
    """What a bound is wanted of: a claim's value, or the leakage if there is none; after so many
    calls.
    """

    claim: Claim | None
    samples: int

    def near(self, top: float) -> float:
        """Return the least score with which an event is worth a share beside the best one."""
        return top - _FALLS_BEHIND * (1.0 if self.claim is None else abs(top))

    def scores(self, left: "Floats", right: "Floats", worth: Sequence[float]) -> Any:
        """Return about the bounds to be expected: both shares moved towards caution by what is not
        known of them, and then by what will not be known after so many calls.
        """
        import numpy as np

        calls = self.samples / 2
        low = _wilson(_wilson(left, worth[0], -_CAUTION), calls, -_SIGMAS)
        high = _wilson(_wilson(right, worth[1], _CAUTION), calls, _SIGMAS)
        if self.claim is not None:
            return self.claim.shown_approx(np.maximum(low, 1e-300), high)
        return np.log(np.maximum(low, 1e-300)) - np.log(high)


@dataclass(frozen=True)
class EventCandidate:
    """An ordered pair of secrets and events, the best first, with the score of that."""

    pair: PairOfSecrets
    events: tuple[Event, ...]
    seen: tuple[Seen, ...]
    score: float

    def chosen(self, claim: Claim | None, calls: int, risk: Fraction) -> Chosen:
        """Return what is evaluated by so many calls, with bets that share the risk."""
        left, right = self.pair
        bets: tuple[tuple[Bet, ...], ...] = ()
        if claim is not None:
            part = risk / len(self.events)
            bets = tuple(
                placed(claim, (seen.left, seen.right), seen.calls, calls, part)
                for seen in self.seen
            )
        priors = tuple(seen.prior for seen in self.seen)
        return Chosen(left.prior, (left.name, right.name), self.events, priors, bets)


_Found = tuple[float, OutputCells, "Mask", Seen]


def candidates(
    secrets: Sequence[SecretUnderPrior],
    pairs: Sequence[PairOfSecrets],
    halves: Halves,
    aim: Aim,
) -> list[EventCandidate]:
    """Return pairs and events whose bound is expected to be largest, the best first."""
    best: list[list[_Found]] = [[] for _ in pairs]
    for cells in all_cells(list(halves[0].values())):
        tables = [ShareTable.of(cells, half, secrets) for half in halves]
        for found, pair in zip(best, pairs):
            found.extend(_scored(cells, tables, pair, aim))
    order = _foremost([[score for score, *_ in found] for found in best])
    for place in order:
        for cells in learned(pairs[place], halves[0]):
            tables = [ShareTable.of(cells, half, pairs[place]) for half in halves]
            best[place].extend(_scored(cells, tables, pairs[place], aim))
    made = [_candidate(pairs[place], best[place], aim) for place in order]
    return sorted(made, key=lambda each: -each.score)


def _foremost(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the best pair of each family, so that lucky families crowd out no others."""
    chosen: dict[int, None] = {}
    for family in range(_FAMILIES):
        order = sorted(range(len(scores)), key=lambda place: -max(scores[place][family::_FAMILIES]))
        chosen |= dict.fromkeys(order[:_MOST_PAIRS])
    return list(chosen)


def confirmed(
    known: Sequence[EventCandidate], fresh: Mapping[int, Outputs], aim: Aim
) -> EventCandidate:
    """Return the best candidate on fresh samples of the databases that they are about."""
    return max((_again(each, fresh, aim) for each in known), key=lambda each: each.score)


def _candidate(pair: PairOfSecrets, found: Sequence[_Found], aim: Aim) -> EventCandidate:
    ranked = sorted(found, key=lambda each: -each[0])
    return _kept(
        pair, [(score, cells.event(mask), seen) for score, cells, mask, seen in ranked], aim
    )


def _kept(
    pair: PairOfSecrets, ranked: Sequence[tuple[float, Event, Seen]], aim: Aim
) -> EventCandidate:
    top, near = ranked[0][0], dict[Event, Seen]()
    for score, event, seen in ranked:
        if score >= aim.near(top) and len(near) < _MOST_EVENTS:
            near.setdefault(event, seen)
    return EventCandidate(pair, tuple(near), tuple(near.values()), top)


def _again(candidate: EventCandidate, fresh: Mapping[int, Outputs], aim: Aim) -> EventCandidate:
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
        score = float(aim.scores(left, right, worth)[0])
        ranked.append((score, event, Seen(float(left[0]), float(right[0]), min(worth))))
    return _kept(candidate.pair, sorted(ranked, key=lambda each: -each[0]), aim)


def _scored(
    cells: OutputCells, tables: Sequence[ShareTable], pair: PairOfSecrets, aim: Aim
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
        scores = aim.scores(left_sums, right_sums, worth)
        end = int(np.argmax(scores[:-1])) if len(scores) > 1 else 0  # all cells tell nothing
        mask = np.zeros(len(blocks), dtype=bool)
        mask[order[: end + 1]] = True
        seen = Seen(float(left_sums[end]), float(right_sums[end]), min(worth))
        yield float(scores[end]), cells, mask, seen
    worth_before = [tables[0].worth[key] for key in keys]
    cell = int(np.argmax(aim.scores(first[0], first[1], worth_before)))
    scores = aim.scores(second[0], second[1], worth)
    seen = Seen(float(second[0][cell]), float(second[1][cell]), min(worth))
    yield float(scores[cell]), cells, np.arange(len(blocks)) == cell, seen


def _blocks(shares: "Floats", numbers: bool) -> "NDArray[np.int64]":
    """Group neighbouring cells of numbers that are rare, so that noise does not sort them."""
    import numpy as np

    if len(shares) <= _COARSE or not numbers:
        return np.arange(len(shares))
    whole = np.floor(np.cumsum(shares) / shares.sum() * _COARSE * (1 - 1e-9)).astype(np.int64)
    return np.unique(whole, return_inverse=True)[1]


def _wilson(share: "Floats", trials: float, sigmas: float) -> "Floats":
    """Return Wilson's bound of a probability, below for negative `sigmas`."""
    import numpy as np

    share, z2 = np.clip(share, 0.0, 1.0), sigmas**2
    spread = np.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    bound: Floats = (share + z2 / (2 * trials) + sigmas * spread) / (1 + z2 / trials)
    return np.clip(bound, 0.0, 1.0)
