"""Kinds of groups by likelihood, and what one chain for several groups costs.

With n_g(c, y) steps of group g from context c to y, and a(c, y) = (N(c, y) + 1/2) / (N(c) + s/2) in
a kind with N steps and s values, every group goes to the kind with the largest sum of n_g log a,
until none moves; a new kind begins with a group, K - 1 times: of the ten that lose most, that
with which the sum of all is largest (of fewer, if tables are large). Only the sorting uses floats,
and may miss the best one: what follows is exact for the kinds that were found.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError

if TYPE_CHECKING:
    import numpy as np

_MOST_CELLS = 50_000_000  # of groups, contexts and values
_ROUNDS = 500
_BEGINNINGS = 10  # groups with which a new kind may begin, where
_MOST_TRIED = 20_000_000  # cells and kinds, times beginnings, allow it
_GAIN = 1e-9  # nats that make a group move

Sequences = Sequence[Sequence[int]]  # those of a group


@dataclass(frozen=True)
class Cost:
    """What one chain for several groups loses: nats of log-likelihood against a chain for each,
    `by_group`, with how many steps each has, and the `dependence` of each group's next values on
    the last ones: the largest log-ratio of a(c, y) and a(d, y). Rounded.
    """

    by_group: tuple[float, ...]
    steps: tuple[int, ...]
    dependence: tuple[float, ...] = ()

    @property
    def per_step(self) -> float:
        """The nats that are lost per step of all groups."""
        return sum(self.by_group) / max(1, sum(self.steps))

    @property
    def farthest(self) -> list[tuple[int, float]]:
        """The three groups that lose most."""
        return self.by_distance[:3]

    @property
    def by_distance(self) -> list[tuple[int, float]]:
        """The groups, by their places, with the nats per step that they lose, most first."""
        lost = [(k, nats / n) for k, (nats, n) in enumerate(zip(self.by_group, self.steps)) if n]
        return sorted(lost, key=lambda each: (-round(each[1], 9), each[0]))

    @property
    def by_dependence(self) -> list[int]:
        """The groups with steps, by their places, the most dependent values first."""
        moving = [k for k, count in enumerate(self.steps) if count]
        return sorted(moving, key=lambda k: (-round(self.dependence[k], 9), k))


def cost_approx(groups: Sequence[Sequences], order: int, size: int) -> Cost:
    """Return what the chain of all these groups, on `size` values, loses against one for each."""
    import numpy as np

    tables = _tables(groups, order, size)
    own = (_log(tables) * tables).sum((1, 2))
    shared = (_log(tables.sum(0)[None]) * tables).sum((1, 2))
    steps = tables.sum((1, 2)).astype(int)
    lost = np.maximum(own - shared, 0)
    logs = np.log(tables + 0.5)
    logs -= np.log((tables + 0.5).sum(2, keepdims=True))
    far = (logs.max(1) - logs.min(1)).max(1)
    return Cost(tuple(map(float, lost)), tuple(map(int, steps)), tuple(map(float, far)))


def _log(tables: "np.ndarray") -> "np.ndarray":
    """Return log of relative frequencies, 0 where nothing was counted."""
    import numpy as np

    shares = tables / np.maximum(tables.sum(2, keepdims=True), 1)
    return np.log(np.where(shares > 0, shares, 1))


def _tables(groups: Sequence[Sequences], order: int, size: int) -> "np.ndarray":
    """Return how often values followed contexts: groups x contexts x values."""
    import numpy as np

    steps = [
        Counter(step for values in sequences for step in zip(*(values[start:] for start in range(order + 1))))
        for sequences in groups
    ]
    contexts = sorted({step[:-1] for counted in steps for step in counted})
    places = {context: place for place, context in enumerate(contexts)}
    if len(groups) * len(contexts) * size > _MOST_CELLS:
        raise ModelError(
            f"{len(groups)} groups times {len(contexts)} contexts times {size} values are too "
            f"many to compare, expected at most {_MOST_CELLS}: --classes makes fewer values",
            "kinds",
        )
    tables = np.zeros((len(groups), len(contexts), size))
    for group, counted in enumerate(steps):
        for step, count in counted.items():
            tables[group, places[step[:-1]], step[-1]] = count
    return tables


def sorted_approx(groups: Sequence[Sequences], order: int, size: int, wanted: int) -> list[list[int]]:
    """Return the groups of so many kinds, by their places, the largest kind first.

    >>> calm, restless = [[0] * 30 + [1] * 30 + [0]], [[0, 1, 1] * 20]
    >>> sorted_approx([calm, restless, calm], 1, 2, 2)
    [[0, 2], [1]]
    """
    import numpy as np

    tables = _tables(groups, order, size)
    own = (_log(tables) * tables).sum((1, 2))
    place, every = np.zeros(len(tables), dtype=int), np.arange(len(tables))
    for count in range(1, wanted):
        sizes = np.bincount(place, minlength=count)
        lost = own - _fits(tables, place, count)[every, place]
        lost[sizes[place] == 1] = -1
        tried = min(_BEGINNINGS, max(1, _MOST_TRIED // (tables.size * count)))
        found: list[tuple[float, np.ndarray]] = []
        for first in np.argsort(-np.round(lost, 9), kind="stable")[:tried]:
            if lost[first] < 0 and found:
                break
            begun = place.copy()
            begun[first] = count
            settled = _settled(tables, begun, count + 1)
            fits = _fits(tables, settled, count + 1)[every, settled]
            found.append((float(fits.sum()), settled))
        place = max(found, key=lambda each: round(each[0], 6))[1]
    members = [np.flatnonzero(place == kind).tolist() for kind in range(wanted)]
    return sorted(members, key=lambda groups: (-len(groups), groups))


def _fits(tables: "np.ndarray", place: "np.ndarray", count: int) -> "np.ndarray":
    """Return the log-likelihood of every group under the smoothed chain of every kind."""
    import numpy as np

    kinds_of_steps = np.stack([tables[place == kind].sum(0) for kind in range(count)]) + 0.5
    logs = np.log(kinds_of_steps / kinds_of_steps.sum(2, keepdims=True))
    fits: np.ndarray = tables.reshape(len(tables), -1) @ logs.reshape(count, -1).T
    return fits


def _settled(tables: "np.ndarray", place: "np.ndarray", count: int) -> "np.ndarray":
    """Move groups to the kinds that fit them best until none moves; no kind gets empty."""
    import numpy as np

    every = np.arange(len(tables))
    for _ in range(_ROUNDS):
        fits = _fits(tables, place, count)
        best = fits.argmax(1)
        better = fits[every, best] > fits[every, place] + _GAIN
        moved = np.where(better, best, place)
        for kind in range(count):
            if not (moved == kind).any():
                own = np.flatnonzero(place == kind)
                moved[own[fits[own, kind].argmax()]] = kind
        if (moved == place).all():
            break
        place = moved
    return place
