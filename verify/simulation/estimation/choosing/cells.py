"""Cells that outputs fall into, and how likely each is given a secret, from samples of databases.

A cell is a label, or an interval of a number between quantiles; all labels that are rare are one.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pufferproof.verify.simulation.estimation.events import (
    Event,
    Feature,
    LabelEvent,
    NumberEvent,
    feature_of,
    features,
)
from pufferproof.verify.simulation.estimation.outputs import MOST_LABELS, DrawnNumbers, Labels, Outputs, Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
        """The prior and the name."""
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
    labelled = [each for each in map(_labels, outputs) if each is not None]
    if labelled:
        together: Counter[str] = Counter()
        for each in labelled:
            together.update(each.counts)
        yield OutputCells("label", None, [label for label, _ in together.most_common(MOST_LABELS)])
    if isinstance(outputs[0], Labels):
        return
    for name in features(outputs[0]):
        yield OutputCells(name, cuts_of([feature_of(output, name) for output in outputs]), [])


def _labels(outputs: Outputs) -> Labels | None:
    """Return labels, and vectors of integers as such."""
    if isinstance(outputs, Vectors) and outputs.whole:
        return outputs.labelled()
    return outputs if isinstance(outputs, Labels) else None


def cuts_of(values: Sequence[Any], bins: int | None = None) -> "Floats":
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
