"""The paths of a program: it is run once for each, and a run that comes to a choice takes the most
probable branch and leaves the others for later runs, which replay the choices before.

Nothing of the program is parsed, and no state is compared: a path is the list of its choices. A
discrete draw is a choice with rational weights. A comparison of draws is one if both sides are
possible, given the comparisons before; the half-space of the side that was taken is kept, unless
the path implies it. `integrals` tells how probable the half-spaces of a path are.
"""

import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from heapq import heappush
from itertools import combinations, count
from pathlib import PurePath
from types import FrameType
from typing import NoReturn

from flint import fmpq

from pufferproof import models
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, rational
from pufferproof.verify.programs.drawing.arrays import Operand, Parts
from pufferproof.verify.programs.drawing.counts import Cell, Counts, words_of_cell
from pufferproof.verify.programs.drawing.draws import ControlError, Draw, Places, ordered
from pufferproof.verify.programs.drawing.lazy import Atoms, Lazy, Truth
from pufferproof.verify.programs.noise import BESIDE, GAUSSIAN, SEVERAL, TWO_SIDED, Number, UnkeptError
from pufferproof.verify.programs.regions.integrals import Conditions, Integrals
from pufferproof.verify.programs.regions.normal import BeyondError
from pufferproof.verify.programs.regions.region import GUMBEL, HalfSpace, Quotients, TooManyError, half_space

# The choices of a path: forks, the steps that answer them, and the branches that are left.
#
# A branch that is left for later is its last step, which knows the step before it.

_VERIFY = str(PurePath(__file__).parents[1])
_MODELS = str(PurePath(models.__file__).parent)
_LONG = 200  # characters of what an error says
_STANDARD = str(PurePath(os.__file__).parent)


class RefusedError(ControlError):
    """The law of a program has no exact form here, or it is no function of its draws."""

    def __init__(self, why: str, where: str) -> None:
        super().__init__(why)
        self.why, self.where = why, where


class AtOnceError(ControlError):
    """A run uses a truth as an index, which arrays and lists take differently: all truths are to be
    known at once.
    """


class LateError(RefusedError):
    """A run takes too long."""


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
    weights: Sequence[fmpq | bool]
    shares: Sequence[float]
    effect: Operand = None  # what the answers do, for who asked

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
    _order: Iterator[int] = field(default_factory=count)

    def add(self, step: Step | None, priority: float) -> None:
        """Leave a branch for later."""
        heappush(self.waiting, (-priority, next(self._order), step))


def steps(last: Step | None) -> list[Step]:
    found = []
    while last is not None:
        found.append(last)
        last = last.before
    return found[::-1]


def choices(last: Step | None) -> list[Choice]:
    """Return the choices of a path in words, without those that had one answer."""
    return [Choice(step.fork.where, step.fork.words(step.answer)) for step in steps(last) if step.fork.open]


def place() -> str:
    """Return file and line of the program that runs: the innermost frame that is neither of
    this package nor of a library, or of an installed package if the program itself is one.
    """
    found = ""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code, file = frame.f_code, frame.f_code.co_filename
        # a method that the standard library wrote for a class, in no file
        own = code.co_name.startswith("__") or str(frame.f_globals.get("__name__")).startswith("namedtuple_")
        if of_program(frame) and not (file == "<string>" and own):
            here = f"{_name(file)}:{frame.f_lineno}"
            if not _installed(file):
                return here
            found = found or here
        elif found and file.startswith(_VERIFY):
            break  # which called the program
        frame = frame.f_back
    return found


def place_of(error: BaseException) -> str:
    """Return file and line of the program from which an error comes."""
    found, written, trace = "", False, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if of_program(trace.tb_frame) and not (written and _installed(file)):
            found, written = f"{_name(file)}:{trace.tb_lineno}", not _installed(file)
        trace = trace.tb_next
    return found


def words_of(error: BaseException) -> str:
    """Return the kind of an error, and what it says, if that is not too long."""
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # of an error that somebody wrote
        return name
    text = text if len(text) <= _LONG else f"{text[:_LONG]}.."
    return f"{name}: {text}" if text else name


def of_program(frame: FrameType) -> bool:
    """Whether a frame is of the program: neither of this package nor of a library."""
    return _own(frame.f_code.co_filename)


@cache
def _name(file: str) -> str:
    return PurePath(file).name


@cache
def _installed(file: str) -> bool:
    return "site-packages" in PurePath(file).parts


