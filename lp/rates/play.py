"""Upper bounds of many games of log-likelihoods at once, without a linear program each, by what
both players learn (`learning`).

What they learn is a proposal. It is rounded to weights with the denominators of `UNITS`, exact as
floats, and each of them gives a bound with the proven error of `Games`: which of them are near the
value decides how many programs are left to solve, and nothing else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.exact.weights import Weights
from pufferproof.lp.rates.learning import learned

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pufferproof.lp.rates.games import Games

RESTS_ON = ("worst.game-value",)
UNITS = (8, 64, 1024, 1 << 14)  # denominators of weights, coarse ones first: they make certificates short
FEW = 32  # games, below which each of them is solved
MOST = 1 << 22  # entries of payoffs that are looked at together
Key = tuple[int, tuple[int, ...]]  # a database and those it is compared with
Group = tuple[tuple[int, ...], list[int]]  # databases, and those that are compared with them


@dataclass(frozen=True)
class Play:
    """Weights of databases in the units of `UNITS`, a row of `counts` each, and at most how much
    the game is worth by each; infinite where a row is no weights.
    """

    against: tuple[int, ...]
    counts: "NDArray[np.int16]"
    upper: list[float]

    def below(self, floor: float) -> tuple[Fraction, Weights] | None:
        """Return the bound of the first weights that keep the game below `floor`, if any do."""
        for unit, row, upper in zip(UNITS, self.counts, self.upper):
            if upper < floor:
                chosen = [(y, n) for y, n in zip(self.against, row.tolist()) if n]
                places, numerators = zip(*chosen)
                return Fraction(upper), Weights(places, numerators, unit)
        return None


def played(games: "Games", keys: Sequence[Key]) -> dict[Key, Play]:
    """Return what both players learn in each of these games; nothing where there are few of
    them, which are as quickly solved.
    """
    plays: dict[Key, Play] = {}
    for groups in _groups(games, keys) if len(keys) >= FEW else ():
        plays |= _together(games, groups)
    return plays


def _groups(games: "Games", keys: Sequence[Key]) -> Iterator[list[Group]]:
    """Yield groups of databases compared with the same others, equal shapes together."""
    outputs = games.logs.shape[1]
    by_against: dict[tuple[int, ...], list[int]] = {}
    for x, against in keys:
        by_against.setdefault(against, []).append(x)
    by_shape: dict[tuple[int, int], list[Group]] = {}
    for against, own in by_against.items():
        rows = max(1, MOST // (len(UNITS) * (len(against) + outputs)))
        for start in range(0, len(own), rows):
            part = own[start : start + rows]
            by_shape.setdefault((len(against), len(part)), []).append((against, part))
    for (columns, rows), groups in by_shape.items():
        entries = columns * outputs + len(UNITS) * rows * (columns + outputs)
        size = max(1, MOST // entries)
        yield from (groups[start : start + size] for start in range(0, len(groups), size))


def _together(games: "Games", groups: list[Group]) -> dict[Key, Play]:
    """Play groups of one shape; axes are groups, games, and databases or outputs."""
    import numpy as np

    others = np.array([against for against, _ in groups])
    own = np.array([databases for _, databases in groups])
    columns = games.logs[others]
    rows = games.logs[own] - games.shift
    possible = games.positive[own]
    apart = possible.astype(np.float32) @ ~games.positive[others].transpose(0, 2, 1)
    allowed = apart == 0.0
    beta = learned(games, rows, columns, possible, allowed)
    counts = np.stack([_rounded(beta, unit) for unit in UNITS], axis=2)
    units = np.array(UNITS)
    payoffs = rows[:, :, None] - (counts / units[:, None]) @ columns[:, None]
    upper = np.where(possible[:, :, None], payoffs, -np.inf).max(axis=3) + games.error
    weights = (counts.sum(axis=3) == units) & ~(counts * ~allowed[:, :, None]).any(axis=3)
    upper = np.where(weights & (counts >= 0).all(axis=3), upper, np.inf)
    return {
        (x, against): Play(against, counts[g, i], upper[g, i].tolist())
        for g, (against, databases) in enumerate(groups)
        for i, x in enumerate(databases)
    }


def _rounded(beta: "NDArray[np.float64]", unit: int) -> "NDArray[np.int16]":
    """Return weights as multiples of 1 / unit that sum to 1, by largest remainders."""
    import numpy as np

    counts = np.floor(beta * unit)
    missing = unit - counts.sum(axis=2, keepdims=True)
    order = (counts - beta * unit).argsort(axis=2, kind="stable").argsort(axis=2, kind="stable")
    return np.asarray(counts + (order < missing)).astype(np.int16)
