"""The largest ratio of averages along one side of a chain, over all tilts of its records.

A tilt of record t multiplies by a factor m_t(z) of its value z, from 1 / r_t(z) to r_t(z). With
D_t = diag(m_t), tilts being common, the ratio of

    e_v K D_1 K D_2 .. K D_n ends    and    e_w K D_1 K D_2 .. K D_n ends

is at most b iff no tilts make sum_z c_n(z) ends(z) positive, where

    c_0 = e_v - b e_w,    c_t = (c_(t-1) K) D_t.

The best tilt of a record is r_t(z) where its coefficient is positive, 1 / r_t(z) where it is
negative: one walk decides about b, and may end where none is positive. Floats propose the least b
by Newton's method; a walk that is rounded upwards shows a number just above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.tilts",)
_SLACKS = (2.0**-40, 2.0**-30, 2.0**-20, 2.0**-10, 2.0**-5)  # above the root, relative
_ROUND = 2.0**-52  # twice the relative error of a rounding
_TINY = 1e-290  # above what products lose that are too small for floats
_MOST_GUESSES = 100
_FARTHER = 1.5  # how far a guess goes on in its direction
_CLOSE = 4e-13  # relative, of two guesses
_MOST_RATIO = 1e200
_EVERY = 16  # steps after which it is asked whether a walk has told everything
_MOST_LEAPT = 2**12  # entries of the matrices by which guesses leap over many steps
_MOST_NUMBERS = 10**8  # that a walk computes, or as many as this many steps have
_MOST_STEPS = 2**10


@dataclass(frozen=True)
class Tilts:
    """What multiplies the values of a record: floats at least r(z), and at most 1 / r(z)."""

    up: "NDArray[np.float64]"
    down: "NDArray[np.float64]"


Runs = Sequence[tuple[int, Tilts]]
"""Numbers of records in a row, the nearest first, with their tilts."""


@dataclass(frozen=True)
class Start:
    """What b is compared with: floats around the weights of e_v and e_w, as (low, high)."""

    one: int
    other: int
    above: tuple[float, float] = (1.0, 1.0)
    below: tuple[float, float] = (1.0, 1.0)


def tilted_ratios(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "tuple[NDArray[np.float64], NDArray[np.float64]]",
    starts: Sequence[Start],
    lengths: "NDArray[np.int64] | None" = None,
) -> "tuple[NDArray[np.float64], int]":
    """Return upper bounds of the largest ratios, infinite where none is shown, and how many steps
    showed them.

    Args:
        kernel: K, k x k, every entry with a relative error of at most 2^-53.
        runs: the tilts of the records from the nearest to the farthest.
        ends: floats that are at most and at least `ends`, for every value.
        starts: the pairs v, w with their weights.
        lengths: of how many records, of one run, those of each pair are; all of them by default.

    >>> import numpy as np
    >>> kernel = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> twice = Tilts(np.array([2.0, 2.0]), np.array([0.5, 0.5]))
    >>> ones = np.ones(2)
    >>> found, steps = tilted_ratios(kernel, [(2, twice)], (ones, ones), [Start(0, 1)])
    >>> round(float(found[0]), 9), steps  # 163 / 73
    (2.232876712, 2)
    """
    import numpy as np

    found = np.full(len(starts), np.inf)
    with np.errstate(all="ignore"):
        guesses = _guesses(kernel, runs, ends[1], starts, lengths)
        used = 0
        for slack in _SLACKS:
            left = [k for k in range(len(starts)) if np.isinf(found[k]) and guesses[k] < np.inf]
            if not left:
                break
            tried = guesses[left] * (1 + slack)
            some, until = [starts[k] for k in left], None if lengths is None else lengths[left]
            shown, steps = shown_bounds(kernel, runs, ends, some, tried, until)
            found[left] = np.where(shown, tried, np.inf)
            used = max(used, steps)
    return found, used


def _guesses(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "NDArray[np.float64]",
    starts: Sequence[Start],
    lengths: "NDArray[np.int64] | None" = None,
) -> "NDArray[np.float64]":
    """Return floats near the least numbers b, by Newton's method with longer steps: the ratio at
    the tilts that are best for one b below the least is a larger one.
    """
    import numpy as np

    best, at, live = np.zeros(len(starts)), np.zeros(len(starts)), np.arange(len(starts))
    for _ in range(_MOST_GUESSES):
        some = [starts[k] for k in live.tolist()]
        if lengths is None:
            closer = _at_best(kernel, runs, ends, some, at[live])
        else:
            closer = _at_best_of(kernel, runs[0][1], ends, some, at[live], lengths[live])
        known, rises = best[live], closer > best[live] * (1 + _CLOSE)
        ended = np.isinf(closer) | ~rises & (at[live] == known)
        best[live] = np.maximum(known, closer)
        # as a ratio at any tilts is at most the largest, the next guess may be above it
        at[live] = np.where(rises, best[live] + _FARTHER * (best[live] - known), best[live])
        live = live[~ended]
        if not len(live):
            break
    return best


def _at_best(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "NDArray[np.float64]",
    starts: Sequence[Start],
    guess: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Return the ratios at the tilts that are best for a guess, infinite where floats do not tell,
    and where a walk of many pairs does not end in time.

    While signs do not change, a walk leaps over 1, 2, 4, .. times as many records.
    """
    import numpy as np

    one, other = _weights(starts, len(kernel))
    at, small = guess[:, None], len(starts) * kernel.size <= _MOST_LEAPT
    steps = max(_MOST_STEPS, _MOST_NUMBERS // one.size)
    for length, run in runs:
        left, leap, known = length, _EVERY, None
        while left:
            signs = one @ kernel - at * (other @ kernel) > 0
            if small and known is not None and leap <= left and (signs == known).all():
                moves = _power(kernel * np.where(signs, run.up, run.down)[:, None, :], leap)
                ahead = _scaled((one[:, None] @ moves)[:, 0], (other[:, None] @ moves)[:, 0])
                if ((ahead[0] @ kernel - at * (ahead[1] @ kernel) > 0) == signs).all():
                    (one, other), left, leap = ahead, left - leap, 2 * leap
                    if _proportional(one, other):
                        return _ratios(one, other, ends)
                    continue
            known, leap = signs, _EVERY
            for _ in range(min(_EVERY, left)):
                one, other = one @ kernel, other @ kernel
                tilts = np.where(one - at * other > 0, run.up, run.down)
                one, other = _scaled(one * tilts, other * tilts)
            left, steps = left - min(_EVERY, left), steps - _EVERY
            if _proportional(one, other):
                return _ratios(one, other, ends)
            if steps <= 0 < left:
                return np.full(len(starts), np.inf)
    return _ratios(one, other, ends)


def _at_best_of(
    kernel: "NDArray[np.float64]",
    run: Tilts,
    ends: "NDArray[np.float64]",
    starts: Sequence[Start],
    guess: "NDArray[np.float64]",
    lengths: "NDArray[np.int64]",
) -> "NDArray[np.float64]":
    """Return the same for so many records of each."""
    import numpy as np

    (one, other), at = _weights(starts, len(kernel)), guess[:, None]
    found, live = np.full(len(starts), np.inf), np.arange(len(starts))
    for step in range(int(lengths.max()) + 1):
        over = lengths[live] == step
        if step % _EVERY == 0:
            over |= _parallel(one, other)
        if over.any():
            found[live[over]] = _ratios(one[over], other[over], ends)
            one, other, live = one[~over], other[~over], live[~over]
        if not len(live):
            break
        one, other = one @ kernel, other @ kernel
        tilts = np.where(one - at[live] * other > 0, run.up, run.down)
        one, other = _scaled(one * tilts, other * tilts)
    return found


def _weights(starts: Sequence[Start], size: int) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    import numpy as np

    one, other = np.zeros((2, len(starts), size))
    for k, start in enumerate(starts):
        one[k, start.one], other[k, start.other] = start.above[1], start.below[0]
    return one, other


def largest_guess(kernel: "NDArray[np.float64]", runs: Runs, ends: "NDArray[np.float64]", start: Start) -> float:
    """Return a float near the largest ratio, of moderate size."""
    import numpy as np

    with np.errstate(all="ignore"):
        return min(float(_guesses(kernel, runs, ends, [start])[0]), _MOST_RATIO)


def best_signs(kernel: "NDArray[np.float64]", runs: Runs, start: Start, at: float) -> "list[NDArray[np.bool_]]":
    """Return where the best tilts for a guess are above 1, for the nearest record first: of those
    that change the ratio, as far as floats tell.
    """
    import numpy as np

    found: list[NDArray[np.bool_]] = []
    with np.errstate(all="ignore"):
        one, other = _weights([start], len(kernel))
        for length, run in runs:
            for _ in range(length):
                one, other = one @ kernel, other @ kernel
                found.append((one - at * other > 0)[0])
                tilts = np.where(found[-1], run.up, run.down)
                one, other = _scaled(one * tilts, other * tilts)
                if len(found) % _EVERY == 0 and _proportional(one, other):
                    return found
    return found


def _power(moves: "NDArray[np.float64]", steps: int) -> "NDArray[np.float64]":
    """Return powers of matrices, each up to a factor; `steps` is a power of 2."""
    while steps > 1:
        moves = moves @ moves
        moves = moves / moves.max(axis=(1, 2), keepdims=True)
        steps //= 2
    return moves


def _scaled(
    one: "NDArray[np.float64]", other: "NDArray[np.float64]"
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    import numpy as np

    size = np.maximum(one, other).max(axis=1, keepdims=True)
    return one / size, other / size


def _ratios(
    one: "NDArray[np.float64]", other: "NDArray[np.float64]", ends: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    import numpy as np

    ratios: NDArray[np.float64] = (one * ends).sum(axis=1) / (other * ends).sum(axis=1)
    return np.where(np.isfinite(ratios), ratios, np.inf)


def _proportional(one: "NDArray[np.float64]", other: "NDArray[np.float64]") -> bool:
    return bool(_parallel(one, other).all())


def _parallel(one: "NDArray[np.float64]", other: "NDArray[np.float64]") -> "NDArray[np.bool_]":
    """Return where no later tilt changes the ratios any more, as far as floats tell."""
    import numpy as np

    none, ratios = (one == 0) & (other == 0), one / other
    least = np.where(none, np.inf, ratios).min(axis=1)
    most = np.where(none, 0.0, ratios).max(axis=1)
    same: NDArray[np.bool_] = most <= least * (1 + _CLOSE / 32)
    return same


def shown_bounds(
    kernel: "NDArray[np.float64]",
    runs: Runs,
    ends: "tuple[NDArray[np.float64], NDArray[np.float64]]",
    starts: Sequence[Start],
    bounds: "NDArray[np.float64]",
    lengths: "NDArray[np.int64] | None" = None,
) -> "tuple[NDArray[np.bool_], int]":
    """Return which numbers are shown to be bounds, and after how many steps no more were.

    Coefficients are rounded upwards at every step: a larger one never makes the sum smaller, what
    it multiplies being at least 0. Where all are positive nothing is shown any more.
    """
    import numpy as np

    values = np.zeros((len(starts), len(kernel)))
    for k, (start, bound) in enumerate(zip(starts, bounds)):
        values[k, start.one] += start.above[1]
        values[k, start.other] -= np.nextafter(bound * start.below[0], -np.inf)
    values = np.where(values == 0, 0.0, np.nextafter(values, np.inf))
    shown, live = np.zeros(len(starts), dtype=bool), np.arange(len(starts))
    steps, used = 0, 0
    most = sum(length for length, _ in runs) if lengths is None else int(lengths.max())
    until = np.full(len(starts), most) if lengths is None else lengths
    for _, run in (each for each in runs for _ in range(each[0])):
        now, over = np.all(values <= 0, axis=1), until[live] == steps
        if over.any():
            now[over] |= _ended(values[over], ends)
        if now.any():
            shown[live[now]], used = True, steps
        undecided = ~now & ~over & ~np.all(values > 0, axis=1)
        if not undecided.all():
            values, live = values[undecided], live[undecided]
        if not len(live):
            return shown, used
        values = _moved(values, kernel, run)
        steps += 1
    shown[live] = _ended(values, ends)
    return shown, steps


def _ended(
    values: "NDArray[np.float64]", ends: "tuple[NDArray[np.float64], NDArray[np.float64]]"
) -> "NDArray[np.bool_]":
    """Return whether what walks have come to is shown to be at most 0."""
    import numpy as np

    reached = np.where(values > 0, values * ends[1], values * ends[0])
    error = (values.shape[1] + 8) * _ROUND * np.abs(reached).sum(axis=1)
    small: NDArray[np.bool_] = reached.sum(axis=1) + error + _TINY < 0
    small |= np.all(values <= 0, axis=1)
    return small


def _moved(values: "NDArray[np.float64]", kernel: "NDArray[np.float64]", run: Tilts) -> "NDArray[np.float64]":
    """Return upper bounds of the coefficients after one more record, up to a common factor."""
    import numpy as np

    reached: NDArray[np.bool_] = np.array(True)
    if not kernel.all():
        reached = (values != 0).astype(float) @ (kernel > 0) > 0
    sizes = np.abs(values) @ kernel
    moved = values @ kernel + (len(kernel) + 8) * _ROUND * sizes + _TINY
    tilted = np.nextafter(moved * np.where(moved > 0, run.up, run.down), np.inf)
    scale = np.exp2(-np.frexp(np.abs(tilted).max(axis=1, keepdims=True))[1])
    scaled = np.nextafter(tilted * np.where(np.isfinite(scale), scale, 1.0), np.inf)
    return np.where(reached, scaled, 0.0)
