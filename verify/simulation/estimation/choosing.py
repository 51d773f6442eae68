"""Which prior, pair of secrets and events are worth evaluating: chosen on samples of their own.

Outputs fall into cells (`cells`). On the first half of the samples cells are sorted by their
likelihood ratio; on the second, sets of them are scored by the bound to be expected of so many
samples. Of vectors numbers are learned, too (`learning`). Where many pairs compete, the best are
compared again on fresh samples, as luck would choose among them. Nothing here has to be right: a
poor choice loses power, and no more.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.simulation.estimation.bets import Bet, Claim, Prior, asked_json, placed
from pufferproof.verify.simulation.estimation.outputs import (
    MOST_LABELS,
    DrawnNumbers,
    Event,
    Feature,
    Form,
    LabelEvent,
    Labels,
    NumberEvent,
    Outputs,
    Score,
    Vectors,
    feature_of,
    features,
    outputs_of,
)
from pufferproof.verify.simulation.estimation.samplers import Bundle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pufferproof.verify.simulation.estimation.outputs import Array

# Cells that outputs fall into, and how likely each is given a secret, from samples of databases.
#
# A cell is a label, or an interval of a number between quantiles; all labels that are rare are one.

if TYPE_CHECKING:
    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

_QUANTILES = 256
_TAILS = (1 / 4096, 1 / 1024)


@dataclass(frozen=True)
class SecretUnderPrior:
    """A secret under a prior: the probabilities of databases given it, by position."""

    prior: str
    name: str
    law: Mapping[int, float]

    @property
    def key(self) -> tuple[str, str]:
        return self.prior, self.name


@dataclass
class OutputCells:
    """Cells of outputs: `codes` of every batch of outputs, and how a set of cells is an event."""

    feature: Feature
    cuts: "Floats | None"
    labels: list[str]

    @property
    def size(self) -> int:
        return len(self.labels) + 1 if self.cuts is None else len(self.cuts) + 1

    def counts(self, outputs: Outputs) -> "Floats":
        import numpy as np

        if self.cuts is None and not isinstance(outputs, DrawnNumbers):
            outputs = outputs if isinstance(outputs, Labels) else outputs.labelled()
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


def all_cells(outputs: Sequence[Outputs]) -> Iterator[OutputCells]:
    """Yield the ways in which outputs fall into cells, one per number that they have."""
    # labels, and vectors of integers as such
    labelled = [output.labelled() if isinstance(output, Vectors) and output.whole else output for output in outputs]
    counts = [output.counts for output in labelled if isinstance(output, Labels)]
    if counts:
        together: Counter[str] = Counter()
        for each in counts:
            together.update(each)
        yield OutputCells("label", None, [label for label, _ in together.most_common(MOST_LABELS)])
    if isinstance(outputs[0], Labels):
        return
    for name in features(outputs[0]):
        yield OutputCells(name, cuts_of([feature_of(output, name) for output in outputs]), [])


def cuts_of(values: Sequence["Array"], bins: int | None = None) -> "Floats":
    """Return where cells end: at quantiles of so many bins; or of many, at both sides of values
    that come often, and in both tails.
    """
    import numpy as np

    every = np.sort(np.concatenate(values).astype(np.float64))
    atoms, counts = np.unique(every, return_counts=True)
    if len(atoms) <= (_QUANTILES if bins is None else bins):
        return atoms[1:]
    if bins is not None:
        return np.unique(every[(np.arange(1, bins) / bins * (len(every) - 1)).astype(np.int64)])
    levels = np.concatenate([np.arange(1, _QUANTILES) / _QUANTILES, _TAILS])
    levels = np.concatenate([levels, 1 - np.array(_TAILS)])
    often = atoms[counts > len(every) / _QUANTILES]
    cuts = every[(levels * (len(every) - 1)).astype(np.int64)]
    cuts = np.unique(np.concatenate([cuts, often, np.nextafter(often, np.inf)]))
    return cuts[np.isfinite(cuts)]


@dataclass
class ShareTable:
    """The share of every cell given every secret, and how many samples it is worth."""

    shares: dict[tuple[str, str], "Floats"]
    worth: dict[tuple[str, str], float]
    numbers: bool

    @classmethod
    def of(cls, cells: OutputCells, half: Mapping[int, Outputs], secrets: Sequence[SecretUnderPrior]) -> "ShareTable":
        import numpy as np

        shares = {(secret.prior, secret.name): np.zeros(cells.size) for secret in secrets}
        spread = dict.fromkeys(shares, 0.0)
        holding: dict[int, list[tuple[tuple[str, str], float]]] = {}
        for each in secrets:
            for database, weight in each.law.items():
                holding.setdefault(database, []).append(((each.prior, each.name), weight))
        for database, held in holding.items():
            outputs = half[database]
            counts = cells.counts(outputs) / outputs.count
            for key, weight in held:
                shares[key] += weight * counts
                spread[key] += weight**2 / outputs.count
        worth = {key: 1 / value for key, value in spread.items()}
        return cls(shares, worth, cells.cuts is not None)


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

    def scores(self, left: "Floats", right: "Floats", worth: Sequence[float]) -> "Floats":
        """Return about the bounds to be expected: both shares moved towards caution by what is not
        known of them, and then by what will not be known after so many calls.
        """
        import numpy as np

        calls = self.samples / 2
        low = _wilson(_wilson(left, worth[0], -_CAUTION), calls, -_SIGMAS)
        high = _wilson(_wilson(right, worth[1], _CAUTION), calls, _SIGMAS)
        if self.claim is not None:
            shown: Floats = self.claim.shown_approx(np.maximum(low, 1e-300), high)
            return shown
        logs: Floats = np.log(np.maximum(low, 1e-300)) - np.log(high)
        return logs


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
            bets = tuple(placed(claim, (seen.left, seen.right), seen.calls, calls, part) for seen in self.seen)
        priors = tuple(seen.prior for seen in self.seen)
        return Chosen(left.prior, (left.name, right.name), self.events, priors, bets)


_Found = tuple[float, OutputCells, "Mask", Seen]


def candidates(
    secrets: Sequence[SecretUnderPrior], pairs: Sequence[PairOfSecrets], halves: Halves, aim: Aim
) -> list[EventCandidate]:
    """Return pairs and events whose bound is expected to be largest, the best first."""
    best: list[list[_Found]] = [[] for _ in pairs]
    for cells in all_cells(list(halves[0].values())):
        tables = [ShareTable.of(cells, half, secrets) for half in halves]
        for found, pair in zip(best, pairs):
            found.extend(_scored(cells, tables, pair, aim))
    # the best pair of each family, so that lucky families crowd out no others
    foremost: dict[int, None] = {}
    for family in range(_FAMILIES):
        largest = [-max(score for score, *_ in found[family::_FAMILIES]) for found in best]
        foremost |= dict.fromkeys(sorted(range(len(best)), key=largest.__getitem__)[:_MOST_PAIRS])
    for place in foremost:
        for cells in learned(pairs[place], halves[0]):
            tables = [ShareTable.of(cells, half, pairs[place]) for half in halves]
            best[place].extend(_scored(cells, tables, pairs[place], aim))
    made = []
    for place in foremost:
        ranked = sorted(best[place], key=lambda each: -each[0])
        events = [(score, cells.event(mask), seen) for score, cells, mask, seen in ranked]
        made.append(_kept(pairs[place], events, aim))
    return sorted(made, key=lambda each: -each.score)


def confirmed(known: Sequence[EventCandidate], fresh: Mapping[int, Outputs], aim: Aim) -> EventCandidate:
    """Return the best candidate on fresh samples of the databases that they are about."""
    import numpy as np

    again = []
    for candidate in known:
        laws = [each.law for each in candidate.pair]
        worth = [1 / sum(p**2 / fresh[x].count for x, p in law.items()) for law in laws]
        ranked = []
        for event in candidate.events:
            left, right = (
                np.array([sum(p * event.count(fresh[x]) / fresh[x].count for x, p in law.items())]) for law in laws
            )
            score = float(aim.scores(left, right, worth)[0])
            ranked.append((score, event, Seen(float(left[0]), float(right[0]), min(worth))))
        again.append(_kept(candidate.pair, sorted(ranked, key=lambda each: -each[0]), aim))
    return max(again, key=lambda each: each.score)


def _kept(pair: PairOfSecrets, ranked: Sequence[tuple[float, Event, Seen]], aim: Aim) -> EventCandidate:
    top, near = ranked[0][0], dict[Event, Seen]()
    least = top - _FALLS_BEHIND * (1.0 if aim.claim is None else abs(top))  # to be worth a share beside the best
    for score, event, seen in ranked:
        if score >= least and len(near) < _MOST_EVENTS:
            near.setdefault(event, seen)
    return EventCandidate(pair, tuple(near), tuple(near.values()), top)


def _scored(cells: OutputCells, tables: Sequence[ShareTable], pair: PairOfSecrets, aim: Aim) -> "Iterator[_Found]":
    """Yield the best set of cells of each family with its score, and what was seen of it: sets with
    the largest likelihood ratios, single cells, the lowest cells, the highest.
    """
    import numpy as np

    keys = [(each.prior, each.name) for each in pair]
    first, second = ([table.shares[key] for key in keys] for table in tables)
    worth = [tables[1].worth[key] for key in keys]
    floor = [1 / (2 * tables[0].worth[key]) for key in keys]
    shares = first[0] + first[1]
    # neighbouring cells of numbers that are rare are one block, so that noise does not sort them
    if len(shares) <= _COARSE or not tables[0].numbers:
        blocks = np.arange(len(shares))
    else:
        whole = np.floor(np.cumsum(shares) / shares.sum() * _COARSE * (1 - 1e-9)).astype(np.int64)
        blocks = np.unique(whole, return_inverse=True)[1]
    coarse = [np.bincount(blocks, weights=each) for each in first]
    ratio = (coarse[0] + floor[0]) / (coarse[1] + floor[1])
    orders = [np.argsort(-ratio[blocks], kind="stable"), np.arange(len(blocks)), np.arange(len(blocks))[::-1]]
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


def _wilson(share: "Floats", trials: float, sigmas: float) -> "Floats":
    """Return Wilson's bound of a probability, below for negative `sigmas`."""
    import numpy as np

    share, z2 = np.clip(share, 0.0, 1.0), sigmas**2
    spread = np.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    bound: Floats = (share + z2 / (2 * trials) + sigmas * spread) / (1 + z2 / trials)
    return np.clip(bound, 0.0, 1.0)


