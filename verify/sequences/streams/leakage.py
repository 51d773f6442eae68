"""The exact leakage of t releases over a sliding window, for every t, by one pass over blocks.

e^leakage at t is the largest P0(y_1 .. y_t | z) / P1(y_1 .. y_t | z) or its inverse over outputs
and later blocks z of positive probability. Every sequence of outputs has two vectors of weights,
one of each world, over the states. A sequence is dropped as soon as another one is as good in every
state: with v0 <= c w0 and v1 >= c w1 for some c, whatever follows, the ratio of v is at most that
of w. Few sequences remain, and what remains is exact.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pufferproof.models.errors import extras
from pufferproof.models.interface.kinds import Plain, check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage, least_of
from pufferproof.verify.sequences.streams.passes import BlockStream, Pass, expect_steps, passes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Which sequences of outputs matter for a largest ratio: those that no other one, and no mixture of others, dominates.
#
# Logarithms of weights as floats find the pairs that cannot be compared, and a linear program in floats proposes
# mixtures; integers and rationals decide.

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


MOST_KEPT = 120  # sequences of outputs of which none is dominated
_BEAM = 16  # sequences that are kept where there are too many
_MANY = 8  # sequences from which on mixtures are looked for, which takes longer


@dataclass(frozen=True)
class StreamWitness(Plain):
    """Where the leakage is reached: outputs that are likelier on the windows, or on the scrubbed
    ones, given the later blocks.
    """

    outputs: tuple[str, ...]
    given: str
    likelier: str


@dataclass(frozen=True, repr=False)
class StreamLeakage(Readable):
    """The leakage of the first t releases for t = 1, 2, .., and where the last one is reached."""

    stream: BlockStream
    steps: tuple[Leakage, ...]
    witness: StreamWitness

    @property
    def leakage(self) -> Leakage:
        """The leakage of all releases."""
        return self.steps[-1]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the leakages rest on."""
        return united(RESTS_ON, RESTS_ON)

    def as_json(self) -> JsonObject:
        """Return the leakages and the witness as JSON."""
        steps = [{"t": t, "leakage": step.as_json()} for t, step in enumerate(self.steps, 1)]
        return {"steps": steps, "witness": self.witness.as_json()}

    def __str__(self) -> str:
        return f"{len(self.steps)} releases: {self.leakage}"


def stream_leakage(stream: BlockStream, steps: int) -> StreamLeakage:
    """Return what the first t releases leak together, for t = 1 .. steps.

    P0 and P1 are the laws of M(X_1), .., M(X_t) and of M(alt(X_1)), .., M(alt(X_t)) given the
    blocks of window t but its oldest; the leakage is the largest log-ratio in either direction.

    >>> from pufferproof import Channel
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> stream = BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]])
    >>> [str(each.ratio) for each in stream_leakage(stream, 2).steps]
    ['2', '4']

    Where too many sequences of outputs cannot be compared, as with a common coin, the leakage is
    enclosed: by the most promising ones, and by bounds. Raises `TooLargeError` where a window has
    too many states.

    Source: the setting of "Composition Theorem for streaming CW-privacy", Section 2.
    """
    stream = check_type(stream, BlockStream, "stream")
    steps = expect_steps(steps)
    worlds = passes(stream)
    most = [_LargestByStep(*worlds, steps), _LargestByStep(*worlds[::-1], steps)]
    found, last = [], None
    for t, (up, down) in enumerate(zip(*most), 1):
        last = max((up, "windows"), (down, "scrubbed"), key=lambda each: each[0])
        upper = last[0].ratio
        if not all(each.exact for each in most):
            upper = _above(stream, steps)[t - 1] if upper is not None else None
        found.append(Leakage(last[0].ratio, upper))
    assert last is not None
    best, likelier = last
    witness = StreamWitness(
        tuple(stream.mechanism.outputs[output] for output in best.outputs()), stream.named(best.given), likelier
    )
    return StreamLeakage(stream, tuple(found), witness)


