"""The paths of a program: it is run once for each, and a run that comes to a choice takes the most
probable branch and leaves the others for later runs, which replay the choices before.

Nothing of the program is parsed, and no state is compared: a path is the list of its choices. A
discrete draw is a choice with rational weights. A comparison of draws is one if both sides are
possible, given the comparisons before; the half-space of the side that was taken is kept, unless
the path implies it. `integrals` tells how probable the half-spaces of a path are.
"""

import os
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from pathlib import PurePath
from types import FrameType
from typing import Any, NoReturn

from flint import fmpq

from pufferproof.models.numbers.pieces import (
    End,
    ExponentialPolynomial,
    Piecewise,
    fraction,
    highest,
    lowest,
)
from pufferproof.verify.programs.draws import ControlError, Draw
from pufferproof.verify.programs.integrals import Integrals
from pufferproof.verify.programs.region import (
    HalfSpace,
    TooManyError,
    bounds,
    half_space,
)

_STRIDE = 100  # new choices in one run: an endless loop comes back to the others
_DEEP = 256  # choices: a path with more is run only while much is left
_LITTLE = 2.0**-40
_HERE = str(PurePath(__file__).parent)
_STANDARD = str(PurePath(os.__file__).parent)


class RefusedError(ControlError):
    """The law of a program has no exact form here, or it is no function of its draws."""

    def __init__(self, why: str, where: str) -> None:
        super().__init__(why)
        self.why, self.where = why, where


class StoppedError(ControlError):
    """A run has made so many choices that others come first."""


@dataclass(eq=False, slots=True)
class Fork:
    """A choice: what was asked (equal when it is replayed), where, and how probable the answers are
    (floats: an order of search).
    """

    asked: Hashable
    where: str
    words: Callable[[int], str]
    weights: Sequence[Any]
    shares: Sequence[float]

    @property
    def open(self) -> bool:
        """Whether more than one answer is possible."""
        return sum(map(bool, self.weights)) > 1


@dataclass(eq=False, slots=True)
class Step:
    """An answer to a choice, after those before it."""

    fork: Fork
    answer: int
    before: "Step | None"
    priority: float
    depth: int