# Learning -----------------------------------------------------------------------------------------
#
# Numbers of vectors that are learned on the first half of the samples, and their cells.
#
# These are scores, the sum of the logarithms of likelihood ratios of linear forms, which is best
# if the forms are independent; and half-spaces, by logistic regression and by the difference of
# means over the covariance. Forms are the coordinates, or these less what the coordinates before
# tell of them: so of sums that run on, the steps. Nothing here has to be right: a poor choice
# loses power. Source: Friedman, Hastie and Tibshirani (2009), sections 4.3, 4.4 and 6.6.3.

_COORDINATES, _BINS = 64, 16
_SMALL = 1e-2  # of the largest factor of a form, after which it is left out
_ROUNDS, _RIDGE = 12, 1e-3
_CLIPPED = (0.001, 0.999)  # quantiles, beyond which numbers are moved to them when forms are fitted

_Pair = tuple[SecretUnderPrior, SecretUnderPrior]


def learned(pair: _Pair, half: Mapping[int, Outputs]) -> "Iterator[OutputCells]":
    """Yield the cells of numbers that are learned of vectors, none for other outputs."""
    first = [half[place] for each in pair for place in each.law]
    if not isinstance(first[0], Vectors) or first[0].values.shape[1] == 1:
        return
    size = min(first[0].values.shape[1], _COORDINATES)
    plain = [Form(((place, 1.0),)) for place in range(1, size + 1)]
    fitted = _Fitted.of(pair, half, size)
    for forms in (plain, fitted.steps()):
        if forms:
            score = Score(tuple(_weights(pair, half, first, form) for form in forms))
            yield _numbered(score, first, None)
    for form in fitted.directions():
        yield _numbered(form, first, None)


