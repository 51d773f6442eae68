"""Which sequences of outputs matter for a largest ratio: those that no other one, and no mixture of
others, dominates.

Logarithms of weights as floats find the pairs that cannot be compared, and a linear program in
floats proposes mixtures; integers and rationals decide.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.errors import extras
from pufferproof.models.numbers.proportions import are_numbers, proposing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("streaming_cw.x-dominated",)
_MARGIN = 1e-6  # of logarithms of up to 10^7, which floats hold to 10^-9
_TIGHT = 1e-7  # of weights of at most 1, which the linear program holds to 10^-9
Weights = tuple[int, ...]


@dataclass(frozen=True)
class Sequence:
    """Outputs so far, as the last one and those before, and their weights in both worlds."""

    top: Weights
    bottom: Weights
    output: int = -1
    before: "Sequence | None" = None

    def outputs(self) -> tuple[int, ...]:
        """The outputs, in order."""
        found, at = list[int](), self
        while at.before is not None:
            found.append(at.output)
            at = at.before
        return tuple(reversed(found))


def undominated(sequences: list[Sequence]) -> list[Sequence]:
    """Return the sequences that no other one dominates, one of several that are alike."""
    import numpy as np

    tops, bottoms = (_logs([getattr(s, side) for s in sequences]) for side in ("top", "bottom"))
    alive = np.ones(len(sequences), dtype=bool)
    for k, sequence in enumerate(sequences):
        with np.errstate(invalid="ignore"):
            needed = _differences(tops[k], tops, -np.inf).max(axis=1)
            allowed = _differences(bottoms[k], bottoms, np.inf).min(axis=1)
        surely = needed < allowed - _MARGIN
        surely[k] = False
        if (surely & alive).any():
            alive[k] = False
            continue
        with np.errstate(invalid="ignore"):
            close = (np.abs(needed - allowed) <= _MARGIN) & alive
        close[k] = False
        for other in np.flatnonzero(close):
            if _dominates(sequences[other], sequence):
                alive[k] = False
                break
    return [sequence for sequence, kept in zip(sequences, alive) if kept]


def _logs(weights: list[Weights]) -> "NDArray[np.float64]":
    import numpy as np

    return np.array([[math.log(w) if w else -math.inf for w in row] for row in weights])


def _differences(row: "NDArray[np.float64]", rows: "NDArray[np.float64]", both_zero: float) -> "NDArray[np.float64]":
    """Return the logarithms of the ratios of a row to every row, with one for 0/0."""
    import numpy as np

    found: NDArray[np.float64] = row - rows
    return np.where(np.isnan(found), both_zero, found)


def _dominates(one: Sequence, other: Sequence) -> bool:
    """Decide whether some c has other.top <= c one.top and other.bottom >= c one.bottom."""
    if any(mine == 0 < its for mine, its in zip(one.top, other.top)):
        return False
    needed = [(its, mine) for mine, its in zip(one.top, other.top) if mine]
    allowed = [(its, mine) for mine, its in zip(one.bottom, other.bottom) if mine]
    return all(a * d <= c * b for a, b in needed for c, d in allowed)


def most_promising(sequences: list[Sequence], count: int) -> list[Sequence]:
    """Return so many sequences whose ratio is largest in some state, roughly."""
    tops, bottoms = (_logs([getattr(s, side) for s in sequences]) for side in ("top", "bottom"))
    promise = tops.max(axis=1) - bottoms.max(axis=1)
    best = sorted(range(len(sequences)), key=lambda k: -promise[k])[:count]
    return [sequences[k] for k in sorted(best)]


def extreme(sequences: list[Sequence]) -> list[Sequence]:
    """Return the sequences that no mixture of the others dominates: the sum of their weights, each
    times a number that is not negative, is as good in every state.
    """
    import numpy as np

    rows, left = (np.array([_scaled(sequence) for sequence in sequences]), list(range(len(sequences))))
    for each, one in enumerate(sequences):
        others = [other for other in left if other != each]
        mixed = [sequences[other] for other in others]
        if others and _mixture_dominates(mixed, one, rows[others].T, rows[each]):
            left = others
    return [sequences[each] for each in left]


def _mixture_dominates(
    others: list[Sequence], one: Sequence, columns: "NDArray[np.float64]", bounds: "NDArray[np.float64]"
) -> bool:
    """Whether a mixture of others was found that dominates a sequence, exactly. Args: columns,
    bounds: as `_scaled`, of the others and of the one.
    """
    import numpy as np

    with extras:
        from scipy.optimize import linprog

    found = proposing(linprog)(np.ones(len(others)), A_ub=columns, b_ub=bounds, bounds=(0, None), method="highs-ds")
    if found is None or not found.success or not are_numbers(found.x):
        return False
    chosen = [k for k, share in enumerate(found.x.tolist()) if share > _TIGHT]
    tight = np.flatnonzero(bounds - columns @ found.x < _TIGHT)
    rows = _independent(columns[tight][:, chosen], len(chosen))
    if rows is None:
        return False
    return _is_mixture([others[k] for k in chosen], one, [int(tight[row]) for row in rows])


def _scaled(sequence: Sequence) -> list[float]:
    """Return weights as floats, over the largest one, those of the top below zero."""
    largest = max(*sequence.top, *sequence.bottom)
    return [*(-weight / largest for weight in sequence.top),
            *(weight / largest for weight in sequence.bottom)]  # fmt: skip


def _independent(rows: "NDArray[np.float64]", count: int) -> list[int] | None:
    """Return so many rows that are far from depending on one another, None unless there are."""
    import numpy as np

    left, found = rows.copy(), list[int]()
    for _ in range(count):
        lengths = (left**2).sum(axis=1)
        place = int(lengths.argmax()) if len(lengths) else -1
        if place < 0 or lengths[place] < _TIGHT**2:
            return None
        found.append(place)
        unit = left[place] / np.sqrt(lengths[place])
        left = left - np.outer(left @ unit, unit)
    return found


def _is_mixture(others: list[Sequence], one: Sequence, tight: list[int]) -> bool:
    """Decide whether an equal mixture of states is non-negative and dominates a sequence."""
    from flint import fmpq_mat, fmpz_mat

    columns = [[*other.top, *other.bottom] for other in others]
    goal = [*one.top, *one.bottom]
    matrix = fmpq_mat(fmpz_mat([[column[row] for column in columns] for row in tight]))
    try:
        solved = matrix.solve(fmpq_mat(fmpz_mat([[goal[row]] for row in tight])))
    except ZeroDivisionError:
        return False
    shares = [solved[k, 0] for k in range(len(others))]
    if any(share < 0 for share in shares):
        return False
    sums = [sum(share * w for share, w in zip(shares, row)) for row in zip(*columns)]
    size = len(one.top)
    above = all(total >= w for total, w in zip(sums[:size], one.top))
    return above and all(total <= w for total, w in zip(sums[size:], one.bottom))