@cache
def _own(name: str) -> bool:
    if name.startswith(("<frozen", _VERIFY, _MODELS)):
        return False
    if name.startswith(_STANDARD) and "site-packages" not in name:
        return False
    return "numpy" not in PurePath(name).parts


SECONDS = 20  # of the processor, in one run: for loops that nothing counts
LONGEST = 50_000  # choices, or draws, of one run
_STRIDE = 100  # new choices in one run: an endless loop comes back to the others
_FAR = 2.0**-10  # how probable a run is, that goes on, beside the most probable branch
_FLOATS = 2**53  # a number beside a float so much smaller, which it loses
_MANY = "it compares too many draws with each other"


class Run:
    """One run of a program: the choices that it replays and makes, and what is known of its
    draws.
    """

    def __init__(
        self, last: Step | None, known: Integrals, frontier: Frontier | None, at_once: bool = False, keeps: bool = False
    ) -> None:
        self.keeps = keeps  # whether drawn integers of the output stay unknown
        self._at_once = at_once  # whether discrete draws and truths are known at once
        self.replayed = steps(last)
        self._frontier = frontier
        self.step: Step | None = None
        self.made = 0
        self.calls = 0  # that the program makes itself, if they are watched
        self.ended = False  # whether the program has returned
        self.dead: ControlError | None = None
        self.weight = fmpq(1)
        self.noted: list[Hashable] = []  # the laws of its draws, which choices do not name
        self.atoms = Atoms(self)
        self.counts = Counts(self)
        self.numbers: list[Number] = []  # of the output, that are drawn
        self.remarks: dict[str, None] = {}  # what an answer says of the program
        self._drawn: list[Hashable] = []  # the law of every draw
        self._sizes: list[fmpq] = []  # the scale of every draw, roughly
        self._conditions = Conditions(known)
        self._new_ones = 0  # choices that are not replayed, and have several answers
        self._events: dict[int, tuple[Lazy, HalfSpace, fmpq]] = {}  # by draw

    def refuse(self, why: str, where: str | None = None) -> NoReturn:
        """End the run: its law has no exact form here."""
        known = "" if self.ended else place()
        raise self._remember(RefusedError(why, known if where is None else where))

    def remark(self, what: str) -> None:
        """Note what an answer is to say of the program, where it is now."""
        self.remarks[f"{place()}: {what}"] = None

    def end_for_truths(self) -> NoReturn:
        """End the run: the program is to be run with truths that are known at once."""
        raise self._remember(AtOnceError())

    def late(self) -> NoReturn:
        self._endless(f"takes more than {SECONDS} seconds of the processor")

    def _endless(self, why: str) -> NoReturn:
        here = "" if self.ended else place()
        raise self._remember(LateError(f"one run of it {why}: does a loop of it end", here))

    def shown(self, value: Operand) -> Operand:
        """Return a draw as the program gets it: known at once if it asks what it is."""
        late = isinstance(value, Lazy) or type(value) is Places
        return value.resolved() if self._at_once and late else value

    def asked_directly(self, depth: int) -> bool:
        """Whether the program itself asks for an attribute, not a library: so many calls away."""
        return of_program(sys._getframe(depth))

    def _remember(self, error: ControlError) -> ControlError:
        self.dead = self.dead or error
        return self.dead

    @property
    def again(self) -> bool:
        return self._frontier is None

    # choices

    def replay(self, asked: Hashable) -> int | None:
        """Return the answer to a choice that was made before, or None if it is new: a `branch`."""
        if self.dead:
            raise self.dead
        if self.made >= len(self.replayed):
            return None
        self.step = self.replayed[self.made]
        if self.step.fork.asked != asked:
            self.differs()
        self.made += 1
        return self.step.answer

    def branch(
        self,
        asked: Hashable,
        weights: Sequence[fmpq | bool],
        shares: Sequence[float],
        words: Callable[[int], str],
        effect: object = None,
    ) -> int:
        """Take the most probable answer to a new choice, and leave the others for later runs: given
        the weights of the answers, their shares as floats, words, and what the answers do.
        """
        fork = Fork(asked, place(), words, weights, shares, effect)
        if self.made >= LONGEST:
            self._endless(f"makes {LONGEST} choices")
        depth, priority = self.made, self.step.priority if self.step else 1.0
        best = max(range(len(weights)), key=lambda i: shares[i] if weights[i] else -1.0)
        self._new_ones += sum(map(bool, weights)) > 1
        rank = priority * shares[best]
        waiting = self._frontier.waiting if self._frontier is not None else []
        behind = bool(waiting) and rank < -_FAR * waiting[0][0]  # far less probable than one that waits
        stop = self._new_ones > _STRIDE or behind
        for i, weight in enumerate(weights):
            if weight and self._frontier is not None and (stop or i != best):
                share = priority * shares[i]
                self._frontier.add(Step(fork, i, self.step, share, depth + 1), share)
        if stop:
            raise self._remember(StoppedError())
        self.step = Step(fork, best, self.step, rank, depth + 1)
        self.made += 1
        return best

    @property
    def effect(self) -> Operand:
        return self.step.fork.effect if self.step else None

    def differs(self) -> NoReturn:
        """End the run: it makes another choice than one before."""
        where = self.step.fork.where if self.step else "the start"
        self.refuse(f"it is not a function of its draws: another run chooses at {where} instead")

    # continuous draws

    def draw(self, name: Hashable, words: str, make: Callable[[], Piecewise]) -> Draw:
        """Return a new draw with a density, which is made if its name is new."""
        if len(self.noted) >= LONGEST:
            self._endless(f"makes {LONGEST} draws")
        self.noted.append(name)
        self._drawn.append(name)
        scale = name[-1] if isinstance(name, tuple) else 1
        self._sizes.append(rational(scale) if isinstance(scale, Fraction) else fmpq(1))
        return Draw(self, fmpq(0), {self._conditions.draw(name, words, make): fmpq(1)})

    def gumbel(self) -> Draw:
        """Return a new Gumbel draw of location 0 and scale 1."""
        self.noted.append(GUMBEL)
        self._drawn.append(GUMBEL)
        self._sizes.append(fmpq(1))
        return Draw(self, fmpq(0), {self._conditions.gumbel(): fmpq(1)})

    def note_size(self, parts: Parts, constant: fmpq) -> None:
        """Remark if a number is so large that floats would lose the draw to which it is added, or
        with which it is compared.
        """
        if abs(constant) > _FLOATS * sum(abs(a) * self._sizes[v] for v, a in parts.items()):
            self.remark(
                "a number is above 2^53 times the scale of its draw, which floats lose: the law is that of real numbers"
            )

    def expect_density(self, parts: Iterable[int], what: str) -> None:
        """End the run if a linear form has Gumbel draws, which are compared only."""
        if not self._conditions.racing.isdisjoint(parts):
            self.refuse(f"{what}: compare noisy scores with each other")

    def decide(self, parts: Parts, constant: fmpq) -> bool:
        """Return whether sum parts[v] X_v + constant > 0, given the path: a choice if both are
        possible.
        """
        half = self._half(parts, constant)
        for v, _ in half.direction:
            self._expect(v, half)
        drawn = tuple(self._conditions.densities[v] for v, _ in half.direction)
        if (answer := self.replay((half, drawn))) is None:
            try:
                no, yes = self._conditions.possible(half)
            except TooManyError as error:
                self._beyond(error)
            share = self._conditions.share_approx(half) if no and yes else float(yes)
            words = partial(self._conditions.words, half)
            answer = self.branch((half, drawn), (no, yes), (1 - share, share), words)
        if self.step and self.step.fork.open:
            self._conditions.restrict(half if answer else half.opposite())
        return bool(answer)

    def within(self, parts: Parts, constant: fmpq, size: fmpq) -> bool:
        """Return whether a form lies between -size and size: one choice if nothing is known of its
        draw, which then has no side outside until it is looked at again.
        """
        halves = half_space(parts, constant + size), half_space(parts, constant - size).opposite()
        (v, _), *others = halves[0].direction
        if others or v in self._events or not self._conditions.splits(halves):
            negative = {u: -c for u, c in parts.items()}
            return self.decide(parts, constant + size) and self.decide(negative, size - constant)
        asked = "within", *halves, self._conditions.densities[v]
        if (answer := self.replay(asked)) is None:
            outside = " or ".join(self._conditions.words(half, 0) for half in halves)
            inside = " and ".join(self._conditions.words(half, 1) for half in halves)
            share = sum(map(self._conditions.share_approx, halves)) - 1
            share = min(max(share, 1e-9), 1 - 1e-9)
            answer = self.branch(asked, (True, True), (1 - share, share), (outside, inside).__getitem__)
        if answer:
            for half in halves:
                self._conditions.restrict(half)
        else:
            self._conditions.gaps[v] = halves
        return bool(answer)

    def apart(self, parts: Parts) -> bool:
        """Whether a form is that of one draw of which intervals are known, after it is settled."""
        v = next(iter(parts))
        if len(parts) > 1 or not self._conditions.apart(v):
            return False
        self._expect(v)
        return True

    def cell(self, form: Draw, cells: Sequence[Cell]) -> Cell:
        """Return in which of some intervals the integer below a form of one draw is."""
        ((v, slope),) = form.parts.items()
        asked = "cell", slope, form.constant, self._conditions.densities[v], cells[0], *cells[-2:]
        if (answer := self.replay(asked)) is None:
            shares = []
            for low, high in cells:
                ends = [None if low is None else (low - form.constant) / slope]
                ends.append(None if high is None else (high + 1 - form.constant) / slope)
                low_end, high_end = ends if slope > 0 else ends[::-1]
                shares.append(self._conditions.between_approx(v, (low_end, high_end)))
            whole = sum(shares) or 1.0
            words = self._conditions.words(half_space({v: slope}, form.constant), 1).partition(" >")[0]
            possible = [share > 0 for share in shares]
            texts = [f"integer of {words} {words_of_cell(cell)}" for cell in cells]
            answer = self.branch(asked, possible, [share / whole for share in shares], texts.__getitem__)
        low, high = cells[answer]
        if low is not None:
            self._conditions.restrict(half_space(form.parts, form.constant - low))
        if high is not None:
            self._conditions.restrict(half_space(form.parts, form.constant - high - 1).opposite())
        return cells[answer]

    def _half(self, parts: Parts, constant: fmpq) -> HalfSpace:
        half = half_space(parts, constant)
        why = self._conditions.unlike(half)
        return half if why is None else self.refuse(why)

    def logarithm(self, parts: Parts, constant: fmpq) -> Draw:
        """Return log(U) for a form U that is uniform between 0 and 1 given the path: -E, where E is
        an exponential draw of scale 1. U itself is not to be looked at again. And log(E) = -G,
        where G is a Gumbel draw.
        """
        v, *others = parts
        if not others and v in self._events:
            self._settle(v)
        exponential = not others and self._conditions.is_exponential(v, parts[v], constant)
        if others or not (exponential or self._conditions.is_uniform(v, parts[v], constant)):
            self.refuse(
                "it takes a logarithm of draws that is neither of one between 0 and 1 nor of an "
                "exponential one of scale 1"
            )
        self._conditions.spent.add(v)
        self.noted.append(v)
        if exponential:
            return -self.gumbel()
        name = ("gamma", 1, Fraction(1))
        return -self.draw(name, "exponential(1)", lambda: Piecewise.gamma(1, Fraction(1)))

    def _beyond(self, error: TooManyError) -> NoReturn:
        self.refuse(error.why if isinstance(error, BeyondError) else _MANY)

    def later(self, parts: Parts) -> bool:
        """Whether a comparison of a draw with a number may wait until it is looked at."""
        v = next(iter(parts))
        return not self._at_once and v not in self._events and self._conditions.fresh(v) and self._conditions.bounded(v)

    def truth(self, form: Draw, sides: tuple[object, object]) -> Truth:
        return Truth(form, sides)

    def event(self, parts: Parts, constant: fmpq, truth: tuple[object, object]) -> Lazy | None:
        """Return the truth of a comparison with a fresh draw as a discrete draw, given the truths
        on both sides; or None if it is not of rational probability.
        """
        half = half_space(parts, constant)
        v = half.direction[0][0]
        if len(half.direction) > 1 or v in self._events or not self._conditions.fresh(v):
            return None
        value = self._conditions.event(half)
        if value is None or not 0 < value < 1:
            return None
        share = rational(value)
        words = [self._conditions.words(half, side) for side in (0, 1)]
        lazy = self.atoms.draw(truth, (1 - share, share), words)
        self._events[v] = (lazy, half, share)
        self.noted.append(half)
        return lazy

    def _expect(self, v: int, half: HalfSpace | None = None) -> None:
        """Make what is known of a draw half-spaces, because it is compared."""
        if v in self._events:
            self._settle(v)
        if (left := self._conditions.gaps.get(v)) is not None:
            if (answer := self.replay(("side", left))) is None:
                shares = [1 - self._conditions.share_approx(half) for half in left]
                whole = sum(shares) or 1.0
                words = [self._conditions.words(half, 0) for half in left]
                answer = self.branch(
                    ("side", left), (True, True), [share / whole for share in shares], words.__getitem__
                )
            del self._conditions.gaps[v]
            self._conditions.restrict(left[answer].opposite())
        if v not in self._conditions.spent:
            return
        if not half or len(half.direction) > 1 or all(self._conditions.possible(half)):
            self.refuse("it compares a draw of which it took the logarithm")

    def _settle(self, v: int) -> None:
        """Let the truth of a comparison become known, because its draw is compared again."""
        lazy, half, share = self._events.pop(v)
        true = lazy.resolved() == lazy.table[1]
        self.weight /= share if true else 1 - share  # the half-space counts it
        self._conditions.restrict(half if true else half.opposite())

    def ordered(self, values: list[Operand]) -> Places | None:
        """Return the places of numbers in ascending order, as `orders` finds them."""
        return ordered(values)

    def largest(self, values: Sequence[Operand], words: Callable[[int], str] = "place {} is the largest".format) -> int:
        """Return the first place of the largest of some numbers: a branch for each possible one."""
        differences = self._leads(values)
        asked = ("largest", tuple(each and tuple(each) for each in differences))
        if (answer := self.replay(asked)) is None:
            try:
                effects = [halves if halves is None else self._added(halves) for halves in differences]
            except TooManyError as error:
                self._beyond(error)
            possible = [effect is not None for effect in effects]
            answer = self.branch(asked, possible, [side / sum(possible) for side in possible], words, effects)
        for half in self.effect[answer]:
            self._conditions.restrict(half)
        return answer

    def _leads(self, values: Sequence[Operand]) -> list[list[HalfSpace] | None]:
        """Return for each number the half-spaces in which it is the first largest; None if it never
        is.
        """
        leads: list[list[HalfSpace] | None] = [[] for _ in values]
        for i, j in combinations(range(len(values)), 2):
            difference = values[i] - values[j]
            if isinstance(difference, Draw) and difference.parts:
                half = self._half(difference.parts, difference.constant)
                for place, side in ((i, half), (j, half.opposite())):
                    if (known := leads[place]) is not None:
                        known.append(side)
            else:
                leads[j if difference >= 0 else i] = None
        for v in sorted({v for each in leads for half in each or () for v, _ in half.direction}):
            self._expect(v)
        return leads

    def _added(self, halves: Sequence[HalfSpace]) -> list[HalfSpace] | None:
        """Return the half-spaces that the path does not imply; None if they exclude each other."""
        trial, added = self._conditions.copy(), []
        for half in halves:
            no, yes = trial.possible(half)
            if not yes:
                return None
            if no:
                trial.restrict(half)
                added.append(half)
        return added

    def release(self, parts: Parts, constant: fmpq) -> None:
        """Keep a linear form that is part of the output."""
        for v in sorted(parts):
            self._expect(v)
        self.expect_density(parts, "its output has a number with Gumbel noise")
        terms = ((v, self._drawn[v], a) for v, a in sorted(parts.items()))
        self.numbers.append(Number(tuple(terms), constant))

    def release_integer(self, v: int, ratio: Fraction, slope: int, shift: int) -> None:
        """Keep an integer that is part of the output, two-sided geometric and not looked at."""
        term = (("count", v), (TWO_SIDED, ratio), fmpq(slope))
        self.numbers.append(Number((term,), fmpq(shift)))

    def density(self) -> Piecewise | str:
        """Return y -> the density of the number in the output at y on this path; "" if there is
        none, or the output is noise on a query as a whole, else why it is not read.
        """
        if not self.numbers:
            return ""
        whole = any(number.whole for number in self.numbers)
        if len(self.numbers) > 1 or whole or self.numbers[0].normal:
            if self.mass().value() != 1 or any(self.race().parts):
                if whole:
                    raise UnkeptError
                return SEVERAL if len(self.numbers) > 1 else GAUSSIAN
            return ""
        if self._conditions.normals.ends:
            return BESIDE
        number = self.numbers[0]
        try:
            found = self._conditions.density(number.form)
        except TooManyError:
            self.refuse(_MANY)
        return found.scaled(self.counts.mass().scaled(self.weight))

    def mass(self) -> ExponentialPolynomial:
        """Return the probability of this path without what is known of Gumbel draws, exactly."""
        try:
            return (self._conditions.mass() * self.counts.mass()).scaled(self.weight)
        except TooManyError:
            self.refuse(_MANY)

    def race(self) -> Quotients:
        """Return the probability of what is known of Gumbel draws, exactly."""
        try:
            return self._conditions.race()
        except TooManyError:
            self.refuse(_MANY)