class _Fitted:
    """Standardised outputs of a pair of secrets: which have the first, and their weights."""

    def __init__(self, rows: "Floats", sides: "Floats", weights: "Floats") -> None:
        import numpy as np

        low, high = np.quantile(rows, _CLIPPED, axis=0)
        finite = np.isfinite(low) & np.isfinite(high) & (high > low)
        self.places = np.flatnonzero(finite)
        rows = np.clip(rows[:, finite], low[finite], high[finite])
        self.spread = rows.std(axis=0)
        self.spread[self.spread == 0] = 1.0
        self.rows = (rows - rows.mean(axis=0)) / self.spread
        self.sides, self.weights = sides, weights

    @classmethod
    def of(cls, pair: _Pair, half: Mapping[int, Outputs], size: int) -> "_Fitted":
        """Gather the outputs of databases of a pair, each by its probability."""
        import numpy as np

        rows, sides, weights = [], [], []
        for side, secret in ((1.0, pair[0]), (0.0, pair[1])):
            for place, chance in secret.law.items():
                values: Any = half[place]
                known = values.values[:, :size]
                rows.append(known)
                sides.append(np.full(len(known), side))
                weights.append(np.full(len(known), chance / max(len(known), 1)))
        return cls(np.concatenate(rows), np.concatenate(sides), np.concatenate(weights))

    def steps(self) -> list[Form]:
        """Return each coordinate less what those before it tell of it, by least squares."""
        import numpy as np

        within, _ = self._moments()
        forms = []
        for end in range(len(self.places)):
            factors = np.zeros(end + 1)
            factors[end] = 1.0
            if end:
                factors[:end] = -np.linalg.solve(within[:end, :end], within[:end, end])
            forms.append(self._form(factors))
        alone = all(len(form.terms) == 1 for form in forms)
        return [] if alone else forms

    def directions(self) -> list[Form]:
        """Return the normals of half-spaces: of logistic regression, and of normal laws."""
        import numpy as np

        if not len(self.places):
            return []
        within, apart = self._moments()
        found: list[Floats] = [np.linalg.solve(within, apart).astype(np.float64), self._logistic()]
        return [self._form(each) for each in found if np.any(each) and np.all(np.isfinite(each))]

    def _moments(self) -> "tuple[Floats, Floats]":
        """Return the covariance given a secret, and how far apart the means are."""
        import numpy as np

        size = len(self.places)
        within, means = np.eye(size) * 1e-9, []
        for side in (1.0, 0.0):
            chosen = self.sides == side
            weights = self.weights[chosen] / self.weights[chosen].sum()
            means.append(weights @ self.rows[chosen])
            centred = self.rows[chosen] - means[-1]
            within += (centred * weights[:, None]).T @ centred / 2
        return within, means[0] - means[1]

    def _logistic(self) -> "Floats":
        """Return the factors of a logistic regression, by Newton's method."""
        import numpy as np

        rows = np.column_stack([self.rows, np.ones(len(self.rows))])
        weights = self.weights / self.weights.sum()
        factors = np.zeros(rows.shape[1])
        for _ in range(_ROUNDS):
            chances = 1 / (1 + np.exp(-np.clip(rows @ factors, -30, 30)))
            slope = rows.T @ (weights * (self.sides - chances)) - _RIDGE * factors
            bend = (rows * (weights * chances * (1 - chances))[:, None]).T @ rows
            factors = factors + np.linalg.solve(bend + _RIDGE * np.eye(len(factors)), slope)
        found: Floats = factors[:-1]
        return found

    def _form(self, factors: "Array") -> Form:
        import numpy as np

        kept = np.flatnonzero(np.abs(factors) > _SMALL * np.abs(factors).max())
        plain = factors[kept] / self.spread[kept]
        plain = plain / np.abs(plain).max()
        return Form(tuple((int(self.places[place]) + 1, float(f"{factor:.3g}")) for place, factor in zip(kept, plain)))


