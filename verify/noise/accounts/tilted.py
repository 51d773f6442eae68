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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import TYPE_CHECKING

from flint import arb, arb_mat, ctx

from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.sequences.chain import Along, Chain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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

    up: "Floats"
    down: "Floats"
    powers: tuple[Power, ...] = ()  # r(z) themselves, if they are known


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
    kernel: "Floats",
    runs: Runs,
    ends: "tuple[Floats, Floats]",
    starts: Sequence[Start],
    lengths: "NDArray[np.int64] | None" = None,
) -> "tuple[Floats, int]":
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
    kernel: "Floats", runs: Runs, ends: "Floats", starts: Sequence[Start], lengths: "NDArray[np.int64] | None" = None
) -> "Floats":
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


def _at_best(kernel: "Floats", runs: Runs, ends: "Floats", starts: Sequence[Start], guess: "Floats") -> "Floats":
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
                moves = kernel * np.where(signs, run.up, run.down)[:, None, :]
                for _ in range(leap.bit_length() - 1):  # to the power `leap`, up to a factor
                    moves = moves @ moves
                    moves = moves / moves.max(axis=(1, 2), keepdims=True)
                ahead = _scaled((one[:, None] @ moves)[:, 0], (other[:, None] @ moves)[:, 0])
                if ((ahead[0] @ kernel - at * (ahead[1] @ kernel) > 0) == signs).all():
                    (one, other), left, leap = ahead, left - leap, 2 * leap
                    if _parallel(one, other).all():
                        return _ratios(one, other, ends)
                    continue
            known, leap = signs, _EVERY
            for _ in range(min(_EVERY, left)):
                one, other = one @ kernel, other @ kernel
                tilts = np.where(one - at * other > 0, run.up, run.down)
                one, other = _scaled(one * tilts, other * tilts)
            left, steps = left - min(_EVERY, left), steps - _EVERY
            if _parallel(one, other).all():
                return _ratios(one, other, ends)
            if steps <= 0 < left:
                return np.full(len(starts), np.inf)
    return _ratios(one, other, ends)


def _at_best_of(
    kernel: "Floats", run: Tilts, ends: "Floats", starts: Sequence[Start], guess: "Floats", lengths: "NDArray[np.int64]"
) -> "Floats":
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


def _weights(starts: Sequence[Start], size: int) -> "tuple[Floats, Floats]":
    import numpy as np

    one, other = np.zeros((2, len(starts), size))
    for k, start in enumerate(starts):
        one[k, start.one], other[k, start.other] = start.above[1], start.below[0]
    return one, other


def largest_guess(kernel: "Floats", runs: Runs, ends: "Floats", start: Start) -> float:
    """Return a float near the largest ratio, of moderate size."""
    import numpy as np

    with np.errstate(all="ignore"):
        return min(float(_guesses(kernel, runs, ends, [start])[0]), _MOST_RATIO)


def best_signs(kernel: "Floats", runs: Runs, start: Start, at: float) -> "list[NDArray[np.bool_]]":
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
                if len(found) % _EVERY == 0 and _parallel(one, other).all():
                    return found
    return found


def _scaled(one: "Floats", other: "Floats") -> "tuple[Floats, Floats]":
    import numpy as np

    size = np.maximum(one, other).max(axis=1, keepdims=True)
    return one / size, other / size


def _ratios(one: "Floats", other: "Floats", ends: "Floats") -> "Floats":
    import numpy as np

    ratios: Floats = (one * ends).sum(axis=1) / (other * ends).sum(axis=1)
    return np.where(np.isfinite(ratios), ratios, np.inf)


def _parallel(one: "Floats", other: "Floats") -> "NDArray[np.bool_]":
    """Return where no later tilt changes the ratios any more, as far as floats tell."""
    import numpy as np

    none, ratios = (one == 0) & (other == 0), one / other
    least = np.where(none, np.inf, ratios).min(axis=1)
    most = np.where(none, 0.0, ratios).max(axis=1)
    same: NDArray[np.bool_] = most <= least * (1 + _CLOSE / 32)
    return same