Branch = tuple[float, int, "Step | None"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a path in words: where in the program, what was asked, what the answer was."""

    where: str
    question: str


@dataclass(eq=False)
class Frontier:
    """The branches that are left for later, most probable first."""

    waiting: list[Branch] = field(default_factory=list)
    deep: list[Branch] = field(default_factory=list)  # of more choices than a limit
    _order: Iterator[int] = field(default_factory=count)

    def add(self, step: Step | None, priority: float) -> None:
        """Leave a branch for later."""
        heap = self.waiting if step is None or step.depth <= _DEEP else self.deep
        heappush(heap, (-priority, next(self._order), step))

    def more(self, listed: float) -> bool:
        """Whether a branch is to be run, given the probability of those before: a deep one only
        while much is left.
        """
        return bool(self.waiting) or (bool(self.deep) and 1 - listed >= _LITTLE)

    def take(self, listed: float) -> Step | None:
        """Return the most probable branch that is to be run."""
        heaps = [self.waiting, self.deep] if 1 - listed >= _LITTLE else [self.waiting]
        return heappop(min(filter(None, heaps), key=lambda heap: heap[0][0]))[2]


def steps(last: Step | None) -> list[Step]:
    """Return the steps up to one, in their order."""
    found = []
    while last is not None:
        found.append(last)
        last = last.before
    return found[::-1]


class Run:
    """One run of a program: the choices that it replays and makes, and what is known of its
    draws.
    """

    def __init__(self, last: Step | None, known: Integrals, frontier: Frontier | None) -> None:
        self._replayed = steps(last)
        self._known, self._frontier = known, frontier
        self.step: Step | None = None
        self.made = 0
        self.ended = False  # whether the program has returned
        self.dead: ControlError | None = None
        self.weight = fmpq(1)
        self._densities: list[int] = []
        self._names: list[str] = []
        self._ends: list[tuple[End, End]] = []
        self._groups: dict[int, _Group] = {}  # by draw

    def refuse(self, why: str) -> NoReturn:
        """End the run: its law has no exact form here."""
        raise self._remember(RefusedError(why, "" if self.ended else place()))

    def asked_directly(self) -> bool:
        """Whether the program itself asks a draw for an attribute, not a library."""
        return of_program(sys._getframe(3))

    def _remember(self, error: ControlError) -> ControlError:
        self.dead = self.dead or error
        return self.dead

    @property
    def unfinished(self) -> bool:
        """Whether choices were to be replayed that were not asked."""
        return self.made < len(self._replayed)

    # choices

    def choose(self, asked: Hashable, weigh: Callable[[], tuple[Any, ...]]) -> int:
        """Return the answer to a choice. `weigh` returns weights, their shares as floats and words;
        only what is new is weighed.
        """
        if self.dead:
            raise self.dead
        if self.made < len(self._replayed):
            step = self._replayed[self.made]
            if step.fork.asked != asked:
                self._differs(step.fork)
            self.step = step
        else:
            self.step = self._new(asked, *weigh())
        self.made += 1
        return self.step.answer

    def _differs(self, fork: Fork) -> NoReturn:
        before = f"choice {self.made + 1} was made at {fork.where} in one run"
        raise self._remember(
            RefusedError(f"it is not a function of its draws: {before}, not in another", place())
        )

    def _new(
        self, asked: Hashable, weights: Sequence[Any], shares: Sequence[float], words: Any
    ) -> Step:
        fork = Fork(asked, place(), words, weights, shares)
        depth, priority = self.made, self.step.priority if self.step else 1.0
        best = max(range(len(weights)), key=lambda i: shares[i] if weights[i] else -1.0)
        stop = depth - len(self._replayed) >= _STRIDE
        for i, weight in enumerate(weights):
            if weight and self._frontier is not None and (stop or i != best):
                rank = priority * shares[i]
                self._frontier.add(Step(fork, i, self.step, rank, depth + 1), rank)
        if stop:
            raise self._remember(StoppedError())
        return Step(fork, best, self.step, priority * shares[best], depth + 1)

    def fork(self, weights: Sequence[Any], words: Callable[[int], str]) -> int:
        """Return a value 0, 1, .. drawn with rational weights that sum to 1: a branch for each."""
        weights = tuple(weights)
        answer = self.choose("draw", lambda: (weights, tuple(map(float, weights)), words))
        assert self.step is not None
        if self.step.fork.weights != weights:
            self._differs(self.step.fork)
        self.weight *= weights[answer]
        return answer

    # continuous draws

    def draw(self, name: Hashable, words: str, make: Callable[[], Piecewise]) -> Draw:
        """Return a new draw with a density, which is made if its name is new."""
        number = self._known.density(name, make)
        self._densities.append(number)
        same = sum(each.partition(" #")[0] == words for each in self._names)
        self._names.append(f"{words} #{same + 1}" if same else words)
        self._ends.append(self._known.functions[number].support)
        return Draw(self, fmpq(0), {len(self._densities) - 1: fmpq(1)})

    def decide(self, parts: Mapping[int, Any], constant: Any) -> bool:
        """Return whether sum parts[v] X_v + constant > 0, given the path: a choice if both are
        possible.
        """
        half = half_space(parts, constant)
        drawn = tuple(self._densities[v] for v, _ in half.direction)
        answer = self.choose((half, drawn), lambda: self._sides(half))
        assert self.step is not None
        if self.step.fork.open:
            self._restrict(half if answer else half.opposite())
        return bool(answer)

    def largest(self, values: list[Any]) -> int:
        """Return the first place of the largest of some numbers: a branch for each possible one."""
        best = 0
        for place_, value in enumerate(values[1:], start=1):
            if value > values[best]:
                best = place_
        return best

    def _sides(self, half: HalfSpace) -> tuple[Any, ...]:
        no, yes = self._possible(half)
        share = self._share(half) if no and yes else 0.5
        shares = (1 - share, share) if no and yes else (float(no), float(yes))
        return (no, yes), shares, lambda answer: self._words(half, answer)

    def _possible(self, half: HalfSpace) -> tuple[bool, bool]:
        """Return whether a form can be negative, and positive."""
        low, high = self._range(half)
        if (low is not None and low >= 0) or (high is not None and high <= 0):
            return low is None or low < 0, high is None or high > 0
        apart = [v for v, _ in half.direction if v not in self._groups]
        ends = {e for v in apart for e in self._reach(v, half)}
        if len(apart) == len(half.direction) or ends == {"low", "high"}:
            return True, True
        return (
            "low" in ends or self._feasible(half.opposite()),
            "high" in ends or self._feasible(half),
        )

    def _range(self, half: HalfSpace) -> tuple[End, End]:
        """Return an interval that has all values of a form in it: each draw by itself."""
        low, high = half.constant, half.constant
        for v, d in half.direction:
            ends = self._ends[v] if d > 0 else self._ends[v][::-1]
            low = None if low is None or ends[0] is None else low + d * ends[0]
            high = None if high is None or ends[1] is None else high + d * ends[1]
        return low, high

    def _reach(self, v: int, half: HalfSpace) -> set[str]:
        """Return the sides on which a draw alone makes a form unbounded."""
        ends = self._ends[v] if dict(half.direction)[v] > 0 else self._ends[v][::-1]
        return {side for side, end in zip(("low", "high"), ends) if end is None}

    def _feasible(self, half: HalfSpace) -> bool:
        found = [half]
        for group in self._around(half):
            found += group.halves
        draws = sorted({v for h in found for v, _ in h.direction})
        found += [b for v in draws for b in bounds(v, *self._ends[v])]
        names = {v: i for i, v in enumerate(draws)}
        try:
            return self._known.possible(frozenset(h.renamed(names) for h in found))
        except TooManyError:
            self.refuse("it compares too many draws with each other")

    def _around(self, half: HalfSpace) -> list["_Group"]:
        groups = {id(g): g for v, _ in half.direction if (g := self._groups.get(v))}
        return list(groups.values())

    def _share(self, half: HalfSpace) -> float:
        """Return about how probable a side is: of a draw that is compared with numbers only, else
        1/2.
        """
        if len(half.direction) > 1 or half.direction[0][0] in self._groups:
            return 0.5
        v, d = half.direction[0]
        cut = -half.constant / d
        whole, below = (self._approx(v, self._ends[v][0], end) for end in (self._ends[v][1], cut))
        share = below / whole if whole > 0 else 0.5
        share = min(max(share, 1e-9), 1 - 1e-9)
        return share if d < 0 else 1 - share

    def _approx(self, v: int, low: End, high: End) -> float:
        return self._known.total(self._densities[v], low, high).approx()

    def _restrict(self, half: HalfSpace) -> None:
        """Keep the half-space of the side that was taken."""
        if len(half.direction) == 1:
            v, d = half.direction[0]
            cut = -half.constant / d
            low, high = self._ends[v]
            self._ends[v] = (highest(low, cut), high) if d > 0 else (low, lowest(high, cut))
            return
        merged = _Group({v for v, _ in half.direction}, [half])
        for group in self._around(half):
            merged.draws |= group.draws
            merged.halves = [*group.halves, *merged.halves]
        self._groups.update(dict.fromkeys(merged.draws, merged))

    def mass(self) -> ExponentialPolynomial:
        """Return the probability of this path, exactly."""
        whole = ExponentialPolynomial.constant(self.weight)
        for v, number in enumerate(self._densities):
            ends = self._ends[v]
            if v not in self._groups and ends != self._known.functions[number].support:
                whole *= self._known.total(number, *ends)
        for group in {id(g): g for g in self._groups.values()}.values():
            whole *= self._of_group(group)
        return whole

    def _of_group(self, group: "_Group") -> ExponentialPolynomial:
        names = {v: i for i, v in enumerate(sorted(group.draws))}
        halves = [*group.halves, *(b for v in names for b in bounds(v, *self._ends[v]))]
        region = frozenset(half.renamed(names) for half in halves)
        try:
            return self._known.mass(tuple(self._densities[v] for v in names), region)
        except TooManyError:
            self.refuse("it compares too many draws with each other")

    def _words(self, half: HalfSpace, answer: int) -> str:
        terms = sorted(half.direction, key=lambda term: term[1] < 0)
        form = " ".join(_term(d, self._names[v]) for v, d in terms).removeprefix("+ ")
        limit = fraction(-half.constant)
        return f"{form} {'>' if answer else '<'} {limit}"


@dataclass(eq=False)
class _Group:
    """Draws that were compared with each other, directly or through others."""

    draws: set[int]
    halves: list[HalfSpace]


def _term(d: int, name: str) -> str:
    size = "" if abs(d) == 1 else f"{abs(d)} "
    return f"{'+' if d > 0 else '-'} {size}{name}"


def choices(last: Step | None) -> list[Choice]:
    """Return the choices of a path in words, without those that had one answer."""
    return [
        Choice(step.fork.where, step.fork.words(step.answer))
        for step in steps(last)
        if step.fork.open
    ]


def place() -> str:
    """Return file and line of the program that is running: the innermost frame that is neither of
    this package nor of a library that calls back.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if of_program(frame):
            return f"{PurePath(frame.f_code.co_filename).name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def place_of(error: BaseException) -> str:
    """Return file and line of the program from which an error comes."""
    found, trace = "", error.__traceback__
    while trace is not None:
        if of_program(trace.tb_frame):
            found = f"{PurePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def of_program(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    if name.startswith(("<frozen", _HERE, _STANDARD)) and "site-packages" not in name:
        return False
    return "numpy" not in PurePath(name).parts