@lru_cache(maxsize=4)
def _above(stream: BlockStream, steps: int) -> list[Fraction | None]:
    """Return upper bounds of e^leakage for alternatives with a common coin, or None if none is
    known: the scrubbed law is the mean of those of each interval of the coin.

    So P1/P0 is at most the mean of their largest ratios, and P0/P1 at most that of any one interval
    over its length. Of other alternatives no bound is known here.
    """
    if stream.draws != "common":
        return [None] * steps
    found, shares = [], []
    for share, chosen in stream.quantiles():
        surely = [[int(block == new) for block in range(len(chosen))] for new in chosen]
        alone = BlockStream(stream.values, stream.blocks, stream.window, stream.mechanism, surely)
        worlds = passes(alone)
        most = [_LargestByStep(*worlds, steps), _LargestByStep(*worlds[::-1], steps)]
        found.append([[each.ratio for each in way] for way in most])
        if not all(each.exact for each in most):
            return [None] * steps
        shares.append(share)
    bounds = []
    for t in range(steps):
        one = least_of([_times(alone[0][t], 1 / share) for share, alone in zip(shares, found)])
        other = _sum([_times(alone[1][t], share) for share, alone in zip(shares, found)])
        bounds.append(None if one is None or other is None else max(one, other))
    return bounds


def _times(ratio: Fraction | None, factor: Fraction) -> Fraction | None:
    return None if ratio is None else ratio * factor


def _sum(ratios: list[Fraction | None]) -> Fraction | None:
    known = [ratio for ratio in ratios if ratio is not None]
    return sum(known, Fraction(0)) if len(known) == len(ratios) else None


@dataclass(frozen=True)
class _BestStep:
    """The largest ratio at some step, as two integers, and where it is reached."""

    above: int
    below: int
    given: tuple[int, ...]
    sequence: Sequence

    def __gt__(self, other: "_BestStep") -> bool:
        return self.above * other.below > other.above * self.below

    @property
    def ratio(self) -> Fraction | None:
        """The ratio, None if it is infinite."""
        return Fraction(self.above, self.below) if self.below else None

    def outputs(self) -> tuple[int, ...]:
        """The outputs that have this ratio."""
        return self.sequence.outputs()


class _LargestByStep:
    """The largest ratio of the weights of one world to those of the other after every step.

    `exact` turns false where too many sequences of outputs cannot be compared: from there on the
    most promising ones are kept alone, and ratios are lower bounds.
    """

    def __init__(self, top: Pass, bottom: Pass, steps: int) -> None:
        self.top, self.bottom, self.steps = top, bottom, steps
        self.exact = True

    def __iter__(self) -> Iterator[_BestStep]:
        kept, many = [Sequence(self.top.start, self.bottom.start)], _MANY
        for _ in steps(range(self.steps), "releases"):
            kept = undominated([each for old in kept for each in self._longer(old)])
            if self.exact and len(kept) > many:
                kept = extreme(kept)
                many = max(_MANY, 3 * len(kept))
            if len(kept) > (MOST_KEPT if self.exact else _BEAM):
                self.exact = False
                kept = most_promising(kept, _BEAM)
            yield _largest(self.top, self.bottom, kept)

    def _longer(self, old: Sequence) -> Iterator[Sequence]:
        """Yield the sequences with one more output that are possible in the world on top."""
        for output in range(len(self.top.steps)):
            top = self.top.after(old.top, output)
            if any(top):
                yield Sequence(top, self.bottom.after(old.bottom, output), output, old)


def _largest(top: Pass, bottom: Pass, kept: list[Sequence]) -> _BestStep:
    """Return the largest ratio over sequences and later blocks, the first of several."""
    found: _BestStep | None = None
    for each in kept:
        for given in top.ends:
            above, below = top.at(each.top, given), bottom.at(each.bottom, given)
            if above:
                ratio = _BestStep(above, below, given, each)
                found = ratio if found is None or ratio > found else found
    assert found is not None
    return found