def shown_bounds(
    kernel: "Floats",
    runs: Runs,
    ends: "tuple[Floats, Floats]",
    starts: Sequence[Start],
    bounds: "Floats",
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
        # Upper bounds of the coefficients after one more record, up to a common factor
        reached: NDArray[np.bool_] = np.array(True)
        if not kernel.all():
            reached = (values != 0).astype(float) @ (kernel > 0) > 0
        sizes = np.abs(values) @ kernel
        moved = values @ kernel + (len(kernel) + 8) * _ROUND * sizes + _TINY
        tilted = np.nextafter(moved * np.where(moved > 0, run.up, run.down), np.inf)
        scale = np.exp2(-np.frexp(np.abs(tilted).max(axis=1, keepdims=True))[1])
        scaled = np.nextafter(tilted * np.where(np.isfinite(scale), scale, 1.0), np.inf)
        values = np.where(reached, scaled, 0.0)
        steps += 1
    shown[live] = _ended(values, ends)
    return shown, steps


def _ended(values: "Floats", ends: "tuple[Floats, Floats]") -> "NDArray[np.bool_]":
    """Return whether what walks have come to is shown to be at most 0."""
    import numpy as np

    reached = np.where(values > 0, values * ends[1], values * ends[0])
    error = (values.shape[1] + 8) * _ROUND * np.abs(reached).sum(axis=1)
    small: NDArray[np.bool_] = reached.sum(axis=1) + error + _TINY < 0
    small |= np.all(values <= 0, axis=1)
    return small


# The same in balls, which show a bound next to the largest ratio: one pair of values at a time.

_FINE_BITS = 192  # working precision of balls
_FINE_SLACK = Fraction(1, 1 << 72)  # above the root, relative
_PARALLEL = 1 + Fraction(1, 1 << 90)  # of the ratios of two worlds
_MOST_FINE = 1 << 14  # steps of a walk
_MOST_REFINED = 8  # guesses


@dataclass(frozen=True)
class _Fine:
    """The weights of e_v and e_w, a row of balls each, and what they are multiplied by."""

    kernel: arb_mat
    runs: Runs
    ends: list[arb]
    worlds: list[list[arb]]

    def bound(self, known: Fraction) -> tuple[Fraction, int] | None:
        """Return a bound just above the largest ratio, and how many steps showed it; None if none is shown."""
        at, ratio = ball(known), ball(known)
        for _ in range(_MOST_REFINED):
            best, last = self._at_best(at), at
            if best is None:
                return None
            ratio, at = best, best.mid()
            if abs(at - last) <= at * ball(_FINE_SLACK / 16):
                break
        bound = (ratio * (1 + ball(_FINE_SLACK))).upper()
        used = self._shown(bound)
        return None if used is None else (dyadic(bound), used)

    def _tilts(self) -> Iterator[tuple[list[arb], list[arb]]]:
        for length, run in self.runs:
            up = [power.ball() for power in run.powers]
            tilts = up, [1 / r for r in up]
            yield from repeat(tilts, length)

    def _at_best(self, at: arb) -> arb | None:
        """Enclose the ratio at the tilts that are best for a guess: any tilts give a ratio, so that signs need no
        proof. Return None if a walk does not end in time.

        At the root coefficients never have one sign, as they add up to 0 with weights above 0: of a guess near it, the
        last signs that differed are kept.
        """
        worlds: arb_mat = arb_mat(self.worlds)
        signs: list[bool] = []
        for step, (up, down) in enumerate(self._tilts()):
            if step % _EVERY == 0 and _told(worlds):
                break
            if step > _MOST_FINE:
                return None
            one, other = (worlds * self.kernel).tolist()
            now = [(a - at * b).mid() > 0 for a, b in zip(one, other)]
            signs = signs if signs and len(set(now)) == 1 else now
            tilts = [r if sign else less for sign, r, less in zip(signs, up, down)]
            worlds = arb_mat([[a * r for a, r in zip(row, tilts)] for row in (one, other)])
        column = arb_mat([[end] for end in self.ends])
        (over,), (under,) = (worlds * column).tolist()
        return over / under if under > 0 else None

    def _shown(self, bound: arb) -> int | None:
        """Return after how many steps a number is shown to be a bound, None if it is not.

        Coefficients are rounded upwards at every step, as those of `shown_bounds`.
        """
        one, other = self.worlds
        values = [(a - bound * b).upper() for a, b in zip(one, other)]
        used = 0
        for up, down in self._tilts():
            if all(value <= 0 for value in values):
                return used
            if used > _MOST_FINE or all(value > 0 for value in values):
                return None
            (moved,) = (arb_mat([values]) * self.kernel).tolist()
            upper = [value.upper() for value in moved]
            values = [(x * (r if x > 0 else less)).upper() for x, r, less in zip(upper, up, down)]
            used += 1
        ended = sum((value * end for value, end in zip(values, self.ends)), arb(0)) <= 0
        return used if ended else None


def _told(worlds: arb_mat) -> bool:
    """Whether no later tilt changes the ratio of two worlds by more than 2^-90."""
    one, other = worlds.tolist()
    if not all(b > 0 for b in other):
        return False
    ratios = [a / b for a, b in zip(one, other)]
    least, most = min(r.lower() for r in ratios), max(r.upper() for r in ratios)
    return bool(most < ball(_PARALLEL) * least)


# The records before and after others along one chain, and what they tell of a record at most
# (`pufferproof.verify.noise.accounts.tilted`).

MOST_WALKED = 2**20  # steps of the walks of sides that differ, before the last of them
_LEAST = 1e-200  # a smaller probability has too few digits as a float
_BITS = 128
_MOST_APART = 8  # steps after which worlds are compared no more


@dataclass(frozen=True)
class Side:
    """What `tilted_ratios` is asked: the records on one side of a record, the nearest first."""

    kernel: "Floats"
    runs: Runs
    ends: "tuple[Floats, Floats]"
    starts: tuple[Start, ...]


class TiltedSides:
    """The records before and after others along one chain, and the tilts that they are allowed.

    Args:
        chain: not hidden.
        laws: of the same chain, enclosed.
        tilts: first and last record of stretches in order, with the tilts of all their records.
    """

    def __init__(self, chain: Chain, laws: Along, tilts: Sequence[tuple[int, int, Tilts]]) -> None:
        import numpy as np

        self.chain, self.laws, self.tilts = chain, laws, tilts
        self._step = np.array([[float(p) for p in row] for row in chain.step])
        low, high = ([near(p) for p in chain.start] for near in (below, above))
        self._start = np.array(low), np.array(high)
        self._known: list[_Walk] = []
        self._closest: list[tuple[list[Fraction], _Walk]] = []  # with the ends of the laws that they are of
        self._steps = 0

    @classmethod
    def of(
        cls, chain: Chain, tilts: Sequence[tuple[int, int, Tilts]], laws: Along | None = None
    ) -> "TiltedSides | None":
        """Return those of a chain, None if it is hidden, or no chain, or has too rare steps."""
        if chain.rows is not None or chain.emission is not None:
            return None
        if any(p and float(p) < _LEAST for row in chain.step for p in row):
            return None
        count = max(last for _, last, _ in tilts)
        return cls(chain, laws or chain.along(count, "enclosed", _BITS), tilts)

    def ratios(self, record: int, values: Sequence[tuple[int, int]]) -> list[tuple[Fraction, Fraction]] | None:
        """Return bounds of what the records before and after a record tell of pairs of its values;
        None if there is none.
        """
        before = self.bounds(record, values, later=False)
        after = None if before is None else self.bounds(record, values, later=True)
        return None if before is None or after is None else list(zip(before, after))

    def side(self, record: int, values: Sequence[tuple[int, int]], later: bool) -> "Side":
        """Return the records on one side of a record, and the pairs of its values."""
        import numpy as np

        step, ends = self._step.T, self._start
        if later:
            step, ends = self._step, (np.ones(len(step)), np.ones(len(step)))
        # The tilts of the records on one side, the nearest first
        first, last = (record + 1, self.laws.length) if later else (1, record - 1)
        inside = [
            (min(last, end) - max(first, start) + 1, tilts)
            for start, end, tilts in self.tilts
            if max(first, start) <= min(last, end)
        ]
        if later:
            starts = tuple(Start(*pair) for pair in values)
        else:
            law = self.laws.law_matrix(record).balls.tolist()[0]
            inverse = {}
            for value in {value for pair in values for value in pair}:
                ball = 1 / law[value]
                inverse[value] = below(dyadic(ball.lower())), above(dyadic(ball.upper()))
            starts = tuple(Start(one, other, inverse[one], inverse[other]) for one, other in values)
        return Side(step, inside if later else inside[::-1], ends, starts)

    def law(self, record: int) -> "tuple[Floats, Floats]":
        """Return floats that are at most and at least the law of a record."""
        import numpy as np

        balls = self.laws.law_matrix(record).balls.tolist()[0]
        low = [max(0.0, below(dyadic(ball.lower()))) for ball in balls]
        return np.array(low), np.array([above(dyadic(ball.upper())) for ball in balls])

    def bounds(self, record: int, values: Sequence[tuple[int, int]], later: bool) -> list[Fraction] | None:
        """Return bounds of what one side tells; None if none is shown."""
        import numpy as np

        side = self.side(record, values, later)
        if not side.runs:
            return [Fraction(1)] * len(values)
        for walk in self._known:
            if walk.holds(later, side.starts, side.runs):
                return walk.found
        if self._steps > MOST_WALKED:
            return None
        ratios, used = tilted_ratios(side.kernel, side.runs, side.ends, side.starts)
        self._steps += used
        if not np.isfinite(ratios).all():
            return None
        found = [Fraction(float(ratio)) for ratio in ratios]
        walk = _Walk(later, side.starts, side.runs, used, found)
        self._known.append(walk)
        return walk.found

    def closest(self, record: int, values: tuple[int, int], known: Fraction, later: bool) -> Fraction | None:
        """Return a bound of what one side tells of a pair of values, by balls next to the largest ratio, from one that
        is known; None if some thousand records do not show it.
        """
        side = self.side(record, [values], later)
        if not side.runs:
            return Fraction(1)
        with ctx.workprec(_FINE_BITS):
            fine = self._fine(record, values, later, side.runs)
            # laws may differ by less than floats tell, and bounds are closer than that
            given = [dyadic(end) for row in fine.worlds for x in row for end in (x.lower(), x.upper())]
            if told := [w.found for law, w in self._closest if law == given and w.holds(later, side.starts, side.runs)]:
                return told[0][0]
            found = fine.bound(known)
        if found is not None:
            self._closest.append((given, _Walk(later, side.starts, side.runs, found[1], [found[0]])))
        return None if found is None else found[0]

    def _fine(self, record: int, values: tuple[int, int], later: bool, runs: Runs) -> "_Fine":
        """Return the records on one side in balls."""
        kernel = arb_mat([[ball(p) for p in row] for row in self.chain.step])
        worlds = [[arb(int(z == value)) for z in range(kernel.nrows())] for value in values]
        if later:
            return _Fine(kernel, runs, [arb(1)] * kernel.nrows(), worlds)
        law = self.laws.law_matrix(record).balls.tolist()[0]
        given = [[x / law[value] for x in world] for value, world in zip(values, worlds)]
        return _Fine(kernel.transpose(), runs, [ball(p) for p in self.chain.start], given)

    def of_lengths(
        self, record: int, values: Sequence[tuple[int, int]], later: bool, lengths: Sequence[int]
    ) -> "list[list[Fraction]] | None":
        """Return bounds for several numbers of records on one side, of a chain that starts
        stationary with tilts of all records alike; None if one is not shown.
        """
        import numpy as np

        longest = max(lengths)
        side = self.side(record, values, later)
        runs = [(longest, side.runs[0][1] if side.runs else self.tilts[0][2])]
        starts = [start for _ in lengths for start in side.starts]
        until = np.repeat(np.array(lengths), len(values))
        found, _ = tilted_ratios(side.kernel, runs, side.ends, starts, until)
        if not np.isfinite(found).all():
            return None
        rows: list[list[float]] = found.reshape(len(lengths), len(values)).tolist()
        return [[Fraction(ratio) for ratio in row] for row in rows]

    def shown(self, record: int, values: Sequence[tuple[int, int]], later: bool, bound: Fraction) -> list[bool]:
        """Return whether a number is shown to bound what one side tells of pairs of values."""
        import numpy as np

        side = self.side(record, values, later)
        if not side.runs:
            return [bound >= 1] * len(values)
        bounds = np.full(len(values), below(bound))
        with np.errstate(all="ignore"):
            found, _ = shown_bounds(side.kernel, side.runs, side.ends, side.starts, bounds)
        return [bool(each) for each in found]

    def farthest(self, values: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """Return the pair of values whose worlds stay apart longest, in floats, for a chain that starts stationary."""
        import numpy as np

        law = self._start[1]
        back = (self._step * law[:, None]).T / law[:, None]
        total = np.zeros_like(back)
        for kernel in (self._step, back):
            power = kernel
            for _ in range(min(self.laws.length, _MOST_APART)):
                total += np.abs(power[:, None, :] - power[None, :, :]).sum(axis=2)
                power = power @ kernel
        return max(values, key=lambda pair: float(total[pair]))


@dataclass(frozen=True)
class _Walk:
    """What is known of one side of a record: bounds that some of the nearest records showed."""

    later: bool
    starts: tuple[Start, ...]
    runs: Runs
    used: int
    found: list[Fraction]

    def holds(self, later: bool, starts: tuple[Start, ...], runs: Runs) -> bool:
        """Whether it also holds for another record: those that showed it are alike."""
        if (later, starts) != (self.later, self.starts):
            return False
        total, other = (sum(length for length, _ in each) for each in (self.runs, runs))
        if self.used >= min(total, other) and total != other:
            return False
        return _first(self.runs, self.used) == _first(runs, self.used)


def _first(runs: Runs, count: int) -> list[tuple[object, ...]]:
    """Return the tilts of so many of the nearest records."""
    found: list[tuple[object, ...]] = []
    for length, tilts in runs:
        if count > 0:
            found.append((min(length, count), tilts.up.tolist(), tilts.down.tolist(), tilts.powers))
        count -= length
    return found
