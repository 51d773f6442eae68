"""The method of DP-Sniper, for comparison with `estimate` on the same number of samples.

A logistic regression learns which of two databases an output came from. The outputs that it finds
likeliest, as many as have probability 1/100 given the other database, are the event; whether those
at the limit belong to it is drawn. Fresh samples and the bounds of Clopper and Pearson give a bound
of the quotient. Written here from the paper: Bichsel, Steffen, Bogunovic and Vechev, "DP-Sniper:
black-box discovery of differential privacy violations using classifiers", S&P 2021. Both orders of
the databases are tried, and one is chosen before the samples are drawn that evaluate it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import beta

LEAST = 0.01  # the probability of an event that is aimed at
_STEPS, _RIDGE = 30, 1e-3
_MOST_VALUES = 12  # of a coordinate that is a feature each
Sampler = Callable[[str, int, Any], Any]


def sniper_bound(sampler: Sampler, samples: int, seed: int, risk: float = 0.05) -> float:
    """Return a lower bound of the leakage in nats between databases "a" and "b", 0 where the
    samples show nothing; a third of them trains, a third chooses, a third evaluates.
    """
    rng, each = np.random.default_rng(seed), samples // 6
    train, choose, check = ({x: sampler(x, each, rng) for x in "ab"} for _ in range(3))
    features = _Features.of(np.concatenate([_matrix(train["a"]), _matrix(train["b"])]))
    weights = _logistic(features.values(train["a"]), features.values(train["b"]))
    best: tuple[float, _Event] | None = None
    for above, below in (("a", "b"), ("b", "a")):
        sign = 1.0 if above == "a" else -1.0
        scores = {x: sign * features.values(choose[x]) @ weights for x in "ab"}
        event = _Event.of(scores[below], sign, above, below)
        sides = [event.share(scores[x]).mean() for x in (above, below)]
        ratio = sides[0] / max(sides[1], 1 / each)
        if best is None or ratio > best[0]:
            best = ratio, event
    assert best is not None
    event = best[1]
    hits = [
        int((rng.random(each) < event.share(event.sign * features.values(check[x]) @ weights)).sum())
        for x in (event.above, event.below)
    ]
    low = beta.ppf(risk / 2, hits[0], each - hits[0] + 1) if hits[0] else 0.0
    high = beta.ppf(1 - risk / 2, hits[1] + 1, each - hits[1]) if hits[1] < each else 1.0
    return max(0.0, float(np.log(low / high))) if low else 0.0


@dataclass(frozen=True)
class _Event:
    """Outputs with a score above a limit, and those at it with some probability."""

    limit: float
    at_limit: float
    sign: float
    above: str
    below: str

    @classmethod
    def of(cls, scores: Any, sign: float, above: str, below: str) -> "_Event":
        limit = float(np.sort(scores)[-max(1, int(LEAST * len(scores)))])
        over, equal = (scores > limit).mean(), (scores == limit).mean()
        return cls(limit, float(np.clip((LEAST - over) / equal, 0, 1)), sign, above, below)

    def share(self, scores: Any) -> Any:
        """Return the probability with which every output belongs to the event."""
        return (scores > self.limit) + self.at_limit * (scores == self.limit)


@dataclass(frozen=True)
class _Features:
    """Which values coordinates have, or the number itself where these are many."""

    values_of: tuple[Any, ...]
    centre: Any
    scale: Any

    @classmethod
    def of(cls, outputs: Any) -> "_Features":
        known = [np.unique(column) for column in outputs.T]
        each = tuple(values if len(values) <= _MOST_VALUES else None for values in known)
        return cls(each, outputs.mean(axis=0), outputs.std(axis=0) + 1e-9)

    def values(self, outputs: Any) -> Any:
        outputs = _matrix(outputs)
        columns = [np.ones(len(outputs))]
        for place, values in enumerate(self.values_of):
            if values is None:
                columns.append((outputs[:, place] - self.centre[place]) / self.scale[place])
            else:
                columns += [(outputs[:, place] == value).astype(float) for value in values]
        return np.round(np.stack(columns, axis=1), 12)


def _matrix(outputs: Any) -> Any:
    numbers = np.asarray(outputs, dtype=float)
    return numbers.reshape(len(numbers), -1)


def _logistic(one: Any, other: Any) -> Any:
    """Return the weights of a logistic regression, by Newton's method."""
    rows = np.concatenate([one, other])
    held = np.concatenate([np.ones(len(one)), np.zeros(len(other))])
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        guessed = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (held - guessed) - _RIDGE * weights
        bend = (rows * (guessed * (1 - guessed))[:, None]).T @ rows
        step = np.linalg.solve(bend + _RIDGE * np.eye(len(weights)), slope)
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return weights