def _weights(
    pair: _Pair, half: Mapping[int, Outputs], outputs: Sequence[Outputs], form: Form
) -> tuple[Form, tuple[float, ...], tuple[float, ...]]:
    import numpy as np

    cells = _numbered(form, outputs, _BINS)
    table = ShareTable.of(cells, half, pair)
    left, right = (table.shares[each.prior, each.name] for each in pair)
    floor = 1 / min(table.worth.values())
    weights = np.round(np.log((left + floor) / (right + floor)), 3)
    ends = () if cells.cuts is None else tuple(map(float, cells.cuts))
    return form, ends, tuple(map(float, weights))


def _numbered(feature: Feature, outputs: Sequence[Outputs], bins: int | None) -> OutputCells:
    return OutputCells(feature, cuts_of([feature_of(output, feature) for output in outputs], bins), [])


# What is fixed before the first call that is bet on, and every call in lines that programs read.
#
# Coins depend on what is fixed: other bets, or other calls that chose them, have other coins.

SELECTION = "selection.jsonl"


@dataclass
class Record:
    """Calls that choose the bets, and calls that are bet on; `inputs` are files by their names."""

    inputs: Mapping[str, bytes]
    selecting: list[Bundle] = field(default_factory=list)
    betting: list[Bundle] = field(default_factory=list)

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The inputs, and a line for each call that chose the bets; known once they are chosen."""
        calls = ([label, _shown(value, None)] for each in self.selecting for _, label, value in each)
        return {**self.inputs, SELECTION: _lines(calls)}

    def fixed(self, framework: Framework, pair: tuple[str, str]) -> JsonObject:
        """Return what is fixed beside the bets: the databases of either secret, or None if they are
        too many to list, and hashes of files.
        """
        hashes = {name: hashlib.sha256(each).hexdigest() for name, each in self.files.items()}
        listed = None
        if not framework.by_records:
            held = [framework.secrets[name] for name in pair]
            listed = [[framework.databases[place] for place in places] for places in held]
        return {"databases": listed, "files": hashes}

    def draws(self, event: Event) -> bytes:
        """Return a line for each call that was bet on: its coin, 1 for the first secret, its
        database and its output. Of calls that the user says are independent of each other the
        order is that of the coins.
        """
        return _lines(
            [coin, label, _shown(value, event)] for bundle in self.betting for coin, label, value in _by_coins(bundle)
        )


def fixed_json(chosen: Chosen, confidence: Fraction, claim: Claim | None, beside: JsonObject) -> JsonObject:
    """Return what is fixed before the first call that is bet on."""
    asked = {"confidence": text_of(confidence), "asked": asked_json(claim)}
    return {**asked, **chosen.as_json(), **beside}


def hash_of_bets(fixed: JsonObject) -> str:
    """Return a hash of what is fixed."""
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()


def _lines(calls: Iterable[list[object]]) -> bytes:
    return "".join(f"{json.dumps(call)}\n" for call in calls).encode()


def _by_coins(bundle: Bundle) -> Iterator[tuple[int, str, object]]:
    """Yield the calls of a bundle, each with its coin."""
    if not bundle.grouped or bundle.coins is None:
        yield from ((1 - bin_, label, value) for bin_, label, value in bundle)
        return
    sides: list[list[tuple[int, str, object]]] = [[], []]
    for bin_, label, value in bundle:
        sides[bin_].append((1 - bin_, label, value))
    first, second = map(iter, sides)
    yield from (next(first if coin else second) for coin in bundle.coins.tolist())


def _shown(value: object, event: Event | None) -> object:
    """Return an output as an event sees it: a label, a number, or a list of numbers."""
    outputs = outputs_of([value])
    if isinstance(event, LabelEvent) and isinstance(outputs, Vectors):
        outputs = outputs.labelled()
    if isinstance(outputs, Labels):
        if event is None or isinstance(event, LabelEvent):
            return next(iter(outputs.counts))
        return outputs.vectors().values[0].tolist() if outputs.width else float("-inf")
    if isinstance(outputs, DrawnNumbers):
        return outputs.values[0].item()
    return outputs.values[0].tolist()
